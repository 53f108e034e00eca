"""Decisions of bots, and of resigned seats, which the service plays by declining."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from domain.kernel.rules import HOUSE
from domain.kernel.title import Titles
from domain.matches.facts import is_bot
from domain.matches.seats.bots import bot_name
from domain.titles import TITLES
from projections.platform.settings import Settings
from projections.platform.telemetry.spans import BOT_NAME, TITLE, piece
from workers.bots import ASSISTANTS, BOTS, Bots, shared_bots
from workers.bots.kinds import IsLate, never
from workers.bots.sharing import Assistants
from workers.client import MatchService, Owed

WORK_SECONDS_MAX: Final = 1.5
"""No new decision is begun after this; the job's own limit is half a second longer, and by what its slowest bot may
think."""


class UnknownBot(Exception):
    """A seat is played by a bot this worker does not know."""


class Players(msgspec.Struct, frozen=True):
    """The titles a worker plays, and the bots that play them."""

    titles: Titles
    bots: Bots


PLAYERS: Final = Players(TITLES, BOTS)
"""Those of the one list of titles."""


@contextmanager
def assisted(players: Players, settings: Settings) -> Iterator[Players]:
    """The same players; the bots of the product that think longest do so in several processes, which end here."""
    if players is not PLAYERS or not settings.thinks:
        yield players
        return
    assistants = Assistants(settings.data, ASSISTANTS)
    try:
        yield Players(players.titles, shared_bots(players.bots, assistants.play))
    finally:
        assistants.close()


def bot_turn(service: MatchService, match_id: str, version: int, actions_max: int, players: Players = PLAYERS) -> int:
    """Takes up to `actions_max` decisions from `version` on; how many it took.

    Safe to run twice: it begins only while the match stands at `version`, and every action names the version it was
    chosen for, so of two that choose for the same one the log takes one and the other ends.
    """
    deadline = time.monotonic() + WORK_SECONDS_MAX
    owed = service.read_duty(match_id)
    if owed is None or owed.version != version:
        return 0
    for taken in range(actions_max):
        if owed.seat is None or owed.seat == HOUSE:
            return taken
        after = service.act(match_id, owed.version, owed.seat, owed.actions[find_choice(owed, players)])
        if after is None:
            return taken
        if time.monotonic() > deadline:
            return taken + 1
        owed = after
    return actions_max


def find_choice(owed: Owed, players: Players) -> int:
    """Which of the legal actions is taken: the bot's choice, or the first, which declines, where no bot sits."""
    if owed.by is None or not is_bot(owed.by):
        return 0
    name = bot_name(owed.by)
    if name not in players.bots or not players.bots[name].can_play(owed.title):
        raise UnknownBot(f"no bot called {name!r} plays {owed.title} here")
    assert owed.seed is not None
    title = players.titles[owed.title]
    legal: tuple[Any, ...] = tuple(msgspec.json.decode(action, type=title.codec.action) for action in owed.actions)
    view = msgspec.json.decode(owed.view, type=title.codec.view)
    kind = players.bots[name]
    with piece("bot decision", {TITLE: owed.title, BOT_NAME: name}):
        action = kind.choose(title.rules, view, legal, bytes.fromhex(owed.seed), is_late=limit(kind.milliseconds))
    return legal.index(action)


def limit(milliseconds: int) -> IsLate:
    """From now on so long; a bot that takes no time to speak of has as much as it wants."""
    if not milliseconds:
        return never
    end = time.monotonic() + milliseconds / 1_000
    return lambda: time.monotonic() > end
