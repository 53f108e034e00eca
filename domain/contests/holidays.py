"""Holidays in correspondence: how many days a player has, and how much of a wanted holiday they allow.

Days are counted as time of the calendar: a day on which the player is away at several tables counts once. Times are in
microseconds, as in `domain.matches.play.absences`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec

from domain.contests.times import join_intervals
from domain.kernel.values import Value, replace
from domain.matches.aggregate import Match
from domain.matches.facts import Table
from domain.matches.log.entries import microseconds
from domain.matches.play.absence_terms import allowed_days
from domain.matches.play.absences import DAY, DAYS_MAX, MICROSECONDS, Absences

DAY_MICROSECONDS: Final = DAY * MICROSECONDS
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
YEAR_DAYS: Final = DAYS_MAX
"""Days of holiday of a person in a calendar year (UTC) at all tables outside of contests."""


class HolidayRule(Value, frozen=True, omit_defaults=True):
    """The days of holiday of each place in a season or tournament, at all of its tables together."""

    days: Annotated[int, msgspec.Meta(ge=0, le=DAYS_MAX)] = 14


def rule_for(table: Table, days: int, before: HolidayRule | None = None) -> HolidayRule | None:
    """Return the rule with these days for a table by correspondence; None for others, and for all days as before."""
    if table.clock.kind != "correspondence" or (before is None and days == DAYS_MAX):
        return None
    return HolidayRule(days)


class Span(NamedTuple):
    """A time from `first` until before `last`."""

    first: int
    last: int


class PlaceTable(NamedTuple):
    """A match of a place in a contest, by its original line, and the seat of the place there."""

    match_id: UUID
    seat: int


class PlaceTables(NamedTuple):
    """All open tables of a place in a contest, and the days of holiday it has there; None: no common limit."""

    days: int | None
    tables: tuple[PlaceTable, ...]


def fault_of_holidays(rule: HolidayRule | None, table: Table) -> str | None:
    """Return why a plan with this table cannot have the rule, or None."""
    if rule is None or rule.days == 0 or table.clock.kind == "correspondence":
        return None
    return f"holidays of {rule.days} days: only correspondence tables have holidays"


def with_holidays(table: Table, rule: HolidayRule | None) -> Table:
    """Return the table of a plan with the days of the rule as its own limit; unchanged without a rule or such days."""
    if rule is None or table.clock.kind != "correspondence":
        return table
    return replace(table, absence_days=min(rule.days, allowed_days(table)))


def join(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans sorted, with overlapping and adjacent ones joined, without empty ones."""
    return tuple(Span(*each) for each in join_intervals(spans))


def total(spans: Iterable[Span]) -> int:
    """Return the length of all spans together; time in several of them counts once."""
    return sum(span.last - span.first for span in join(spans))


def allowed_end(used: Iterable[Span], wanted: Span, days: int) -> int:
    """Return the latest end of a wanted holiday with which it and the used time stay within the days, or its start.

    Time that is used already costs nothing.
    """
    joined = join(used)
    free = max(0, days * DAY_MICROSECONDS - total(joined))
    for gap in gaps(joined, wanted):
        if gap.last - gap.first > free:
            return gap.first + free
        free -= gap.last - gap.first
    return wanted.last


def gaps(joined: Iterable[Span], wanted: Span) -> Iterator[Span]:
    """Yield the parts of a span outside of joined spans, in order."""
    at = wanted.first
    for span in joined:
        if at < span.first:
            yield Span(at, min(span.first, wanted.last))
        at = max(at, span.last)
        if at >= wanted.last:
            return
    yield Span(at, wanted.last)


def allowed_end_by_year(used: Sequence[Span], wanted: Span, days: int = YEAR_DAYS) -> int:
    """Return the latest end of a wanted holiday as `allowed_end` does, with these days for each calendar year (UTC)."""
    for year in range(year_of(wanted.first), year_of(wanted.last - 1) + 1):
        within = part_in(wanted, year)
        end = allowed_end([part_in(span, year) for span in used], within, days)
        if end < within.last:
            return end
    return wanted.last


def used_in_year(used: Iterable[Span], year: int) -> int:
    """Return the used time of a calendar year (UTC)."""
    return total(part_in(span, year) for span in used)


def year_of(at: int) -> int:
    """Return the calendar year (UTC) of a time."""
    return (EPOCH + timedelta(microseconds=at)).year


def part_in(span: Span, year: int) -> Span:
    """Return the part of a span in a calendar year (UTC); it ends before it begins if there is none."""
    first, last = (microseconds(datetime(each, 1, 1, tzinfo=UTC)) for each in (year, year + 1))
    return Span(max(span.first, first), min(span.last, last))


def spans_of(absences: Absences, seat: int) -> Iterator[Span]:
    """Yield the absences of a seat."""
    for each in absences:
        if each.seat == seat:
            yield Span(each.first, each.last)


def used_by_place(tables: Iterable[PlaceTable], read: Callable[[UUID], Match | None]) -> tuple[Span, ...]:
    """Return the absences of a place at its tables; `read` returns the official line of a match, None if unopened."""
    matches = ((read(table.match_id), table.seat) for table in tables)
    return tuple(span for match, seat in matches if match is not None for span in spans_of(match.absences, seat))
