"""Raw access to the log, row by row, for audits of the whole store."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.guard import LogItem, list_log_items
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record

PAGE: Final = 1_000


class StoredLog:
    """The readable events of a store, by position or stream."""

    def __init__(self, matches: Matches) -> None:
        self._log = matches.log

    def between(self, after: int, upto: int | None = None) -> Iterator[tuple[int, LogItem]]:
        """Yield (position, entry or record) pairs after position `after`, up to `upto`, in order."""
        while page := list_log_items(self._log.recorder, self._log.mapper, after, PAGE, upto):
            yield from page
            after = page[-1][0]

    def find(self, stream: UUID, version: int) -> LogItem | None:
        """Return an entry or record, or None."""
        return self._first_of(stream, version - 1, version)

    def first(self, stream: UUID) -> LogItem | None:
        """Return the first event of a stream; its version is not 1 for a fork."""
        return self._first_of(stream, 0, None)

    def _first_of(self, stream: UUID, after: int, upto: int | None) -> LogItem | None:
        """Return the first entry or record of a stream after version `after`, or None; a fork's claim is skipped."""
        # The stream of a fork begins with a note that claims its id.
        rows = self._log.recorder.select_events(stream, gt=after, lte=upto, limit=2)
        events = (self._log.mapper.to_domain_event(row) for row in rows)
        return next((event for event in events if isinstance(event, Entry | Record)), None)
