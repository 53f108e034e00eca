"""Seeded random fields of players, and an independent judge of pairings that shares no code with the solver."""

from collections.abc import Callable, Iterable

from domain.pairing.problem import Entrant, Pairing, Past, Problem, sizes_for
from domain.pairing.search import random_numbers
from domain.standings.points import SIXTIETHS_PER_POINT, default_points

Pair = Callable[[Problem], Pairing]


def by_lot(problem: Problem) -> Pairing:
    """Pair at random, a cheap way to create a history."""
    lot = random_numbers(problem.seed)
    names = sorted((each.id for each in problem.entrants), key=lambda _: next(lot))
    sizes, byes = sizes_for(len(names), problem.size, 2, "short")
    tables = []
    for size in sizes:
        tables.append(tuple(names[:size]))
        names = names[size:]
    return Pairing(tuple(tables), tuple(names[:byes]))


def after_rounds(
    count: int, size: int, rounds: int, pair: Pair, *, seed: int = 1, clubs: int = 0, coming_and_going: bool = False
) -> tuple[Entrant, ...]:
    """Return a field after rounds with random results; with `coming_and_going`, players leave and others join late."""
    lot = random_numbers(seed)
    names = [f"p{number:03}" for number in range(count)]
    club = {name: f"c{next(lot) % clubs}" if clubs else "" for name in names}
    score, past = dict.fromkeys(names, 0), {name: tuple[Past, ...]() for name in names}
    present = list(names)
    for number in range(1, rounds + 1):
        if coming_and_going and number > 1:
            gone = present.pop(next(lot) % len(present))
            new = f"n{number:02}"
            club[new], score[new], past[new] = "", 0, tuple(Past() for _ in range(number - 1))
            past[gone] = ()
            present.append(new)
        problem = Problem(entrants=entrants(present, score, club, past), size=size, round=number, seed=number)
        pairing = pair(problem)
        for table in pairing.tables:
            order = sorted(table, key=lambda name: (next(lot), name))
            for index, name in enumerate(order):
                score[name] += default_points(len(table))[index]
            for seat, name in enumerate(table):
                others = tuple(other for other in table if other != name)
                past[name] = (*past[name], Past(others, seat, len(table)))
        for name in pairing.byes:
            past[name] = (*past[name], Past(is_bye=True))
            score[name] += 6 * SIXTIETHS_PER_POINT
    return entrants(present, score, club, past)


def entrants(
    present: list[str], score: dict[str, int], club: dict[str, str], past: dict[str, tuple[Past, ...]]
) -> tuple[Entrant, ...]:
    order = sorted(present, key=lambda name: (-score[name], name))
    return tuple(
        Entrant(name, score[name], rank, club=club[name], past=past[name]) for rank, name in enumerate(order, start=1)
    )


def faults(problem: Problem, pairing: Pairing) -> list[str]:
    """Return all faults of a pairing; empty if it is valid."""
    found: list[str] = []
    everybody = {each.id: each for each in problem.entrants}
    seated = [name for table in pairing.tables for name in table]
    placed = seated + list(pairing.byes)
    found += [f"{name} has no place" for name in everybody if name not in placed]
    found += [f"{name} is nobody" for name in placed if name not in everybody]
    found += [f"{name} has two places" for name in everybody if placed.count(name) > 1]
    for table in pairing.tables:
        locked = tuple(table) in {tuple(other) for other in problem.locked}
        if not locked and not problem.smallest <= len(table) <= problem.size:
            found.append(f"{table} has {len(table)} seats")
    for table in problem.locked:
        if tuple(table) not in pairing.tables:
            found.append(f"the locked table {table} is gone")
    for name in problem.byes:
        if name not in pairing.byes:
            found.append(f"{name} was to have a bye")
    where = {name: number for number, table in enumerate(pairing.tables) for name in table}
    for one, other in problem.forbidden:
        if one in where and where.get(one) == where.get(other):
            found.append(f"{one} and {other} must not meet")
    for one, other in problem.wished:
        if where.get(one, -1) != where.get(other, -2):
            found.append(f"{one} and {other} must sit together")
    levels = {level.name: level for level in pairing.levels}
    for name, value in count_costs(problem, pairing.tables).items():
        if levels[name].value != value:
            found.append(f"{name} is {value}, not {levels[name].value}")
        if levels[name].bound > value:
            found.append(f"the bound of {name} is {levels[name].bound}, above what was reached: {value}")
    return found


def count_costs(problem: Problem, tables: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Return repeats, families, clubs, short tables, score differences and seats, by their definitions."""
    known = {each.id: each for each in problem.entrants}
    total = dict.fromkeys(("repeats", "families", "clubs", "short", "scores", "seats"), 0)
    for table in tables:
        for at, name in enumerate(table):
            person = known[name]
            total["seats"] += len([past for past in person.past if past.seat == at])
            if len(table) < problem.size:
                total["short"] += len([p for p in person.past if p.seat is not None and p.size < problem.size])
            for other in table[at + 1 :]:
                total["repeats"] += sum(past.opponents.count(other) for past in person.past)
                total["families"] += person.family != "" and person.family == known[other].family
                total["clubs"] += person.club != "" and person.club == known[other].club
                total["scores"] += abs(person.score - known[other].score)
    return total
