"""Who may enter a league: invitations, and the conditions of entry."""

from domain.contests.conditions import Entrant, require_entry
from domain.invitations.decisions import require_not_declined
from domain.leagues.invitation_facts import WHOLE_LEAGUE, InvitedTo, PlayerInvited, scopes_in
from domain.leagues.plan import LeagueRefused
from domain.leagues.state import League
from domain.matches.facts import Actor


def is_invited(league: League, actor: Actor) -> bool:
    """Return whether an account was invited to the league or its latest season."""
    return league.invitations.may_enter(actor, InvitedTo(len(league.seasons)).target, WHOLE_LEAGUE.target)


def require_new(league: League, fact: PlayerInvited) -> PlayerInvited:
    """Return the invitation; raise `LeagueRefused` if the same is open, or if its person has declined one."""
    require_not_declined(league.invitations, fact.actor, scopes_in(len(league.seasons)), "league", LeagueRefused)
    if league.invitations.is_open_for(fact.actor, fact.target):
        raise LeagueRefused(f"{fact.actor} is already invited")
    return fact


def reason_to_admit(league: League, actor: Actor, entrant: Entrant | None, reason: str, *, is_organiser: bool) -> str:
    """Return the reason of an organiser who lets someone in despite the conditions; empty if they are met.

    Raise `EntryRefused` if they are not met, for an organiser only without a reason. A reason of an open invitation to
    the latest season, or to the league, lets its person in.
    """
    targets = (InvitedTo(len(league.seasons)).target, WHOLE_LEAGUE.target)
    invitations = [found for target in targets if (found := league.invitations.find(actor, target)) is not None]
    has_waiver = require_entry(
        league.plan.conditions,
        league.plan.title,
        entrant,
        is_organiser=is_organiser,
        reason=reason,
        invited_because=max((each.fact.reason for each in invitations if each.is_open), default=None),
    )
    return reason.strip() if has_waiver else ""
