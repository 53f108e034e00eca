"""The standings of a circuit, counted from the places in its contests."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal
from uuid import UUID

from domain.circuits.fact_base import ContestKey
from domain.circuits.plan import CircuitPlan, CircuitTieBreak
from domain.circuits.points import FULL_WEIGHT, shared_points
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor

ContestStatus = Literal["upcoming", "running", "ended", "missing"]


class ContestStandings(Value, frozen=True, kw_only=True):
    """The present places in a contest.

    `places`: the place of each account, 1 the best; equal places are shared. Bots and names without an account take
    places, too, which belong to no one. `tied`: the number of participants at each place. `size`: the number of
    participants. `missing`: the contest is unknown, cannot be read, or contains the circuit.
    """

    key: ContestKey
    name: str = ""
    title: str = ""
    """Empty for a circuit."""
    status: ContestStatus = "missing"
    size: int = 0
    places: Mapping[Actor, int] = {}
    tied: Mapping[int, int] = {}
    is_open: bool = False
    """Whether other people can still enter."""
    size_max: int = 0
    """The most participants that it can have."""
    weight: int = FULL_WEIGHT

    @property
    def is_over(self) -> bool:
        """Whether its places no longer change, except by corrections."""
        return self.status == "ended"


class CountedResult(Value, frozen=True):
    """The result of a person in a contest; `contest` is its index in the circuit."""

    contest: int
    place: int
    size: int
    points: int
    """In sixtieths."""
    counts: bool = False
    """Whether it is one of the results that count."""
    is_final: bool = True
    """Whether the contest is over."""


class CircuitLine(Value, frozen=True):
    """A row of the standings, with results in the order of the contests; `rank` 0: too few results for a rank."""

    actor: Actor
    rank: int
    points: int
    results: tuple[CountedResult, ...]

    @property
    def wins(self) -> int:
        """The number of first places that count."""
        return sum(result.place == 1 for result in self.results if result.counts)

    @property
    def is_final(self) -> bool:
        """Whether no result is of a running contest."""
        return all(result.is_final for result in self.results)


def has_quorum(plan: CircuitPlan, contest: ContestStandings) -> bool:
    """Return whether a contest has enough participants to count."""
    return contest.size >= max(1, plan.participants_min)


def results_in(plan: CircuitPlan, index: int, contest: ContestStandings) -> Iterable[tuple[Actor, CountedResult]]:
    """Yield the result of everyone with a place in a contest that has begun and has enough participants."""
    if contest.status == "upcoming" or not has_quorum(plan, contest):
        return
    for actor, place in contest.places.items():
        points = shared_points(plan, place, contest.tied.get(place, 1), contest.size, contest.weight)
        yield actor, CountedResult(index, place, contest.size, points, is_final=contest.is_over)


def mark_counted(
    plan: CircuitPlan, contests: Sequence[ContestStandings], results: Iterable[CountedResult]
) -> tuple[CountedResult, ...]:
    """Return the results in the order of the contests, with those marked that count: the best the plan allows."""
    counted, by_title = set[int](), dict[str, int]()
    found = sorted(results, key=lambda result: (-result.points, result.place, result.contest))
    for result in found:
        title = contests[result.contest].title
        is_full = bool(plan.per_title) and title != "" and by_title.get(title, 0) >= plan.per_title
        if not is_full and not (plan.best and len(counted) >= plan.best):
            counted.add(result.contest)
            by_title[title] = by_title.get(title, 0) + 1
    marked = (replace(result, counts=result.contest in counted) for result in found)
    return tuple(sorted(marked, key=lambda result: result.contest))


def total(results: Iterable[CountedResult]) -> int:
    """Return the points of the results that count."""
    return sum(result.points for result in results if result.counts)


def circuit_standings(
    circuit_id: UUID, plan: CircuitPlan, contests: Sequence[ContestStandings]
) -> tuple[CircuitLine, ...]:
    """Return the row of everyone with a result, best first; then, by points, people without a rank."""
    found: dict[Actor, list[CountedResult]] = {}
    for index, contest in enumerate(contests):
        for actor, result in results_in(plan, index, contest):
            found.setdefault(actor, []).append(result)
    lines = [CircuitLine(actor, 0, 0, mark_counted(plan, contests, results)) for actor, results in found.items()]
    lines = [replace(line, points=total(line.results)) for line in lines]
    ranked = [line for line in lines if len(line.results) >= plan.results_min]
    others = [line for line in lines if len(line.results) < plan.results_min]

    def key(line: CircuitLine) -> tuple[object, ...]:
        return (-line.points, *(TIE_BREAKS[each](circuit_id, line) for each in plan.tie_breaks))

    def order(line: CircuitLine) -> tuple[object, ...]:
        # Rows with equal keys are in the order of the lot, which the names cannot influence.
        return (*key(line), lot_of(circuit_id, line))

    rows: list[CircuitLine] = []
    for _, tied in groupby(sorted(ranked, key=order), key=key):
        rank = len(rows) + 1
        rows += [replace(line, rank=rank) for line in tied]
    return (*rows, *sorted(others, key=order))


def lot_of(circuit_id: UUID, line: CircuitLine) -> tuple[bytes]:
    """Return the lot of a person in a circuit, which never changes."""
    return (hashlib.sha256(circuit_id.bytes + line.actor.encode()).digest(),)


def falling(points: Iterable[int]) -> tuple[int, ...]:
    """Return a key that sorts the best points first; a missing result is like 0 points."""
    return (*(-each for each in sorted(points, reverse=True) if each), 0)


def countback(_: UUID, line: CircuitLine) -> tuple[int, ...]:
    """Return the points of the results that count, best first."""
    return falling(result.points for result in line.results if result.counts)


def uncounted_results(_: UUID, line: CircuitLine) -> tuple[int, ...]:
    """Return the points of the results that do not count, best first."""
    return falling(result.points for result in line.results if not result.counts)


def recent(_: UUID, line: CircuitLine) -> tuple[tuple[int, int], ...]:
    """Return a key that compares the points in the last contest, then in the one before, and so on."""
    return (*((-each.contest, -each.points) for each in reversed(line.results) if each.points), (1, 0))


TIE_BREAKS: Final[Mapping[CircuitTieBreak, Callable[[UUID, CircuitLine], tuple[object, ...]]]] = {
    "countback": countback,
    "dropped": uncounted_results,
    "wins": lambda _, line: (-line.wins,),
    "results": lambda _, line: (-len(line.results),),
    "recent": recent,
    "lot": lot_of,
}
"""The sort key of each tie-break."""
