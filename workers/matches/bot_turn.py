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
    duty = service.read_duty(match_id)
    if duty is None or duty.version != version:
        return 0
    for taken_count in range(actions_max):
        if duty.seat is None or duty.seat == SERVICE_SEAT:
            return taken_count
        next_duty = service.act(match_id, duty.version, duty.seat, duty.actions[find_choice(duty, players)])
        if next_duty is None:
            return taken_count
        if time.monotonic() > deadline:
            return taken_count + 1
        duty = next_duty
    return actions_max


def find_choice(duty: MatchDuty, players: Players) -> int:
    """Return the index of the action to take: the bot's choice, or the first, which declines, without a bot.

    Raise `UnknownBot` if no bot of that name plays the title here.
    """
    if duty.by is None or not is_bot(duty.by):
        return 0
    name = bot_name(duty.by)
    if name not in players.bots or not players.bots[name].can_play(duty.title):
        raise UnknownBot(f"no bot {name!r} for {duty.title}")
    assert duty.seed is not None
    title = players.titles[duty.title]
    legal: tuple[Any, ...] = tuple(msgspec.json.decode(action, type=title.codec.action) for action in duty.actions)
    view = msgspec.json.decode(duty.view, type=title.codec.view)
    kind = players.bots[name]
    with child_span("bot decision", {TITLE: duty.title, BOT_NAME: name}):
        action = kind.choose(title.rules, view, legal, bytes.fromhex(duty.seed), is_late=time_limit(kind.milliseconds))
    return legal.index(action)


def time_limit(milliseconds: int) -> IsLate:
    """Return a function that returns whether the time is over; 0 means no limit."""
    if not milliseconds:
        return never
    deadline = time.monotonic() + milliseconds / 1_000
    return lambda: time.monotonic() > deadline
