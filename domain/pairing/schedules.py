"""Rounds that follow from a schedule or a bracket instead of being solved: round robins, eliminations, finals."""

from collections.abc import Sequence
from itertools import groupby

from domain.designs.exact import choices, exact
from domain.designs.near import schedule
from domain.designs.shapes import BadSize, Design
from domain.pairing.judge import levels_of
from domain.pairing.problem import Entrant, Pairing, PairingRefused, Problem, check, sizes_for


def schedule_rounds(players: int, size: int) -> int:
    """How many rounds a round robin has: those of its smallest exact design, else as few as everybody needs."""
    found = known_choices(players, size)
    return found or -(-(players - 1) // (size - 1))


def known_choices(players: int, size: int) -> int:
    """The rounds of the smallest exact schedule; 0 where there is none."""
    try:
        found = choices(players, size)
    except BadSize as bad:
        raise PairingRefused(str(bad)) from bad
    return found[0].rounds if found else 0


def is_exact(problem: Problem) -> bool:
    """The stage is as long as the smallest schedule in which everybody meets everybody equally often."""
    return known_choices(len(problem.entrants), problem.size) == problem.rounds


def design_for(problem: Problem) -> Design:
    """The schedule of the stage: exact where it has the length of an exact one, else as even as can be found."""
    players = len(problem.entrants)
    if is_exact(problem):
        return exact(players, problem.size)
    return schedule(players, problem.size, problem.rounds, short_tables=problem.leftover == "short")


def by_design(problem: Problem) -> Pairing:
    """A round of a round robin: who has gone meanwhile leaves a smaller table, and one alone has a bye."""
    check(problem)
    design, names = design_for(problem), [entrant.id for entrant in problem.entrants]
    away = {*problem.absent, *problem.byes}
    told = [tuple(names[player] for player in table) for table in design.rounds[problem.round - 1]]
    tables = tuple(there for table in told if len(there := tuple(name for name in table if name not in away)) > 1)
    seated = {name for table in tables for name in table}
    byes = tuple(sorted(name for name in names if name not in seated and name not in problem.absent))
    return Pairing(tables, byes, levels_of(problem, tables), "design" if is_exact(problem) else "schedule")


def by_bracket(problem: Problem) -> Pairing:
    """A round of an elimination, or a final: those who lost as often meet, the strong spread over the tables."""
    check(problem)
    tables: list[tuple[str, ...]] = [*problem.locked]
    byes = list(problem.byes)
    aside = {name for table in problem.locked for name in table} | set(byes)
    free = sorted((each for each in problem.entrants if each.id not in aside), key=lambda each: (each.lost, each.rank))
    for _, group in groupby(free, key=lambda each: each.lost):
        people = list(group)
        sizes, resting = sizes_for(len(people), problem.size, problem.smallest, problem.leftover)
        # The best ranked have earned their rest.
        resting_now = sorted(people, key=lambda each: (each.bye_count, each.rank))[:resting]
        byes += [each.id for each in resting_now]
        tables += snake([each for each in people if each not in resting_now], sizes, problem)
    found = tuple(tables)
    return Pairing(found, tuple(sorted(byes)), levels_of(problem, found), "bracket")


def snake(people: Sequence[Entrant], sizes: Sequence[int], problem: Problem) -> list[tuple[str, ...]]:
    """The first to the first table, the second to the second, and back again; who had a seat least has it."""
    tables: list[list[Entrant]] = [[] for _ in sizes]
    order, at = [*range(len(sizes)), *reversed(range(len(sizes)))], 0
    for each in people:
        while len(tables[order[at % len(order)]]) >= sizes[order[at % len(order)]]:
            at += 1
        tables[order[at % len(order)]].append(each)
        at += 1
    return [seats_of(table, problem) for table in tables]


def seats_of(table: Sequence[Entrant], problem: Problem) -> tuple[str, ...]:
    """Seat after seat to the player who sat there least; equals in turn from round to round."""
    left, order = list(table), []
    turn = problem.seed % max(1, len(left))
    left = left[turn:] + left[:turn]
    for seat in range(len(table)):
        best = min(left, key=lambda each: each.sat(seat))
        left.remove(best)
        order.append(best.id)
    return tuple(order)
