"""Many commands in one transaction: each composed on what those before it have left, all stored at once.

Nobody is told what became of a command before it is stored, nor of a refusal: that may be for what an earlier command
of the group did. Where another process came first nothing is stored, and the group is composed again in halves, down
to single commands: these are stored as if there were no groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from eventsourcing.persistence import IntegrityError

from domain.matches.application import Matches
from domain.matches.guarded import Kept
from domain.matches.mapper import Note
from domain.matches.pending import PendingRows
from domain.matches.retrying import NoStore

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


def outcome_of(matches: Matches, command: Command) -> Outcome:
    """What a command comes to by itself."""
    try:
        return Outcome(command(matches))
    except Exception as refusal:  # whoever sent the command is told
        return Outcome(refusal=refusal)


class PendingMatches(Matches):
    """A store as it will be once all is stored that waits. What is saved here waits."""

    def __init__(self, stored: Matches) -> None:
        # Everything of it but what follows: it is no store of its own.
        self.__dict__.update(vars(stored))
        self._stored = stored
        self._rows = PendingRows(stored.recorder)
        self.recorder = self._rows  # type: ignore[assignment]  # a recorder whose log nobody follows yet
        self._events: list[Kept | Note] = []
        self.lines = stored.lines.above(self._rows)
        self.streams = stored.streams.above(self._rows)

    def save(self, *events: Kept | Note) -> None:  # type: ignore[override]  # as that of the store
        """What waits for its transaction."""
        self._rows.insert_events([self.mapper.to_stored_event(event) for event in events])
        self._events.extend(events)

    def store_all(self) -> None:
        """All that waits, in one transaction; `IntegrityError` where another process came first."""
        try:
            if not self._rows.is_proven():
                raise IntegrityError("another process came first")
            self._stored.put(self._events, self._rows.rows)
        except IntegrityError:
            self.lines.give_up()
            raise
        self.lines.settle()
        self.streams.settle()

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

    def add(self, command: Command) -> None:
        """One more command, composed now."""
        self._commands.append(command)
        self._outcomes.append(outcome_of(self._pending, command))

    def store(self) -> list[Outcome]:
        """What every command came to, once that is durable."""
        try:
            self._pending.store_all()
        except NoStore as fault:
            # There is no disk or no database: that is so for every one of them, and whether it was stored nobody knows.
            return [Outcome(refusal=fault)] * len(self)
        except Exception:  # a race lost, or what the store cannot hold: whose it is, the halves tell
            half = (len(self) + 1) // 2
            return [*together(self._matches, self._commands[:half]), *together(self._matches, self._commands[half:])]
        return self._outcomes


def together(matches: Matches, commands: Sequence[Command]) -> list[Outcome]:
    """What these commands come to, one after the other."""
    if len(commands) == 1:
        return [outcome_of(matches, commands[0])]
    group = Group(matches)
    for command in commands:
        group.add(command)
    return group.store()
