"""Tables of two by the FIDE Dutch System of the package `caissify_pairings`.

Seat 0 is White. Forbidden pairs are passed as pairs that have met; locked tables, the organiser's byes and wishes are
excluded first. If the system finds no legal pairing, the solver pairs the round.
"""

import warnings
from typing import Any, Final

from caissify_pairings import (  # type: ignore[import-untyped]  # the package brings no types
    MissingFloatHistoryWarning,
    generate_pairings,
)

from domain.pairing.evaluation import levels_of
from domain.pairing.problem import Entrant, Pairing, Problem, check, pair_of
from domain.pairing.solve import check_locked, check_wishes, in_order, pair

DUTCH: Final = "dutch"
FLOATS: Final = {1: "up", 0: "none", -1: "down"}
COLOURS: Final = {0: "white", 1: "black"}


def dutch(problem: Problem) -> Pairing:
    """Return the round as the Dutch System pairs it, byes included, with our own levels for comparison.

    Locked tables, byes and wished pairs are set first. If the engine cannot keep wishes, forbidden pairs or
    byes, the round is paired by `pair` instead. Raise `PairingRefused` for contradictory input.
    """
    check(problem)
    check_locked(problem)
    locked_names = {name for table in (*problem.locked, problem.byes) for name in table}
    check_wishes(problem, {entrant.id for entrant in problem.entrants} - locked_names, len(problem.entrants) // 2)
    wished = tuple(pair for pair in problem.wished if not set(pair) & locked_names)
    reserved = locked_names | {name for pair in wished for name in pair}
    if len(reserved) < len(locked_names) + 2 * len(wished):
        # Two players wish for the same one, which no table of two can fulfil; the solver reports the conflict.
        return pair(problem)
    free = tuple(entrant for entrant in problem.entrants if entrant.id not in reserved)
    tables, byes = engine_tables(problem, free)
    # The first round ignores forbidden pairs, and the engine gives byes where it finds no pairing.
    forbidden = {pair_of(*pair) for pair in problem.forbidden}
    if len(byes) > len(free) % 2 or forbidden & {pair_of(*table) for table in tables}:
        return pair(problem)
    all_tables = in_order((*problem.locked, *wished, *tables), problem.entrants)
    return Pairing(all_tables, tuple(sorted((*problem.byes, *byes))), levels_of(problem, all_tables), DUTCH)


def engine_tables(problem: Problem, free: tuple[Entrant, ...]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the (white, black) tables and the byes that the engine chooses for these players.

    Forbidden pairs count as earlier meetings.
    """
    order = sorted(free, key=lambda entrant: (entrant.rank, entrant.id))
    number = {entrant.id: at for at, entrant in enumerate(order, start=1)}
    excluded = [*problem.forbidden, *((entrant.id, other) for entrant in order for other in entrant.meetings)]
    pairs = {(number[first], number[second]) for first, second in excluded if first in number and second in number}
    with warnings.catch_warnings():
        # With equal scores no player has floated, which the engine cannot tell from a missing history.
        warnings.simplefilter("ignore", MissingFloatHistoryWarning)
        answer = generate_pairings(
            "dutch",
            [engine_player(entrant, number[entrant.id]) for entrant in order],
            pairs,
            problem.round,
            problem.rounds,
        )
    names = {at: name for name, at in number.items()}
    tables = tuple((names[row["white_id"]], names[row["black_id"]]) for row in answer if row["black_id"] is not None)
    return tables, tuple(names[row["white_id"]] for row in answer if row["black_id"] is None)


def engine_player(entrant: Entrant, number: int) -> dict[str, Any]:
    """Return an entrant in the engine's format, with points instead of sixtieths; only tables of two have colours."""
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
