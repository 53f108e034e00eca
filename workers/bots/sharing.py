"""One choice in several processes: roll-outs of a race are played by the worker and by assistants beside it.

Rounds belong to the worker and to each assistant by turns; the race takes what they brought in its own order. So the
choice is the one that the worker makes alone, and an assistant that is slow, or dies, costs time and nothing else.
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
"""An assistant is told of so many of its rounds at once, so that it always has something to do. Where an action is
given up, what was played of it is lost."""
PATIENCE_SECONDS: Final = 0.02
"""The worker waits so long for the last roll-out of a round, a few times what one takes; then it plays it itself."""
END_SECONDS: Final = 1.0

logger = structlog.get_logger("workers")


class Line:
    """An assistant: its process, and the messages to and from it."""

    def __init__(self, data: Path) -> None:
        here, there = socket.socketpair()
        with there:
            self.process = subprocess.Popen(  # noqa: S603  # it starts a module of its own
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
        """It has said that it is there."""
        return self._begun >= NO_RACE

    def begin(self, question: Question) -> bool:
        """Tells of a race, unless the one before has yet to begin or nobody is there: unread messages never pile up."""
        self.hear()
        if self.is_lost or self._begun != self._race:
            return False
        self._race += 1
        self._told = None
        actions = tuple(map(encoded, question.actions))
        view, title = encoded(question.view), question.rules.TITLE
        told = question.seed, question.stages, question.choices, question.nested_tries
        self._say(Begin(self._race, title, view, actions, *told))
        return True

    def ask(self, rounds: Sequence[int], places: Sequence[int]) -> None:
        """What to play next; said once."""
        told = PlayNext(tuple(rounds), tuple(places))
        if told != self._told:
            self._told = told
            self._say(told)

    def hear(self, seconds: float = 0.0) -> dict[tuple[int, int], Rolled]:
        """The roll-outs of this race that have come, by round and place; waits so long for the first."""
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
        """It ends by itself when nobody is at this end."""
        self.is_lost = True
        self._connection.close()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _say(self, told: Begin | PlayNext) -> None:
        try:
            if not self.is_lost:
                self._connection.send_bytes(msgspec.json.encode(told))
        except OSError:
            self.is_lost = True


def encoded(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


class SharedRounds(Rounds):
    """The roll-outs of a race, played here and by assistants."""

    def __init__(self, question: Question, lines: Sequence[Line]) -> None:
        super().__init__(question)
        self._lines = lines

    def play(self, number: int, places: Sequence[int], is_late: IsLate) -> list[Rolled] | None:
        """As it is played alone. Of a round that is not its own, the worker plays the last actions first until it meets
        the assistant."""
        parts = 1 + len(self._lines)
        for turn, line in enumerate(self._lines, start=1):
            first = number + (turn - number) % parts
            line.ask(range(first, first + AHEAD * parts, parts), places)
        if number % parts == 0:
            return super().play(number, places, is_late)
        line, seconds = self._lines[number % parts - 1], 0.0
        while True:
            heard = line.hear(seconds)
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
    """The assistants of a worker: started when they are first needed, and again when one has died."""

    def __init__(self, data: Path, count: int) -> None:
        """`data`: the folder with deck and component files of the operator."""
        self._data = data
        self._lines: list[Line | None] = [None] * count

    @property
    def pids(self) -> tuple[int, ...]:
        """Of those that were started and not given up."""
        return tuple(line.process.pid for line in self._lines if line is not None)

    @contextmanager
    def play(self, question: Question) -> Iterator[Rounds]:
        """The roll-outs of a race. An assistant that is still starting has no part in it."""
        try:
            lines = [line for place in range(len(self._lines)) if (line := self._line(place)).begin(question)]
            yield SharedRounds(question, lines)
        except BaseException:
            # It may have been cut off in the middle of a message: what is on the line has no meaning any more.
            self.close()
            raise
        for line in lines:
            line.ask((), ())

    def start(self) -> None:
        """Starts them and waits until they are there; otherwise the first choices are made without them."""
        for place in range(len(self._lines)):
            line = self._line(place)
            while not (line.was_ready or line.is_lost):
                line.hear(END_SECONDS)

    def _line(self, place: int) -> Line:
        """The assistant of this number. One that died before it was ready would only die again."""
        line = self._lines[place]
        if line is not None and line.is_lost and line.was_ready:
            logger.warning("an assistant has ended; another is started", status=line.process.poll())
            line.end()
            line = None
        if line is None:
            line = self._lines[place] = Line(self._data)
        return line

    def close(self) -> None:
        """Ends them; who needs them again starts others."""
        for place, line in enumerate(self._lines):
            if line is not None:
                line.end()
                self._lines[place] = None
