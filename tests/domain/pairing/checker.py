"""An independent judge of pairings: counts all anew from the tables alone, and shares no code with the solver."""

from collections.abc import Iterable

from domain.pairing.problem import Pairing, Problem


def faults(problem: Problem, pairing: Pairing) -> list[str]:
    """Everything that is wrong with a pairing; nothing, when it may be played."""
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
    told = {level.name: level for level in pairing.levels}
    for name, value in counted(problem, pairing.tables).items():
        if told[name].value != value:
            found.append(f"{name} is {value}, not {told[name].value}")
        if told[name].bound > value:
            found.append(f"the bound of {name} is {told[name].bound}, above what was reached: {value}")
    return found


def counted(problem: Problem, tables: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Repeats, families, clubs, short tables, differences of score and seats, by the definition."""
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
