"""A tournament and a league that people enter, with the same commands."""

from typing import Any, Protocol
from uuid import UUID

from domain.contests.conditions import Entrant, EntryConditions
from domain.kernel.values import replace
from domain.leagues import invitations, seasons
from domain.leagues.acts import act_of as league_act_of
from domain.leagues.state import LEAGUE
from domain.tournaments import invitations as tournament_invitations
from domain.tournaments import registration
from domain.tournaments.acts import act_of as tournament_act_of
from domain.tournaments.state import TOURNAMENT
from tests.domain.leagues import test_leagues as leagues
from tests.domain.tournaments.building import Story as TournamentStory

ORGANISER = "olga"


class Entering(Protocol):
    """An event that people enter."""

    def enter(
        self,
        actor: str,
        entrant: Entrant | None,
        *,
        by: str = "",
        reason: str = "",
        waives: bool = False,
        club_id: UUID | None = None,
    ) -> str:
        """Enter a person, as an organiser if `by` is one; return the kind of the fact."""
        ...

    def accept(self, actor: str, entrant: Entrant | None) -> str:
        """Accept the latest invitation; return the kind of the fact."""
        ...

    def invite(self, actor: str) -> None:
        """Invite a person without entering them."""
        ...

    def club_of(self, actor: str) -> UUID | None:
        """Return the club of the entry of a person."""
        ...

    @property
    def acts(self) -> list[tuple[str, str]]:
        """The kind and the reason of each act of the organiser."""
        ...


class EnteringTournament:
    """A tournament of La Granja."""

    def __init__(self, conditions: EntryConditions | None) -> None:
        self.story = TournamentStory(conditions=conditions)
        self.acts: list[tuple[str, str]] = []

    def _take(self, fact: Any) -> str:
        before, event = self.story.state, self.story
        event.take(fact)
        record = TOURNAMENT.seal(before.id, None, fact, event.at)
        if (act := tournament_act_of(before, record, fact)) is not None:
            self.acts.append((act.kind, act.reason))
        return type(fact).__name__

    def enter(
        self,
        actor: str,
        entrant: Entrant | None,
        *,
        by: str = "",
        reason: str = "",
        waives: bool = False,
        club_id: UUID | None = None,
    ) -> str:
        is_organiser = bool(by)
        return self._take(
            registration.enter(
                self.story.state,
                by or actor,
                actor=actor,
                as_organiser=is_organiser,
                reason=reason,
                waives=waives,
                entrant=entrant,
                club_id=club_id,
            )
        )

    def accept(self, actor: str, entrant: Entrant | None) -> str:
        return self.enter(actor, entrant)

    def club_of(self, actor: str) -> UUID | None:
        entry = self.story.state.entry_of(actor)
        assert entry is not None
        return entry.club_id

    def invite(self, actor: str) -> None:
        self.story.take(*tournament_invitations.invite(self.story.state, actor, ORGANISER))


class EnteringLeague:
    """A league of La Granja, whose first season takes entries."""

    def __init__(self, conditions: EntryConditions | None) -> None:
        self.story = leagues.Story(replace(leagues.PLAN, conditions=conditions))
        self.story.adds(seasons.open_season(self.story.league, ORGANISER, "2026"))
        self.acts: list[tuple[str, str]] = []

    def _take(self, fact: Any) -> str:
        before = self.story.league
        self.story.adds(fact)
        record = LEAGUE.seal(before.id, None, fact, self.story.at)
        if (act := league_act_of(before, record, fact)) is not None:
            self.acts.append((act.kind, act.reason))
        return type(fact).__name__

    def enter(
        self,
        actor: str,
        entrant: Entrant | None,
        *,
        by: str = "",
        reason: str = "",
        waives: bool = False,
        club_id: UUID | None = None,
    ) -> str:
        return self._take(
            seasons.enter(
                self.story.league,
                by or actor,
                actor,
                0,
                is_organiser=bool(by),
                reason=reason,
                waives=waives,
                entrant=entrant,
                club_id=club_id,
            )
        )

    def accept(self, actor: str, entrant: Entrant | None) -> str:
        to = self.story.league.invitations.open[-1].fact.to
        return self._take(invitations.accept(self.story.league, actor, to, 0, entrant=entrant))

    def club_of(self, actor: str) -> UUID | None:
        assert self.story.league.season is not None
        return next(entry.club_id for entry in self.story.league.season.entered if entry.actor == actor)

    def invite(self, actor: str) -> None:
        self.story.adds(invitations.invite(self.story.league, ORGANISER, actor))


SUBJECTS = (EnteringTournament, EnteringLeague)
