"""Commands about invitations to a league: invite, accept, decline, withdraw."""

from functools import partial

from domain.contests.conditions import Entrant
from domain.invitations import decisions
from domain.invitations.state import Invitation
from domain.leagues import facts
from domain.leagues.admission import require_new
from domain.leagues.invitation_facts import (
    WHOLE_LEAGUE,
    InvitationDeclined,
    InvitationWithdrawn,
    InvitedTo,
    PlayerInvited,
)
from domain.leagues.plan import LeagueRefused
from domain.leagues.seasons import enter, group_of, running_season
from domain.leagues.state import League
from domain.leagues.substitutes import substitute
from domain.matches.facts import Actor


def invite(league: League, by: Actor, actor: Actor) -> PlayerInvited:
    """Invite an account to enter the league; raise `LeagueRefused` if it is invited already or has declined."""
    fact = require_new(league, PlayerInvited(by, actor))
    if league.invitations.may_enter(actor, WHOLE_LEAGUE.target):
        raise LeagueRefused(f"{actor} is already invited")
    return fact


def holds(league: League, invitation: Invitation[PlayerInvited]) -> bool:
    """Return whether an invitation can still be accepted: to the league always, to others only in the same season.

    To a season: before its draw. To a place: until the last round of the season is open.
    """
    season, to = league.season, invitation.fact.to
    if to.season == 0:
        return True
    if season is None or to.season != season.number:
        return False
    if not to.seat:
        return season.status == "registering"
    return season.status == "running" and season.rounds_opened < season.rounds


def open_invitation(league: League, actor: Actor, to: InvitedTo) -> Invitation[PlayerInvited]:
    """Return the open invitation of an account that can still be accepted."""
    can_accept = partial(holds, league)
    return decisions.open_invitation(league.invitations, actor, to.target, can_accept, "league", LeagueRefused)


def accept(
    league: League, actor: Actor, to: InvitedTo, seeding: int, *, entrant: Entrant | None = None
) -> facts.PlayerEntered | facts.SubstituteNamed:
    """Accept an invitation: enter, or take a place of a group from its first unopened round.

    Raise `LeagueRefused` without such an open invitation, and as `enter` or `substitute`. `seeding` is used if the
    invitation names none.
    """
    invited = open_invitation(league, actor, to).fact
    if not to.seat:
        entry = enter(league, actor, actor, invited.seeding or seeding, is_organiser=False, entrant=entrant)
        assert isinstance(entry, facts.PlayerEntered), "accounts must be invited"
        return entry
    season = running_season(league)
    replaced = group_of(season, to.group).places[to.place].actor
    round_number = max(to.from_round, season.rounds_opened + 1)
    decision = substitute(league, actor, to.group, replaced, actor, round_number, invited.reason, place=to.place)
    assert isinstance(decision, facts.SubstituteNamed), "accounts must accept a place themselves"
    return decision


def decline(league: League, actor: Actor, to: InvitedTo) -> InvitationDeclined:
    """Decline an invitation."""
    open_invitation(league, actor, to)
    return InvitationDeclined(actor, actor, to)


def withdraw_invitations(league: League, by: Actor, actor: Actor) -> tuple[InvitationWithdrawn, ...]:
    """Withdraw all open invitations of an account."""
    invited = decisions.open_invitations(league.invitations, actor, "league", LeagueRefused)
    return tuple(InvitationWithdrawn(by, actor, each.to) for each in invited)
