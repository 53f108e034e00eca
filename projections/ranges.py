"""Division of the log into ranges of matches for parallel folding; forks stay with their parents."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol
from uuid import UUID

import msgspec

from domain.eventstore.recorders import StreamSummary
from domain.matches.log.entries import Entry, peek_fact_type
from domain.matches.log.records import Record
from projections.follow import Log, LogEvent, StepReader

ENTRIES: Final = 10_000
"""Entries after which a range is closed."""
FORKED: Final = "match_forked"


class WholeLog(Log, Protocol):
    """A log that can be read stream by stream."""

    def last_position(self) -> int:
        """Return the position of the latest entry."""
        ...

    def list_streams(self, upto: int) -> Sequence[StreamSummary]:
        """Return all streams as of a position, in order of their first rows."""
        ...

    def first(self, stream: UUID) -> Entry | Record | None:
        """Return the first entry or record of a stream, or None."""
        ...

    def read_stream(self, stream: UUID, upto: int) -> Sequence[tuple[int, Entry | Record]]:
        """Return all items of a stream up to a position, with their positions."""
        ...


class ParentReference(msgspec.Struct, frozen=True):
    """The parent of a fork, decoded from its entry."""

    parent: UUID


class Range(NamedTuple):
    """Families of streams and their number of rows."""

    families: tuple[tuple[UUID, ...], ...]
    entries: int


def divide_log(log: WholeLog, upto: int, *, common: Iterable[UUID] = (), entries: int = ENTRIES) -> list[Range]:
    """Divide the log up to a position into ranges of at least `entries` entries; the last one may have fewer.

    Matches stay whole with their forks; the `common` streams are left out.
    """
    ranges, families, count = list[Range](), list[tuple[UUID, ...]](), 0
    for family, rows in families_of(log, upto, frozenset(common)):
        families.append(family)
        count += rows
        if count >= entries:
            ranges.append(Range(tuple(families), count))
            families, count = [], 0
    return [*ranges, Range(tuple(families), count)] if families else ranges


def families_of(log: WholeLog, upto: int, common: frozenset[UUID]) -> Iterator[tuple[tuple[UUID, ...], int]]:
    """Yield each match with all its forks, or a stream of records, and the number of its rows.

    Streams in `common`, and without an event up to the position, are left out.
    """
    heads, rows = dict[UUID, UUID](), dict[UUID, int]()

    def head_of(stream: UUID) -> UUID:
        while (head := heads.get(stream, stream)) != stream:
            stream = head
        return stream

    for summary in log.list_streams(upto):
        event = None if summary.id in common else log.first(summary.id)
        if event is None:
            continue
        rows[summary.id] = summary.rows
        for parent in parents_of(log, event, upto) if isinstance(event, Entry) else ():
            heads[head_of(summary.id)] = head_of(parent)
    families = dict[UUID, list[UUID]]()
    for stream in rows:
        families.setdefault(head_of(stream), []).append(stream)
    for family in families.values():
        yield tuple(family), sum(rows[stream] for stream in family)


def parents_of(log: WholeLog, first: Entry, upto: int) -> list[UUID]:
    """Return the parents of a line, none for a match; an imported one can contain the entries of all its ancestors."""
    if first.version == 1 and first.stream is None:
        return []
    entries = [first] if first.stream is None else [event for _, event in log.read_stream(first.line_id, upto)]
    return [parent for entry in entries if isinstance(entry, Entry) and (parent := parent_in(entry)) is not None]


def parent_in(entry: Entry) -> UUID | None:
    """Return the parent of a fork's entry, or None for other or unreadable entries."""
    try:
        return (
            msgspec.json.decode(entry.body, type=ParentReference).parent
            if peek_fact_type(entry).type == FORKED
            else None
        )
    except msgspec.MsgspecError:
        return None


def fold(log: WholeLog, family: Sequence[UUID], upto: int, steps: StepReader) -> list[LogEvent]:
    """Return the items of a family in order of the log; skipped streams are left out."""
    events = sorted((item for stream in family for item in log.read_stream(stream, upto)), key=lambda item: item[0])
    found = (steps.read_step(position, event) for position, event in events)
    return [found_event for found_event in found if found_event is not None]
