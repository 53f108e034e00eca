"""Rounds that follow from a schedule or bracket: round robins, eliminations, finals."""

from collections.abc import Sequence
from itertools import groupby

from domain.designs.exact import choices, exact_design
from domain.designs.near import schedule
from domain.designs.shapes import BadSize, Design
from domain.pairing.evaluation import levels_of
from domain.pairing.problem import Entrant, Pairing, PairingRefused, Problem, check, sizes_for


def schedule_rounds(players: int, size: int) -> int:
    """Return the length of a round robin: the smallest exact design's, or else the minimum for everyone to meet."""
    round_count = smallest_exact_rounds(players, size)
    return round_count or -(-(players - 1) // (size - 1))


def smallest_exact_rounds(players: int, size: int) -> int:
    """Return the number of rounds of the shortest exact schedule; 0 if there is none.

    Raise `PairingRefused` for an unsupported table size or number of players.
    """
    try:
        schedules = choices(players, size)
    except BadSize as fault:
        raise PairingRefused(str(fault)) from fault
    return schedules[0].rounds if schedules else 0


def is_exact(problem: Problem) -> bool:
    """Return whether the stage is as long as the smallest exact schedule."""
    return smallest_exact_rounds(len(problem.entrants), problem.size) == problem.rounds


def design_for(problem: Problem) -> Design:
    """Return the schedule of the stage: exact if the length fits, or else the most even one found."""
    players = len(problem.entrants)
    if is_exact(problem):
        return exact_design(players, problem.size)
    return schedule(players, problem.size, problem.rounds, short_tables=problem.leftover == "short")


def by_design(problem: Problem) -> Pairing:
    """Return a round of a round robin; absent players leave smaller tables, and a player left alone has a bye.

    Players with byes are taken out too. Raise `PairingRefused` for contradictory input.
    """
    check(problem)
    design, names = design_for(problem), [entrant.id for entrant in problem.entrants]
    absent = {*problem.absent, *problem.byes}
    planned = [tuple(names[player] for player in table) for table in design.rounds[problem.round - 1]]
    tables = tuple(
        present for table in planned if len(present := tuple(name for name in table if name not in absent)) > 1
    )
    seated = {name for table in tables for name in table}
    byes = tuple(sorted(name for name in names if name not in seated and name not in problem.absent))
    return Pairing(tables, byes, levels_of(problem, tables), "design" if is_exact(problem) else "schedule")


def by_bracket(problem: Problem) -> Pairing:
    """Return a round of an elimination or final: equal losses meet, and the best ranked are spread over tables.

    Locked tables and byes are set first; further byes go to the fewest byes, then the best ranked. Raise
    `PairingRefused` for contradictory input.
    """
    check(problem)
    tables: list[tuple[str, ...]] = [*problem.locked]
    byes = list(problem.byes)
    reserved = {name for table in problem.locked for name in table} | set(byes)
    free = sorted(
        (each for each in problem.entrants if each.id not in reserved), key=lambda each: (each.lost, each.rank)
    )
    for _, group in groupby(free, key=lambda each: each.lost):
        people = list(group)
        sizes, bye_count = sizes_for(len(people), problem.size, problem.smallest, problem.leftover)
        # Byes go to the best ranked.
        resting = sorted(people, key=lambda each: (each.bye_count, each.rank))[:bye_count]
        byes += [each.id for each in resting]
        tables += snake([each for each in people if each not in resting], sizes, problem)
    all_tables = tuple(tables)
    return Pairing(all_tables, tuple(sorted(byes)), levels_of(problem, all_tables), "bracket")


def snake(people: Sequence[Entrant], sizes: Sequence[int], problem: Problem) -> list[tuple[str, ...]]:
    """Distribute players over tables in alternating directions, skipping full ones; return them in seat order."""
    tables: list[list[Entrant]] = [[] for _ in sizes]
    order, at = [*range(len(sizes)), *reversed(range(len(sizes)))], 0
    for each in people:
        while len(tables[order[at % len(order)]]) >= sizes[order[at % len(order)]]:
            at += 1
        tables[order[at % len(order)]].append(each)
        at += 1
    return [seats_of(table, problem) for table in tables]


def seats_of(table: Sequence[Entrant], problem: Problem) -> tuple[str, ...]:
    """Return the table's players in seat order: each seat goes to the player who had it least.

    Ties go by the order of the table, rotated by the problem's seed.
    """
    remaining, order = list(table), []
    turn = problem.seed % max(1, len(remaining))
    remaining = remaining[turn:] + remaining[:turn]
    for seat in range(len(table)):
        best = min(remaining, key=lambda each: each.seat_count(seat))
        remaining.remove(best)
        order.append(best.id)
    return tuple(order)
