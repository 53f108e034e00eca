"""All results rated in order."""

from collections.abc import Callable, Iterable

from domain.ratings.ladder import Ladder, Pool, RatedResult, is_rateable
from domain.ratings.model import RatingModel


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
