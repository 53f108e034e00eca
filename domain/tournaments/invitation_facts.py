"""Facts about invitations to a tournament."""

from typing import Final

from domain.invitations.state import Invitation, Invitations
from domain.matches.facts import Actor
from domain.signatures.acts import Signed
from domain.tournaments.fact_base import Text, TournamentFact

SCOPE: Final = "event"
"""Scope of a refusal: a person who declines is not invited to any seat or entry of the tournament again."""
SCOPES: Final = (SCOPE,)


def target_of(entry: str = "", number: int = 0) -> str:
    """Return the target of an invitation: the event, the return to an entry, or the seat of an entry in a round."""
    return f"{entry}/{number}"


TO_ENTER: Final = target_of()


class PersonInvited(TournamentFact, frozen=True):
    """An organiser invites an account to the event, to a seat, or to return.

    With `round`, to play for `entry` at its table of that round; with `entry` alone, to return after a withdrawal.
    `enters`: an organiser has entered the account, and the details apply to its entry once it accepts. `waives`: the
    account need not meet the conditions of entry. Older records name `by` and `actor` alone.
    """

    by: Actor
    actor: Actor
    enters: bool = False
    name: str = ""
    club: str = ""
    family: str = ""
    seeding: int = 0
    entry: str = ""
    round: int = 0
    reason: Text = ""
    waives: bool = False
    signed: Signed | None = None

    @property
    def target(self) -> str:
        """The target of the invitation."""
        return target_of(self.entry, self.round)

    @property
    def seat(self) -> str:
        """The target, if it is a seat in a round; otherwise empty."""
        return self.target if self.round else ""


class InvitationEnded(TournamentFact, frozen=True):
    """Base of facts that end an invitation; `entry` and `round` as in `PersonInvited`."""

    by: Actor
    actor: Actor
    entry: str = ""
    round: int = 0

    @property
    def target(self) -> str:
        """The target of the invitation."""
        return target_of(self.entry, self.round)

    @property
    def scope(self) -> str:
        """The scope of a refusal."""
        return SCOPE


class InvitationDeclined(InvitationEnded, frozen=True):
    """A person declined an invitation."""


class InvitationWithdrawn(InvitationEnded, frozen=True):
    """An organiser withdrew an open invitation."""


TournamentInvitation = Invitation[PersonInvited]
TournamentInvitations = Invitations[PersonInvited]


def after_entry(invitations: TournamentInvitations, by: Actor, actor: Actor, entry: str = "") -> TournamentInvitations:
    """Mark the invitation to an entry, or to return to one, as accepted."""
    return invitations.with_entry(by, actor, (target_of(entry),), SCOPES)


def after_seat(
    invitations: TournamentInvitations, by: Actor, actor: Actor, entry: str, number: int
) -> TournamentInvitations:
    """Accept the invitation to a seat that `actor` takes; an invitation of another account to it is closed."""
    return invitations.with_seat(by, actor, target_of(entry, number), SCOPES)
