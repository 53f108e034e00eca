"""Rollouts of one choice shared between a worker and its assistant processes.

Rounds are assigned to the worker and the assistants in turn, and the race reads results in its own order. The choice is
therefore the same as without assistants; a slow or dead assistant costs only time.
"""

import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgspec
import structlog

from workers.bots.assistant import NO_RACE, Begin, Played, PlayNext
from workers.bots.kinds import IsLate
from workers.bots.rounds import Question, Rolled, Rounds

AHEAD: Final = 2
"""Rounds assigned to an assistant in advance, so that it is never idle.

Results of actions dropped in the race are wasted.
"""
PATIENCE_SECONDS: Final = 0.02
"""Time to wait for the last rollout of a round, a few times its duration, before the worker plays it itself."""
END_SECONDS: Final = 1.0

logger = structlog.get_logger("workers")


class AssistantConnection:
    """An assistant process and the connection to it."""

    def __init__(self, data: Path) -> None:
        here, there = socket.socketpair()
        with there:
            self.process = subprocess.Popen(  # noqa: S603  # it starts a module of this project
                [sys.executable, "-m", "workers.bots.assistant", str(there.fileno()), str(data)],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._connection = Connection(here.detach())
        self._race = NO_RACE
        self._begun = NO_RACE - 1
        self._told: PlayNext | None = None
        self.is_lost = False

    @property
    def was_ready(self) -> bool:
        """Return whether the assistant has reported that it is ready."""
        return self._begun >= NO_RACE

    def begin(self, question: Question) -> bool:
        """Send a race and return True; return False if the assistant is lost or has not yet started the previous race.

        Unread messages therefore never accumulate.
        """
        self.receive_rollouts()
        if self.is_lost or self._begun != self._race:
            return False
        self._race += 1
        self._told = None
        actions = tuple(map(encode_raw, question.actions))
        view, title = encode_raw(question.view), question.rules.TITLE
        told = question.seed, question.stages, question.choices, question.nested_tries
        self._send(Begin(self._race, title, view, actions, *told))
        return True

    def request_rounds(self, rounds: Sequence[int], places: Sequence[int]) -> None:
        """Send the rounds to play next, which replace earlier ones, unless they were sent already."""
        told = PlayNext(tuple(rounds), tuple(places))
        if told != self._told:
            self._told = told
            self._send(told)

    def receive_rollouts(self, seconds: float = 0.0) -> dict[tuple[int, int], Rolled]:
        """Return received rollouts of this race by round and place; wait up to `seconds` for the first.

        A broken connection marks the assistant as lost.
        """
        found: dict[tuple[int, int], Rolled] = {}
        try:
            while not self.is_lost and self._connection.poll(0.0 if found else seconds):
                played = msgspec.json.decode(self._connection.recv_bytes(), type=Played)
                self._begun = max(self._begun, played.race)
                if played.race == self._race:
                    found |= {(number, place): Rolled(worth, tries) for number, place, worth, tries in played.rolls}
        except (OSError, EOFError):
            self.is_lost = True
        return found

    def end(self) -> None:
        """Close the connection, at which the assistant exits; kill it after `END_SECONDS`."""
        self.is_lost = True
        self._connection.close()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _send(self, told: Begin | PlayNext) -> None:
        """Send a message, unless the assistant is lost; a broken connection marks it as lost."""
        try:
            if not self.is_lost:
                self._connection.send_bytes(msgspec.json.encode(told))
        except OSError:
            self.is_lost = True


def encode_raw(value: object) -> msgspec.Raw:
    """Encode a value as raw JSON."""
    return msgspec.Raw(msgspec.json.encode(value))


class SharedRounds(Rounds):
    """Rollouts of a race, shared with assistants."""

    def __init__(self, question: Question, lines: Sequence[AssistantConnection]) -> None:
        super().__init__(question)
        self._lines = lines

    def play(self, number: int, places: Sequence[int], is_late: IsLate) -> list[Rolled] | None:
        """Return the same results as `Rounds.play`; the worker and the assistants take rounds in turn.

        In a round assigned to an assistant, the worker plays missing actions from the end until both meet.
        """
        parts = 1 + len(self._lines)
        for turn, line in enumerate(self._lines, start=1):
            first = number + (turn - number) % parts
            line.request_rounds(range(first, first + AHEAD * parts, parts), places)
        if number % parts == 0:
            return super().play(number, places, is_late)
        line, seconds = self._lines[number % parts - 1], 0.0
        while True:
            heard = line.receive_rollouts(seconds)
            self._known |= heard
            missing = [place for place in places if (number, place) not in self._known]
            if not missing:
                return super().play(number, places, is_late)
            if is_late():
                return None
            if len(missing) > 1 or (seconds and not heard) or line.is_lost:
                self._known[number, missing[-1]] = self.roll(number, missing[-1])
            else:
                seconds = PATIENCE_SECONDS


class Assistants:
    """The assistants of a worker, started on first use and restarted after a crash."""

    def __init__(self, data: Path, count: int) -> None:
        """Create the assistants; `data` is the folder with the operator's deck and component files."""
        self._data = data
        self._lines: list[AssistantConnection | None] = [None] * count

    @property
    def pids(self) -> tuple[int, ...]:
        """Return the process ids of started assistants."""
        return tuple(line.process.pid for line in self._lines if line is not None)

    @contextmanager
    def play(self, question: Question) -> Iterator[Rounds]:
        """Provide the rollouts of a race; assistants that are still starting are left out.

        After an exception all assistants are stopped.
        """
        try:
            lines = [line for place in range(len(self._lines)) if (line := self._line(place)).begin(question)]
            yield SharedRounds(question, lines)
        except BaseException:
            # A message may have been cut off, so the connections are unusable.
            self.close()
            raise
        for line in lines:
            line.request_rounds((), ())

    def start(self) -> None:
        """Start the assistants and wait until they are ready, so that even the first choices use them."""
        for place in range(len(self._lines)):
            line = self._line(place)
            while not (line.was_ready or line.is_lost):
                line.receive_rollouts(END_SECONDS)

    def _line(self, place: int) -> AssistantConnection:
        """Return the assistant at this place, started if needed, and restarted if it died after it had been ready."""
        line = self._lines[place]
        if line is not None and line.is_lost and line.was_ready:
            logger.warning("assistant process exited, restarting", status=line.process.poll())
            line.end()
            line = None
        if line is None:
            line = self._lines[place] = AssistantConnection(self._data)
        return line

    def close(self) -> None:
        """Stop the assistants; the next use starts new ones."""
        for place, line in enumerate(self._lines):
            if line is not None:
                line.end()
                self._lines[place] = None
