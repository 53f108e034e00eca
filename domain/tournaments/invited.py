"""Facts about invitations to a tournament."""

from typing import Final

from domain.invitations.state import Invitation, Invitations
from domain.matches.facts import Actor
from domain.tournaments.fact import Text, TournamentFact

SCOPE: Final = "event"
"""A person who declines is not invited to any seat or entry of the same tournament again."""
SCOPES: Final = (SCOPE,)


def target_of(entry: str = "", number: int = 0) -> str:
    """Return the target of an invitation: the event, the return to an entry, or the seat of an entry in a round."""
    return f"{entry}/{number}"


TO_ENTER: Final = target_of()


class PersonInvited(TournamentFact, frozen=True):
    """An organiser invites an account: to enter the event, with `round` to play for `entry` at its table of that round,
    or with `entry` alone to return after a withdrawal.

    `enters`: an organiser has entered the account, and the details apply to its entry once it accepts. Older records
    name `by` and `actor` alone.
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

    @property
    def target(self) -> str:
        return target_of(self.entry, self.round)

    @property
    def seat(self) -> str:
        return self.target if self.round else ""


class InvitationEnded(TournamentFact, frozen=True):
    """Base of the ends of an invitation, which `entry` and `round` tell apart as in `PersonInvited`."""

    by: Actor
    actor: Actor
    entry: str = ""
    round: int = 0

    @property
    def target(self) -> str:
        return target_of(self.entry, self.round)

    @property
    def scope(self) -> str:
        return SCOPE


class InvitationDeclined(InvitationEnded, frozen=True):
    """The person declines an invitation."""


class InvitationWithdrawn(InvitationEnded, frozen=True):
    """An organiser takes back an open invitation."""


TournamentInvitation = Invitation[PersonInvited]
TournamentInvitations = Invitations[PersonInvited]


def after_entry(invitations: TournamentInvitations, by: Actor, actor: Actor, entry: str = "") -> TournamentInvitations:
    """Take an entry, or the return to one, as the answer to its invitation."""
    return invitations.with_entry(by, actor, (target_of(entry),), SCOPES)


def after_seat(
    invitations: TournamentInvitations, by: Actor, actor: Actor, entry: str, number: int
) -> TournamentInvitations:
    """Take a seat as the answer to its invitation."""
    return invitations.with_seat(by, actor, target_of(entry, number), SCOPES)
