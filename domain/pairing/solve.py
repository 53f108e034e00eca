"""The pairing of a round at tables: byes first, then level by level in order of priority."""

from domain.pairing import bounds as least
from domain.pairing.conflicts import Unsatisfiable, place_demands
from domain.pairing.costs import Costs, Tables
from domain.pairing.evaluation import table_costs
from domain.pairing.exact import COLUMNS_MAX, column_count, solve_exactly
from domain.pairing.improvement import improve_scores, sweep
from domain.pairing.levels import ALL_LEVELS, HARD, LEVELS, SCORES, SEATS
from domain.pairing.problem import Entrant, Level, Pair, Pairing, Problem, byes_for, check, pair_of, sizes_for
from domain.pairing.search import construct, improve, random_numbers
from domain.pairing.seating import order_seats


def pair(problem: Problem) -> Pairing:
    """Return the best pairing found and its proven bounds; deterministic for a problem.

    Raise `PairingRefused` for contradictory input, also for demands that no tables satisfy (`Unsatisfiable`).
    """
    check(problem)
    check_locked(problem)
    locked = {name for table in problem.locked for name in table}
    free = tuple(each for each in problem.entrants if each.id not in locked and each.id not in problem.byes)
    sizes, more_byes = sizes_for(len(free), problem.size, problem.smallest, problem.leftover)
    bye_names = byes_for(free, more_byes, problem.wished)
    byes = (*problem.byes, *bye_names)
    people = tuple(each for each in free if each.id not in bye_names)
    names = {each.id for each in people}
    forbidden, wished = pairs_within(problem.forbidden, names), pairs_within(problem.wished, names)
    check_wishes(problem, names, len(sizes))
    costs = Costs(people, problem.size, forbidden, wished)
    tables, levels = solved_levels(costs, sizes, forbidden, wished, problem.seed)
    solved = [tuple(people[person].id for person in table) for table in tables]
    all_tables = in_order((*problem.locked, *solved), problem.entrants)
    return Pairing(all_tables, tuple(sorted(byes)), with_locked(problem, levels))


def with_locked(problem: Problem, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Add the costs of the locked tables to the values and bounds of the levels."""
    entrants = {entrant.id: entrant for entrant in problem.entrants}
    tables = [table_costs(problem, [entrants[name] for name in table]) for table in problem.locked]
    locked_costs = {level.name: sum(costs[level.name] for costs in tables) for level in levels}
    return tuple(
        Level(each.name, each.value + locked_costs[each.name], each.bound + locked_costs[each.name]) for each in levels
    )


def pairs_within(pairs: tuple[Pair, ...], names: set[str]) -> tuple[Pair, ...]:
    """Return the pairs with both players in `names`, without duplicates."""
    return tuple(sorted({pair_of(*pair) for pair in pairs if pair[0] in names and pair[1] in names}))


def check_locked(problem: Problem) -> None:
    """Raise `Unsatisfiable` if a locked table contains a forbidden pair."""
    forbidden = {pair_of(*pair) for pair in problem.forbidden}
    for table in problem.locked:
        for first in table:
            for second in table:
                if first < second and (first, second) in forbidden:
                    raise Unsatisfiable([("forbidden", (first, second))], 1)


def check_wishes(problem: Problem, names: set[str], table_count: int) -> None:
    """Raise `Unsatisfiable` for a wish with a player outside `names`, who has a bye or is locked elsewhere.

    A wish within one locked table passes.
    """
    locked_sets = [set(table) for table in problem.locked]
    for pair in problem.wished:
        inside = [name in names for name in pair]
        if not all(inside) and not any(set(pair) <= table for table in locked_sets):
            raise Unsatisfiable([("wished", pair_of(*pair))], table_count)


def solved_levels(
    costs: Costs, sizes: tuple[int, ...], forbidden: tuple[Pair, ...], wished: tuple[Pair, ...], seed: int
) -> tuple[Tables, tuple[Level, ...]]:
    """Return the tables in seat order, and all levels with value and bound.

    Few possible tables are solved exactly; else swaps, then exact windows and a relaxation improve them. Raise
    `Unsatisfiable` for contradictory demands.
    """
    if not sizes:
        return [], tuple(Level(level, 0, 0) for level in ALL_LEVELS)
    lot = random_numbers(seed)
    home = place_demands(forbidden, wished, sizes)
    counted_bounds = least.bounds(costs, sizes, len(wished))
    # With demands, also start from tables that satisfy them, because swaps alone may not find any.
    starts = [construct(costs, sizes, lot), *([fill_tables(costs, sizes, home)] if home else [])]
    tables = min((improve(costs, start, counted_bounds, lot) for start in starts), key=costs.total)
    best_bounds = dict(zip(LEVELS, counted_bounds, strict=True)) | {SEATS: least.seats_bound(costs, sizes)}
    if column_count(len(costs.people), sizes) <= COLUMNS_MAX:
        tables, best_bounds = solve_exactly(costs, tables, best_bounds, seed, ALL_LEVELS)
    elif costs.total(tables) != counted_bounds:
        if costs.total(tables)[:-1] != counted_bounds[:-1]:
            tables = sweep(costs, tables, seed)
        tables, best_bounds[SCORES] = improve_scores(costs, tables, best_bounds[SCORES], seed)
    tables, seat_total = order_seats(costs, tables, best_bounds[SEATS], lot)
    values = (*costs.total(tables), seat_total)
    shift = {HARD: len(wished)}
    return tables, tuple(
        Level(level, value + shift.get(level, 0), best_bounds[level] + shift.get(level, 0))
        for level, value in zip(ALL_LEVELS, values, strict=True)
    )


def fill_tables(costs: Costs, sizes: tuple[int, ...], home: dict[str, int]) -> Tables:
    """Return tables with the players at their tables in `home`; other players fill the seats by score."""
    tables: Tables = [[] for _ in sizes]
    unplaced: list[int] = []
    for person in sorted(range(len(costs.people)), key=lambda person: -costs.people[person].score):
        name = costs.people[person].id
        (tables[home[name]] if name in home else unplaced).append(person)
    for table, size in zip(tables, sizes, strict=True):
        while len(table) < size:
            table.append(unplaced.pop(0))
    return tables


def in_order(tables: tuple[tuple[str, ...], ...], entrants: tuple[Entrant, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the tables sorted by scores, highest first, then by ranks."""
    by_name = {entrant.id: entrant for entrant in entrants}

    def key(table: tuple[str, ...]) -> tuple[list[int], list[int], tuple[str, ...]]:
        scores = sorted(-by_name[name].score for name in table)
        return scores, sorted(by_name[name].rank for name in table), table

    return tuple(sorted(tables, key=key))
