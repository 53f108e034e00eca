"""The follower loop: reads the log in order; consumers write rows and offset in one transaction.

No entry is skipped or counted twice: an offset moves only in the transaction of its rows, and only from the stored
offset. Consumers at the same offset share a transaction, which costs as much as a single one; if one of them fails,
each writes separately. A failing consumer keeps its offset and retries; the others continue.

With read models on a server several processes lead the same consumers, each with the leaderships assigned to it
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
    fills_of,
    log_change,
    shards_of,
)
from projections.platform.backoff import Backoff, Failures
from projections.platform.fills import READ_FILLS, continue_fill
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
        """The leadership whose holder leads this consumer."""
        self.deferring = follower if isinstance(follower, Deferring) else None
        self.fills: Final = fills_of(follower)
        self.unfilled: Final[set[str]] = set()
        """Added tables that this consumer fills before it does deferred work."""
        self._handle_batch = batch_handler_of(follower)
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

    def select_items(self, events: Sequence[LogEvent]) -> Sequence[LogEvent]:
        """Return the items that belong to this consumer: all or, for a shard, only entries of its lines."""
        if self.slice is None:
            return events
        return [event for event in events if isinstance(event, FollowedStep) and shard_of(event.line_id) == self.slice]

    def write_rows(self, transaction: Transaction, events: Sequence[LogEvent]) -> None:
        """Apply the items to the projection's tables."""
        if events or self.slice is None:
            self._handle_batch(transaction, events)

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


def ids_of(events: Sequence[LogEvent]) -> tuple[str, ...]:
    """Return the ids of changed matches, their events, and streams of records, each once, in order."""
    found = dict[str, None]()
    for event in events:
        if isinstance(event, FollowedStep):
            found |= {str(event.line_id): None, event.match.table.event_id: None}
        else:
            found[str(event.record.stream_id)] = None
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
            ensure_tables(store, follower, log_change)
        self.consumers = [
            Consumer(follower, slice_, store.least_offset(consumer_name(follower.NAME, slice_)))
            for follower in followers
            for slice_ in shards_of(follower, store.shard_count)
        ]
        unfilled = {name for (name,) in store.rows(READ_FILLS)}
        for consumer in self.consumers:
            if consumer.slice in {None, 0}:
                consumer.unfilled.update(unfilled & consumer.fills.keys())

    @property
    def leaderships(self) -> tuple[str, ...]:
        """Return the leaderships that different processes may hold."""
        return tuple(dict.fromkeys(consumer.leadership for consumer in self.consumers))

    def set_leaderships(self, leaderships: frozenset[str]) -> None:
        """Set the leaderships held here, and drop others; consumers of new ones continue from the stored offset."""
        for consumer in self.consumers:
            is_led = consumer.leadership in leaderships
            if is_led and not consumer.is_led:
                self._reload_offset(consumer)
            consumer.is_led = is_led

    def leads(self, leadership: str) -> bool:
        """Return whether a leadership is held here."""
        return any(consumer.is_led and consumer.leadership == leadership for consumer in self.consumers)

    def may_affect(self, message: Message | None) -> bool:
        """Return whether a notification may affect consumers led here.

        Without a notification, or without stream ids in it, any consumer may be affected. A leader of only shards
        ignores lines of other shards and reads them when it polls. Thread-safe; a process polls after it is assigned a
        leadership, whatever it was notified of before.
        """
        if not isinstance(message, Appended) or message.is_cut:
            return True
        slices = {consumer.slice for consumer in self.consumers if consumer.is_led}
        return None in slices or any(shard_of(stream_id) in slices for stream_id in message.versions)

    @property
    def led_shards(self) -> frozenset[int]:
        """Return the shards led here; {0} if the log is not sharded, whether or not it is led."""
        if self._store.shard_count == 1:
            return frozenset({0})
        return frozenset(
            consumer.slice for consumer in self.consumers if consumer.is_led and consumer.slice is not None
        )

    def advance(self) -> bool:
        """Advance every led consumer by one batch, the foremost first, so that it need not wait for others.

        Consumers that rest after a failure are left out. Deferred work is done, too; return whether any of this
        moved. Every `SETTLE_SECONDS` offsets of idle consumers are stored, and offsets moved by a rebuild adopted.
        """
        now = time.monotonic()
        if now - self._compared_at >= SETTLE_SECONDS:
            self._reload_offsets()
        groups: dict[int, list[Consumer]] = {}
        ready = [consumer for consumer in self.consumers if consumer.is_led and consumer.resting_until <= now]
        for consumer in ready:
            groups.setdefault(consumer.position, []).append(consumer)
        # A list, because `any` on a generator would stop at the first that moved.
        moved = [self._advance_group(position, groups[position]) for position in sorted(groups, reverse=True)]
        worked = [self._do_deferred_work(consumer) for consumer in ready if consumer.resting_until <= now]
        self._store_idle_offsets([consumer for consumer in ready if now - consumer.settled_at >= SETTLE_SECONDS])
        return any(moved) or any(worked)

    def catch_up(self) -> None:
        """Advance until all led consumers are at the end of the log, or rest after a failure.

        Then store the offsets of idle ones.
        """
        self._reload_offsets()
        while self.advance():
            pass
        self._store_idle_offsets([consumer for consumer in self.consumers if consumer.is_led])

    def _reload_offsets(self) -> None:
        """Adopt stored offsets of led consumers that a rebuild has moved; do nothing if the log is not sharded.

        A consumer of the whole log notices a rebuild when it writes; an idle shard would not.
        """
        self._compared_at = time.monotonic()
        if self._store.shard_count == 1:
            return
        offsets = self._store.read_offsets()
        for consumer in self.consumers:
            if consumer.is_led and consumer.stored != offsets.get(consumer.name, consumer.stored):
                consumer.set_offset(offsets[consumer.name])

    def _advance_group(self, position: int, group: list[Consumer]) -> bool:
        """Advance consumers at the same offset by one batch; return whether the batch held anything.

        They write together, or after a failure separately; newly skipped streams are logged.
        """
        reader = group[0].steps or StepReader(self._log)
        skipped_count = len(reader.skipped_streams)
        slices = [consumer.slice for consumer in group]
        shards = None if None in slices else frozenset(each for each in slices if each is not None)
        steps, end = reader.after(position, shards=shards)
        for stream, reason in list(reader.skipped_streams.items())[skipped_count:]:
            logger.error("stream skipped", stream=str(stream), why=reason)
        work = [(consumer, consumer.select_items(steps)) for consumer in group]
        writing = [(consumer, selected) for consumer, selected in work if selected or consumer.slice is None]
        written_together = end == position or not writing or self._write_together(writing, end)
        for consumer, selected in work:
            if not selected and consumer.slice is not None:
                consumer.skip_to(end)
                consumer.steps = reader
            else:
                # A failed consumer needs its own reader, because the shared matches are ahead of it.
                consumer.steps = reader if written_together or self._write(consumer, selected, end) else None
        return end != position

    def _store_idle_offsets(self, consumers: Sequence[Consumer]) -> None:
        """Store the offsets of consumers that only read irrelevant entries.

        If another process has moved one, all are reloaded instead.
        """
        lagging = [
            consumer for consumer in consumers if consumer.stored != consumer.position and consumer.resting_until == 0.0
        ]
        if not lagging:
            return
        try:
            with self._store.consumer_transaction() as transaction:
                for consumer in lagging:
                    transaction.move(consumer.stored_offset, consumer.position)
        except OffsetChanged:
            for consumer in lagging:
                self._reload_offset(consumer)
        else:
            for consumer in lagging:
                consumer.stored, consumer.settled_at = consumer.position, time.monotonic()

    def _do_deferred_work(self, consumer: Consumer) -> bool:
        """Do one part of a projection's deferred work in a transaction; return whether there is more.

        If so, others are notified. A failure is logged and retried later; if another process moved the offset, it
        is reloaded.
        """
        if not consumer.has_more or (consumer.deferring is None and not consumer.unfilled):
            return False
        try:
            if consumer.unfilled:
                self._fill_slice(consumer, min(consumer.unfilled))
                return True
            assert consumer.deferring is not None
            with self._store.consumer_transaction(rewrites=True) as transaction:
                transaction.move(consumer.stored_offset, consumer.stored)
                consumer.has_more = consumer.deferring.do_deferred_work(transaction)
        except OffsetChanged:
            self._reload_offset(consumer)
            return False
        except Exception:
            consumer.fail(time.monotonic())
            logger.exception("follower failed", follower=consumer.name, failures=consumer.failures.count)
            return False
        if consumer.has_more:
            self._notify([consumer], ())
        return consumer.has_more

    def _fill_slice(self, consumer: Consumer, table: str) -> None:
        """Fill the next slice of an added table in an exclusive transaction, so that no row is missed."""
        with self._store.transaction() as transaction:
            transaction.move(consumer.stored_offset, consumer.stored)
            is_filled = continue_fill(transaction, table, consumer.fills[table])
        if is_filled:
            consumer.unfilled.remove(table)
            logger.info("filled a table of read models", table=table)

    def _write_together(self, work: Sequence[tuple[Consumer, Sequence[LogEvent]]], position: int) -> bool:
        """Write rows and offsets of consumers at the same offset in one transaction; return whether it succeeded.

        Then notify others. After a failure nothing is written; separate attempts then show which consumer fails and
        why.
        """
        consumers = [consumer for consumer, _ in work]
        try:
            with self._store.consumer_transaction() as transaction:
                transaction.move_all([consumer.stored_offset for consumer in consumers], position)
                for consumer, steps in work:
                    consumer.write_rows(transaction, steps)
        except Exception:
            return False
        for consumer in consumers:
            consumer.advance_to(position)
        unique_steps = {id(step): step for _, steps in work for step in steps}
        self._notify(consumers, tuple(unique_steps.values()))
        return True

    def _write(self, consumer: Consumer, steps: Sequence[LogEvent], position: int) -> bool:
        """Write rows and offset of one consumer, then notify others; return whether it succeeded.

        A failure is logged and the consumer rests; if another process moved the offset, it is reloaded.
        """
        try:
            with self._store.consumer_transaction() as transaction:
                # Move the offset before the rows: if another process moved it, the rows are written already.
                transaction.move(consumer.stored_offset, position)
                consumer.write_rows(transaction, steps)
        except OffsetChanged:
            self._reload_offset(consumer)
            return False
        except Exception:
            consumer.fail(time.monotonic())
            failures = consumer.failures.count
            logger.exception(
                "cannot process log rows", follower=consumer.name, position=consumer.position, failures=failures
            )
            return False
        consumer.advance_to(position)
        self._notify([consumer], steps)
        return True

    def _reload_offset(self, consumer: Consumer) -> None:
        """Continue from the stored offset after a rebuild or another leader.

        If the tables have another shape, a process of another version leads the consumer, and this one waits.
        """
        offset = self._store.read_offset(consumer.name, consumer.shape)
        if offset is None:
            consumer.fail(time.monotonic())
            logger.error(
                "tables have another schema version, not written", follower=consumer.name, shape=consumer.shape
            )
        else:
            consumer.set_offset(offset.position)

    def _notify(self, group: Sequence[Consumer], steps: Sequence[LogEvent]) -> None:
        """Call `on_advance` after the transaction, so that subscribers find the rows."""
        if self._on_advance is not None:
            self._on_advance(Advanced({consumer.follower: consumer.position for consumer in group}, ids_of(steps)))
