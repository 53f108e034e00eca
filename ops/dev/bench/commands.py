"""Commands per second through the writer, in process, with 1, 8 and 64 concurrent callers."""

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from api.http.guards import Caller
from api.http.notifier import Notifier
from api.http.writer import OneWriter
from api.matches.commands import act
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section
from ops.dev.bench.logs import next_action
from projections.platform.store import ReadStore
from workers.bots import BOTS

CALLERS: Final = (1, 8, 64)
FLOORS: Final = {"SQLite": 5_000, "PostgreSQL": 2_500}
"""Least commands per second with 64 callers."""
OLD_RATES: Final = {"SQLite": "1,400 to 1,650", "PostgreSQL": "540 to 660"}
"""Rates before the writer grouped commands, for any number of callers."""
COMMANDS: Final = 3_000
"""Commands of all callers together, so that every row takes about as long."""
SEATS: Final = 2
SERVICE: Final = Caller(is_service=True)
SEED: Final = bytes(32)


class Choice(NamedTuple):
    """An action that was legal at a version."""

    seat: int
    action: Any
    version: int


def same_luck(length: int, _purpose: str) -> bytes:
    """Return the same seed for all matches, so that every caller can replay one recorded match."""
    return SEED[:length]


def open_ready_table(matches: Matches, match_id: UUID) -> Any:
    """Open a table of bots that is ready to play."""
    at, bot = datetime.now(UTC), BOTS["random"].actor
    match = matches.open(match_id, title=default_title(TITLES).name, seats=SEATS, by="service", at=at)
    for seat in range(SEATS):
        match = matches.take_seat(match_id, seat, bot, at=at)
    return match


def choices(matches: Matches, match_id: UUID, count: int) -> list[Choice]:
    """Play a match of bots and return its first `count` actions, or all; the timed part then runs no bots."""
    match, planned_choices = open_ready_table(matches, match_id), list[Choice]()
    while not match.is_over and len(planned_choices) < count:
        seat, by, action = next_action(match, BOTS["random"])
        planned_choices.append(Choice(seat, action, match.version))
        match = matches.act(match_id, seat, by, action, expected_version=match.version, at=datetime.now(UTC))
    return planned_choices


async def play(writer: OneWriter, match_id: UUID, planned_choices: Sequence[Choice]) -> None:
    """Send the commands of one caller, each after the previous one was acknowledged."""
    for seat, action, version in planned_choices:
        at = datetime.now(UTC)
        await writer.execute(act, match_id, SERVICE, seat, action, expected_version=version, at=at)


async def play_all(writer: OneWriter, plays: Sequence[tuple[UUID, Sequence[Choice]]]) -> None:
    """Send the commands of several matches, one match after the other."""
    for match_id, planned_choices in plays:
        await play(writer, match_id, planned_choices)


def plan_commands(planning_store: Matches, count: int) -> list[tuple[UUID, list[Choice]]]:
    """Return matches (id, the choices to make in order) with `count` choices in all; the id determines the chance."""
    plan, remaining = list[tuple[UUID, list[Choice]]](), count
    while remaining > 0:
        match_id = uuid4()
        plan.append((match_id, choices(planning_store, match_id, remaining)))
        remaining -= len(plan[-1][1])
    return plan


async def rates(
    matches: Matches, planning_store: Matches, read_store: ReadStore, callers: Sequence[int]
) -> list[float]:
    """Return commands per second for each number of callers; callers do not share matches.

    `planning_store` is a second store in which the actions are chosen.
    """
    writer, command_rates = OneWriter(matches, read_store, Notifier(asyncio.get_running_loop())), list[float]()
    try:
        for number in callers:
            plans = [plan_commands(planning_store, COMMANDS // number) for _ in range(number)]
            for match_id, _ in (each for plan in plans for each in plan):
                open_ready_table(matches, match_id)
            started = time.perf_counter()
            await asyncio.gather(*(play_all(writer, plan) for plan in plans))
            elapsed = time.perf_counter() - started
            command_rates.append(sum(len(planned_choices) for plan in plans for _, planned_choices in plan) / elapsed)
    finally:
        writer.close()
    return command_rates


def measure_rates(location: str | Path, callers: Sequence[int] = CALLERS) -> list[float]:
    """Return commands per second with a store, for each number of callers."""
    with TemporaryDirectory() as folder:
        read_store = ReadStore(Path(folder) / "reads.db")
        matches = open_store(store_env(location), entropy=same_luck)
        planning_store = open_store(store_env(Path(folder) / "scratch.db"), entropy=same_luck)
        try:
            return asyncio.run(rates(matches, planning_store, read_store, callers))
        finally:
            read_store.close()
            matches.close()
            planning_store.close()


def figures(store: str, command_rates: Sequence[float]) -> tuple[Figure, ...]:
    """Return a row for each number of callers; only the last has a floor."""
    floor = FLOORS[store]
    return tuple(
        Figure(
            f"{store}, {number} callers",
            f"{rate:,.0f} commands/s",
            f"≥ {floor:,}" if number == CALLERS[-1] else "",
            rate >= floor if number == CALLERS[-1] else None,
            f"{rate / command_rates[0]:.1f}× one caller, was {OLD_RATES[store]}",
        )
        for number, rate in zip(CALLERS, command_rates, strict=True)
    )


def section(postgres: str = "") -> Section:
    """Measure SQLite, and PostgreSQL if an address of an empty database is given."""
    with TemporaryDirectory() as folder:
        rows = figures("SQLite", measure_rates(Path(folder) / "log.db"))
    if postgres:
        rows += figures("PostgreSQL", measure_rates(postgres))
    return Section("Commands in process", rows)
