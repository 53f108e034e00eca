"""A process that plays rollouts for a worker, which starts it as `python -m workers.bots.assistant FD DATA`.

It receives a question and the rounds to play, and replies with one rollout at a time until the worker exits. The worker
plays the missing ones itself.
"""

import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import msgspec

from domain.kernel.title import Titles
from domain.matches.data_files import register_data_folder
from domain.titles import TITLES
from workers.bots.evaluation import Evaluations, load_evaluations
from workers.bots.rounds import Question, Rounds

NO_RACE: Final = 0
"""The race number before the first race."""


class Begin(msgspec.Struct, frozen=True, tag=True):
    """A message that starts a race and ends the previous one."""

    race: int
    title: str
    view: msgspec.Raw
    actions: tuple[msgspec.Raw, ...]
    seed: bytes
    stages: int
    choices: int
    nested_tries: int


class PlayNext(msgspec.Struct, frozen=True, tag=True):
    """A message with the rounds to play next, replacing the rest of the last message: these rounds of these actions."""

    rounds: tuple[int, ...]
    indexes: tuple[int, ...]


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A reply with one rollout, or with none to confirm the start of a race."""

    race: int
    rolls: tuple[tuple[int, int, int, int], ...] = ()
    """Round, place, value and tries."""


MESSAGE: Final = msgspec.json.Decoder(Begin | PlayNext)


class Assistant:
    """Plays one rollout at a time, so that a new message takes effect at once."""

    def __init__(self, connection: Connection, titles: Titles, evaluations: Evaluations) -> None:
        self._connection = connection
        self._titles = titles
        self._evaluations = evaluations
        self._race = NO_RACE
        self._rounds: Rounds | None = None
        self._pending: list[tuple[int, int]] = []
        self._done: set[tuple[int, int]] = set()

    def run(self) -> None:
        """Report readiness, then play the requested rollouts; messages go before rollouts.

        Raise `EOFError` or `OSError` when the connection closes.
        """
        self._send()
        while True:
            if self._pending and not self._connection.poll():
                self._play()
            else:
                self._handle(MESSAGE.decode(self._connection.recv_bytes()))

    def _handle(self, message: Begin | PlayNext) -> None:
        """Begin a race and report it, or replace the owed rollouts by requested rollouts that are not done."""
        if isinstance(message, Begin):
            self._race, self._rounds, self._pending, self._done = message.race, self._rounds_of(message), [], set()
            self._send()
        else:
            requested = [(number, index) for number in message.rounds for index in message.indexes]
            self._pending = [each for each in requested if each not in self._done]

    def _rounds_of(self, message: Begin) -> Rounds:
        """Return the rollouts of a race, decoded from its message."""
        title = self._titles[message.title]
        view = msgspec.json.decode(message.view, type=title.codec.view)
        actions = [msgspec.json.decode(action, type=title.codec.action) for action in message.actions]
        weights = self._evaluations[message.title]
        return Rounds(
            Question(
                title.rules, weights, view, actions, message.seed, message.stages, message.choices, message.nested_tries
            )
        )

    def _play(self) -> None:
        """Play the next owed rollout and send its result."""
        assert self._rounds is not None, "a race has begun"
        number, index = self._pending.pop(0)
        self._done.add((number, index))
        self._send((number, index, *self._rounds.roll(number, index)))

    def _send(self, *rolls: tuple[int, int, int, int]) -> None:
        self._connection.send_bytes(msgspec.json.encode(Played(self._race, rolls)))


def main(arguments: Sequence[str]) -> int:
    """Run an assistant until the worker exits and return 0; ignore SIGINT, which the worker handles.

    Arguments: the file descriptor of the connection and the data folder.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection, data = Connection(int(arguments[0])), Path(arguments[1])
    register_data_folder(data, TITLES)
    with suppress(EOFError, OSError):
        Assistant(connection, TITLES, load_evaluations(TITLES)).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
