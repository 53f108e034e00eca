"""Tables of two by the FIDE Dutch System, as the package `caissify_pairings` plays it, behind the same interface.

Seat 0 plays the part of White. Forbidden pairs are passed to the engine as pairs that have met; locked tables, byes by
the organiser's word and wishes are set aside before. Where the system finds no legal pairing, tables of two are solved
like any others.
"""

import warnings
from typing import Any, Final

from caissify_pairings import (  # type: ignore[import-untyped]  # the package brings no types
    MissingFloatHistoryWarning,
    generate_pairings,
)

from domain.pairing.judge import levels_of
from domain.pairing.problem import Entrant, Pairing, Problem, check, pair_of
from domain.pairing.solve import check_locked, check_wishes, in_order, pair

DUTCH: Final = "dutch"
FLOATS: Final = {1: "up", 0: "none", -1: "down"}
COLOURS: Final = {0: "white", 1: "black"}


def dutch(problem: Problem) -> Pairing:
    """The round as the Dutch System pairs it, byes included; judged by our own levels, so that it can be compared."""
    check(problem)
    check_locked(problem)
    taken = {name for table in (*problem.locked, problem.byes) for name in table}
    check_wishes(problem, {entrant.id for entrant in problem.entrants} - taken, len(problem.entrants) // 2)
    wished = tuple(pair for pair in problem.wished if not set(pair) & taken)
    aside = taken | {name for pair in wished for name in pair}
    if len(aside) < len(taken) + 2 * len(wished):
        # Somebody is wished for by two: no table of two can be so, and the solver says which wishes quarrel.
        return pair(problem)
    free = tuple(entrant for entrant in problem.entrants if entrant.id not in aside)
    tables, byes = engine_tables(problem, free)
    # The first round is paired by halves whatever is forbidden, and where the engine finds no way it gives byes.
    forbidden = {pair_of(*pair) for pair in problem.forbidden}
    if len(byes) > len(free) % 2 or forbidden & {pair_of(*table) for table in tables}:
        return pair(problem)
    found = in_order((*problem.locked, *wished, *tables), problem.entrants)
    return Pairing(found, tuple(sorted((*problem.byes, *byes))), levels_of(problem, found), DUTCH)


def engine_tables(problem: Problem, free: tuple[Entrant, ...]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The tables and the byes the engine answers."""
    order = sorted(free, key=lambda entrant: (entrant.rank, entrant.id))
    number = {entrant.id: at for at, entrant in enumerate(order, start=1)}
    barred = [*problem.forbidden, *((entrant.id, other) for entrant in order for other in entrant.meetings)]
    met = {(number[first], number[second]) for first, second in barred if first in number and second in number}
    with warnings.catch_warnings():
        # Nobody has floated where all scores were equal; the engine cannot tell this from a forgotten history.
        warnings.simplefilter("ignore", MissingFloatHistoryWarning)
        answer = generate_pairings(
            "dutch", [player(entrant, number[entrant.id]) for entrant in order], met, problem.round, problem.rounds
        )
    names = {at: name for name, at in number.items()}
    tables = tuple((names[row["white_id"]], names[row["black_id"]]) for row in answer if row["black_id"] is not None)
    return tables, tuple(names[row["white_id"]] for row in answer if row["black_id"] is None)


def player(entrant: Entrant, number: int) -> dict[str, Any]:
    """An entrant in the engine's words."""
    return {
        "id": number,
        "name": entrant.id,
        "score": entrant.score / 60,
        "rating": 0,
        "starting_number": number,
        "pairing_number": number,
        "color_hist": [
            COLOURS[past.seat] if past.seat in COLOURS and past.size == 2 else "none" for past in entrant.past
        ],
        "float_history": [FLOATS[past.floated] for past in entrant.past],
        "bye_count": entrant.bye_count,
    }
