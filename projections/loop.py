"""The follower loop: reads the log in order; consumers write rows and offset in one transaction.

No entry is skipped or counted twice: an offset moves only in the transaction of its rows, and only from the stored
offset. Consumers at the same offset share a transaction, which costs as much as a single one; if one of them fails,
each writes separately. A failing consumer keeps its offset and retries; the others continue.

With read models on a server several processes lead the same consumers, each the lanes assigned to it
(`projections.platform.leader_election`). Two leaders of a consumer at the same time are harmless: the second finds its
offset moved.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from projections.follow import (
    AnyFollower,
    Deferring,
    FollowedStep,
    Log,
    LogEvent,
    StepReader,
    batch_handler_of,
    ensure_tables,
    shards_of,
)
from projections.platform.backoff import Backoff, Failures
from projections.platform.messages import Advanced, Appended, Message
from projections.platform.shards import consumer_name, shard_of
from projections.platform.store import OffsetChanged, ReadStore, StoredOffset, Transaction

RETRIES: Final = Backoff(0.1, 5.0)
"""Delays of a failing consumer in seconds."""
SETTLE_SECONDS: Final = 1.0
"""Interval in seconds at which an idle shard stores its offset.

A new leader that starts from an older offset only reads irrelevant entries again.
"""

logger = structlog.get_logger("follower")


class Consumer:
    """The consumer of a projection, or of a shard of it: its offset, log reader and retry state."""

    def __init__(self, follower: AnyFollower, slice_: int | None, position: int) -> None:
        self.follower: Final = follower.NAME
        self.shape: Final = follower.SHAPE
        self.slice: Final = slice_
        self.name: Final = consumer_name(follower.NAME, slice_)
        self.leadership: Final = follower.NAME if slice_ is None else f"slice {slice_}"
        """The lane whose leader leads this consumer."""
        self.deferring = follower if isinstance(follower, Deferring) else None
        self._lead = batch_handler_of(follower)
        self.steps: StepReader | None = None
        self.failures = Failures(RETRIES)
        self.is_led = True
        self.set_offset(position)

    def set_offset(self, position: int) -> None:
        """Set the offset as stored, and allow deferred work and retries at once."""
        self.position = self.stored = position
        self.settled_at = time.monotonic()
        self.has_more = True
        """Whether deferred work may exist, so that idle projections are not queried."""
        self.resting_until = 0.0

    @property
    def stored_offset(self) -> StoredOffset:
        """Return the stored offset as known here."""
        return StoredOffset(self.name, self.shape, self.stored)

    def select_items(self, happenings: Sequence[LogEvent]) -> Sequence[LogEvent]:
        """Return the items that belong to this consumer: all or, for a shard, only entries of its lines."""
        if self.slice is None:
            return happenings
        return [
            happening
            for happening in happenings
            if isinstance(happening, FollowedStep) and shard_of(happening.line_id) == self.slice
        ]

    def write_rows(self, transaction: Transaction, happenings: Sequence[LogEvent]) -> None:
        """Apply the items to the projection's tables."""
        if happenings or self.slice is None:
            self._lead(transaction, happenings)

    def skip_to(self, position: int) -> None:
        """Advance the offset past irrelevant entries, without storing it; failures are forgotten."""
        self.position = position
        self.failures.succeed()
        self.resting_until = 0.0

    def advance_to(self, position: int) -> None:
        """Advance the offset after its rows were written."""
        self.skip_to(position)
        self.stored, self.has_more, self.settled_at = position, True, time.monotonic()

    def fail(self, now: float) -> None:
        """Schedule the next attempt after a failure."""
        self.resting_until = now + self.failures.fail()


def ids_of(happenings: Sequence[LogEvent]) -> tuple[str, ...]:
    """Return the ids of changed matches, their events, and streams of records, each once, in order."""
    found = dict[str, None]()
    for happening in happenings:
        if isinstance(happening, FollowedStep):
            found |= {str(happening.line_id): None, happening.match.table.event_id: None}
        else:
            found[str(happening.record.stream_id)] = None
    found.pop("", None)
    return tuple(found)


class FollowerLoop:
    """Leads consumers along the log, grouped by offset; `on_advance` is called after each commit."""

    def __init__(
        self,
        log: Log,
        store: ReadStore,
        followers: Sequence[AnyFollower],
        *,
        on_advance: Callable[[Advanced], None] | None = None,
    ) -> None:
        self._log = log
        self._store = store
        self._on_advance = on_advance
        self._compared_at = time.monotonic()
        for follower in followers:
            ensure_tables(store, follower)
        self.consumers = [
            Consumer(follower, slice_, store.least_offset(consumer_name(follower.NAME, slice_)))
            for follower in followers
            for slice_ in shards_of(follower, store.shard_count)
        ]

    @property
    def leaderships(self) -> tuple[str, ...]:
        """Return the lanes that different processes may lead."""
        return tuple(dict.fromkeys(place.leadership for place in self.consumers))

    def set_leaderships(self, lanes: frozenset[str]) -> None:
        """Set the lanes to lead, and stop leading all others; new ones continue from the stored offset."""
        for place in self.consumers:
            is_led = place.leadership in lanes
            if is_led and not place.is_led:
                self._reload_offset(place)
            place.is_led = is_led

    def leads(self, lane: str) -> bool:
        """Return whether a lane is led here."""
        return any(place.is_led and place.leadership == lane for place in self.consumers)

    def may_affect(self, ring: Message | None) -> bool:
        """Return whether a notification may affect consumers led here.

        Without a notification, or without stream ids in it, any consumer may be affected. A leader of only shards
        ignores lines of other shards and reads them when it polls. Thread-safe; a process polls after it is assigned a
        lane, whatever it was notified of before.
        """
        if not isinstance(ring, Appended) or ring.is_cut:
            return True
        slices = {place.slice for place in self.consumers if place.is_led}
        return None in slices or any(shard_of(stream_id) in slices for stream_id in ring.versions)

    @property
    def led_shards(self) -> frozenset[int]:
        """Return the shards led here; {0} if the log is not sharded, whether or not it is led."""
        if self._store.shard_count == 1:
            return frozenset({0})
        return frozenset(place.slice for place in self.consumers if place.is_led and place.slice is not None)

    def advance(self) -> bool:
        """Advance every led consumer by one batch, the foremost first, so that it need not wait for others.

        Consumers that rest after a failure are left out. Deferred work is done, too; return whether any of this
        moved. Every `SETTLE_SECONDS` offsets of idle consumers are stored, and offsets moved by a rebuild adopted.
        """
        now = time.monotonic()
        if now - self._compared_at >= SETTLE_SECONDS:
            self._reload_offsets()
        groups: dict[int, list[Consumer]] = {}
        ready = [place for place in self.consumers if place.is_led and place.resting_until <= now]
        for place in ready:
            groups.setdefault(place.position, []).append(place)
        # A list, because `any` on a generator would stop at the first that moved.
        moved = [self._advance_group(position, groups[position]) for position in sorted(groups, reverse=True)]
        worked = [self._do_deferred_work(place) for place in ready if place.resting_until <= now]
        self._store_idle_offsets([place for place in ready if now - place.settled_at >= SETTLE_SECONDS])
        return any(moved) or any(worked)

    def catch_up(self) -> None:
        """Advance until all led consumers are at the end of the log, or rest after a failure.

        Then store the offsets of idle ones.
        """
        self._reload_offsets()
        while self.advance():
            pass
        self._store_idle_offsets([place for place in self.consumers if place.is_led])

    def _reload_offsets(self) -> None:
        """Adopt stored offsets of led consumers that a rebuild has moved; do nothing if the log is not sharded.

        A consumer of the whole log notices a rebuild when it writes; an idle shard would not.
        """
        self._compared_at = time.monotonic()
        if self._store.shard_count == 1:
            return
        stands = self._store.read_offsets()
        for place in self.consumers:
            if place.is_led and place.stored != stands.get(place.name, place.stored):
                place.set_offset(stands[place.name])

    def _advance_group(self, position: int, group: list[Consumer]) -> bool:
        """Advance consumers at the same offset by one batch; return whether the batch held anything.

        They write together, or after a failure separately; newly skipped streams are logged.
        """
        reader = group[0].steps or StepReader(self._log)
        told = len(reader.skipped_streams)
        slices = [place.slice for place in group]
        wanted = None if None in slices else frozenset(each for each in slices if each is not None)
        steps, end = reader.after(position, wanted=wanted)
        for stream, why in list(reader.skipped_streams.items())[told:]:
            logger.error("stream skipped", stream=str(stream), why=why)
        work = [(place, place.select_items(steps)) for place in group]
        writing = [(place, concerned) for place, concerned in work if concerned or place.slice is None]
        came_along = end == position or not writing or self._write_together(writing, end)
        for place, concerned in work:
            if not concerned and place.slice is not None:
                place.skip_to(end)
                place.steps = reader
            else:
                # A failed consumer needs its own reader, because the shared matches are ahead of it.
                place.steps = reader if came_along or self._write(place, concerned, end) else None
        return end != position

    def _store_idle_offsets(self, places: Sequence[Consumer]) -> None:
        """Store the offsets of consumers that only read irrelevant entries.

        If another process has moved one, all are reloaded instead.
        """
        behind = [place for place in places if place.stored != place.position and place.resting_until == 0.0]
        if not behind:
            return
        try:
            with self._store.consumer_transaction() as transaction:
                for place in behind:
                    transaction.move(place.stored_offset, place.position)
        except OffsetChanged:
            for place in behind:
                self._reload_offset(place)
        else:
            for place in behind:
                place.stored, place.settled_at = place.position, time.monotonic()

    def _do_deferred_work(self, place: Consumer) -> bool:
        """Do one part of a projection's deferred work in a transaction; return whether there is more.

        If so, others are notified. A failure is logged and retried later; if another process moved the offset, it
        is reloaded.
        """
        if place.deferring is None or not place.has_more:
            return False
        try:
            with self._store.consumer_transaction(rewrites=True) as transaction:
                transaction.move(place.stored_offset, place.stored)
                place.has_more = place.deferring.do_deferred_work(transaction)
        except OffsetChanged:
            self._reload_offset(place)
            return False
        except Exception:
            place.fail(time.monotonic())
            logger.exception("follower failed", follower=place.name, failures=place.failures.count)
            return False
        if place.has_more:
            self._notify([place], ())
        return place.has_more

    def _write_together(self, work: Sequence[tuple[Consumer, Sequence[LogEvent]]], position: int) -> bool:
        """Write rows and offsets of consumers at the same offset in one transaction; return whether it succeeded.

        Then notify others. After a failure nothing is written; separate attempts then show which consumer fails and
        why.
        """
        places = [place for place, _ in work]
        try:
            with self._store.consumer_transaction() as transaction:
                transaction.move_all([place.stored_offset for place in places], position)
                for place, steps in work:
                    place.write_rows(transaction, steps)
        except Exception:
            return False
        for place in places:
            place.advance_to(position)
        concerned = {id(step): step for _, steps in work for step in steps}
        self._notify(places, tuple(concerned.values()))
        return True

    def _write(self, place: Consumer, steps: Sequence[LogEvent], position: int) -> bool:
        """Write rows and offset of one consumer, then notify others; return whether it succeeded.

        A failure is logged and the consumer rests; if another process moved the offset, it is reloaded.
        """
        try:
            with self._store.consumer_transaction() as transaction:
                # Move the offset before the rows: if another process moved it, the rows are written already.
                transaction.move(place.stored_offset, position)
                place.write_rows(transaction, steps)
        except OffsetChanged:
            self._reload_offset(place)
            return False
        except Exception:
            place.fail(time.monotonic())
            failures = place.failures.count
            logger.exception("cannot process log rows", follower=place.name, position=place.position, failures=failures)
            return False
        place.advance_to(position)
        self._notify([place], steps)
        return True

    def _reload_offset(self, place: Consumer) -> None:
        """Continue from the stored offset after a rebuild or another leader.

        If the tables have another shape, a process of another version leads the consumer, and this one waits.
        """
        stand = self._store.read_offset(place.name, place.shape)
        if stand is None:
            place.fail(time.monotonic())
            logger.error("tables have another schema version, not written", follower=place.name, shape=place.shape)
        else:
            place.set_offset(stand.position)

    def _notify(self, group: Sequence[Consumer], steps: Sequence[LogEvent]) -> None:
        """Call `on_advance` after the transaction, so that subscribers find the rows."""
        if self._on_advance is not None:
            self._on_advance(Advanced({place.follower: place.position for place in group}, ids_of(steps)))
