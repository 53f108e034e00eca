"""What bots must know about a title: what a position is worth, and how to look through choices and play matches on."""

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from operator import mul
from typing import Any, Final

import msgspec

from domain.kernel.loading import find_part
from domain.kernel.rules import Seat
from domain.kernel.title import Titles

Sketch = Callable[[Any, Seat], Sequence[Any]]
"""Position, seat -> those of its legal actions that are tried out, at least one, in their order."""


class Outline(msgspec.Struct, frozen=True):
    """How matches of a title are played on in thought: roughly, because it is done hundreds of times for one choice."""

    stage: Callable[[Any], int]
    """A number that changes where a position can be judged, such as that of the round: roll-outs end there."""

    own: Sketch
    """What is tried for the seat that is thinking."""

    rival: Sketch
    """What is tried for any other seat where no more than one stage is played; where it is more, `own` is for all."""

    follow: Callable[[Any, Seat], tuple[Any, ...]]
    """The actions to look at next where a position cannot be judged yet; as in `Weights`, but one step and no more."""

    stages_max: int = 3
    """Over more stages than these a roll-out tells less than more roll-outs do."""

    has_playoff: bool = False
    """Whether the best actions meet once more in nested roll-outs: each costs as much as dozens of others, which pays
    where choices decide about a stage, and little of it is luck."""


SCALE: Final = 1_000


class Judgement(msgspec.Struct, frozen=True, rename="camel"):
    """What `esporles train` has learnt of a title: how much each part of a worth counts, in thousandths, by the number
    of seats and the stage that begins (`4/3`)."""

    title: str
    names: tuple[str, ...]
    weights: Mapping[str, tuple[int, ...]]
    provenance: Mapping[str, str]

    def judge(self, parts: tuple[int, ...], seats: int, stage: int) -> int:
        """The worth of a position at the beginning of a stage; where nothing was learnt, that of its parts."""
        weights = self.weights.get(f"{seats}/{stage}")
        return sum(parts) if weights is None else sum(map(mul, parts, weights)) // SCALE


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

    names: tuple[str, ...] = ()
    """What the worth is made of."""

    parts: Callable[[Any, Seat], tuple[int, ...]] | None = None
    """The worth by these names; together they make it."""

    judgement: Judgement | None = None
    """How the parts count at the end of a stage, learnt from matches; without it each counts as it is."""

    outline: Outline | None = None
    """For bots that search; they play no title without one."""

    @property
    def known_outline(self) -> Outline:
        """The outline, for who plays matches on."""
        assert self.outline is not None, "no match is played on without an outline"
        return self.outline

    def parts_of(self, state: object, seat: Seat) -> tuple[int, ...]:
        """The worth in parts; in one part where a title says no more of it."""
        return (self.worth(state, seat),) if self.parts is None else self.parts(state, seat)

    def judge(self, state: object, seat: Seat, seats: int, stage: int) -> int:
        """The worth at the beginning of a stage, as it was learnt."""
        if self.judgement is None:
            return self.worth(state, seat)
        return self.judgement.judge(self.parts_of(state, seat), seats, stage)


Evaluations = Mapping[str, Weights]
"""By title; a title without one is played by bots that need none."""


def load_evaluations(titles: Titles) -> Evaluations:
    """The evaluation that each title's modules here bring."""
    found = {name: find_part(f"workers.bots.titles.{name}", "WEIGHTS") for name in titles}
    outlines = {name: find_part(f"workers.bots.titles.{name}_outline", "OUTLINE") for name in titles}
    return {
        name: msgspec.structs.replace(weights, outline=outlines[name], judgement=load_judgement(name))
        for name, weights in found.items()
        if weights is not None
    }


def load_judgement(title: str) -> Judgement | None:
    """What was learnt of the title and is shipped beside its modules, if anything."""
    file = files("workers.bots.titles").joinpath(f"{title}_judgement.json")
    return msgspec.json.decode(file.read_bytes(), type=Judgement) if file.is_file() else None
