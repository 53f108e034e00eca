"""Web processes beside a PostgreSQL: what one of them takes, what an action costs where there are two, and how long one
would wait at them on processors of their own, which is an estimate."""

import math
import os
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from ops.console import Finding
from ops.dev.bench.figures import Figure, milliseconds, percentile
from ops.dev.bench.service import load_of, paced_plan
from ops.dev.bench.streams import processor_seconds
from ops.roles import FOLLOWER, WEB
from ops.throwaway import LIMITS, alone_in, start_server, valkey_server
from projections.platform.settings import variables

SECONDS: Final = 6.0
WARM_SECONDS: Final = 1.0
"""A process that has just begun is slower: what it does first is not measured."""
MATCHES: Final = (20, 80)
RATE_FLOOR: Final = 450
OLD_RATE: Final = "144/s by three requests"
"""Of twenty matches."""
COST_FLOOR: Final = 1.2
ESTIMATED_RATE: Final = 300
LATE: Final = 0.040
"""The floor of a POST's p99 at that rate, in seconds."""
PART: Final = 0.99


class Web(msgspec.Struct, frozen=True):
    """A web process: where it answers, and its number."""

    url: str
    pid: int


class Taken(msgspec.Struct, frozen=True):
    """What a load came to: actions a second, the processor time of one in the web processes, and the latencies."""

    rate: float
    each: float
    latencies: list[float]


class House:
    """The processes of a house beside a PostgreSQL and a Valkey: a follower, and as many web processes as are asked
    for. Nobody plays but the load, so there is no worker."""

    def __init__(self, stack: ExitStack, environment: Mapping[str, str]) -> None:
        self._stack, self._environment = stack, environment
        self._start(FOLLOWER)

    def web(self) -> Web:
        """One more web process, which has answered its first actions."""
        made = msgspec.convert(self._start(WEB), Web)
        taken((made,), WARM_SECONDS)
        return made

    def _start(self, role: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "ops.cli", "run", role, "--json"]
        return self._stack.enter_context(start_server(command, self._environment))


@contextmanager
def database_at(address: str) -> Iterator[str]:
    """The address of a new database at that server, dropped at the end."""
    name = f"esporles_bench_{secrets.token_hex(4)}"
    try:
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
    except psycopg.Error as fault:
        raise Finding(f"no database can be made at that server: {str(fault).strip()}") from fault
    try:
        yield urlsplit(address)._replace(path=f"/{name}").geturl()
    finally:
        with psycopg.connect(address, autocommit=True) as server:
            server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@contextmanager
def house_at(address: str) -> Iterator[House]:
    """A house in a database of its own at that server."""
    with ExitStack() as stack:
        place = stack.enter_context(database_at(address))
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="esporles-bench-")))
        redis = stack.enter_context(valkey_server())
        shared = dict.fromkeys(("store", "reads", "people"), place)
        words = variables(data=folder, redis=redis, port=0, drain_seconds=0, **shared, **dict.fromkeys(LIMITS, 0))
        yield House(stack, alone_in(os.environ) | words)


def taken(webs: Sequence[Web], seconds: float, matches: int = MATCHES[0]) -> Taken:
    """As many actions as these web processes take, each one request, dealt to them table by table."""
    used: list[float] = []

    def note() -> None:
        used.append(sum(processor_seconds(web.pid) for web in webs))

    load = load_of([web.url for web in webs], paced_plan(matches, 0, seconds, is_whole=True), note, note)
    return Taken(load.actions / load.seconds, (used[1] - used[0]) / load.actions, load.latencies)


def late(each: float, rate: float, webs: int) -> float:
    """An estimate: how long 99 of 100 actions take at most, in seconds, at so many a second; infinite where they do not
    fit.

    Each process is an M/M/1 queue: actions come independently of each other (Poisson), are dealt to the processes at
    random, and take exponential times whose mean is the processor time of one. Every process has a core of its own.
    Left out are the wait for the commit, which keeps nobody else from the processor, and a PostgreSQL that is slow. The
    time in such a queue is exponential, with the mean each / (1 - load).
    """
    load = rate * each / webs
    return each * -math.log(1 - PART) / (1 - load) if load < 1 else math.inf


def fitting(each: float, webs: int, bound: float = LATE) -> float:
    """An estimate by the same queue: how many actions a second come while 99 of 100 take less than the bound."""
    return max(0.0, webs * (1 / each + math.log(1 - PART) / bound))


def rate_row(matches: int, found: Taken) -> Figure:
    """What one web process takes."""
    half = milliseconds(percentile(found.latencies, 0.5))
    old = f", was {OLD_RATE}" if matches == MATCHES[0] else ""
    return Figure(
        f"PostgreSQL: POST with its view, {matches} matches: actions",
        f"{found.rate:,.0f}/s, half within {half}",
        f"≥ {RATE_FLOOR}/s, aim 1,000",
        found.rate >= RATE_FLOOR,
        f"{found.rate / RATE_FLOOR:.2f}×{old}",
    )


def cost_row(matches: int, one: Taken, two: Taken) -> Figure:
    """What an action costs at two web processes beside what it costs at one, under the same load."""
    more = two.each / one.each
    costs = f"{milliseconds(two.each)}, {milliseconds(one.each)} at one; {two.rate:,.0f}/s, {one.rate:,.0f}/s"
    what = f"PostgreSQL: two web processes, {matches} matches: processor time of a POST"
    return Figure(what, costs, f"≤ {COST_FLOOR}× one", more <= COST_FLOOR, f"{more:.2f}×")


def estimate_rows(one: float, two: float) -> tuple[Figure, ...]:
    """What a queue would be at one process and at two, by the processor time of an action there."""
    what = "estimate, not measured, M/M/1 at each web process on a core of its own:"
    times = [milliseconds(late(each, ESTIMATED_RATE, webs)) for each, webs in ((one, 1), (two, 2))]
    rates = [fitting(one, 1), fitting(two, 2)]
    return (
        Figure(f"{what} POST p99 at {ESTIMATED_RATE}/s", f"one {times[0]}, two {times[1]}"),
        Figure(
            f"{what} POST/s with a p99 below {LATE * 1000:.0f} ms",
            f"one {rates[0]:,.0f}/s, two {rates[1]:,.0f}/s",
            ratio=f"{rates[1] / rates[0]:.2f}×" if rates[0] else "",
        ),
    )


def figures(address: str, seconds: float = SECONDS) -> tuple[Figure, ...]:
    """Every row, in a database of its own at that server. All processes share the processors with each other, the load
    and perhaps the server: rates suffer from that, processor times hardly."""
    with house_at(address) as house:
        first = house.web()
        one = [taken((first,), seconds, matches) for matches in MATCHES]
        second = house.web()
        two = [taken((first, second), seconds, matches) for matches in MATCHES]
    rows = [rate_row(matches, found) for matches, found in zip(MATCHES, one, strict=True)]
    rows += [cost_row(*each) for each in zip(MATCHES, one, two, strict=True)]
    return (*rows, *estimate_rows(one[0].each, two[0].each))
