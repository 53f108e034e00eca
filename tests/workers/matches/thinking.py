"""A worker that waits in the middle of thinking, so that it can be killed there; loaded by a process of its own, and
therefore small."""

from itertools import count
from multiprocessing.connection import Connection
from typing import Any, Final

import msgspec

from domain.kernel.title import AnyRules
from workers.client import Owed
from workers.matches.bot_turn import PLAYERS, Players, find_choice

MIDDLE: Final = 4
"""Between two of the roll-outs of its first choice."""


def think(pipe: Connection, owed: bytes) -> None:
    """What a worker does, in a process of its own; in the middle of thinking it says so, and waits."""
    asked, kind = count(1), PLAYERS.bots["search-quick"]

    def is_late() -> bool:
        if next(asked) == MIDDLE:
            pipe.send("thinking")
            pipe.recv()
        return False

    def choose(rules: AnyRules, view: Any, legal: tuple[Any, ...], seed: bytes, **_: object) -> Any:
        return kind.choose(rules, view, legal, seed, is_late=is_late)

    waiting = msgspec.structs.replace(kind, choose=choose, milliseconds=0)
    pipe.send(find_choice(msgspec.json.decode(owed, type=Owed), Players(PLAYERS.titles, {kind.name: waiting})))
