"""The knowledge a bot needs about a title: evaluation of positions, promising choices and rollouts."""

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from operator import mul
from typing import Any, Final

import msgspec

from domain.kernel.loading import find_part
from domain.kernel.rules import Seat
from domain.kernel.title import Titles

Sketch = Callable[[Any, Seat], Sequence[Any]]
"""Position, seat -> the legal actions worth trying, in order, at least one."""


class Outline(msgspec.Struct, frozen=True):
    """Functions to play a match on in rollouts; rough, because hundreds are needed for one choice."""

    stage: Callable[[Any], int]
    """A number that changes when a position can be evaluated, such as the round; rollouts end there."""

    own: Sketch
    """Actions to try for the bot's seat."""

    rival: Sketch
    """Actions to try for other seats in rollouts of one stage; longer ones use `own` for all seats."""

    follow: Callable[[Any, Seat], tuple[Any, ...]]
    """Actions to try next if a position cannot be evaluated yet; unlike `Weights.follow`, one step at most."""

    stages_max: int = 3
    """Largest useful number of stages; beyond it, more rollouts are better than longer ones."""

    has_playoff: bool = False
    """Whether the best actions meet again in nested rollouts.

    A nested rollout costs as much as dozens of others; that pays if choices matter more than luck within a stage.
    """


SCALE: Final = 1_000


class Judgement(msgspec.Struct, frozen=True, rename="camel"):
    """Weights of the parts of a value, learnt by `esporles train`.

    In thousandths, keyed by number of seats and starting stage (`4/3`).
    """

    title: str
    names: tuple[str, ...]
    weights: Mapping[str, tuple[int, ...]]
    provenance: Mapping[str, str]

    def judge(self, parts: tuple[int, ...], seats: int, stage: int) -> int:
        """Return the value of a position at the start of a stage; the sum of its parts if no weights are known."""
        weights = self.weights.get(f"{seats}/{stage}")
        return sum(parts) if weights is None else sum(map(mul, parts, weights)) // SCALE


class Weights(msgspec.Struct, frozen=True):
    """The evaluation functions of a title.

    Values are integers, so that all machines agree.
    """

    worth: Callable[[Any, Seat], int]
    """The value of a position to a seat; 100 is about one point."""

    follow: Callable[[Any, Seat], tuple[Any, ...]]
    """Actions to try next while the seat is in the middle of something; empty if the position can be evaluated."""

    closes: Callable[[Any, Seat, Any], bool]
    """Whether an action only stops or declines; then the value of the position itself counts."""

    goes_back: Callable[[Any], bool] | None = None
    """Whether an action only returns to an earlier choice.

    A look-ahead ignores such actions, because they would lead in circles.
    """

    names: tuple[str, ...] = ()
    """Names of the parts of a value."""

    parts: Callable[[Any, Seat], tuple[int, ...]] | None = None
    """The value split by `names`; the parts add up to it."""

    judgement: Judgement | None = None
    """Learnt weights of the parts at the end of a stage; None weighs all parts equally."""

    outline: Outline | None = None
    """Functions for rollouts; search bots cannot play titles without them."""

    @property
    def known_outline(self) -> Outline:
        """Return the outline; the title must have one."""
        assert self.outline is not None, "no match is played on without an outline"
        return self.outline

    def parts_of(self, state: object, seat: Seat) -> tuple[int, ...]:
        """Return the parts of a value; a single part if the title does not split it."""
        return (self.worth(state, seat),) if self.parts is None else self.parts(state, seat)

    def judge(self, state: object, seat: Seat, seats: int, stage: int) -> int:
        """Return the value to a seat at the start of a stage, using learnt weights if available."""
        if self.judgement is None:
            return self.worth(state, seat)
        return self.judgement.judge(self.parts_of(state, seat), seats, stage)


Evaluations = Mapping[str, Weights]
"""Evaluations by title; other titles are played by bots that need none."""


def load_evaluations(titles: Titles) -> Evaluations:
    """Load the evaluations that the titles' modules provide, by title; titles without one are left out."""
    found = {name: find_part(f"workers.bots.titles.{name}", "WEIGHTS") for name in titles}
    outlines = {name: find_part(f"workers.bots.titles.{name}_outline", "OUTLINE") for name in titles}
    return {
        name: msgspec.structs.replace(weights, outline=outlines[name], judgement=load_judgement(name))
        for name, weights in found.items()
        if weights is not None
    }


def load_judgement(title: str) -> Judgement | None:
    """Load the learnt weights shipped with a title, or None."""
    file = files("workers.bots.titles").joinpath(f"{title}_judgement.json")
    return msgspec.json.decode(file.read_bytes(), type=Judgement) if file.is_file() else None
