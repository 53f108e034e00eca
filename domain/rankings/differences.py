"""The difference between two counts of a month: the results that changed, and the players who moved by them."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, Literal

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.rankings.content import PRIVATE, ListLine, ResultLine

ROUNDING: Final = 1
"""Machines round roots and powers differently: weights, means and deviations in millionths, and points, by 1."""
ROUNDED: Final = ("points", "mean", "deviation", "best")

Cause = Literal["added", "removed", "changed", "reweighted"]
"""Why a result counts differently: it is new, it was taken back, its outcome changed, or only its weights."""


class ChangedResult(Value, frozen=True):
    """A result that counts differently; `before` or `after` is None if it did not or does not count."""

    cause: Cause
    before: ResultLine | None
    after: ResultLine | None

    @property
    def line(self) -> ResultLine:
        """The result as it counts now, or as it counted before it was taken back."""
        line = self.after or self.before
        assert line is not None, "one of both counts"
        return line


class Moved(Value, frozen=True):
    """A player whose line differs; `before` or `after` is None if the player was not or is not listed."""

    player: Actor
    before: ListLine | None
    after: ListLine | None
    results: tuple[ChangedResult, ...]
    """Changed results of the player; empty if only results of opponents or places of others changed."""


def compare_results(before: Iterable[ResultLine], after: Iterable[ResultLine]) -> tuple[ChangedResult, ...]:
    """Return the results that count differently, in order of their ends.

    A new head is no difference, nor is the rounding of weights on another machine.
    """
    former, current = ({private_name(line.match): line for line in lines} for lines in (before, after))
    found = (
        ChangedResult(cause, former.get(name), current.get(name))
        for name in {**former, **current}
        if (cause := cause_of(former.get(name), current.get(name))) is not None
    )
    return tuple(sorted(found, key=lambda each: (each.line.ended_at, each.line.match)))


def private_name(match: str) -> str:
    """Return the name that a match has in lines whether or not it is public."""
    return match if match.startswith(PRIVATE) else PRIVATE + sha256(match.encode()).hexdigest()


def cause_of(before: ResultLine | None, after: ResultLine | None) -> Cause | None:
    """Return why a result counts differently, or None if it does not."""
    if before is None:
        return "added"
    if after is None:
        return "removed"
    if outcome_of(before) != outcome_of(after):
        return "changed"
    return None if all(map(is_close, before.weights, after.weights)) else "reweighted"


def is_close(one: int, other: int) -> bool:
    """Return whether two numbers agree except for rounding on another machine (docs/specifications/rankings.md)."""
    return abs(one - other) <= ROUNDING


def agree(before: ListLine | None, after: ListLine | None) -> bool:
    """Return whether two lines of a player agree except for rounding of the rating on another machine."""
    if before is None or after is None:
        return before is after
    rounded = {name: getattr(after, name) for name in ROUNDED}
    return replace(before, **rounded) == after and all(
        is_close(getattr(before, name), rounded[name]) for name in rounded
    )


def outcome_of(line: ResultLine) -> tuple[object, ...]:
    """Return the values of a result from which ratings follow, without the weights."""
    return line.ended_at, line.players, line.places, line.fair, line.provisional, line.left


def compare_lists(
    before: Sequence[ListLine], after: Sequence[ListLine], changed: Iterable[ChangedResult]
) -> tuple[Moved, ...]:
    """Return the players whose lines differ by more than rounding, in the order of the list now.

    Players no longer listed follow.
    """
    results_of: dict[Actor, list[ChangedResult]] = {}
    for each in changed:
        for player in dict.fromkeys(each.line.players):
            results_of.setdefault(player, []).append(each)
    former, current = ({line.player: line for line in lines} for lines in (before, after))
    return tuple(
        Moved(player, former.get(player), current.get(player), tuple(results_of.get(player, ())))
        for player in {**current, **former}
        if not agree(former.get(player), current.get(player))
    )
