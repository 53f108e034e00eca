"""Commands about invitations: invite an account, decline, withdraw an invitation.

An account accepts by entering, returning or taking the seat.
"""

from functools import partial

from domain.invitations import decisions
from domain.matches.facts import Actor
from domain.matches.seats.opening import check_player
from domain.tournaments import facts
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.invitation_facts import (
    SCOPES,
    TO_ENTER,
    InvitationDeclined,
    InvitationWithdrawn,
    PersonInvited,
    TournamentInvitation,
    target_of,
)
from domain.tournaments.registration import entry_named, require_not_ended
from domain.tournaments.state import Tournament


def invite(state: Tournament, actor: Actor, by: Actor) -> tuple[facts.Fact, ...]:
    """Invite an account to enter; a second invitation gives no facts.

    Raise `TournamentRefused` if it has declined one, or if the event has ended; `UnknownActor` for a malformed id.
    """
    require_not_ended(state)
    check_player(actor)
    decisions.require_not_declined(state.invitations, actor, SCOPES, "event", TournamentRefused)
    return () if state.invitations.may_enter(actor, TO_ENTER) else (PersonInvited(by, actor),)


def is_entered(state: Tournament, actor: Actor) -> bool:
    """Return whether an organiser has entered the account, so that only its acceptance is missing."""
    invitation = state.invitations.find(actor, TO_ENTER)
    return invitation is not None and invitation.is_open and invitation.fact.enters


def holds(state: Tournament, invitation: TournamentInvitation) -> bool:
    """Return whether an invitation can still be accepted.

    To a seat: while its round is the last and not closed. To return: while the entry is withdrawn. To enter: while the
    first stage and the plan allow it.
    """
    fact, last = invitation.fact, state.round
    if state.status == "ended":
        return False
    if fact.round:
        return last is not None and last.number == fact.round and last.status in {"published", "opened"}
    if fact.entry:
        return entry_named(state, fact.entry).status == "withdrawn"
    return last is None or (last.stage == 0 and (state.plan.late_entry or fact.reason != ""))


def open_invitation(state: Tournament, actor: Actor, entry: str, number: int) -> TournamentInvitation:
    """Return the open invitation of an account to enter, to return, or to a seat in a round.

    Raise `TournamentRefused` if it has none that can still be accepted, or if the event has ended.
    """
    require_not_ended(state)
    target, can_accept = target_of(entry, number), partial(holds, state)
    return decisions.open_invitation(state.invitations, actor, target, can_accept, "event", TournamentRefused)


def decline(state: Tournament, actor: Actor, entry: str, number: int) -> InvitationDeclined:
    """Decline an invitation."""
    open_invitation(state, actor, entry, number)
    return InvitationDeclined(actor, actor, entry, number)


def take_back(state: Tournament, actor: Actor, by: Actor) -> tuple[InvitationWithdrawn, ...]:
    """Withdraw all open invitations of an account."""
    invited = decisions.open_invitations(state.invitations, actor, "event", TournamentRefused)
    return tuple(InvitationWithdrawn(by, actor, each.entry, each.round) for each in invited)
