"""The service of the integrity screen for one caller: every look is written down before anything is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol, TypeVar
from uuid import UUID

from litestar.datastructures import State
from litestar.di import NamedDependency

from api.accounts.service import AccountService
from api.integrity import commands
from api.integrity.addresses import AddressNotes
from api.integrity.commands import Seen, Survey
from api.integrity.wire import (
    WARNING,
    FiguresShown,
    HelpingShown,
    MeetingShown,
    Named,
    SharedShown,
    SittingShown,
    StandingShown,
    ThinkerShown,
)
from api.matches.acting import now
from api.matches.service import MatchService
from api.matches.showing import Names, names_of
from api.web.guards import Caller
from domain.integrity.base import MATCHES_MIN, OTHERS_MIN, OUTERMOST, Standing, rarity
from domain.integrity.company import Helping, Meeting
from domain.integrity.people import Sitting, Thinker
from domain.integrity.played import Played
from domain.matches.facts import Actor
from domain.ratings.models import BASE, model_of
from projections import integrity

SHOWN: Final = 50
"""So many of the most unusual rows of each kind are shown."""
NEWEST: Final = 5
"""So many matches of two people together are named."""


class Row(Protocol):
    @property
    def standings(self) -> tuple[Standing, ...]: ...


R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class IntegrityService:
    """The figures, for one caller."""

    tables: MatchService
    accounts: AccountService
    addresses: AddressNotes
    caller: Caller

    async def figures(
        self, event: UUID | None = None, *, person: Actor | None = None, match_id: UUID | None = None
    ) -> FiguresShown:
        """Of everybody, of the people of an event, of one of them, or of those at a match."""
        scope = "" if event is None else str(event)
        seen = await self.tables.execute(commands.look, self.caller, scope, person, match_id, at=now())
        window = await self.tables.read_model(integrity.newest)
        played = None if match_id is None else await self.tables.read_model(integrity.get, match_id)
        chance = await self.tables.read_model(integrity.strengths, model_of(BASE), window)
        survey = await self.tables.examine(commands.survey, window, chance, played)
        return await self.encode(survey, window, seen, self.reader_of(seen, person))

    async def named(self, event: UUID | None, name: str) -> FiguresShown:
        """Of somebody by id or name."""
        return await self.figures(event, person=self.accounts.named(name).id)

    def reader_of(self, seen: Seen, person: Actor | None) -> Callable[..., bool]:
        """Which rows are shown, by the people they name: nobody reads about themselves."""
        own = None if self.caller.person is None else self.caller.person.id

        def may_see(*people: Actor) -> bool:
            known = seen.people is None or seen.people.issuperset(people)
            return known and own not in people and (person is None or person in people)

        return may_see

    async def encode(
        self, survey: Survey, window: Sequence[Played], seen: Seen, may_see: Callable[..., bool]
    ) -> FiguresShown:
        thinkers = outermost(each for each in survey.thinkers if may_see(each.person))
        helpings = outermost(each for each in survey.company.helpings if may_see(each.helper, each.gainer))
        meetings = outermost(each for each in survey.company.meetings if may_see(each.one, each.two))
        sittings = tuple(each for each in survey.sittings if may_see(each.person))
        tables = Tables(window, seen.event)
        found, people_seen = await self.addresses.shared(now(), tables.enough)
        shared = [each for each in found if may_see(each.one, each.two) and tables.of(each.one, each.two)]
        names = names_of(self.accounts, people_of(thinkers, helpings, meetings, sittings, shared))
        standings = survey.standings
        return FiguresShown(
            warning=WARNING,
            event=seen.event or None,
            matches=len(window),
            since=window[-1].ended_at if window else None,
            matches_min=MATCHES_MIN,
            others_min=OTHERS_MIN,
            figures=len(standings),
            marked=sum(each.stands_out for each in standings),
            by_chance=round(len(standings) / OUTERMOST),
            thinkers=tuple(thinker_shown(each, names) for each in thinkers),
            helpings=tuple(helping_shown(each, names, tables.of(each.helper, each.gainer)) for each in helpings),
            meetings=tuple(meeting_shown(each, names, tables.of(each.one, each.two)) for each in meetings),
            addresses=tuple(
                SharedShown(both(each.one, each.two, names), each.days, each.crowd) for each in shared[:SHOWN]
            ),
            people_seen=people_seen,
            sittings=tuple(sitting_shown(each, names) for each in sittings),
        )


class Tables:
    """The matches by the people who began them, the newest first. Private ones of other events are not named."""

    def __init__(self, window: Sequence[Played], event: str) -> None:
        self._matches: dict[Actor, list[Played]] = {}
        self._event = event
        counts = Counter[Actor]()
        for played in window:
            for person in played.people:
                counts[person] += 1
                self._matches.setdefault(person, []).append(played)
        self.enough: Final = frozenset(person for person, count in counts.items() if count >= MATCHES_MIN)
        """Who has played enough to be spoken of."""

    def of(self, one: Actor, two: Actor) -> tuple[UUID, ...]:
        """The newest that two people began together."""
        found = (
            played.match_id
            for played in self._matches.get(one, ())
            if two in played.people and (played.public or played.event == self._event)
        )
        return tuple(islice(found, NEWEST))


def outermost(rows: Iterable[R]) -> list[R]:
    """The most unusual first, and no more than are shown."""
    return sorted(rows, key=lambda row: rarity(row.standings))[:SHOWN]


def people_of(
    thinkers: Iterable[Thinker],
    helpings: Iterable[Helping],
    meetings: Iterable[Meeting],
    sittings: Iterable[Sitting],
    shared: Iterable[tuple[str, str, int, int]],
) -> set[Actor]:
    """Everybody whom these rows name."""
    found = {each.person for each in thinkers} | {each.person for each in sittings}
    found |= {person for each in helpings for person in (each.helper, each.gainer)}
    found |= {person for each in meetings for person in (each.one, each.two)}
    return found | {person for one, two, _, _ in shared for person in (one, two)}


def named(person: Actor, names: Names) -> Named:
    return Named(person, names[person])


def both(one: Actor, two: Actor, names: Names) -> tuple[Named, Named]:
    return named(one, names), named(two, names)


def standings_shown(row: Row) -> tuple[StandingShown, ...]:
    return tuple(
        StandingShown(each.measure, each.value, each.count, each.beyond, each.stands_out) for each in row.standings
    )


def thinker_shown(each: Thinker, names: Names) -> ThinkerShown:
    kind = each.kind
    return ThinkerShown(
        named(each.person, names), kind.title, kind.seats, kind.clock, each.matches, standings_shown(each)
    )


def helping_shown(each: Helping, names: Names, newest: tuple[UUID, ...]) -> HelpingShown:
    return HelpingShown(
        named(each.helper, names), named(each.gainer, names), each.matches, standings_shown(each), newest
    )


def meeting_shown(each: Meeting, names: Names, newest: tuple[UUID, ...]) -> MeetingShown:
    return MeetingShown(both(each.one, each.two, names), each.matches, standings_shown(each), newest)


def sitting_shown(each: Sitting, names: Names) -> SittingShown:
    return SittingShown(named(each.person, names), each.decisions, standings_shown(each))


def provide_integrity(
    state: State,
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> IntegrityService:
    return IntegrityService(matches, accounts, state.addresses, caller)
