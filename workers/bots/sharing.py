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
        own_socket, other_socket = socket.socketpair()
        with other_socket:
            self.process = subprocess.Popen(  # noqa: S603  # it starts a module of this project
                [sys.executable, "-m", "workers.bots.assistant", str(other_socket.fileno()), str(data)],
                pass_fds=[other_socket.fileno()],
                stdin=subprocess.DEVNULL,
            )
        self._connection = Connection(own_socket.detach())
        self._race = NO_RACE
        self._begun = NO_RACE - 1
        self._last_message: PlayNext | None = None
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
        self._last_message = None
        actions = tuple(map(encode_raw, question.actions))
        view, title = encode_raw(question.view), question.rules.TITLE
        parameters = question.seed, question.stages, question.choices, question.nested_tries
        self._send(Begin(self._race, title, view, actions, *parameters))
        return True

    def request_rounds(self, rounds: Sequence[int], indexes: Sequence[int]) -> None:
        """Send the rounds to play next, which replace earlier ones, unless they were sent already."""
        message = PlayNext(tuple(rounds), tuple(indexes))
        if message != self._last_message:
            self._last_message = message
            self._send(message)

    def receive_rollouts(self, seconds: float = 0.0) -> dict[tuple[int, int], Rolled]:
        """Return received rollouts of this race by round and place; wait up to `seconds` for the first.

        A broken connection marks the assistant as lost.
        """
        found: dict[tuple[int, int], Rolled] = {}
        try:
            while not self.is_lost and self._connection.poll(0.0 if found else seconds):
                reply = msgspec.json.decode(self._connection.recv_bytes(), type=Played)
                self._begun = max(self._begun, reply.race)
                if reply.race == self._race:
                    found |= {(number, index): Rolled(worth, tries) for number, index, worth, tries in reply.rolls}
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

    def _send(self, message: Begin | PlayNext) -> None:
        """Send a message, unless the assistant is lost; a broken connection marks it as lost."""
        try:
            if not self.is_lost:
                self._connection.send_bytes(msgspec.json.encode(message))
        except OSError:
            self.is_lost = True


def encode_raw(value: object) -> msgspec.Raw:
    """Encode a value as raw JSON."""
    return msgspec.Raw(msgspec.json.encode(value))


class SharedRounds(Rounds):
    """Rollouts of a race, shared with assistants."""

    def __init__(self, question: Question, connections: Sequence[AssistantConnection]) -> None:
        super().__init__(question)
        self._connections = connections

    def play(self, number: int, indexes: Sequence[int], is_late: IsLate) -> list[Rolled] | None:
        """Return the same results as `Rounds.play`; the worker and the assistants take rounds in turn.

        In a round assigned to an assistant, the worker plays missing actions from the end until both meet.
        """
        process_count = 1 + len(self._connections)
        for turn, connection in enumerate(self._connections, start=1):
            first_round = number + (turn - number) % process_count
            connection.request_rounds(range(first_round, first_round + AHEAD * process_count, process_count), indexes)
        if number % process_count == 0:
            return super().play(number, indexes, is_late)
        connection, seconds = self._connections[number % process_count - 1], 0.0
        while True:
            received = connection.receive_rollouts(seconds)
            self._results |= received
            missing = [index for index in indexes if (number, index) not in self._results]
            if not missing:
                return super().play(number, indexes, is_late)
            if is_late():
                return None
            if len(missing) > 1 or (seconds and not received) or connection.is_lost:
                self._results[number, missing[-1]] = self.roll(number, missing[-1])
            else:
                seconds = PATIENCE_SECONDS


class Assistants:
    """The assistants of a worker, started on first use and restarted after a crash."""

    def __init__(self, data: Path, count: int) -> None:
        """Create the assistants; `data` is the folder with the operator's deck and component files."""
        self._data = data
        self._connections: list[AssistantConnection | None] = [None] * count

    @property
    def pids(self) -> tuple[int, ...]:
        """Return the process ids of started assistants."""
        return tuple(connection.process.pid for connection in self._connections if connection is not None)

    @contextmanager
    def play(self, question: Question) -> Iterator[Rounds]:
        """Provide the rollouts of a race; assistants that are still starting are left out.

        After an exception all assistants are stopped.
        """
        try:
            connections = [
                connection
                for index in range(len(self._connections))
                if (connection := self._connection_at(index)).begin(question)
            ]
            yield SharedRounds(question, connections)
        except BaseException:
            # A message may have been cut off, so the connections are unusable.
            self.close()
            raise
        for connection in connections:
            connection.request_rounds((), ())

    def start(self) -> None:
        """Start the assistants and wait until they are ready, so that even the first choices use them."""
        for index in range(len(self._connections)):
            connection = self._connection_at(index)
            while not (connection.was_ready or connection.is_lost):
                connection.receive_rollouts(END_SECONDS)

    def _connection_at(self, index: int) -> AssistantConnection:
        """Return the assistant with this index, started if needed, and restarted if it died after it had been ready."""
        connection = self._connections[index]
        if connection is not None and connection.is_lost and connection.was_ready:
            logger.warning("assistant process exited, restarting", status=connection.process.poll())
            connection.end()
            connection = None
        if connection is None:
            connection = self._connections[index] = AssistantConnection(self._data)
        return connection

    def close(self) -> None:
        """Stop the assistants; the next use starts new ones."""
        for index, connection in enumerate(self._connections):
            if connection is not None:
                connection.end()
                self._connections[index] = None
