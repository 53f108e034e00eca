"""Lines of matches: cached states, entries including shared prefixes, and visibility of hidden values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Final
from uuid import UUID, uuid5

import msgspec

from domain.eventstore.guard import UNGUARDED, Guard, LogItem, VerifiedReader, VerifiedStreams, as_tampering
from domain.eventstore.mapper import Forked, MatchMapper, Note
from domain.eventstore.pending_recorder import PendingRecorder
from domain.eventstore.recorders import LogRecorder
from domain.kernel.title import Titles
from domain.matches.aggregate import Match, Origin
from domain.matches.apply import apply, begin
from domain.matches.errors import LogFault, NoSuchEntry, NoSuchMatch, Tampered
from domain.matches.facts import Actor
from domain.matches.log.entries import ALL, Entry, Reader, redact

CACHED_MATCHES_MAX: Final = 1_000
SNAPSHOT_INTERVAL: Final = 32
"""Maximum entries between two cached states. Past states are folded from the nearest earlier one."""


class CachedMatch(msgspec.Struct):
    """A cached match: the origin of its line, its latest state, and some past states."""

    prefix: Origin | None
    present: Match
    marks: dict[int, Match] = msgspec.field(default_factory=dict)

    def cache_state(self, match: Match) -> None:
        """Cache a past state."""
        # Copy on write, so that concurrent iterations over the old mapping are safe.
        self.marks = {**self.marks, match.version: match}


class Lines:
    """The lines of a store; thread-safe, because matches are immutable and replaced as a whole."""

    def __init__(
        self,
        recorder: LogRecorder,
        mapper: MatchMapper,
        titles: Titles,
        cached_max: int = CACHED_MATCHES_MAX,
        guard: Guard = UNGUARDED,
    ) -> None:
        self._recorder = recorder
        self._mapper = mapper
        self._guarded: Final = VerifiedReader(recorder, mapper, guard)
        self._titles = titles
        self._cached_max = cached_max
        self._cache: OrderedDict[UUID, CachedMatch] = OrderedDict()
        self._notes: OrderedDict[UUID, tuple[Note, ...]] = OrderedDict()
        self._verified_lines: Final = VerifiedStreams()
        self._lock = Lock()
        self._below: tuple[Lines, PendingRecorder] | None = None

    def with_pending(self, rows: PendingRecorder) -> Lines:
        """Return lines that read through `rows` and cache pending states separately."""
        lines = Lines(rows, self._mapper, self._titles, self._cached_max, self._guarded.guard)
        lines._below = (self, rows)
        return lines

    def promote_pending(self) -> None:
        """Pass the pending states on to the cache below, because they are stored now."""
        assert self._below is not None
        for cached in self._cache.values():
            self._below[0].cache_match(cached.present)

    def discard_pending(self) -> None:
        """After a conflict, reread the matches used here into the cache below; this object is not used again."""
        assert self._below is not None
        for match_id in self._cache:
            self._below[0].refresh(match_id)

    @property
    def cached_count(self) -> int:
        """The number of cached matches."""
        return len(self._cache)

    def has(self, match_id: UUID) -> bool:
        """Return whether the id is or was in use, by a match or another stream."""
        return bool(self._recorder.select_events(match_id, limit=1) or self._guarded.guard.read_leaves(match_id))

    def read_last_entry(self, match_id: UUID) -> Entry | None:
        """Return the last entry of a match, unverified and with its fact unread, or None if there is no such match."""
        rows = self._recorder.select_events(match_id, desc=True, limit=1)
        events = [self._mapper.to_domain_event(row) for row in rows]
        return next((event for event in events if isinstance(event, Entry)), None)

    def get(self, match_id: UUID) -> Match:
        """Return the current match, including entries by other processes; raise `NoSuchMatch` or `Tampered`."""
        cached = self._get_or_load(match_id)
        present = cached.present
        for entry in self._rows(match_id, after=present.version):
            present = self._advance(cached, present, entry)
        self.cache_match(present)
        return present

    def load(self, match_id: UUID) -> Match:
        """Return the match, cached or read now; a cached one is current if this process is the only writer."""
        return self._get_or_load(match_id).present

    def get_cached(self, match_id: UUID) -> Match | None:
        """Return the cached match without reading the store, or None."""
        cached = self.find_cached(match_id)
        return None if cached is None else cached.present

    def is_cached(self, match_id: UUID) -> bool:
        """Return whether the match and all its ancestors are cached, so that a command needs no fold."""
        cached = self.find_cached(match_id)
        return cached is not None and (cached.prefix is None or self.is_cached(cached.prefix.match_id))

    def warm(self, match_id: UUID) -> None:
        """Cache a match, its ancestors and the lines that keep its secrets closed; do nothing if it does not exist."""
        if self.is_cached(match_id) or self.read_last_entry(match_id) is None:
            return
        line_id: UUID | None = match_id
        while line_id is not None:
            prefix = self._get_or_load(line_id).prefix
            line_id = None if prefix is None else prefix.match_id
        self.last_closed_version(match_id)

    def verify_line(self, match_id: UUID) -> None:
        """Raise `Tampered` if the line or one of its ancestors contradicts the transparency log.

        Cached lines were verified when they were read, and verified lines are not read again.
        """
        if (
            match_id in self._verified_lines
            or self.get_cached(match_id) is not None
            or not self._guarded.guard.read_leaves(match_id)
        ):
            return
        rows = entries_in(self._guarded.read_stream(match_id))
        if rows and rows[0].version > 1:
            self.verify_line(self._origin(rows[0]).match_id)
        self._verified_lines.add(match_id)

    def refresh(self, match_id: UUID) -> None:
        """Read new entries of a match if it is cached."""
        if self.find_cached(match_id) is not None:
            self.get(match_id)

    def cache_match(self, match: Match) -> None:
        """Cache the state of a match, unless a newer one is cached."""
        self.find_cached(match.id)
        with self._lock:
            cached = self._cache.get(match.id)
            if cached is None:
                self._cache[match.id] = CachedMatch(match.origin, match)
            elif cached.present.version < match.version:
                if cached.present.version // SNAPSHOT_INTERVAL != match.version // SNAPSHOT_INTERVAL:
                    cached.cache_state(match)
                cached.present = match
            self._cache.move_to_end(match.id)
            self._evict()

    def clear_caches(self) -> None:
        """Clear the caches of matches and notes."""
        with self._lock:
            self._cache.clear()
            self._notes.clear()

    def find_cached(self, match_id: UUID) -> CachedMatch | None:
        """Return the cached match, from here or copied here from the cache below, or None."""
        with self._lock:
            cached = self._cache.get(match_id)
        if cached is None and self._below is not None and (lower := self._below[0].find_cached(match_id)) is not None:
            self._below[1].assume(match_id, lower.present.version)
            with self._lock:
                cached = self._cache[match_id] = CachedMatch(lower.prefix, lower.present, lower.marks)
        return cached

    def _get_or_load(self, match_id: UUID) -> CachedMatch:
        return self.find_cached(match_id) or self._load(match_id)

    def _load(self, match_id: UUID) -> CachedMatch:
        """Read and cache a match with its ancestors; raise `NoSuchMatch` or `Tampered`."""
        rows = entries_in(self._guarded.read_stream(match_id))
        if not rows:
            raise NoSuchMatch(f"no match {match_id}")
        if rows[0].version == 1:
            cached = CachedMatch(None, begin(self._titles, rows[0]))
        else:
            origin = self._origin(rows[0])
            cached = CachedMatch(origin, self._apply(self._base(origin), rows[0]))
            cached.cache_state(cached.present)
        match = cached.present
        for entry in rows[1:]:
            match = self._advance(cached, match, entry)
        cached.present = match
        with self._lock:
            cached = self._cache.setdefault(match_id, cached)
            self._evict()
        return cached

    def _base(self, origin: Origin) -> Match:
        """Return the state a fork starts from.

        An uncached parent is only read up to the fork: reading further would load all ancestors to their ends.
        """
        if self.get_cached(origin.match_id) is not None:
            return self.at(origin.match_id, origin.version)
        rows = self._rows(origin.match_id, after=0, upto=origin.version)
        if not rows:
            raise self._guarded.report_tampering(Tampered(origin.match_id, None, "its entries are missing"))
        first, *others = rows
        is_fork = first.version > 1
        match = self._apply(self._base(self._origin(first)), first) if is_fork else begin(self._titles, first)
        for entry in others:
            match = self._apply(match, entry)
        return match

    def _evict(self) -> None:
        while len(self._cache) > self._cached_max:
            self._cache.popitem(last=False)

    def _apply(self, match: Match, entry: Entry) -> Match:
        """Apply a stored entry; raise `Tampered` if it breaks the chain, `LogFault` for another fault."""
        try:
            return apply(match, entry)
        except LogFault as fault:
            if (tampered := as_tampering(entry.line_id, fault)) is not None:
                raise self._guarded.report_tampering(tampered) from fault
            raise

    def _advance(self, cached: CachedMatch, match: Match, entry: Entry) -> Match:
        """Apply a stored entry, and cache the state at every `SNAPSHOT_INTERVAL`-th version."""
        match = self._apply(match, entry)
        if match.version % SNAPSHOT_INTERVAL == 0:
            cached.cache_state(match)
        return match

    def _origin(self, entry: Entry) -> Origin:
        """Return the parent of a line from the first entry of its stream; raise `Tampered` if it is no fork."""
        try:
            fact = msgspec.json.decode(entry.body, type=ParentReference)
        except msgspec.ValidationError as fault:
            raise self._guarded.report_tampering(Tampered(entry.line_id, 1, "entry 1 is missing")) from fault
        return Origin(fact.parent, fact.at, fact.luck)

    def _rows(self, stream: UUID, *, after: int, upto: int | None = None, limit: int | None = None) -> list[Entry]:
        return entries_in(self._guarded.read_range(stream, after, upto, limit))

    def at(self, match_id: UUID, version: int) -> Match:
        """Return the match after an entry of its line; raise `NoSuchEntry` if it has no such entry."""
        cached = self._get_or_load(match_id)
        if version > cached.present.version:
            self.get(match_id)
        if not 1 <= version <= cached.present.version:
            raise NoSuchEntry(f"match {match_id} has entries 1 to {cached.present.version}, not {version}")
        if version == cached.present.version:
            return cached.present
        if cached.prefix is not None and version <= cached.prefix.version:
            return self.at(cached.prefix.match_id, version)
        snapshots = cached.marks
        nearest = max((each for each in snapshots if each <= version), default=None)
        match = None if nearest is None else snapshots[nearest]
        if match is None and cached.prefix is not None:
            match = self.at(cached.prefix.match_id, cached.prefix.version)
        for entry in self._rows(match_id, after=0 if match is None else match.version, upto=version):
            match = begin(self._titles, entry) if match is None else self._advance(cached, match, entry)
        assert match is not None
        return match

    def entries(self, match_id: UUID, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Return at most `limit` entries of a line after a version, including a fork's shared prefix."""
        prefix = self._get_or_load(match_id).prefix
        shared: tuple[Entry, ...] = ()
        if prefix is not None and after < prefix.version:
            shared_limit = prefix.version - after if limit is None else min(limit, prefix.version - after)
            shared = self.entries(prefix.match_id, after, shared_limit)
            if limit is not None and len(shared) >= limit:
                return shared
        remaining = None if limit is None else limit - len(shared)
        own_after = after if prefix is None else max(after, prefix.version)
        return (*shared, *self._rows(match_id, after=own_after, limit=remaining))

    def notes(self, match_id: UUID) -> tuple[Note, ...]:
        """Return the notes of a match. Only new ones are read, because a match may have many forks."""
        with self._lock:
            notes = self._notes.get(match_id, ())
        rows = self._recorder.select_events(notes_stream(match_id), gt=len(notes))
        events = [self._mapper.to_domain_event(row) for row in rows]
        if not events:
            return notes
        notes = (*notes, *(event for event in events if isinstance(event, Note)))
        with self._lock:
            # Another thread may have read more by now.
            self._notes[match_id] = max(self._notes.get(match_id, ()), notes, key=len)
            while len(self._notes) > self._cached_max:
                self._notes.popitem(last=False)
        return notes

    def last_closed_version(self, match_id: UUID) -> int:
        """Return the version up to which hidden values stay closed, as a line that shares them is running; else 0."""
        match = self.get(match_id)
        # A fork plays with its parent's secrets, so its own entries could reveal them until the parent has ended.
        if self.is_running(match_id) or self._has_running_ancestor(match_id):
            return match.version
        closed, prefix = self._closed_by_forks(match_id), self._get_or_load(match_id).prefix
        if prefix is None:
            return closed
        return max(closed, min(prefix.version, self.last_closed_version(prefix.match_id)))

    def _has_running_ancestor(self, match_id: UUID) -> bool:
        """Return whether a line from which this one was forked, directly or not, is still running."""
        prefix = self._get_or_load(match_id).prefix
        if prefix is None:
            return False
        return self.is_running(prefix.match_id) or self._has_running_ancestor(prefix.match_id)

    def is_running(self, match_id: UUID) -> bool:
        """Return whether the line or a stored replacement of it is still running."""
        match = self.get(match_id)
        successor = match.docket.superseded_by
        if successor is None:
            return not match.is_over
        return self.has(successor) and self.is_running(successor)

    def last_visible_version(self, match_id: UUID) -> int:
        """Return the last version that everyone may read.

        The superseded part of a line becomes visible when its replacement has ended.
        """
        match = self.get(match_id)
        successor = match.docket.superseded_by
        if successor is None or not self.is_running(match_id):
            return match.version
        return min(match.docket.superseded_from - 1, self.last_visible_version(successor))

    def _closed_by_forks(self, match_id: UUID) -> int:
        """Return the last version at which a running fork that counts, or a fork of it, began; 0 without one."""
        closed = 0
        for note in self.notes(match_id):
            if isinstance(note.what, Forked) and note.what.counts and note.what.at > closed:
                closed = max(closed, min(note.what.at, self._closed_by_fork(note.what.fork, note.what.at)))
        return closed

    def _closed_by_fork(self, fork: UUID, at: int) -> int:
        """Return the version that a fork at `at` keeps closed: `at` while it runs, otherwise as its own forks require.

        A fork that was tampered with counts as running: it must neither open its parent's secrets nor block readers.
        """
        try:
            return at if self.is_running(fork) else self._closed_by_forks(fork)
        except Tampered:
            return at

    def find_ancestor_holder(self, fork_id: UUID, seat: int) -> Actor | None:
        """Return the player who held a fork's seat in a running ancestor, or None."""
        prefix = self._get_or_load(fork_id).prefix
        if prefix is None:
            return None
        holder = self.at(prefix.match_id, prefix.version).seats[seat].actor
        if holder is not None and not self.get(prefix.match_id).is_over:
            return holder
        return self.find_ancestor_holder(prefix.match_id, seat)

    def read(
        self, match_id: UUID, reader: Reader, after: int = 0, limit: int | None = None, last: int | None = None
    ) -> tuple[Entry, ...]:
        """Return the entries of a line for a reader: redacted while the line runs, complete afterwards or for `ALL`.

        Except for `ALL`, entries after `last` are left out; the default is the last version that is public.
        """
        entries = self.entries(match_id, after, limit)
        if reader == ALL or not entries:
            return entries
        closed = self.last_closed_version(match_id)
        last = self.last_visible_version(match_id) if last is None else last
        return tuple(
            entry if entry.version > closed else redact(entry, reader) for entry in entries if entry.version <= last
        )


def entries_in(events: Iterable[LogItem]) -> list[Entry]:
    """Return the entries among events."""
    return [event for event in events if isinstance(event, Entry)]


class ParentReference(msgspec.Struct, frozen=True):
    """The fields of `MatchForked` that identify the parent."""

    parent: UUID
    at: int
    luck: str


def notes_stream(match_id: UUID) -> UUID:
    """Return the id of the notes stream of a match."""
    return uuid5(match_id, "notes")
