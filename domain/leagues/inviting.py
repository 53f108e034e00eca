"""Commands about invitations to a league: invite, accept, decline, take an invitation back."""

from domain.leagues import facts
from domain.leagues.invited import (
    InvitationDeclined,
    InvitationWithdrawn,
    InvitedTo,
    LeagueInvitation,
    PlayerInvited,
)
from domain.leagues.plan import LeagueRefused
from domain.leagues.seasons import enter, group_of, require_new, running, substitute
from domain.leagues.state import League
from domain.matches.facts import Actor


def invite(league: League, by: Actor, actor: Actor) -> PlayerInvited:
    """Invite an account to enter the league."""
    fact = require_new(league, PlayerInvited(by, actor))
    if league.invitations.lets_in(actor, 0):
        raise LeagueRefused(f"{actor} is invited already")
    return fact


def holds(league: League, invitation: LeagueInvitation) -> bool:
    """Return whether an invitation can still be accepted: to a season before its draw, to a place while it runs."""
    season, to = league.season, invitation.to
    if to.season == 0:
        return True
    if season is None or to.season != season.number:
        return False
    return season.status == ("running" if to.seat else "registering")


def open_invitation(league: League, actor: Actor, to: InvitedTo) -> LeagueInvitation:
    """Return the open invitation of an account that can still be accepted."""
    found = league.invitations.find(actor, to)
    if found is None or not found.is_open or not holds(league, found):
        raise LeagueRefused(f"{actor} has no such open invitation to this league")
    return found


def accept(league: League, actor: Actor, to: InvitedTo, seeding: int) -> facts.PlayerEntered | facts.SubstituteNamed:
    """Accept an invitation: enter, or take a place of a group from the first round on that is not open yet."""
    found = open_invitation(league, actor, to)
    if to.seat is None:
        entered = enter(league, actor, actor, found.seeding or seeding, is_organiser=False)
        assert isinstance(entered, facts.PlayerEntered), "an account enters by its own word"
        return entered
    season = running(league)
    out = group_of(season, to.group).places[to.place].actor
    turn = max(to.from_round, season.rounds_opened + 1)
    named = substitute(league, actor, to.group, out, actor, turn, found.reason)
    assert isinstance(named, facts.SubstituteNamed), "an account takes a place by its own word"
    return named


def decline(league: League, actor: Actor, to: InvitedTo) -> InvitationDeclined:
    """Decline an invitation."""
    open_invitation(league, actor, to)
    return InvitationDeclined(actor, actor, to)


def take_back(league: League, by: Actor, actor: Actor) -> tuple[InvitationWithdrawn, ...]:
    """Take back all open invitations of an account."""
    found = [each for each in league.invitations.open if each.actor == actor]
    if not found:
        raise LeagueRefused(f"{actor} has no open invitation to this league")
    return tuple(InvitationWithdrawn(by, actor, each.to) for each in found)
