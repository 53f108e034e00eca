"""The log row by row as the store has it, without a look at what it means: for whoever examines the whole of it."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.guard import Kept, happenings
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record

PAGE: Final = 1_000


class StoredLog:
    """What was appended, by position or by stream. Rows that cannot be read are not there."""

    def __init__(self, matches: Matches) -> None:
        self._log = matches.log

    def between(self, after: int, upto: int | None = None) -> Iterator[tuple[int, Kept]]:
        """What was appended after a position, and up to one."""
        while page := happenings(self._log.recorder, self._log.mapper, after, PAGE, upto):
            yield from page
            after = page[-1][0]

    def one(self, stream: UUID, version: int) -> Kept | None:
        """An entry or record, if the store has it."""
        return self._first_of(stream, version - 1, version)

    def first(self, stream: UUID) -> Kept | None:
        """The first entry of a stream: of a fork that is not version 1."""
        return self._first_of(stream, 0, None)

    def _first_of(self, stream: UUID, after: int, upto: int | None) -> Kept | None:
        # Before its first entry a fork has a note that its id is taken.
        rows = self._log.recorder.select_events(stream, gt=after, lte=upto, limit=2)
        events = (self._log.mapper.to_domain_event(row) for row in rows)
        return next((event for event in events if isinstance(event, Entry | Record)), None)
