"""The demonstration table: four bots at the default title, so that the first page always shows a match being played.

It is paused while nobody watches: an idle machine does nothing, and the log does not grow.
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
from api.http.bells import Bells, Topic
from api.http.clock import now
from api.matches.service import MatchService
from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.errors import NoSuchMatch, Tampered
from domain.matches.facts import SERVICE, Actor, Table
from projections.platform.backoff import Backoff

SEATS: Final = 4
OPENING_SECONDS: Final = 2.0
DEMO: Final[Topic] = "demo"
"""Rings when the next match of the demonstration has begun."""

log = structlog.get_logger("demo")


class Patience(msgspec.Struct, frozen=True):
    """How long the table waits for what."""

    look_seconds: float = 1.0
    unwatched_seconds: float = 15.0
    """It plays on so long when the last one has gone: who turns a page comes back."""
    result_seconds: float = 12.0
    """The result of a match stands so long before the next one begins."""
    retries: Backoff[float] = Backoff(1.0, 60.0)
    """What could not go on is tried again after so many seconds."""


PATIENCE: Final = Patience()


class Demo:
    """Keeps one table of bots going. Its matches have ids that can be counted, so a restart finds the last one."""

    def __init__(
        self,
        matches: MatchService,
        bells: Bells,
        title: str,
        bot: Actor,
        namespace: UUID,
        patience: Patience = PATIENCE,
    ) -> None:
        self._tables = matches
        self._bells = bells
        self._bot = bot
        self.title = title
        self._namespace = namespace
        self._patience = patience
        self.match_id: UUID | None = None
        self._opened = asyncio.Event()

    def id_of(self, number: int) -> UUID:
        return uuid5(self._namespace, f"demo/{number}")

    async def current_match(self) -> UUID | None:
        """The match to look at; right after the start it may take a moment until there is one."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._opened.wait(), OPENING_SECONDS)
        return self.match_id

    async def run(self) -> None:
        """For as long as the service runs."""
        failures = 0
        while True:
            try:
                number = await self.find_last()
                while True:
                    # One that was changed in the store is not shown: the next one is.
                    with suppress(Tampered):
                        await self._show(number)
                    number, failures = number + 1, 0
            except Exception as fault:
                # Whatever is wrong with a demonstration, the service goes on without it.
                log.warning("the demonstration table cannot go on", kind=type(fault).__name__)
                failures += 1
                await asyncio.sleep(self._patience.retries.delay(failures))

    async def find_last(self) -> int:
        """The number of the newest demonstration, found by doubling and halving; 1 where there is none."""
        low, high = 0, 1
        while await self._was_opened(high):
            low, high = high, high * 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if await self._was_opened(middle) else (low, middle)
        return max(low, 1)

    async def _was_opened(self, number: int) -> bool:
        try:
            await self._tables.reading.get(self.id_of(number))
        except NoSuchMatch:
            return False
        except Tampered:
            return True
        return True

    async def _show(self, number: int) -> None:
        """One match, from its opening until its result has stood long enough."""
        match_id = self.id_of(number)
        match = await self._tables.writer.execute(open_table, match_id, self.title, self._bot, at=now())
        self.match_id = match_id
        self._opened.set()
        self._bells.ring(DEMO)
        seen_at = asyncio.get_running_loop().time()
        while not match.is_over:
            moment = asyncio.get_running_loop().time()
            seen_at = moment if self._bells.is_watched(match_id) else seen_at
            if match.status == "running" and moment - seen_at > self._patience.unwatched_seconds:
                await self._tables.writer.execute(Matches.pause, match_id, SERVICE, at=now())
            elif match.status == "paused" and seen_at == moment:
                await self._tables.writer.execute(Matches.resume, match_id, SERVICE, at=now())
            await self._bells.arrival(self._patience.look_seconds)
            match = await self._tables.reading.get(match_id)
        await asyncio.sleep(self._patience.result_seconds)


DEMO_TABLE: Final = AppKey[Demo | None]("demo")


def open_table(matches: Matches, match_id: UUID, title: str, bot: Actor, *, at: datetime) -> Match:
    """The table with bots on all its seats, whatever of that is done already."""
    match = matches.open(match_id, title=title, seats=SEATS, by=SERVICE, at=at, table=Table())
    for seat in range(SEATS):
        if match.status == "open" and match.seats[seat].actor is None:
            match = matches.take_seat(match_id, seat, bot, at=at)
    return match
