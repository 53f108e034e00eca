"""Search in the archive by combined criteria, latest first, in pages."""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import Column, ColumnElement, Select, Table, and_, bindparam, func, select

from domain.kernel.values import Value
from domain.matches.facts import Actor
from projections.archive.archived_matches import ENDS, KEPT, ArchiveRecord, End, choice_key
from projections.archive.projection import (
    ARCHIVE_KEPT,
    ARCHIVE_LINES,
    ARCHIVE_OPENINGS,
    ARCHIVE_PLAYERS,
    ARCHIVE_THINGS,
)
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import any_of
from projections.platform.store import ReadStore
from projections.ratings.tables import RATING_CHANGES, RATING_RESULTS

Compare = Callable[[Column[Any], Any], ColumnElement[bool]]

THINGS_MAX: Final = 5
"""Cards and buildings per search."""
SCANNED_MAX: Final = 2_000
"""Matches that are compared with the criteria for a page."""
FIRST_SCANNED: Final = 4
"""Matches that are compared first, as a multiple of a page. Most searches find enough among them."""
CLOCKS_SECONDS: Final = 86_400
"""A bound for the differences between the clocks of hosts, by far."""

COLUMNS: Final = ARCHIVE_LINES.c
FOUND: Final = select(
    COLUMNS.line_id,
    COLUMNS.place,
    COLUMNS.title,
    COLUMNS.seats,
    COLUMNS.entries,
    COLUMNS.ended_at,
    COLUMNS.how,
).limit(bindparam("limit"))
FIRST_SINCE: Final = (
    select(COLUMNS.place)
    .where(COLUMNS.ended_at >= bindparam("ended_at"))
    .order_by(COLUMNS.ended_at, COLUMNS.place)
    .limit(1)
)
LAST_BEFORE: Final = (
    select(COLUMNS.place)
    .where(COLUMNS.ended_at < bindparam("ended_at"))
    .order_by(COLUMNS.ended_at.desc(), COLUMNS.place.desc())
    .limit(1)
)
KEPT_OF: Final = select(ARCHIVE_KEPT.c.detail).where(
    ARCHIVE_KEPT.c.detail.is_not(None), ARCHIVE_KEPT.c.line_id.in_(any_of("line_ids"))
)
BY_TITLE: Final = (
    select(COLUMNS.title, func.count())
    .join(ARCHIVE_PLAYERS, ARCHIVE_PLAYERS.c.place == COLUMNS.place)
    .where(ARCHIVE_PLAYERS.c.player == bindparam("player"))
    .group_by(COLUMNS.title)
    .order_by(func.count().desc(), COLUMNS.title)
)
RESULTS: Final = RATING_RESULTS.c
CHANGES: Final = RATING_CHANGES.c
RATED_CHANGES: Final = (
    select(CHANGES.number)
    .select_from(RATING_RESULTS)
    .join(
        RATING_CHANGES,
        and_(
            CHANGES.title == RESULTS.title,
            CHANGES.seats == RESULTS.seats,
            CHANGES.ended == RESULTS.ended,
            CHANGES.match_id == RESULTS.match_id,
        ),
    )
    .where(RESULTS.match_id == COLUMNS.line_id)
)
"""The rating changes of a match in the archive."""


class SearchCriteria(Value, frozen=True, kw_only=True):
    """Search criteria; defaults match everything.

    Dates are seconds since 1970; `things` are `(kind, thing)` of the title. `rating`: a player reached at least this
    rating after the match. `score`: least winning score.
    """

    players: tuple[Actor, ...] = ()
    title: str = ""
    seats: int | None = None
    edition: str = ""
    events: tuple[str, ...] | None = None
    people: bool | None = None
    rated: bool | None = None
    since: int | None = None
    until: int | None = None
    rating: int | None = None
    score: int | None = None
    entries_min: int | None = None
    entries_max: int | None = None
    things: tuple[tuple[str, str], ...] = ()
    opening: str = ""
    end: End | None = None


class SearchResult(Value, frozen=True):
    """A match in the archive; `place` is its key."""

    line_id: UUID
    place: int
    title: str
    seats: int
    entries: int
    ended_at: int
    end: End


def search(
    store: ReadStore, criteria: SearchCriteria, limit: int = LIMIT, before: int | None = None
) -> Page[SearchResult]:
    """Return a page of the matches that fulfil all criteria, latest first; the key is their place.

    It looks through at most `SCANNED_MAX` matches. A page may therefore be shorter than `limit`, even empty, although
    `next` is set.
    """
    parts, conditions = parts_of(criteria), conditions_of(criteria)
    end, floor = bounds_of(store, criteria, end_of(before))
    page, start = Page[SearchResult](()), end
    for scanned in (FIRST_SCANNED * (limit + 1), SCANNED_MAX):
        start = floor
        for part in parts:
            for (place,) in store.rows(part.nth, before=end, number=scanned // len(parts) - 1):
                start = max(start, place)
        page = page_of(_results(store, parts, conditions, start, end, limit + 1), limit, lambda each: each.place)
        if page.next is not None or start == floor:
            return page
    return Page(page.items, start)


def _results(
    store: ReadStore,
    parts: Sequence["SearchedPart"],
    conditions: Sequence[ColumnElement[bool]],
    start: int,
    end: int,
    limit: int,
) -> list[SearchResult]:
    """Return the latest matches between two places that fulfil the conditions."""
    rows = [
        row
        for part in parts
        for row in store.rows(part.results.where(*conditions), before=end, start=start, limit=limit)
    ]
    found = (
        SearchResult(UUID(line_id), place, title, seats, entries, ended_at, how)
        for line_id, place, title, seats, entries, ended_at, how in rows
    )
    return sorted(found, key=lambda each: -each.place)


def bounds_of(store: ReadStore, criteria: SearchCriteria, before: int) -> tuple[int, int]:
    """Return the places before which, and from which on, matches can fulfil the dates.

    Matches are archived in the order in which they end, except for differences between the clocks of hosts
    (`CLOCKS_SECONDS`).
    """
    start = 0
    if criteria.until is not None:
        for (place,) in store.rows(FIRST_SINCE, ended_at=criteria.until + CLOCKS_SECONDS):
            before = min(before, place)
    if criteria.since is not None:
        for (place,) in store.rows(LAST_BEFORE, ended_at=criteria.since - CLOCKS_SECONDS):
            start = place
    return before, start


class SearchedPart(NamedTuple):
    """A part of the archive that is read in order of place: an index with the matches of one criterion."""

    place: ColumnElement[int]
    is_in: tuple[ColumnElement[bool], ...]

    @property
    def nth(self) -> Select[Any]:
        """Return the query for the place of the match with this number before a place, counted from 0."""
        return (
            select(self.place)
            .where(*self.is_in, self.place < bindparam("before"))
            .order_by(self.place.desc())
            .limit(1)
            .offset(bindparam("number"))
        )

    @property
    def results(self) -> Select[Any]:
        """Return the query for the matches between two places."""
        found = FOUND if self.place.table is ARCHIVE_LINES else FOUND.where(COLUMNS.place == self.place)
        return found.where(*self.is_in, self.place < bindparam("before"), self.place >= bindparam("start")).order_by(
            self.place.desc()
        )


def parts_of(criteria: SearchCriteria) -> list[SearchedPart]:
    """Return the parts of the archive to read, the smallest that the criteria allow; none for no event."""
    if criteria.players:
        players = ARCHIVE_PLAYERS.c
        return [SearchedPart(players.place, (players.player == criteria.players[0],))]
    if criteria.opening:
        openings = ARCHIVE_OPENINGS.c
        return [SearchedPart(openings.place, (openings.path == criteria.opening,))]
    if criteria.events is not None:
        return [SearchedPart(COLUMNS.place, (COLUMNS.event == event,)) for event in criteria.events]
    if criteria.things:
        things, (kind, thing) = ARCHIVE_THINGS.c, criteria.things[0]
        return [SearchedPart(things.place, (things.title == criteria.title, things.thing == choice_key(kind, thing)))]
    return [SearchedPart(COLUMNS.place, ())]


def load_archived(store: ReadStore, line_ids: Sequence[UUID]) -> dict[UUID, ArchiveRecord]:
    """Return the archived data of these matches by id, omitting matches that are not in the archive."""
    rows = store.rows(KEPT_OF, line_ids=[str(each) for each in line_ids])
    found = (KEPT.decode(row[0]) for row in rows)
    return {record.line_id: record for record in found}


def titles_of(store: ReadStore, player: Actor) -> tuple[tuple[str, int], ...]:
    """Return the number of matches of a player by title, the most frequent first."""
    return tuple((title, int(times)) for title, times in store.rows(BY_TITLE, player=player))


def conditions_of(criteria: SearchCriteria) -> list[ColumnElement[bool]]:
    """Return the conditions that a match fulfils; cards and buildings after the first `THINGS_MAX` are ignored."""
    conditions = columns_of(criteria)
    for player in criteria.players:
        conditions.append(has_row_where(ARCHIVE_PLAYERS, ARCHIVE_PLAYERS.c.player == player))
    things = ARCHIVE_THINGS.c
    for kind, thing in criteria.things[:THINGS_MAX]:
        conditions.append(
            has_row_where(ARCHIVE_THINGS, things.title == criteria.title, things.thing == choice_key(kind, thing))
        )
    if criteria.opening:
        conditions.append(has_row_where(ARCHIVE_OPENINGS, ARCHIVE_OPENINGS.c.path == criteria.opening))
    if criteria.events is not None:
        conditions.append(COLUMNS.event.in_(criteria.events))
    if criteria.rating is not None:
        conditions.append(RATED_CHANGES.where(CHANGES.best >= criteria.rating).exists())
    return conditions


def has_row_where(table: Table, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a table has a row of the match."""
    return select(table.c.place).where(table.c.place == COLUMNS.place, *conditions).correlate(ARCHIVE_LINES).exists()


def columns_of(criteria: SearchCriteria) -> list[ColumnElement[bool]]:
    """Return the conditions on the columns of a match itself; criteria that are None or empty give none.

    An unknown `end` raises `AssertionError`; `until` is exclusive, all other limits are inclusive.
    """
    assert criteria.end is None or criteria.end in ENDS
    people = None if criteria.people is None else int(criteria.people)
    rated = None if criteria.rated is None else int(criteria.rated)
    comparisons: tuple[tuple[Column[Any], Compare, Any], ...] = (
        (COLUMNS.title, operator.eq, criteria.title or None),
        (COLUMNS.seats, operator.eq, criteria.seats),
        (COLUMNS.edition, operator.eq, criteria.edition or None),
        (COLUMNS.people, operator.eq, people),
        (COLUMNS.rated, operator.eq, rated),
        (COLUMNS.ended_at, operator.ge, criteria.since),
        (COLUMNS.ended_at, operator.lt, criteria.until),
        (COLUMNS.score, operator.ge, criteria.score),
        (COLUMNS.entries, operator.ge, criteria.entries_min),
        (COLUMNS.entries, operator.le, criteria.entries_max),
        (COLUMNS.how, operator.eq, criteria.end),
    )
    return [compare(column, value) for column, compare, value in comparisons if value is not None]
