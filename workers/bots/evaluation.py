"""What the greedy bot must know about a title: what a position is worth, and how to look through one's own choices."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.kernel.loading import find_part
from domain.kernel.rules import Seat
from domain.kernel.title import Titles


class Weights(msgspec.Struct, frozen=True):
    """A title's judgement. Worth is a whole number, so that the same view is judged alike on every machine."""

    worth: Callable[[Any, Seat], int]
    """What the position is worth to the seat; 100 is about one point."""

    follow: Callable[[Any, Seat], tuple[Any, ...]]
    """The actions to look at next while the seat is in the middle of something; none where it can be judged."""

    closes: Callable[[Any, Seat, Any], bool]
    """The action only stops or declines: it is worth what the position is worth, not what follows by itself."""

    goes_back: Callable[[Any], bool] | None = None
    """The action only leads back to a choice made before. Who looks ahead before choosing has no use for it, and would
    go round in circles."""


Evaluations = Mapping[str, Weights]
"""By title; a title without one is played by bots that need none."""


def load_evaluations(titles: Titles) -> Evaluations:
    """The evaluation that each title's module here brings."""
    found = {name: find_part(f"workers.bots.titles.{name}", "WEIGHTS") for name in titles}
    return {name: weights for name, weights in found.items() if weights is not None}
