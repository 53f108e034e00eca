"""Many commands in one transaction: each composed on what those before it have left, all stored at once.

Nobody is told what became of a command before it is stored, nor of a refusal: that may be for what an earlier command
of the group did. Where another process came first nothing is stored, and the group is composed again in halves, down
to single commands: these are stored as if there were no groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from eventsourcing.persistence import IntegrityError, StoredEvent

from domain.eventstore.application import Matches
from domain.eventstore.event_log import EventLog
from domain.eventstore.guard import Kept
from domain.eventstore.mapper import Note
from domain.eventstore.pending_recorder import PendingRecorder
from domain.eventstore.recorders import Ends, SharedRecorder, shared
from domain.eventstore.retry import NoStore, Unanswered, retry

TRIES: Final = 3
"""So often a command is composed beside other processes, before they wait for it."""

R = TypeVar("R")
Command = Callable[[Matches], Any]


class Outcome(NamedTuple):
    """What a command came to."""

    answer: Any = None
    refusal: BaseException | None = None

    def told(self) -> Any:
        """The answer; raises what the command was refused with."""
        if self.refusal is not None:
            raise self.refusal
        return self.answer


def is_unanswered(outcome: Outcome) -> bool:
    """Whether a server gave no answer to what the command asked it."""
    return isinstance(outcome.refusal, Unanswered)


def outcome_of(matches: Matches, command: Command) -> Outcome:
    """What a command comes to by itself."""
    try:
        return Outcome(command(matches))
    except Exception as refusal:  # whoever sent the command is told
        return Outcome(refusal=refusal)


class PendingLog:
    """The log of a store and the rows that wait to be stored, in one transaction."""

    def __init__(self, stored: EventLog, *, assumes: bool) -> None:
        self.recorder: Final = PendingRecorder(stored.recorder, assumes=assumes)
        self.mapper: Final = stored.mapper
        self.events: Final[list[Kept | Note]] = []
        self.is_beside = False
        """Whether a part was composed on an earlier state of the store."""

    def put(self, rows: Sequence[StoredEvent], ends: Ends | None = None) -> int:
        """Add pending rows; they have no position yet."""
        if ends is not None:
            self.is_beside = True
            self.recorder.require(ends)
        self.recorder.insert_events(rows)
        return 0

    def notify(self, _position: int, events: Iterable[Kept | Note]) -> None:
        """Remember the events: the listener is notified when they are stored."""
        self.events.extend(events)

    def close(self) -> None:
        """Leave the store open for its owner."""


class PendingTransaction:
    """The matches of a store as they will be when the waiting rows are stored."""

    def __init__(self, stored: Matches, *, assumes: bool = True) -> None:
        self._stored = stored
        self._log = log = PendingLog(stored.log, assumes=assumes)
        lines, streams = stored.lines.above(log.recorder), stored.streams.above(log.recorder)
        self.matches: Final = Matches(log, stored.dependencies, lines, streams)

    @property
    def is_beside(self) -> bool:
        """Whether a part was composed on an earlier state of the store and cannot be composed again here."""
        return self._log.is_beside

    @property
    def event_count(self) -> int:
        """The number of entries, records and notes that wait."""
        return len(self._log.events)

    def store_all(self) -> None:
        """All that waits, in one transaction; `IntegrityError` where another process came first."""
        self.settle(self.put_all())

    def put_all(self, *, is_alone: bool = False) -> int:
        """The same, up to the position of the last; `settle` follows when it is safe. What others have added to the log
        since somebody looked through it here is not known: that is good only where nobody else writes."""
        store, rows = shared(self._stored.log.recorder), self._log.recorder
        try:
            if store is None:
                if not rows.is_proven():
                    raise IntegrityError("another process came first")
                return self._stored.log.put(rows.rows)
            if rows.has_scanned and not is_alone:
                raise IntegrityError("another process may have come first")
            # Nothing is stored, but what is answered or refused must be so.
            if not rows.rows and store.has_grown(rows.ends()):
                raise IntegrityError("another process came first")
            return self._stored.log.put(rows.rows, rows.ends())
        except IntegrityError:
            self.matches.lines.give_up()
            raise

    def settle(self, position: int) -> None:
        """Notify listeners of the rows that are stored now."""
        self.matches.lines.settle()
        self.matches.streams.settle()
        self._stored.log.notify(position, self._log.events)


class Group:
    """Commands that are stored together, in their order."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._pending = PendingTransaction(matches)
        self._commands: list[Command] = []
        self._outcomes: list[Outcome] = []

    def __len__(self) -> int:
        return len(self._commands)

    @property
    def event_count(self) -> int:
        """The number of entries and records that wait to be stored."""
        return self._pending.event_count

    def add(self, command: Command) -> None:
        """One more command, composed now."""
        self._commands.append(command)
        self._outcomes.append(outcome_of(self._pending.matches, command))

    def store(self) -> list[Outcome]:
        """What every command came to, once that is durable. Where one of them waited in vain nobody waits again."""
        if (silence := next(filter(is_unanswered, self._outcomes), None)) is not None:
            return [silence] * len(self)
        try:
            self._pending.store_all()
        except NoStore as fault:
            # There is no disk or no database: that is so for every one of them, and whether it was stored nobody knows.
            return [Outcome(refusal=fault)] * len(self)
        except Exception:  # a race lost, or what the store cannot hold: whose it is, the halves tell
            half = (len(self) + 1) // 2
            return [*together(self._matches, self._commands[:half]), *together(self._matches, self._commands[half:])]
        return self._outcomes


def alone(matches: Matches, command: Command) -> Outcome:
    """What a command comes to by itself. Where several processes write, also what it has only read is as it was when
    its rows are stored; one that others come before again and again is composed while nobody else writes, and so is
    one that looks through the log."""
    store = shared(matches.log.recorder)
    if store is None:
        return outcome_of(matches, command)
    try:
        for _ in range(TRIES):
            pending = PendingTransaction(matches, assumes=False)
            outcome = outcome_of(pending.matches, command)
            if is_unanswered(outcome):
                return outcome
            try:
                pending.store_all()
            except IntegrityError as lost:
                if pending.is_beside:
                    return Outcome(refusal=lost)
            else:
                return outcome
        return retry(lambda: held(matches, store, command))
    except Exception as fault:  # whoever sent the command is told
        return Outcome(refusal=fault)


def held(matches: Matches, store: SharedRecorder, command: Command) -> Outcome:
    """The same while nobody else writes; `IntegrityError` where what was remembered here was old."""
    with store.holding():
        pending = PendingTransaction(matches, assumes=False)
        outcome = outcome_of(pending.matches, command)
        position = pending.put_all(is_alone=True)
    pending.settle(position)
    return outcome


def together(matches: Matches, commands: Sequence[Command]) -> list[Outcome]:
    """What these commands come to, one after the other."""
    if len(commands) == 1:
        return [alone(matches, commands[0])]
    group = Group(matches)
    for command in commands:
        group.add(command)
    return group.store()
