"""The choice of the results that a ranking list counts, and the pool in which they are rated."""

from typing import Annotated, Final

from msgspec import Meta

from domain.kernel.values import Value, replace
from domain.matches.rulings.outcome import Outcome
from domain.ratings.clock_classes import ClockClass, clock_class_of
from domain.ratings.ladder import PROGRAMS, Pool, RatedResult, month_of, period_of

ANY_SIZE: Final = 1
"""The number of seats of a pool with tables of every size."""
SEPARATOR: Final = "/"
"""Separates the parts of the name of a pool that does not hold all results of a title and table size."""

MonthText = Annotated[str, Meta(pattern=r"^(\d{4}-(0[1-9]|1[0-2]))?$", max_length=7)]
"""A month such as `2026-11`, or empty."""


class ResultFilter(Value, frozen=True, omit_defaults=True):
    """The results of a title that count: by size and clock of the table, and by month; by default all."""

    title: str
    bots: bool = False
    """Whether the list has the matches with bot accounts instead of the others."""
    seats: Annotated[int, Meta(ge=0, le=10)] = 0
    """The size of the table; 0: every size."""
    clock: ClockClass = ""
    """The class of the clock; empty: every clock."""
    since: MonthText = ""
    """The first month that counts; empty: from the beginning."""
    until: MonthText = ""
    """The last month that counts; empty: without an end."""

    @property
    def list_title(self) -> str:
        """The title as results have it, with a suffix for matches with bot accounts."""
        return self.title + PROGRAMS if self.bots else self.title

    @property
    def pool(self) -> Pool:
        """The pool in which the results are rated."""
        if self.seats and not (self.clock or self.since or self.until):
            return Pool(self.list_title, self.seats)
        parts = (self.list_title, self.clock, self.since, self.until)
        return Pool(SEPARATOR.join(parts), self.seats or ANY_SIZE)

    def selects(self, result: RatedResult, clock: ClockClass) -> bool:
        """Return whether the list counts a result, given as of its title and table size, with this clock."""
        return (
            result.title == self.list_title
            and self.seats in (0, result.pool.seats)
            and self.clock in ("", clock)
            and self.has_month(period_of(result.ended_at))
        )

    def has_month(self, period: int) -> bool:
        """Return whether results of this month count."""
        month = month_of(period)
        return self.since <= month and (not self.until or month <= self.until)

    def result_in_pool(self, result: RatedResult) -> RatedResult:
        """Return a result of the list as it is rated in the pool."""
        pool = self.pool
        return result if is_plain(pool) else replace(result, title=pool.title, seats=pool.seats)


def is_plain(pool: Pool) -> bool:
    """Return whether a pool has all results of a title and table size."""
    return SEPARATOR not in pool.title


def filtered_result(filter_: ResultFilter, outcome: Outcome, result: RatedResult | None) -> RatedResult | None:
    """Return the result of an outcome in the pool of a list, or None if the list does not count it."""
    if result is None or not filter_.selects(result, clock_class_of(outcome.clock)):
        return None
    return filter_.result_in_pool(result)
