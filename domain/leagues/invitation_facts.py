"""Facts about invitations to a league."""

from typing import Final

from domain.invitations.state import Invitations
from domain.kernel.values import Value
from domain.leagues.fact_base import LeagueFact, Text
from domain.matches.facts import Actor


class InvitedTo(Value, frozen=True, omit_defaults=True):
    """The target of an invitation: a league, a season of it, or a place of a group.

    `season` 0: the league. `from_round` 0: no place; otherwise the place is offered from that round on.
    """

    season: int = 0
    group: int = 0
    place: int = 0
    from_round: int = 0

    @property
    def target(self) -> str:
        """The target as a key."""
        return f"{self.season}/{self.group}/{self.place}/{self.from_round}"

    @property
    def seat(self) -> str:
        """The place of a group as a key, whatever the round; empty for an invitation to enter."""
        return f"{self.season}/{self.group}/{self.place}" if self.from_round else ""

    @property
    def scope(self) -> str:
        """The season, or the league: a person who declines is not invited again there."""
        return str(self.season)


WHOLE_LEAGUE: Final = InvitedTo()


def scopes_in(season: int) -> tuple[str, str]:
    """Return the scopes in which a person may have declined to play a season."""
    return str(season), WHOLE_LEAGUE.scope


class PlayerInvited(LeagueFact, frozen=True):
    """An organiser invites an account.

    With a season, the organiser has entered the account for it, and `seeding` applies to its entry once it accepts.
    `waives`: the account need not meet the conditions of entry. Older records name `by` and `actor` alone.
    """

    by: Actor
    actor: Actor
    to: InvitedTo = WHOLE_LEAGUE
    seeding: int = 0
    reason: Text = ""
    waives: bool = False

    @property
    def target(self) -> str:
        """The target of the invitation."""
        return self.to.target

    @property
    def seat(self) -> str:
        """The place of a group, or empty."""
        return self.to.seat


class InvitationEnded(LeagueFact, frozen=True):
    """Base of facts that end an invitation."""

    by: Actor
    actor: Actor
    to: InvitedTo = WHOLE_LEAGUE

    @property
    def target(self) -> str:
        """The target of the invitation."""
        return self.to.target

    @property
    def scope(self) -> str:
        """The scope of a refusal."""
        return self.to.scope


class InvitationDeclined(InvitationEnded, frozen=True):
    """A person declined an invitation."""


class InvitationWithdrawn(InvitationEnded, frozen=True):
    """An organiser withdrew an open invitation."""


LeagueInvitations = Invitations[PlayerInvited]
