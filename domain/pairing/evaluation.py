"""The levels of given tables, for rounds paired elsewhere or changed by hand."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from domain.pairing.counting import groups_bound, scores_bound
from domain.pairing.levels import ALL_LEVELS, CLUBS, FAMILIES, HARD, REPEATS, SCORES, SEATS, SHORT
from domain.pairing.problem import Entrant, Level, Problem, pair_of

Tables = Sequence[Sequence[str]]


def levels_of(problem: Problem, matches: Tables) -> tuple[Level, ...]:
    """Return every level, in the order of `ALL_LEVELS`, with its value and a lower bound by counting.

    Only families, clubs and scores have a bound above 0.
    """
    entrants = {entrant.id: entrant for entrant in problem.entrants}
    players = [entrants[name] for table in matches for name in table]
    values = total_costs(problem, matches)
    lower_bounds = dict.fromkeys(ALL_LEVELS, 0) | {
        FAMILIES: groups_bound([entrant.family for entrant in players], len(matches)),
        CLUBS: groups_bound([entrant.club for entrant in players], len(matches)),
        SCORES: scores_bound([entrant.score for entrant in players], [len(table) for table in matches]),
    }
    return tuple(Level(level, values[level], lower_bounds[level]) for level in ALL_LEVELS)


def total_costs(problem: Problem, matches: Tables) -> dict[str, int]:
    """Return the costs of the tables at every level; a wished pair that is not together costs one at the first."""
    entrants = {entrant.id: entrant for entrant in problem.entrants}
    totals = dict.fromkeys(ALL_LEVELS, 0)
    for table in matches:
        for level, cost in table_costs(problem, [entrants[name] for name in table]).items():
            totals[level] += cost
    at = {name: number for number, table in enumerate(matches) for name in table}
    totals[HARD] += sum(
        at.get(first, -1) != at.get(second, -2) for first, second in {pair_of(*pair) for pair in problem.wished}
    )
    return totals


def table_costs(problem: Problem, table: Sequence[Entrant]) -> Mapping[str, int]:
    """Return the costs of a table at every level, without wishes, which concern two tables.

    The order of the players is the order of the seats.
    """
    forbidden = {pair_of(*pair) for pair in problem.forbidden}
    pairs = list(combinations(table, 2))
    return {
        HARD: sum(pair_of(first.id, second.id) in forbidden for first, second in pairs),
        REPEATS: sum(first.meetings[second.id] for first, second in pairs),
        FAMILIES: sum(bool(first.family) and first.family == second.family for first, second in pairs),
        CLUBS: sum(bool(first.club) and first.club == second.club for first, second in pairs),
        SHORT: sum(each.short_count(problem.size) for each in table) if len(table) < problem.size else 0,
        SCORES: sum(abs(first.score - second.score) for first, second in pairs),
        SEATS: sum(each.seat_count(seat) for seat, each in enumerate(table)),
    }
