"""Worker processes that pause in the middle of their work, so that a test can kill them."""

from itertools import count
from multiprocessing.connection import Connection
from typing import Any, Final

import msgspec

from domain.analyses.report import Piece
from domain.kernel.title import AnyRules
from workers.analyses.pieces import analyse
from workers.client import MatchDuty
from workers.matches.bot_turn import PLAYERS, Players, find_choice


class Waiting:
    """A service that provides the log and never accepts the result."""

    def __init__(self, pipe: Connection, log: bytes) -> None:
        self._pipe, self._log = pipe, log

    def read_log(self, _match_id: str) -> bytes:
        self._pipe.send("at work")
        return self._log

    def hand_in(self, _match_id: str, _head: str, _first: int, _piece: Piece) -> bool:
        self._pipe.recv()
        return False


def work_slowly(pipe: Connection, log: bytes, match_id: str, first: int, last: int, tries: int) -> None:
    """Run an analysis job that reports over the pipe when it has started."""
    analyse(Waiting(pipe, log), match_id, first, last, tries)


MIDDLE: Final = 4
"""Between two rollouts of the first choice."""


def think(pipe: Connection, duty: bytes) -> None:
    """Run a bot's choice that reports over the pipe in the middle and waits."""
    calls, kind = count(1), PLAYERS.bots["search-quick"]

    def is_late() -> bool:
        if next(calls) == MIDDLE:
            pipe.send("thinking")
            pipe.recv()
        return False

    def choose(rules: AnyRules, view: Any, legal: tuple[Any, ...], seed: bytes, **_: object) -> Any:
        return kind.choose(rules, view, legal, seed, is_late=is_late)

    paused = msgspec.structs.replace(kind, choose=choose, milliseconds=0)
    pipe.send(find_choice(msgspec.json.decode(duty, type=MatchDuty), Players(PLAYERS.titles, {kind.name: paused})))
