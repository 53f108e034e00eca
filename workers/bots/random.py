"""Plays anything legal, each action as likely as any other; the measure every other bot must beat."""

from typing import Any

from domain.kernel.chance import below, numbers
from domain.kernel.title import AnyRules
from workers.bots.kinds import BUDGET, IsLate, never


def choose(
    rules: AnyRules,  # noqa: ARG001  # the shape of every bot
    view: object,  # noqa: ARG001
    legal: tuple[Any, ...],
    seed: bytes,
    budget: int = BUDGET,  # noqa: ARG001
    is_late: IsLate = never,  # noqa: ARG001
) -> Any:
    """A legal action drawn evenly from the seed; neither the view nor the budget matter."""
    return legal[below(numbers(seed, "action"), len(legal))]
