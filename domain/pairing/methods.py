"""The pairing methods behind a common interface."""

from collections.abc import Callable, Mapping
from typing import Final

from domain.kernel.messages import N_, Message
from domain.pairing.dutch import dutch
from domain.pairing.explain import explain
from domain.pairing.problem import Pairing, Problem
from domain.pairing.schedules import by_bracket, by_design
from domain.pairing.solve import pair

PAIRING_METHODS: Final[Mapping[str, Callable[[Problem], Pairing]]] = {
    "tables": pair,
    "dutch": dutch,
    "design": by_design,
    "bracket": by_bracket,
}

SCHEDULE_EXPLANATIONS: Final = {
    "design": N_("This table comes from the schedule, in which all players meet equally often."),
    "schedule": N_("This table comes from the schedule with the most even meetings found."),
    "bracket": N_(
        "This table comes from the bracket: players with equal losses meet, and the highest ranked are kept apart."
    ),
}


def pair_round(problem: Problem, method: str) -> tuple[Pairing, tuple[tuple[Message, ...], ...]]:
    """Return the pairing, and for each table the sentences that explain it.

    Tables of a schedule or bracket all have the same single sentence. `method`: a key of `PAIRING_METHODS`.
    """
    pairing = PAIRING_METHODS[method](problem)
    if pairing.engine in SCHEDULE_EXPLANATIONS:
        return pairing, ((Message(SCHEDULE_EXPLANATIONS[pairing.engine]),),) * len(pairing.tables)
    return pairing, explain(problem, pairing)
