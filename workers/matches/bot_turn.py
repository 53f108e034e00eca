"""Decisions of bots, and of resigned seats, which the service plays by declining."""

import time
from typing import Any, Final

import msgspec

from domain.kernel.rules import HOUSE
from domain.matches.registry import GAMES
from workers.bots import BOTS
from workers.client import Owed, Service

BOT: Final = "bot:"
WORK_SECONDS_MAX: Final = 1.5
"""No new decision is begun after this; the job's own limit is two seconds."""


class UnknownBot(Exception):
    """A seat is played by a bot this worker does not know."""


def bot_turn(service: Service, match_id: str, version: int, actions_max: int) -> int:
    """Takes up to `actions_max` decisions from `version` on; how many it took.

    Safe to run twice: it begins only while the match stands at `version`, and every action names the version it was
    chosen for, so of two that choose for the same one the log takes one and the other ends.
    """
    deadline = time.monotonic() + WORK_SECONDS_MAX
    owed = service.owed(match_id)
    if owed is None or owed.version != version:
        return 0
    for taken in range(actions_max):
        if owed.seat is None or owed.seat == HOUSE:
            return taken
        after = service.act(match_id, owed.version, owed.seat, owed.actions[chosen_index(owed)])
        if after is None:
            return taken
        if time.monotonic() > deadline:
            return taken + 1
        owed = after
    return actions_max


def chosen_index(owed: Owed) -> int:
    """Which of the legal actions is taken: the bot's choice, or the first, which declines, where no bot sits."""
    if owed.by is None or not owed.by.startswith(BOT):
        return 0
    name = owed.by.removeprefix(BOT).partition("@")[0]
    if name not in BOTS:
        raise UnknownBot(f"no bot is called {name!r}")
    assert owed.seed is not None
    game = GAMES[owed.title]
    legal: tuple[Any, ...] = tuple(msgspec.json.decode(action, type=game.codec.action) for action in owed.actions)
    view = msgspec.json.decode(owed.view, type=game.codec.view)
    return legal.index(BOTS[name].choose(game.rules, view, legal, bytes.fromhex(owed.seed)))
