"""Decisions of bots, and of resigned seats, for which the service declines."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec

from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.title import Titles
from domain.matches.facts import is_bot
from domain.matches.seats.bots import bot_name
from domain.titles import TITLES
from projections.platform.settings import Settings
from projections.platform.telemetry.spans import BOT_NAME, TITLE, child_span
from workers.bots import ASSISTANTS, BOTS, Bots, shared_bots
from workers.bots.kinds import IsLate, never
from workers.bots.sharing import Assistants
from workers.client import MatchDuty, MatchService

WORK_SECONDS_MAX: Final = 1.5
"""Seconds after which no decision starts; the timeout adds half a second and the slowest bot's time."""


class UnknownBot(Exception):
    """The error of a seat whose bot this worker does not know."""


class Players(msgspec.Struct, frozen=True):
    """The titles of a worker and the bots that play them."""

    titles: Titles
    bots: Bots


PLAYERS: Final = Players(TITLES, BOTS)
"""All titles with their bots."""


@contextmanager
def with_assistants(players: Players, settings: Settings) -> Iterator[Players]:
    """Provide the players with bots that share rollouts between processes, which end with the context.

    Players other than the default, and workers without thinking bots, are unchanged.
    """
    if players is not PLAYERS or not settings.thinks:
        yield players
        return
    assistants = Assistants(settings.data, ASSISTANTS)
    try:
        yield Players(players.titles, shared_bots(players.bots, assistants.play))
    finally:
        assistants.close()


def bot_turn(service: MatchService, match_id: str, version: int, actions_max: int, players: Players = PLAYERS) -> int:
    """Take up to `actions_max` decisions from `version` on; return the number taken.

    It stops after `WORK_SECONDS_MAX` and at the service's own turn. Idempotent: the job starts only if the match is
    at `version`, else it returns 0, and every action names its version. If two jobs choose for the same version,
    the log accepts one and the other stops. Raise `UnknownBot` as `find_choice`.
    """
    deadline = time.monotonic() + WORK_SECONDS_MAX
    owed = service.read_duty(match_id)
    if owed is None or owed.version != version:
        return 0
    for taken in range(actions_max):
        if owed.seat is None or owed.seat == SERVICE_SEAT:
            return taken
        after = service.act(match_id, owed.version, owed.seat, owed.actions[find_choice(owed, players)])
        if after is None:
            return taken
        if time.monotonic() > deadline:
            return taken + 1
        owed = after
    return actions_max


def find_choice(owed: MatchDuty, players: Players) -> int:
    """Return the index of the action to take: the bot's choice, or the first, which declines, without a bot.

    Raise `UnknownBot` if no bot of that name plays the title here.
    """
    if owed.by is None or not is_bot(owed.by):
        return 0
    name = bot_name(owed.by)
    if name not in players.bots or not players.bots[name].can_play(owed.title):
        raise UnknownBot(f"no bot {name!r} for {owed.title}")
    assert owed.seed is not None
    title = players.titles[owed.title]
    legal: tuple[Any, ...] = tuple(msgspec.json.decode(action, type=title.codec.action) for action in owed.actions)
    view = msgspec.json.decode(owed.view, type=title.codec.view)
    kind = players.bots[name]
    with child_span("bot decision", {TITLE: owed.title, BOT_NAME: name}):
        action = kind.choose(title.rules, view, legal, bytes.fromhex(owed.seed), is_late=time_limit(kind.milliseconds))
    return legal.index(action)


def time_limit(milliseconds: int) -> IsLate:
    """Return a function that returns whether the time is over; 0 means no limit."""
    if not milliseconds:
        return never
    end = time.monotonic() + milliseconds / 1_000
    return lambda: time.monotonic() > end
