"""What bots must know about a title: what a position is worth, and how to look through choices and play matches on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.loading import find_part
from domain.kernel.rules import Seat
from domain.kernel.title import Titles

Sketch = Callable[[Any, Seat, tuple[Any, ...]], Sequence[Any]]
"""Position, seat, its legal actions -> those of them that are tried out, at least one, in their order."""


class Outline(msgspec.Struct, frozen=True):
    """How matches of a title are played on in thought: roughly, because it is done hundreds of times for one choice."""

    stage: Callable[[Any], int]
    """A number that changes where a position can be judged, such as that of the round: roll-outs end there."""

    own: Sketch
    """What is tried for the seat that is thinking."""

    rival: Sketch
    """What is tried for any other seat."""

    follow: Callable[[Any, Seat], tuple[Any, ...]]
    """The actions to look at next where a position cannot be judged yet; as in `Weights`, but one step and no more."""


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

    outline: Outline | None = None
    """For bots that search; they play no title without one."""


Evaluations = Mapping[str, Weights]
"""By title; a title without one is played by bots that need none."""


def load_evaluations(titles: Titles) -> Evaluations:
    """The evaluation that each title's modules here bring."""
    found = {name: find_part(f"workers.bots.titles.{name}", "WEIGHTS") for name in titles}
    outlines = {name: find_part(f"workers.bots.titles.{name}_outline", "OUTLINE") for name in titles}
    return {
        name: msgspec.structs.replace(weights, outline=outlines[name])
        for name, weights in found.items()
        if weights is not None
    }
