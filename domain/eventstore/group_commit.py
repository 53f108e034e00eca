"""Group commit: several commands composed one after another and stored in one transaction.

Results and rejections are returned only after the transaction is stored, because they may depend on earlier commands of
the group. After a conflict with another process, the group is split in halves and composed again, down to single
commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from eventsourcing.persistence import IntegrityError, StoredEvent

from domain.eventstore.application import Matches
from domain.eventstore.event_log import EventLog
from domain.eventstore.guard import LogItem
from domain.eventstore.mapper import Note
from domain.eventstore.pending_recorder import PendingRecorder
from domain.eventstore.recorders import Ends, SharedRecorder, as_shared_recorder
from domain.eventstore.retry import ResponseTimeout, StoreUnavailable, retry

TRIES: Final = 3
"""Attempts to compose a command concurrently with other processes before locking them out."""

R = TypeVar("R")
Command = Callable[[Matches], Any]


class Outcome(NamedTuple):
    """The result of a command, or the exception that it raised."""

    answer: Any = None
    refusal: BaseException | None = None

    def get_result(self) -> Any:
        """Return the result, or raise the exception."""
        if self.refusal is not None:
            raise self.refusal
        return self.answer


def is_response_timeout(outcome: Outcome) -> bool:
    """Return whether the command failed because a server did not respond."""
    return isinstance(outcome.refusal, ResponseTimeout)


def run_command(matches: Matches, command: Command) -> Outcome:
    """Run a command and return its outcome: its result, or the exception it raised."""
    try:
        return Outcome(command(matches))
    except Exception as refusal:  # The sender receives the exception.
        return Outcome(refusal=refusal)


class PendingLog:
    """The log of a store plus rows that will be stored in one transaction."""

    def __init__(self, log: EventLog, *, assumes: bool) -> None:
        self.recorder: Final = PendingRecorder(log.recorder, assumes=assumes)
        self.mapper: Final = log.mapper
        self.events: Final[list[LogItem | Note]] = []
        self.has_precomposed_part = False
        """Whether a part was composed on an earlier state of the store."""

    def put(self, rows: Sequence[StoredEvent], ends: Ends | None = None) -> int:
        """Add pending rows and return 0, because they have no position yet.

        Raise `IntegrityError` if a row's place is taken or a stream of `ends` has changed here.
        """
        if ends is not None:
            self.has_precomposed_part = True
            self.recorder.require(ends)
        self.recorder.insert_events(rows)
        return 0

    def notify(self, _position: int, events: Iterable[LogItem | Note]) -> None:
        """Collect the events; the listener is notified after they are stored."""
        self.events.extend(events)

    def close(self) -> None:
        """Leave the store open for its owner."""


class PendingTransaction:
    """The matches of a store including pending rows."""

    def __init__(self, stored_matches: Matches, *, assumes: bool = True) -> None:
        self._stored_matches = stored_matches
        self._log = log = PendingLog(stored_matches.log, assumes=assumes)
        lines, streams = (
            stored_matches.lines.with_pending(log.recorder),
            stored_matches.streams.with_pending(log.recorder),
        )
        self.matches: Final = Matches(log, stored_matches.dependencies, lines, streams)

    @property
    def has_precomposed_part(self) -> bool:
        """Whether a part was composed on an earlier state of the store and cannot be composed again here."""
        return self._log.has_precomposed_part

    @property
    def event_count(self) -> int:
        """The number of pending entries, records and notes."""
        return len(self._log.events)

    def store_all(self) -> None:
        """Store all pending rows in one transaction; raise `IntegrityError` on a conflict with another process."""
        self.notify_stored(self.put_all())

    def put_all(self, *, is_alone: bool = False) -> int:
        """Store all pending rows and return the position of the last; `notify_stored` must follow the commit.

        Raise `IntegrityError`, and discard the pending states, if another process has written first. Additions by
        others after a command has scanned the log are not detected, so a scan requires `is_alone`.
        """
        store, rows = as_shared_recorder(self._stored_matches.log.recorder), self._log.recorder
        try:
            if store is None:
                if not rows.is_proven():
                    raise IntegrityError("conflict with another process")
                return self._stored_matches.log.put(rows.rows)
            if rows.has_scanned and not is_alone:
                raise IntegrityError("possible conflict with another process")
            # Even if there is nothing to store, results and rejections must rest on the current state.
            if not rows.rows and store.has_grown(rows.ends()):
                raise IntegrityError("conflict with another process")
            return self._stored_matches.log.put(rows.rows, rows.ends())
        except IntegrityError:
            self.matches.lines.discard_pending()
            raise

    def notify_stored(self, position: int) -> None:
        """Move the pending states to the caches and notify listeners of the stored rows."""
        self.matches.lines.promote_pending()
        self.matches.streams.promote_pending()
        self._stored_matches.log.notify(position, self._log.events)


class Group:
    """Commands that are stored together, in order."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._pending = PendingTransaction(matches)
        self._commands: list[Command] = []
        self._outcomes: list[Outcome] = []

    def __len__(self) -> int:
        return len(self._commands)

    @property
    def event_count(self) -> int:
        """The number of entries and records to be stored."""
        return self._pending.event_count

    def add(self, command: Command) -> None:
        """Compose one more command."""
        self._commands.append(command)
        self._outcomes.append(run_command(self._pending.matches, command))

    def store(self) -> list[Outcome]:
        """Store the group in one transaction and return the outcome of every command, in order.

        If that fails, each half runs again on its own. After a database timeout in one command, or with the database
        unavailable, all commands get that outcome without waiting again.
        """
        if (timeout := next(filter(is_response_timeout, self._outcomes), None)) is not None:
            return [timeout] * len(self)
        try:
            self._pending.store_all()
        except StoreUnavailable as fault:
            # Disk full or database unreachable. Whether the group was stored is unknown.
            return [Outcome(refusal=fault)] * len(self)
        except Exception:  # A lost race or an unstorable row; the halves isolate it.
            half = (len(self) + 1) // 2
            return [*run_group(self._matches, self._commands[:half]), *run_group(self._matches, self._commands[half:])]
        return self._outcomes


def run_alone(matches: Matches, command: Command) -> Outcome:
    """Run a single command and return its outcome; exceptions become its refusal.

    With several writing processes, streams that it only read must be unchanged when it is stored. A command that keeps
    losing races, or that scans the log, runs while other writers are locked out.
    """
    store = as_shared_recorder(matches.log.recorder)
    if store is None:
        return run_command(matches, command)
    try:
        for _ in range(TRIES):
            pending = PendingTransaction(matches, assumes=False)
            outcome = run_command(pending.matches, command)
            if is_response_timeout(outcome):
                return outcome
            try:
                pending.store_all()
            except IntegrityError as conflict:
                if pending.has_precomposed_part:
                    return Outcome(refusal=conflict)
            else:
                return outcome
        return retry(lambda: run_exclusively(matches, store, command))
    except Exception as fault:  # The sender receives the exception.
        return Outcome(refusal=fault)


def run_exclusively(matches: Matches, store: SharedRecorder, command: Command) -> Outcome:
    """Run and store a command with other writers locked out, and notify listeners; return its outcome.

    Raise `IntegrityError` if the cached state was outdated.
    """
    with store.lock_out_writers():
        pending = PendingTransaction(matches, assumes=False)
        outcome = run_command(pending.matches, command)
        position = pending.put_all(is_alone=True)
    pending.notify_stored(position)
    return outcome


def run_group(matches: Matches, commands: Sequence[Command]) -> list[Outcome]:
    """Run commands as a group, a single one alone, and return their outcomes in order."""
    if len(commands) == 1:
        return [run_alone(matches, commands[0])]
    group = Group(matches)
    for command in commands:
        group.add(command)
    return group.store()
