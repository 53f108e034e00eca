"""The protocols of projections, and the log as steps, each entry folded once for all projections."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

import msgspec
import structlog
from sqlalchemy import Table

from domain.eventstore.guard import as_tampering, stream_of
from domain.kernel.title import Titles
from domain.matches.aggregate import Match, view
from domain.matches.apply import apply_fact, begin
from domain.matches.errors import LogFault, Tampered
from domain.matches.facts import Fact
from domain.matches.log.entries import EPOCH, Entry
from domain.matches.log.records import Record
from domain.matches.titles import read_fact
from projections.platform.fills import Fill, Filling
from projections.platform.shards import consumer_name, shard_of
from projections.platform.store import Announce, ReadStore, Transaction, announce_nothing

BATCH: Final = 200
CACHED_MATCHES_MAX: Final = 512

MICROSECOND: Final = timedelta(microseconds=1)

logger = structlog.get_logger("follower")


def moment(microseconds: int) -> datetime:
    """Return the time stored as microseconds since 1970 (`domain.matches.log.entries.microseconds`)."""
    return EPOCH + microseconds * MICROSECOND


class FollowedStep(msgspec.Struct, frozen=True, dict=True):
    """An entry of the log and the match after it; `line_id` is the match in whose line it is.

    `dict` is needed for the cached property.
    """

    position: int
    entry: Entry
    fact: Fact
    match: Match
    imported: bool = False
    """Whether the match was imported from a file and is never rated."""

    @property
    def line_id(self) -> UUID:
        """Return the id of the entry's line."""
        return self.entry.line_id

    @property
    def version(self) -> int:
        """Return the version of the entry."""
        return self.entry.version

    @cached_property
    def spectator_view(self) -> Any:
        """The match as a spectator sees it, computed once for all projections."""
        return view(self.match, None)


class FollowedRecord(msgspec.Struct, frozen=True):
    """A record of a stream other than a match; projections read its fact with its kind."""

    position: int
    record: Record


LogEvent = FollowedStep | FollowedRecord


class Log(Protocol):
    """The part of the store that following needs."""

    def read_log_items(self, after: int, limit: int) -> Sequence[tuple[int, Entry | Record]]:
        """Return the next entries of all matches and records of all streams, by position."""
        ...

    def verify_stream(self, event: Entry | Record) -> None:
        """Raise `Tampered` unless the whole stream matches the service's transparency tree."""
        ...

    def at(self, match_id: UUID, version: int) -> Match:
        """Return the match at this version."""
        ...

    def is_imported(self, match_id: UUID) -> bool:
        """Return whether the match was imported from a file."""
        ...

    @property
    def titles(self) -> Titles:
        """The titles of the matches."""
        ...


class Follower(Protocol):
    """A projection (a module) or policy that follows matches; `SHAPE` changes with its tables."""

    @property
    def NAME(self) -> str:  # noqa: N802  (a constant of a module)
        """The name of the projection."""
        ...

    @property
    def SHAPE(self) -> str:  # noqa: N802
        """The version of its tables."""
        ...

    @property
    def TABLES(self) -> Mapping[str, Table]:  # noqa: N802
        """The tables by their names without braces."""
        ...

    def follow(self, transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
        """Apply these entries to the tables."""
        ...


@runtime_checkable
class WideFollower(Protocol):
    """A projection or policy that follows records of other streams, too."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """The name of the projection."""
        ...

    @property
    def SHAPE(self) -> str:  # noqa: N802
        """The version of its tables."""
        ...

    @property
    def TABLES(self) -> Mapping[str, Table]:  # noqa: N802
        """The tables by their names."""
        ...

    def follow_all(self, transaction: Transaction, events: Sequence[LogEvent]) -> None:
        """Apply these entries and records, in order of their positions, to the tables."""
        ...


AnyFollower = Follower | WideFollower


BatchHandler = Callable[[Transaction, Sequence[LogEvent]], None]


def batch_handler_of(follower: AnyFollower) -> BatchHandler:
    """Return the function that applies a batch; projections of matches receive only entries."""
    if isinstance(follower, WideFollower):
        return follower.follow_all
    follow = follower.follow

    def follow_entries(transaction: Transaction, events: Sequence[LogEvent]) -> None:
        if steps := [event for event in events if isinstance(event, FollowedStep)]:
            follow(transaction, steps)

    return follow_entries


@runtime_checkable
class Sharded(Protocol):
    """A projection whose rows each belong to one line of the log, so that several processes can share it by slices.

    Projections that count or order across matches are not sharded.
    """

    @property
    def SLICED(self) -> bool:  # noqa: N802  (a constant of a module)
        """Whether the projection is sharded."""
        ...


def shards_of(follower: AnyFollower, slices: int) -> Sequence[int | None]:
    """Return the slices that are followed separately; `(None,)` if the projection is followed as a whole."""
    return range(slices) if slices > 1 and isinstance(follower, Sharded) and follower.SLICED else (None,)


def consumer_names(follower: AnyFollower, slices: int) -> tuple[str, ...]:
    """Return the names of its consumers."""
    return tuple(consumer_name(follower.NAME, slice_) for slice_ in shards_of(follower, slices))


@runtime_checkable
class Deferring(Protocol):
    """A projection that notes work and does it later in small parts, so that others need not wait."""

    def do_deferred_work(self, transaction: Transaction) -> bool:
        """Do the next part; return whether there was one."""
        ...


class StepReader:
    """The log as steps; every entry is folded once for all projections.

    Tampered streams are skipped, so that they block no other stream.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._titles = log.titles
        self._matches: OrderedDict[UUID, tuple[Match, bool]] = OrderedDict()
        self.skipped_streams: dict[UUID, str] = {}
        """The reasons of skipped streams."""

    def after(
        self, position: int, limit: int = BATCH, shards: frozenset[int] | None = None
    ) -> tuple[list[LogEvent], int]:
        """Return the steps after a position, and the position they reach; the given position if there are none.

        At most `limit` events are read; skipped streams are left out. `shards` selects the lines of some slices.
        """
        events = self._log.read_log_items(position, limit)
        found = (
            self.read_step(event_position, event)
            for event_position, event in events
            if shards is None or is_in(event, shards)
        )
        return [found_event for found_event in found if found_event is not None], events[-1][0] if events else position

    def read_step(self, position: int, event: Entry | Record) -> LogEvent | None:
        """Return the step at a position, or None if its stream is skipped.

        A stream found to be tampered with is skipped and logged once; raise `LogFault` for any other fault.
        """
        stream = stream_of(event)
        if stream in self.skipped_streams:
            return None
        try:
            if stream not in self._matches:
                self._log.verify_stream(event)
            return FollowedRecord(position, event) if isinstance(event, Record) else self._step(position, event)
        except Tampered as tampered:
            self._skip_stream(stream, str(tampered))
        except LogFault as fault:
            if (tampering := as_tampering(stream, fault)) is None:
                raise
            self._skip_stream(stream, str(tampering))
        return None

    def _skip_stream(self, stream: UUID, reason: str) -> None:
        self.skipped_streams[stream] = reason
        self._matches.pop(stream, None)

    def _step(self, position: int, entry: Entry) -> FollowedStep:
        """Return the step of an entry with the match after it, folded from the cached match if that is its predecessor.

        The match is cached; the `CACHED_MATCHES_MAX` latest ones stay.
        """
        previous, imported = self._matches.pop(entry.line_id, (None, None))
        if imported is None:
            imported = self._log.is_imported(entry.line_id)
        if previous is not None and previous.version == entry.version - 1:
            fact = read_fact(previous.definition, entry)
            match = apply_fact(previous, entry, fact)
        else:
            match = begin(self._titles, entry) if entry.version == 1 else self._log.at(entry.line_id, entry.version)
            fact = read_fact(match.definition, entry)
        self._matches[entry.line_id] = (match, imported)
        while len(self._matches) > CACHED_MATCHES_MAX:
            self._matches.popitem(last=False)
        return FollowedStep(position, entry, fact, match, imported)


def is_in(event: Entry | Record, slices: frozenset[int]) -> bool:
    """Return whether an entry belongs to one of these slices; records belong to none."""
    return isinstance(event, Entry) and shard_of(event.line_id) in slices


def log_change(follower: str, change: str) -> None:
    """Log how existing read models of a projection change."""
    logger.info(change, follower=follower)


def ensure_tables(store: ReadStore, follower: AnyFollower, announce: Announce = announce_nothing) -> None:
    """Create the projection's tables at offset zero unless they exist in this shape."""
    store.ensure_tables(
        follower.NAME,
        follower.SHAPE,
        tuple(follower.TABLES.values()),
        consumer_names(follower, store.shard_count),
        tuple(fills_of(follower)),
        announce,
    )


def fills_of(follower: AnyFollower) -> Mapping[str, Fill]:
    """Return the functions that fill the tables which were added to the projection."""
    return follower.FILLS if isinstance(follower, Filling) else {}


def lag(store: ReadStore, last_position: int) -> dict[str, int]:
    """Return the lag of each projection in positions."""
    return {follower: last_position - position for follower, position in store.least_offsets().items()}
