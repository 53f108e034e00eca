"""Many commands in one transaction: each composed on what those before it have left, all stored at once.

Nobody is told what became of a command before it is stored, nor of a refusal: that may be for what an earlier command
of the group did. Where another process came first nothing is stored, and the group is composed again in halves, down
to single commands: these are stored as if there were no groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from eventsourcing.persistence import IntegrityError

from domain.eventstore.appends import count_appended
from domain.eventstore.application import Matches
from domain.eventstore.batch import Composed
from domain.eventstore.guard import Kept
from domain.eventstore.mapper import Note
from domain.eventstore.match_store import NOTHING
from domain.eventstore.pending_rows import PendingRows
from domain.eventstore.retry import NoStore, Unanswered, retry
from domain.eventstore.shared_recorder import Ends, SharedRecorder, shared

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


class PendingMatches(Matches):
    """A store as it will be once all is stored that waits. What is saved here waits."""

    def __init__(self, stored: Matches, *, assumes: bool = True) -> None:
        # Opening a second store would open a second connection: `Application.__init__` is not called.
        self.share(stored)
        self._stored = stored
        self._rows = PendingRows(stored.recorder, assumes=assumes)
        self.recorder = self._rows  # type: ignore[assignment]  # a recorder whose log nobody follows yet
        self._events: list[Kept | Note] = []
        self.is_beside = False
        self.lines = stored.lines.above(self._rows)
        self.streams = stored.streams.above(self._rows)

    def save(self, *events: Kept | Note, ends: Ends = NOTHING) -> None:  # type: ignore[override]  # as that of the store
        """What waits for its transaction."""
        self._rows.require(ends)
        self._rows.insert_events([self.mapper.to_stored_event(event) for event in events])
        self._events.extend(events)
        count_appended(len(events))

    def commit(self, composed: Composed[R]) -> R:
        """One that was composed beside, on what was stored then, cannot be composed again here."""
        self.is_beside = self.is_beside or composed.ends is not None
        return super().commit(composed)

    @property
    def event_count(self) -> int:
        """The number of entries, records and notes that wait."""
        return len(self._events)

    def store_all(self) -> None:
        """All that waits, in one transaction; `IntegrityError` where another process came first."""
        self.settle(self.put_all())

    def put_all(self, *, is_alone: bool = False) -> int:
        """The same, up to the position of the last; `settle` follows when it is safe. What others have added to the log
        since somebody looked through it here is not known: that is good only where nobody else writes."""
        store = shared(self._stored.recorder)
        try:
            if store is None:
                if not self._rows.is_proven():
                    raise IntegrityError("another process came first")
                return self._stored.put(self._rows.rows)
            if self._rows.has_scanned and not is_alone:
                raise IntegrityError("another process may have come first")
            # Nothing is stored, but what is answered or refused must be so.
            if not self._rows.rows and store.has_grown(self._rows.ends()):
                raise IntegrityError("another process came first")
            return self._stored.put(self._rows.rows, self._rows.ends())
        except IntegrityError:
            self.lines.give_up()
            raise

    def settle(self, position: int) -> None:
        """What was put is stored now: everybody may know it."""
        self.lines.settle()
        self.streams.settle()
        self._stored.ring(position, self._events)

    def close(self) -> None:
        """Who opened the store closes it."""


class Group:
    """Commands that are stored together, in their order."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._pending = PendingMatches(matches)
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
        self._outcomes.append(outcome_of(self._pending, command))

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
    store = shared(matches.recorder)
    if store is None:
        return outcome_of(matches, command)
    try:
        for _ in range(TRIES):
            pending = PendingMatches(matches, assumes=False)
            outcome = outcome_of(pending, command)
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
        pending = PendingMatches(matches, assumes=False)
        outcome = outcome_of(pending, command)
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
