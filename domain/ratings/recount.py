"""The computation of all ratings from all results."""

from collections.abc import Callable, Iterable

from domain.ratings.ladder import Ladder, Pool, RatedResult, is_rateable
from domain.ratings.model import RatingModel
from domain.ratings.plackett_luce import PLACKETT_LUCE
from domain.ratings.update import QUICK


def ladders_of(
    model: RatingModel, results: Iterable[RatedResult], progress: Callable[[int], object] = lambda _done: None
) -> dict[Pool, Ladder]:
    """Return all pools rated from scratch: rateable results sorted by time, then by id."""
    # The quick model gives the same numbers in less time and checks the follower, which uses the package.
    quick = QUICK if model is PLACKETT_LUCE else model
    ladders: dict[Pool, Ladder] = {}
    sorted_results = sorted((result for result in results if is_rateable(result)), key=lambda result: result.key)
    for count, result in enumerate(sorted_results, 1):
        pool = result.pool
        ladder = ladders.get(pool)
        if ladder is None:
            ladder = ladders[pool] = Ladder(quick)
        ladder.apply_result(result)
        progress(count)
    return ladders
