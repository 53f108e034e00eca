"""The demonstration table: four bots play the default title on the first page.

It pauses while no visitor watches, so that an idle server does nothing and the log does not grow.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

import msgspec
import structlog

from api.http.app_state import AppKey
from api.http.notifier import Notifier, Topic
from api.matches.service import MatchService
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.errors import NoSuchMatch, Tampered
from domain.matches.facts import SERVICE, Actor, Table
from projections.platform.backoff import Backoff
from projections.platform.clock import now

SEATS: Final = 4
OPENING_SECONDS: Final = 2.0
DEMO_TOPIC: Final[Topic] = "demo"
"""Notified when the next demonstration match has started."""

log = structlog.get_logger("demo")


class DemoTimes(msgspec.Struct, frozen=True):
    """Waiting times of the demonstration, in seconds."""

    look_seconds: float = 1.0
    unwatched_seconds: float = 15.0
    """Time without visitors until the pause; long enough for a page change."""
    result_seconds: float = 12.0
    """Time that a result is shown before the next match."""
    retries: Backoff[float] = Backoff(1.0, 60.0)
    """Backoff after failures."""


DEMO_TIMES: Final = DemoTimes()


class Demo:
    """Plays one table of bots after another. Match ids are derived from a counter, so a restart finds the last one."""

    def __init__(
        self,
        matches: MatchService,
        notifier: Notifier,
        title: str,
        bot: Actor,
        namespace: UUID,
        times: DemoTimes = DEMO_TIMES,
    ) -> None:
        self._matches = matches
        self._notifier = notifier
        self._bot = bot
        self.title = title
        self._namespace = namespace
        self._times = times
        self.match_id: UUID | None = None
        self._has_opened = asyncio.Event()

    def id_of(self, number: int) -> UUID:
        """Return the id of the n-th demonstration match."""
        return uuid5(self._namespace, f"demo/{number}")

    async def current_match(self) -> UUID | None:
        """Return the match to watch; wait at most `OPENING_SECONDS` for the first one, then return None."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._has_opened.wait(), OPENING_SECONDS)
        return self.match_id

    async def run(self) -> None:
        """Play one demonstration match after another until cancelled.

        Starts at the last one in the log, skips tampered matches, and retries with a backoff after other errors.
        """
        failures = 0
        while True:
            try:
                number = await self.find_last()
                while True:
                    # Skip a match that was tampered with.
                    with suppress(Tampered):
                        await self._play_match(number)
                    number, failures = number + 1, 0
            except Exception as fault:
                # A broken demonstration must not stop the service.
                log.warning("cannot continue the demo table", kind=type(fault).__name__)
                failures += 1
                await asyncio.sleep(self._times.retries.delay(failures))

    async def find_last(self) -> int:
        """Return the number of the latest demonstration match, by exponential and binary search; 1 if there is none."""
        low, high = 0, 1
        while await self._was_opened(high):
            low, high = high, high * 2
        while high - low > 1:
            midpoint = (low + high) // 2
            low, high = (midpoint, high) if await self._was_opened(midpoint) else (low, midpoint)
        return max(low, 1)

    async def _was_opened(self, number: int) -> bool:
        """Return whether the log has the n-th match, tampered ones included."""
        try:
            await self._matches.reading.get(self.id_of(number))
        except NoSuchMatch:
            return False
        except Tampered:
            return True
        return True

    async def _play_match(self, number: int) -> None:
        """Open or continue the n-th match, notify `DEMO_TOPIC`, wait until it ends, then show the result for a while.

        The match is paused after some time without subscribers, and resumed when there are some.
        """
        match_id = self.id_of(number)
        match = await self._matches.writer.execute(open_table, match_id, self.title, self._bot, at=now())
        self.match_id = match_id
        self._has_opened.set()
        self._notifier.notify(DEMO_TOPIC)
        last_watched_at = asyncio.get_running_loop().time()
        while not match.is_over:
            current_time = asyncio.get_running_loop().time()
            last_watched_at = current_time if self._notifier.has_subscribers(match_id) else last_watched_at
            if match.status == "running" and current_time - last_watched_at > self._times.unwatched_seconds:
                await self._matches.writer.execute(Matches.pause, match_id, SERVICE, at=now())
            elif match.status == "paused" and last_watched_at == current_time:
                await self._matches.writer.execute(Matches.resume, match_id, SERVICE, at=now())
            await self._notifier.wait_for_subscriber(self._times.look_seconds)
            match = await self._matches.reading.get(match_id)
        await asyncio.sleep(self._times.result_seconds)


DEMO_KEY: Final = AppKey[Demo | None]("demo")


def open_table(matches: Matches, match_id: UUID, title: str, bot: Actor, *, at: datetime) -> Match:
    """Open a public table for `SEATS` players and seat the bot on all seats; idempotent."""
    match = matches.open(match_id, title=title, seats=SEATS, by=SERVICE, at=at, table=Table())
    for seat in range(SEATS):
        if match.status == "open" and match.seats[seat].actor is None:
            match = matches.take_seat(match_id, seat, bot, at=at)
    return match
