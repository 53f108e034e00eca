"""Commands about invitations: invite an account to enter, decline, take an invitation back.

To accept one is to enter, to return or to take the seat.
"""

from domain.matches.facts import Actor
from domain.matches.opening import check_player
from domain.tournaments import facts
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.invited import Invitation, InvitationDeclined, InvitationWithdrawn, PersonInvited
from domain.tournaments.registration import require_not_declined, require_not_ended
from domain.tournaments.state import Tournament


def invite(state: Tournament, actor: Actor, by: Actor) -> tuple[facts.Fact, ...]:
    """Invite an account to enter; a second invitation adds nothing."""
    require_not_ended(state)
    check_player(actor)
    require_not_declined(state.invitations.find(actor))
    return () if state.invitations.lets_in(actor) else (PersonInvited(by, actor),)


def is_entered(state: Tournament, actor: Actor) -> bool:
    """Return whether an organiser has entered the account, so that its acceptance alone is missing."""
    found = state.invitations.find(actor)
    return found is not None and found.is_open and found.enters


def open_invitation(state: Tournament, actor: Actor, entry: str, number: int) -> Invitation:
    """Return the open invitation of an account to enter, to return, or to a seat in a round."""
    require_not_ended(state)
    found = state.invitations.find(actor, entry, number)
    if found is None or not found.is_open:
        raise TournamentRefused(f"{actor!r} has no such open invitation to this event")
    return found


def decline(state: Tournament, actor: Actor, entry: str, number: int) -> InvitationDeclined:
    """Decline an invitation."""
    open_invitation(state, actor, entry, number)
    return InvitationDeclined(actor, actor, entry, number)


def take_back(state: Tournament, actor: Actor, by: Actor) -> tuple[InvitationWithdrawn, ...]:
    """Take back all open invitations of an account."""
    found = [each for each in state.invitations.open if each.actor == actor]
    if not found:
        raise TournamentRefused(f"{actor!r} has no open invitation to this event")
    return tuple(InvitationWithdrawn(by, actor, each.entry, each.round) for each in found)
