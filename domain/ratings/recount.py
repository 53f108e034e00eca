"""All results of a pool, rated in order: with checkpoints, so that a change goes back no further than it must."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from uuid import UUID

from domain.matches.facts import Actor
from domain.ratings.ladder import Ladder, Pool, Rated, RatedResult, is_rateable
from domain.ratings.model import RatingModel

CHECKPOINT: Final = 1_000
"""The ladder is saved after this many results."""


def ladders_of(
    model: RatingModel, results: Iterable[RatedResult], progress: Callable[[int], object] = lambda _done: None
) -> dict[Pool, Ladder]:
    """All pools from scratch: every result that can be rated, in the order of time, then of ids."""
    ladders: dict[Pool, Ladder] = {}
    ordered = sorted((result for result in results if is_rateable(result)), key=lambda result: result.key)
    for done, result in enumerate(ordered, 1):
        ladders.setdefault(result.pool, Ladder(model)).play(result)
        progress(done)
    return ladders


class Recount:
    """A pool that stays right while results come, go and change; equal to `ladders_of` to the last digit."""

    def __init__(self, model: RatingModel, checkpoint: int = CHECKPOINT) -> None:
        self._model = model
        self._every = checkpoint
        self._results: list[RatedResult] = []
        self._known: dict[UUID, RatedResult] = {}
        self._ladders: list[dict[Actor, Rated]] = [{}]
        """Before the first result, after `checkpoint` of them, after twice as many, …"""
        self._ladder = Ladder(model)
        self._played = 0

    @property
    def rated(self) -> Mapping[Actor, Rated]:
        self._catch_up()
        return self._ladder.rated

    def add(self, result: RatedResult) -> None:
        """A new result, or another one of a match known before."""
        self.remove(result)
        if is_rateable(result):
            index = self._index(result)
            self._go_back(index)
            self._results.insert(index, result)
            self._known[result.match_id] = result

    def remove(self, result: RatedResult) -> None:
        """The match counts no longer."""
        known = self._known.pop(result.match_id, None)
        if known is not None:
            index = self._index(known)
            self._go_back(index)
            del self._results[index]

    def _index(self, result: RatedResult) -> int:
        """Where the result stands, or would stand, in the order of rating."""
        return bisect_left(self._results, result.key, key=lambda known: known.key)

    def _go_back(self, index: int) -> None:
        """To the last checkpoint not after this result."""
        if index >= self._played:
            return
        number = index // self._every
        del self._ladders[number + 1 :]
        self._ladder = Ladder(self._model, self._ladders[number].values())
        self._played = number * self._every

    def _catch_up(self) -> None:
        while self._played < len(self._results):
            self._ladder.play(self._results[self._played])
            self._played += 1
            if self._played % self._every == 0:
                self._ladders.append(dict(self._ladder.rated))
