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


def is_waived(league: League, actor: Actor, entrant: Entrant | None, *, is_organiser: bool, waives: bool) -> bool:
    """Return whether an organiser waives the conditions, now or in an open invitation to the latest season or league.

    Raise `EntryRefused` for an `entrant` who does not meet them otherwise.
    """
    targets = (InvitedTo(len(league.seasons)).target, WHOLE_LEAGUE.target)
    found = [league.invitations.find(actor, target) for target in targets]
    invited = [each.fact for each in found if each is not None and each.is_open]
    return require_entry(
        league.plan.conditions,
        league.plan.title,
        entrant,
        is_organiser=is_organiser,
        is_invited=bool(invited),
        waives=waives if is_organiser else any(each.waives for each in invited),
    )
