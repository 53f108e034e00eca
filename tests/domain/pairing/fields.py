"""Fields of people who have played some rounds: made by lot, the same for the same seed."""

from collections.abc import Callable

from domain.pairing.problem import Entrant, Pairing, Past, Problem, sizes_for
from domain.pairing.search import lots
from domain.standings.points import PART, default_points

Pair = Callable[[Problem], Pairing]


def by_lot(problem: Problem) -> Pairing:
    """Anybody anywhere: a history costs nothing to make so."""
    lot = lots(problem.seed)
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
    """A field after some rounds, results by lot. `coming_and_going`: some leave, and some come late."""
    lot = lots(seed)
    names = [f"p{number:03}" for number in range(count)]
    club = {name: f"c{next(lot) % clubs}" if clubs else "" for name in names}
    score, past = dict.fromkeys(names, 0), {name: tuple[Past, ...]() for name in names}
    here = list(names)
    for number in range(1, rounds + 1):
        if coming_and_going and number > 1:
            gone = here.pop(next(lot) % len(here))
            new = f"n{number:02}"
            club[new], score[new], past[new] = "", 0, tuple(Past() for _ in range(number - 1))
            past[gone] = ()
            here.append(new)
        problem = Problem(entrants=entrants(here, score, club, past), size=size, round=number, seed=number)
        pairing = pair(problem)
        for table in pairing.tables:
            order = sorted(table, key=lambda name: (next(lot), name))
            for place, name in enumerate(order):
                score[name] += default_points(len(table))[place]
            for seat, name in enumerate(table):
                others = tuple(other for other in table if other != name)
                past[name] = (*past[name], Past(others, seat, len(table)))
        for name in pairing.byes:
            past[name] = (*past[name], Past(is_bye=True))
            score[name] += 6 * PART
    return entrants(here, score, club, past)


def entrants(
    here: list[str], score: dict[str, int], club: dict[str, str], past: dict[str, tuple[Past, ...]]
) -> tuple[Entrant, ...]:
    order = sorted(here, key=lambda name: (-score[name], name))
    return tuple(
        Entrant(name, score[name], rank, club=club[name], past=past[name]) for rank, name in enumerate(order, start=1)
    )
