"""The best place that each person of a circuit can still reach in its present contests."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from domain.circuits.counting import (
    CircuitLine,
    ContestStandings,
    CountedResult,
    mark_counted,
    results_in,
    total,
)
from domain.circuits.plan import CircuitPlan
from domain.circuits.points import most_points
from domain.matches.facts import Actor


def best_places(
    plan: CircuitPlan, contests: Sequence[ContestStandings], lines: Iterable[CircuitLine]
) -> Mapping[Actor, int]:
    """Return the best rank that each person can still have; 0 if they can no longer get a rank.

    It is a bound: a person wins every contest that they can still play, the others get no further points, and every
    tie-break is in the person's favour. Only points of contests that are over are safe. People who do not play in a
    contest that accepts no further entries get nothing there.
    """
    fixed: dict[Actor, list[CountedResult]] = {line.actor: [] for line in lines}
    for index, contest in enumerate(contests):
        if contest.is_over:
            for actor, result in results_in(plan, index, contest):
                fixed[actor].append(result)
    safe = sorted(
        total(mark_counted(plan, contests, results)) for results in fixed.values() if len(results) >= plan.results_min
    )
    return {actor: best_place(plan, contests, actor, results, safe) for actor, results in fixed.items()}


def best_place(
    plan: CircuitPlan,
    contests: Sequence[ContestStandings],
    actor: Actor,
    results: Sequence[CountedResult],
    safe: Sequence[int],
) -> int:
    """Return the best rank of a person with these results of past contests; `safe`: points of others, sorted."""
    possible = [*results, *possible_results(plan, contests, actor)]
    if len(possible) < plan.results_min:
        return 0
    most = total(mark_counted(plan, contests, possible))
    # The person's own safe points are never more than the points they can reach.
    return 1 + len(safe) - bisect_right(safe, most)


def possible_results(plan: CircuitPlan, contests: Sequence[ContestStandings], actor: Actor) -> Iterable[CountedResult]:
    """Yield a first place in every contest that the person plays in, or can still enter."""
    for index, contest in enumerate(contests):
        if contest.status not in ("upcoming", "running") or not (contest.is_open or actor in contest.places):
            continue
        if contest.size_max >= max(1, plan.participants_min):
            points = most_points(plan, contest.size_max, contest.weight)
            yield CountedResult(index, 1, contest.size_max, points, is_final=False)
