"""The draw of a season: groups of players and their schedules."""

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Final

from domain.designs.exact import choices, exact_design
from domain.designs.near import schedule
from domain.designs.shapes import Design
from domain.kernel.values import Value
from domain.leagues.facts import GroupDrawn
from domain.leagues.plan import ROUNDS_MAX, Division, LeaguePlan, LeagueRefused
from domain.leagues.season_state import SeasonEntry
from domain.leagues.standings import group_table
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.standings.results import Results

FELL, STAYED, ROSE, CAME = range(4)
"""Order within a division after promotion and relegation: relegated players count as the strongest."""
NEAR_ROUNDS_MAX: Final = 15


class Strength(Value, frozen=True, order=True):
    """The rank of a player for the draw, compared field by field; less is stronger."""

    division: int
    how: int
    rank: int
    points: int
    entered: int


def draw_groups(league: League, results: Results) -> tuple[GroupDrawn, ...]:
    """Draw the groups of the latest season with their schedules; raise `LeagueRefused` if too few have entered.

    Players are ordered by the previous season's tables, newcomers last by seeding.
    """
    season, plan = league.seasons[-1], league.plan
    if len(season.entrants) < plan.size:
        raise LeagueRefused(f"a draw needs at least {plan.size} players, not {len(season.entrants)}")
    strengths = strengths_of(league, season.entrants, results)
    ranked = sorted((entry.actor for entry in season.entrants), key=lambda actor: strengths[actor])
    groups = []
    for number, members in enumerate(divide(plan, ranked)):
        for group in deal(members, group_count(plan.divisions[number], len(members), plan.size)):
            design = design_for(plan, len(group))
            groups.append(GroupDrawn(number, tuple(group), design.rounds, design.built))
    return tuple(groups)


def strengths_of(league: League, entries: Sequence[SeasonEntry], results: Results) -> Mapping[Actor, Strength]:
    """Return the strength of each player, to be sorted strongest first; newcomers last by seeding.

    Others by division after promotion, by promoted, stayed or relegated, and by rank in the last closed season.
    """
    last = len(league.plan.divisions) - 1
    strengths = {entry.actor: Strength(last, CAME, 0, -entry.seeding, number) for number, entry in enumerate(entries)}
    before = [season for season in league.seasons if season.status == "closed"][-1:]
    for season in before:
        for number, group in enumerate(season.groups):
            for line in group_table(league, season, number, results):
                if line.actor in strengths:
                    division = min(last, group.division + line.moves)
                    how = {-1: ROSE, 0: STAYED, 1: FELL}[line.moves]
                    rank, points = line.standing.rank, -line.standing.points
                    strengths[line.actor] = Strength(division, how, rank, points, strengths[line.actor].entered)
    return strengths


def divide(plan: LeaguePlan, ordered: Sequence[Actor]) -> list[list[Actor]]:
    """Split players into divisions from the top; a last one too small for a table joins the one above."""
    divisions, remaining = [], list(ordered)
    for number, division in enumerate(plan.divisions):
        is_last = number == len(plan.divisions) - 1
        count = len(remaining) if is_last else min(len(remaining), division.groups * division.places)
        divisions.append(remaining[:count])
        remaining = remaining[count:]
    while len(divisions) > 1 and len(divisions[-1]) < plan.size:
        last = divisions.pop()
        divisions[-1] += last
    return divisions


def group_count(division: Division, players: int, size: int) -> int:
    """Return the number of groups: each near its configured size, none too small for a table."""
    configured = division.groups or max(1, round(players / division.places))
    return max(1, min(configured, players // size))


def deal(members: Sequence[Actor], count: int) -> list[list[Actor]]:
    """Distribute members over the groups in snake order, so that the groups are equally strong."""
    groups: list[list[Actor]] = [[] for _ in range(count)]
    for number, actor in enumerate(members):
        row, at = divmod(number, count)
        groups[at if row % 2 == 0 else count - 1 - at].append(actor)
    return groups


def design_for(plan: LeaguePlan, players: int) -> Design:
    """Return the schedule of a group: exact if one has at most `ROUNDS_MAX` rounds, else as even as possible.

    A number of rounds in the plan is met exactly. Full rounds are preferred, then fewer rounds, and even seats
    if the plan wants them.
    """
    if plan.rounds:
        return schedule(players, plan.size, plan.rounds)
    # Prefer full rounds, so that players rarely have to sit out.
    sorted_choices = sorted(choices(players, plan.size), key=lambda choice: (not choice.is_full, choice.rounds))
    evenly = (
        [(choice, plan.size // gcd(plan.size, choice.played)) for choice in sorted_choices] if plan.even_seats else []
    )
    # If even seats would take too many rounds, at least everyone meets equally often.
    for choice, times in (*evenly, *((choice, 1) for choice in sorted_choices)):
        if choice.rounds * times <= ROUNDS_MAX:
            return exact_design(players, plan.size, choice.meetings * times, full_rounds=choice.is_full)
    return schedule(players, plan.size, min(NEAR_ROUNDS_MAX, players - 1))
