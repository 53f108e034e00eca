"""A player's lines in the ranking lists of months, which follow from the ratings after their matches.

A list changes on the first of a month without a match: ratings widen, and players become inactive. So the lines of
all months until a player is inactive are known after each match.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from domain.kernel.values import Value
from domain.ratings.ladder import Rated, points_in
from domain.ratings.model import RatingModel
from domain.ratings.terms import STANDARD, Terms

NEVER: Final = 2**31
"""The end of an inactivity that has not ended."""


class MonthLine(Value, frozen=True):
    """A player's line in the list of a month: with a place, or provisional."""

    period: int
    is_placed: bool
    points: int


class Inactivity(Value, frozen=True):
    """The months from `since` until before `until` in which a player was inactive; `points` at its beginning."""

    since: int
    until: int
    points: int


def month_lines(model: RatingModel, ratings: Sequence[Rated], terms: Terms = STANDARD) -> Iterator[MonthLine]:
    """Yield the lines of a player's active months in order; `ratings` has the last one of each month with a match."""
    for rated, following in zip_longest(ratings, ratings[1:]):
        end = rated.inactive_since(terms)
        if following is not None:
            end = min(end, following.last_period)
        for period in range(rated.last_period, end):
            yield MonthLine(period, not rated.is_provisional(terms), points_in(model, rated, period))


def inactivities(model: RatingModel, ratings: Sequence[Rated], terms: Terms = STANDARD) -> Iterator[Inactivity]:
    """Yield the player's inactivities in order, from the same ratings; the last one has not ended."""
    for rated, following in zip_longest(ratings, ratings[1:]):
        since, until = rated.inactive_since(terms), NEVER if following is None else following.last_period
        if since < until:
            yield Inactivity(since, until, points_in(model, rated, since))
