"""The proposed draw of a scheduled season, and its changes by organisers."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from domain.kernel.values import replace
from domain.leagues import facts
from domain.leagues.draw import design_for, draw_groups
from domain.leagues.facts import GroupDrawn
from domain.leagues.plan import LeaguePlan, LeagueRefused
from domain.leagues.season_state import Season
from domain.leagues.seasons import registering_season
from domain.leagues.state import League
from domain.matches.facts import SERVICE, Actor
from domain.standings.contest import NEWEST_RULE
from domain.standings.results import Results

TOO_FEW: Final = "{count} players have entered; a draw needs {size}"


def propose(league: League, results: Results, at: datetime) -> facts.DrawProposed | facts.SeasonPostponed:
    """Propose the groups at the end of registration; with too few players, postpone the season.

    The new registration is as long as the plan says.
    """
    season, plan = registering_season(league), league.plan
    if len(season.entrants) >= plan.size:
        return facts.DrawProposed(draw_groups(league, results))
    assert plan.schedule is not None, "only a schedule has proposals"
    closes = at + timedelta(days=plan.schedule.registration_days)
    reason = TOO_FEW.format(count=len(season.entrants), size=plan.size)
    return facts.SeasonPostponed(closes + timedelta(days=plan.schedule.draw_days), closes, reason)


def proposed_season(league: League) -> Season:
    """Return the latest season; raise `LeagueRefused` unless its draw is proposed."""
    season = registering_season(league)
    if not season.proposed:
        raise LeagueRefused(f"the draw of season {season.number} is not proposed yet")
    return season


def swap(league: League, by: Actor, first: Actor, second: Actor, reason: str) -> facts.DrawChanged:
    """Swap two players of the proposed draw; raise `LeagueRefused` without a proposal or for other players."""
    season = proposed_season(league)
    for actor in (first, second):
        group_of_player(season, actor)
    other = {first: second, second: first}
    return facts.DrawChanged(by, with_players(season.proposed, other), reason)


def move(league: League, by: Actor, actor: Actor, number: int, reason: str) -> facts.DrawChanged:
    """Move a player of the proposed draw to another group (from 0); both groups get new schedules.

    Raise `LeagueRefused` without a proposal, for another player, an unknown group or the player's own, and if too few
    players for a table would remain.
    """
    season, plan = proposed_season(league), league.plan
    now = group_of_player(season, actor)
    if not 0 <= number < len(season.proposed):
        raise LeagueRefused(f"the draw has groups 1 to {len(season.proposed)}, not {number + 1}")
    if now == number:
        raise LeagueRefused(f"{actor} is already in group {number + 1}")
    if len(season.proposed[now].players) <= plan.size:
        raise LeagueRefused(f"group {now + 1} has only {plan.size} players, who fill a table")
    groups = list(season.proposed)
    groups[now] = with_schedule(plan, groups[now], [each for each in groups[now].players if each != actor])
    groups[number] = with_schedule(plan, groups[number], [*groups[number].players, actor])
    return facts.DrawChanged(by, tuple(groups), reason)


def confirm(league: League, results: Results) -> facts.SeasonDrawn:
    """Draw the season as it was proposed and changed; raise `LeagueRefused` without a proposal.

    A player who left since is replaced by the one who got the place. Without one, the group gets a new schedule, or if
    it does not fill a table, everything is drawn again. Raise `LeagueRefused` also if too few players are left.
    """
    season, plan = proposed_season(league), league.plan
    entrants = {entry.actor for entry in season.entrants}
    drawn = [actor for group in season.proposed for actor in group.players]
    added = [entry.actor for entry in season.entrants if entry.actor not in drawn]
    replacements = dict(zip([actor for actor in drawn if actor not in entrants], added, strict=False))
    groups = []
    for group in with_players(season.proposed, replacements):
        players = [actor for actor in group.players if actor in entrants]
        if len(players) < plan.size:
            return facts.SeasonDrawn(SERVICE, draw_groups(league, results), replace(plan, standings=NEWEST_RULE))
        groups.append(group if len(players) == len(group.players) else with_schedule(plan, group, players))
    return facts.SeasonDrawn(SERVICE, tuple(groups), replace(plan, standings=NEWEST_RULE))


def group_of_player(season: Season, actor: Actor) -> int:
    """Return the index of the proposed group of a player; raise `LeagueRefused` if there is none."""
    for number, group in enumerate(season.proposed):
        if actor in group.players:
            return number
    raise LeagueRefused(f"{actor} is not in the proposed draw of season {season.number}")


def with_players(groups: Sequence[GroupDrawn], other: Mapping[Actor, Actor]) -> tuple[GroupDrawn, ...]:
    """Return the groups with some players replaced by others."""
    return tuple(replace(group, players=tuple(other.get(each, each) for each in group.players)) for group in groups)


def with_schedule(plan: LeaguePlan, group: GroupDrawn, players: Sequence[Actor]) -> GroupDrawn:
    """Return a group with other players and a schedule for their number."""
    design = design_for(plan, len(players))
    return GroupDrawn(group.division, tuple(players), design.rounds, design.built)
