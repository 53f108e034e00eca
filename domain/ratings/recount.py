"""All results rated in order."""

from collections.abc import Callable, Iterable

from domain.ratings.ladder import Ladder, Pool, RatedResult, is_rateable
from domain.ratings.model import RatingModel
from domain.ratings.plackett_luce import PLACKETT_LUCE
from domain.ratings.update import QUICK


def ladders_of(
    model: RatingModel, results: Iterable[RatedResult], progress: Callable[[int], object] = lambda _done: None
) -> dict[Pool, Ladder]:
    """All pools from scratch: every result that can be rated, in the order of time, then of ids."""
    # The same numbers in less time; of what the follower had the package say it is a check.
    quick = QUICK if model is PLACKETT_LUCE else model
    ladders: dict[Pool, Ladder] = {}
    ordered = sorted((result for result in results if is_rateable(result)), key=lambda result: result.key)
    for done, result in enumerate(ordered, 1):
        pool = result.pool
        ladder = ladders.get(pool)
        if ladder is None:
            ladder = ladders[pool] = Ladder(quick)
        ladder.take(result)
        progress(done)
    return ladders
