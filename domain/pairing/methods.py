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
    "design": N_("This table follows from the schedule, in which everybody meets everybody equally often."),
    "schedule": N_("This table follows from the schedule, in which meetings are spread as evenly as was found."),
    "bracket": N_("This table follows from the bracket: those who lost as often meet, the best ranked spread out."),
}


def pair_round(problem: Problem, way: str) -> tuple[Pairing, tuple[tuple[Message, ...], ...]]:
    """Return the pairing, and for each table the sentences that explain it."""
    pairing = PAIRING_METHODS[way](problem)
    if pairing.engine in SCHEDULE_EXPLANATIONS:
        return pairing, ((Message(SCHEDULE_EXPLANATIONS[pairing.engine]),),) * len(pairing.tables)
    return pairing, explain(problem, pairing)
