"""A whole load: so many people, bots, spectators and organisers for so long, and what was measured of them."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from ops.dev.load.client import Client, NoAnswer, Seen
from ops.dev.load.journal import Journal
from ops.dev.load.organisers import Organiser
from ops.dev.load.spectators import Spectator
from ops.dev.load.tables import BotTable, Load, PlayedTable, Seating, people
from projections.platform.settings import Settings

LEAD_SECONDS: Final = 1.0
"""From the last table that was opened to the first action of an open loop."""
LOOK_SECONDS: Final = 2.0
"""Between two looks whether a match of bots is over."""
BOT_TABLES_PER_HOST: Final = Settings().bot_tables_per_person
"""The number of tables of bots that one account opens: as many as a service allows by default."""
PATIENCE_SECONDS: Final = 120.0
"""So long a request is sent again, from address to address, until somebody answers it."""


class Plan(msgspec.Struct, frozen=True, rename="camel"):
    """Who comes, and what they do."""

    title: str
    people: int = 2
    tables: int = 1
    """Of people; the people are dealt to their seats in turn."""
    seats: int = 2
    beside: tuple[str, ...] = ()
    """The bots that sit at each of these tables beside the people."""
    bot_tables: int = 0
    bots: tuple[str, ...] = ("random", "random")
    """Who sits at each table of bots."""
    spectators: int = 0
    organisers: int = 0
    rate: float = 0.0
    """Actions a second of all people together, at times fixed beforehand (an open loop); 0: each table acts as soon as
    it was answered (a closed loop)."""
    seconds: float = 10.0
    is_whole: bool = False
    """An action is one request, whose answer brings the next view and legal actions; else there are three."""


class Measured(msgspec.Struct, frozen=True, rename="camel"):
    """What a load came to; times in seconds."""

    seconds: float
    actions: int
    refused: int
    latencies: list[float]
    entries_read: int
    streams_resumed: int
    announcements: int
    statuses: dict[str, int]
    tries_again: int
    lost: int
    slowest_away: float
    faults: dict[str, int]


class House:
    """A load at the addresses of a service, from the first account to the last answer."""

    def __init__(self, urls: Sequence[str], plan: Plan, journal: Journal, patience: float = 0.0) -> None:
        self._urls, self._plan, self._journal, self._patience = urls, plan, journal, patience
        self.seen, self.load = Seen(), Load()
        self._clients: list[Client] = []
        self._tokens: list[str] = []
        self.tables: list[PlayedTable] = []
        self.bot_tables: list[BotTable] = []
        self._spectators: list[Spectator] = []
        self._organisers: list[Organiser] = []
        self.seconds = 0.0
        self._is_last = False

    def client(self, patience: float | None = None) -> Client:
        """A connection of its own; they are spread over the addresses."""
        kept = self._patience if patience is None else patience
        made = Client(self._urls, len(self._clients), patience=kept, seen=self.seen)
        self._clients.append(made)
        return made

    async def set_up(self) -> None:
        """Everybody has an account, and sits."""
        plan = self._plan
        host = self.client()
        self._tokens = await people(host, max(1, plan.people))
        dealt = 0
        for _ in range(plan.tables):
            seated = tuple(self._tokens[(dealt + seat) % len(self._tokens)] for seat in range(plan.seats))
            dealt += plan.seats
            seating = Seating(plan.title, seated[0], seated, plan.beside)
            client = self.client()
            self.tables.append(PlayedTable(client, seating, self.load, self._journal, is_whole=plan.is_whole))
        hosts = [self._tokens[0], *await people(host, (plan.bot_tables - 1) // BOT_TABLES_PER_HOST)]
        self.bot_tables = [
            BotTable(
                self.client(),
                Seating(plan.title, hosts[number // BOT_TABLES_PER_HOST], (), plan.bots),
                self._journal,
            )
            for number in range(plan.bot_tables)
        ]
        watched: list[PlayedTable | BotTable] = [*self.tables, *self.bot_tables]
        await asyncio.gather(*(table.open() for table in watched))
        for number in range(plan.spectators):
            self._spectators.append(Spectator(self.client(), self._journal, watched[number % len(watched)]))
        self._organisers = [
            Organiser(self.client(), self.client(0.0), token, plan.title, self.load, self._journal)
            for token in (await people(host, plan.organisers))
        ]

    async def run(self, is_over: Callable[[], bool] | None = None) -> None:
        """Everybody at once, for as long as planned, or until somebody says that it is over."""
        plan, loop = self._plan, asyncio.get_running_loop()
        start = loop.time() + (LEAD_SECONDS if plan.rate else 0.0)
        until = start + plan.seconds

        def goes_on() -> bool:
            return not is_over() if is_over is not None else loop.time() < until

        beside = [asyncio.ensure_future(each.run()) for each in self._spectators]
        beside += [asyncio.ensure_future(each.run()) for each in self._organisers]
        beside += [asyncio.ensure_future(self._keep(table)) for table in self.bot_tables]
        begun = time.perf_counter()
        try:
            playing = [
                self._play(table, start + number / plan.rate if plan.rate else 0.0, until, goes_on)
                for number, table in enumerate(self.tables)
            ]
            await asyncio.gather(self._until(goes_on), *playing)
            for each in beside:
                if each.done() and (fault := each.exception()) is not None:
                    raise fault
        finally:
            self.seconds = time.perf_counter() - begun - (start - loop.time() if start > loop.time() else 0.0)
            for each in beside:
                each.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            for client in self._clients:
                client.close()

    def finish(self) -> None:
        """From now on nothing new begins: what has begun is played to its end, as fast as it goes."""
        self._is_last = True
        for table in self.tables:
            table.is_last = True
        for organiser in self._organisers:
            organiser.is_last = True

    def unfinished(self) -> list[str]:
        """What has not come to its end after that."""
        found = [f"the match {table.match_id}" for table in self.tables if not table.is_over]
        found += [f"the match {table.match_id}, of bots" for table in self.bot_tables if not table.has_ended]
        return found + [f"the event {each.event}" for each in self._organisers if not each.is_over]

    async def _until(self, goes_on: Callable[[], bool]) -> None:
        """Whoever plays may be done before bots and organisers are."""
        while goes_on() and not (self._is_last and not self.unfinished()):
            await asyncio.sleep(0.1)

    async def _play(self, table: PlayedTable, due: float, until: float, goes_on: Callable[[], bool]) -> None:
        """In an open loop an action every so many seconds, at times fixed beforehand: a slow answer does not lower the
        load. A match that begins anew is not late."""
        plan, loop = self._plan, asyncio.get_running_loop()
        every = plan.tables / plan.rate if plan.rate else 0.0
        while goes_on() and not table.is_over and (not plan.rate or due < until):
            match_id = table.match_id
            try:
                acted = await table.act(0.0 if table.is_last else due)
            except NoAnswer:
                continue
            if not plan.rate:
                continue
            if acted:
                due += every
            elif table.match_id != match_id:
                due = max(due, loop.time())

    async def _keep(self, table: BotTable) -> None:
        """Another match where the last has ended."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if await table.is_over():
                if self._is_last:
                    return
                await table.open()

    def measured(self) -> Measured:
        seen = self.seen
        return Measured(
            seconds=self.seconds,
            actions=len(self.load.latencies),
            refused=self.load.refused,
            latencies=self.load.latencies,
            entries_read=sum(each.read for each in self._spectators),
            streams_resumed=sum(each.resumed for each in self._spectators),
            announcements=sum(each.announced for each in self._organisers),
            statuses={str(status): count for status, count in sorted(seen.statuses.items())},
            tries_again=seen.tries_again,
            lost=seen.lost,
            slowest_away=seen.slowest_away,
            faults=dict(seen.faults),
        )


async def run_plan(
    urls: Sequence[str],
    plan: Plan,
    journal: Journal,
    *,
    patience: float = 0.0,
    on_start: Callable[[], None] = lambda: None,
    is_over: Callable[[], bool] | None = None,
) -> Measured:
    """The whole load; `on_start` is called when everybody sits."""
    house = House(urls, plan, journal, patience)
    await house.set_up()
    on_start()
    await house.run(is_over)
    return house.measured()
