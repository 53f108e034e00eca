"""A whole load with its measurements."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from ops.dev.load.client import Client, ClientCounters, NoResponse
from ops.dev.load.journal import Journal
from ops.dev.load.organisers import Organiser
from ops.dev.load.spectators import Spectator
from ops.dev.load.tables import BotTable, Load, PlayedTable, Seating, create_accounts
from projections.platform.settings import Settings

LEAD_SECONDS: Final = 1.0
"""Pause between the opening of the last table and the first action of an open loop."""
LOOK_SECONDS: Final = 2.0
"""Interval of checks whether a bot match has ended."""
BOT_TABLES_PER_HOST: Final = Settings().bot_tables_per_person
"""The number of bot tables that one account opens: the service's default limit."""
PATIENCE_SECONDS: Final = 120.0
"""Default time for which a request is retried at all addresses."""


class Plan(msgspec.Struct, frozen=True, rename="camel"):
    """Participants and activity of a load."""

    title: str
    people: int = 2
    tables: int = 1
    """Tables of people, who are assigned to seats in turn."""
    seats: int = 2
    beside: tuple[str, ...] = ()
    """Bots that sit at each of these tables together with the people."""
    bot_tables: int = 0
    bots: tuple[str, ...] = ("random", "random")
    """Bots at each table of bots."""
    spectators: int = 0
    organisers: int = 0
    rate: float = 0.0
    """Actions per second of all people, at scheduled times (an open loop); 0: each table acts after its response
    (closed).
    """
    seconds: float = 10.0
    is_whole: bool = False
    """Whether an action is one request whose response contains the next view and legal actions, instead of three
    requests.
    """


class Measured(msgspec.Struct, frozen=True, rename="camel"):
    """The measurements of a load; times in seconds."""

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


class LoadRun:
    """A load against a service, from the creation of accounts to the last response."""

    def __init__(self, urls: Sequence[str], plan: Plan, journal: Journal, patience: float = 0.0) -> None:
        self._urls, self._plan, self._journal, self._patience = urls, plan, journal, patience
        self.seen, self.load = ClientCounters(), Load()
        self._clients: list[Client] = []
        self._tokens: list[str] = []
        self.tables: list[PlayedTable] = []
        self.bot_tables: list[BotTable] = []
        self._spectators: list[Spectator] = []
        self._organisers: list[Organiser] = []
        self.seconds = 0.0
        self._is_last = False

    def client(self, patience: float | None = None) -> Client:
        """Create a separate connection, closed at the end of the run; connections are spread over the addresses.

        Its `patience` is the run's by default.
        """
        client_patience = self._patience if patience is None else patience
        client = Client(self._urls, len(self._clients), patience=client_patience, counters=self.seen)
        self._clients.append(client)
        return client

    async def set_up(self) -> None:
        """Create accounts, open all tables and wait until their matches have begun.

        Then creates spectators and organisers, who do not act yet. Raises `LoadEnded` if the service refuses.
        """
        plan = self._plan
        host = self.client()
        self._tokens = await create_accounts(host, max(1, plan.people))
        seat_count = 0
        for _ in range(plan.tables):
            seated = tuple(self._tokens[(seat_count + seat) % len(self._tokens)] for seat in range(plan.seats))
            seat_count += plan.seats
            seating = Seating(plan.title, seated[0], seated, plan.beside)
            client = self.client()
            self.tables.append(PlayedTable(client, seating, self.load, self._journal, is_whole=plan.is_whole))
        hosts = [self._tokens[0], *await create_accounts(host, (plan.bot_tables - 1) // BOT_TABLES_PER_HOST)]
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
            for token in (await create_accounts(host, plan.organisers))
        ]

    async def run(self, is_over: Callable[[], bool] | None = None) -> None:
        """Run all participants concurrently, until `is_over` returns True, by default for the planned time.

        Closes all connections at the end, and raises the error of a participant that failed.
        """
        plan, loop = self._plan, asyncio.get_running_loop()
        start = loop.time() + (LEAD_SECONDS if plan.rate else 0.0)
        deadline = start + plan.seconds

        def goes_on() -> bool:
            return not is_over() if is_over is not None else loop.time() < deadline

        background_tasks = [asyncio.ensure_future(each.run()) for each in self._spectators]
        background_tasks += [asyncio.ensure_future(each.run()) for each in self._organisers]
        background_tasks += [asyncio.ensure_future(self._reopen_table(table)) for table in self.bot_tables]
        started = time.perf_counter()
        try:
            playing = [
                self._play(table, start + number / plan.rate if plan.rate else 0.0, deadline, goes_on)
                for number, table in enumerate(self.tables)
            ]
            await asyncio.gather(self._until(goes_on), *playing)
            for each in background_tasks:
                if each.done() and (fault := each.exception()) is not None:
                    raise fault
        finally:
            self.seconds = time.perf_counter() - started - (start - loop.time() if start > loop.time() else 0.0)
            for each in background_tasks:
                each.cancel()
            await asyncio.gather(*background_tasks, return_exceptions=True)
            for client in self._clients:
                client.close()

    def finish(self) -> None:
        """Start no further matches or events, and play the current ones to their end without pauses."""
        self._is_last = True
        for table in self.tables:
            table.is_last = True
        for organiser in self._organisers:
            organiser.is_last = True

    def describe_unfinished(self) -> list[str]:
        """Describe every match and event that has not ended since `finish`."""
        unfinished = [f"the match {table.match_id}" for table in self.tables if not table.is_over]
        unfinished += [f"the match {table.match_id}, of bots" for table in self.bot_tables if not table.has_ended]
        return unfinished + [f"the event {each.event}" for each in self._organisers if not each.is_over]

    async def _until(self, is_running: Callable[[], bool]) -> None:
        """Wait for bots and organisers, who may need longer than the players."""
        while is_running() and not (self._is_last and not self.describe_unfinished()):
            await asyncio.sleep(0.1)

    async def _play(self, table: PlayedTable, due_at: float, deadline: float, is_running: Callable[[], bool]) -> None:
        """Play a table. In an open loop, actions are due at fixed times, so that slow responses do not reduce the load.

        The schedule restarts with each match.
        """
        plan, loop = self._plan, asyncio.get_running_loop()
        interval = plan.tables / plan.rate if plan.rate else 0.0
        while is_running() and not table.is_over and (not plan.rate or due_at < deadline):
            match_id = table.match_id
            try:
                has_acted = await table.act(0.0 if table.is_last else due_at)
            except NoResponse:
                continue
            if not plan.rate:
                continue
            if has_acted:
                due_at += interval
            elif table.match_id != match_id:
                due_at = max(due_at, loop.time())

    async def _reopen_table(self, table: BotTable) -> None:
        """Open a table of bots whenever its match has ended, until the last one."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if await table.is_over():
                if self._is_last:
                    return
                await table.open()

    def measurements(self) -> Measured:
        """Return the measurements so far: of players, spectators, organisers and all responses."""
        counters = self.seen
        return Measured(
            seconds=self.seconds,
            actions=len(self.load.latencies),
            refused=self.load.refused,
            latencies=self.load.latencies,
            entries_read=sum(each.read for each in self._spectators),
            streams_resumed=sum(each.resumed for each in self._spectators),
            announcements=sum(each.announced for each in self._organisers),
            statuses={str(status): count for status, count in sorted(counters.statuses.items())},
            tries_again=counters.tries_again,
            lost=counters.lost,
            slowest_away=counters.slowest_away,
            faults=dict(counters.faults),
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
    """Run a whole load and return its measurements; `on_start` is called when all players are seated.

    It lasts until `is_over` returns True, by default for the planned time; requests are retried for `patience` seconds.
    Raises `LoadEnded` if the service refuses to begin it.
    """
    load_run = LoadRun(urls, plan, journal, patience)
    await load_run.set_up()
    on_start()
    await load_run.run(is_over)
    return load_run.measurements()
