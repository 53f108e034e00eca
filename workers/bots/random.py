"""A bot that plays any legal action with equal probability: the baseline for all other bots."""

from typing import Any

from domain.kernel.chance import below, numbers
from domain.kernel.title import AnyRules
from workers.bots.kinds import BUDGET, IsLate, never


def choose(
    rules: AnyRules,  # noqa: ARG001  # required by the protocol
    view: object,  # noqa: ARG001
    legal: tuple[Any, ...],
    seed: bytes,
    budget: int = BUDGET,  # noqa: ARG001
    is_late: IsLate = never,  # noqa: ARG001
) -> Any:
    """Draw a legal action uniformly from the seed."""
    return legal[below(numbers(seed, "action"), len(legal))]
