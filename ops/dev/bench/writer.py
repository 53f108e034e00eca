"""Measure the slowest command of each kind on the writer's thread."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from api.http.commit_queue import CommandTime
from domain.eventstore.write_ahead import write_ahead
from domain.kernel.title import default_title
from domain.matches.forks.forking import DEPTH_MAX
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, typical_seconds
from ops.dev.bench.whole_matches import whole_matches
from ops.dev.load.client import Client
from ops.dev.load.tables import Seating, create_accounts, open_match
from ops.service_client import ServiceAddress, fetch, find_address
from ops.temporary_service import service_in

BUDGET: Final = 0.050
ACTIONS: Final = 120
"""Number of actions of the match that is forked; forks read the shared entries repeatedly."""
ENTRANTS: Final = 24
PLAYERS: Final = 2
COMMITS: Final = 25
BOTS: Final = ("bot:random@1", "bot:greedy@2")
CLOCK, PROCESSOR = "esporles_writer_longest_seconds{", "esporles_writer_longest_processor_seconds{"


async def play(client: Client, tokens: Sequence[str], path: str, count: int) -> None:
    """Play up to `count` actions or to the match's end, choosing among legal ones.

    Waits while the service has to act.
    """
    number, version = 0, 0
    while number < count:
        _, match = await client.ask("GET", f"{path}?atLeast={version}", token=tokens[0])
        if match["status"] != "running":
            return
        version = match["version"] + 1
        seat = max(match["toAct"])
        if seat < 0:
            continue
        _, legal = await client.ask("GET", f"{path}/legal-actions", token=tokens[seat])
        if not legal.get("actions"):
            continue
        number += 1
        actions = legal["actions"]
        content = {"expectedVersion": legal["version"], "action": actions[number % len(actions)]["action"]}
        _, match = await client.ask("POST", f"{path}/actions", content, tokens[seat])
        version = match.get("version", version)


async def use_a_table(client: Client, tokens: Sequence[str]) -> None:
    """Run every command of a table, forks up to the greatest depth, a study and a dispute."""
    match = await open_match(client, Seating(default_title(TITLES).name, tokens[0], tuple(tokens)))
    path = f"/api/matches/{match['matchId']}"
    await play(client, tokens, path, ACTIONS)
    _, match = await client.ask("GET", path, token=tokens[0])
    await client.ask("POST", f"{path}/take-backs", {"toVersion": match["version"] - 1}, tokens[0])
    for token in tokens:
        await client.ask("POST", f"{path}/pause", {}, token)
    await client.ask("DELETE", f"{path}/pause", token=tokens[0])
    disputed = {"entry": match["version"] - 1, "reason": "That was wrong."}
    _, dispute = await client.ask("POST", f"{path}/disputes", disputed, tokens[0])
    await client.ask("DELETE", f"/api/disputes/{dispute['id']}", token=tokens[0])
    await client.ask("POST", f"{path}/resignation", {}, tokens[1])
    _, study = await client.ask("POST", f"{path}/annotations", {"title": "Bench"}, tokens[0])
    comment = {"entry": match["version"] - 1, "text": "Here."}
    await client.ask("POST", f"/api/studies/{study['id']}/comments", comment, tokens[0])
    version = match["version"]
    for _ in range(DEPTH_MAX):
        status, fork = await client.ask("POST", f"{path}/forks", {"at": version, "luck": "fresh"}, tokens[0])
        assert status == 201, fork
        path, version = f"/api/matches/{fork['matchId']}", fork["version"]
        # People may fork ended matches only.
        await client.ask("POST", f"{path}/resignation", {}, tokens[0])


async def run_events(client: Client, token: str) -> None:
    """Run a tournament of bots up to its first pairing, and a league up to the draw."""
    plan = {"name": "Bench", "title": default_title(TITLES).name}
    _, event = await client.ask("POST", "/api/tournaments", {"plan": plan}, token)
    path = f"/api/tournaments/{event['eventId']}"
    await client.ask("POST", f"{path}/entries", {"bot": "random", "count": ENTRANTS}, token)
    await client.ask("POST", f"{path}/pairings", {}, token)
    await client.ask("POST", f"{path}/announcements", {"text": "Soon."}, token)
    _, league = await client.ask("POST", "/api/leagues", {"plan": plan}, token)
    path = f"/api/leagues/{league['leagueId']}"
    await client.ask("POST", f"{path}/seasons", {"name": "2026"}, token)
    for bot in BOTS:
        await client.ask("POST", f"{path}/entries", {"player": bot}, token)
    await client.ask("POST", f"{path}/draw", {}, token)


def slowest_commands(service: ServiceAddress) -> dict[str, CommandTime]:
    """Return the slowest command of each name, from the service's metrics."""
    lines = fetch(service, "GET", "/api/metrics").decode().splitlines()
    processor = gauges(lines, PROCESSOR)
    return {name: CommandTime(seconds, processor[name]) for name, seconds in gauges(lines, CLOCK).items()}


def gauges(lines: Sequence[str], gauge: str) -> dict[str, float]:
    """Return the values of a gauge by its only label; `gauge` is its name with the opening brace."""
    values: dict[str, float] = {}
    for line in lines:
        if line.startswith(gauge):
            name, _, value = line.rpartition(" ")
            values[json.loads(name.removeprefix(gauge).removesuffix("}").partition("=")[2])] = float(value)
    return values


async def run_commands(url: str) -> None:
    """Run all commands against the service."""
    client = Client(url)
    tokens = await create_accounts(client, PLAYERS)
    await use_a_table(client, tokens)
    await run_events(client, tokens[0])
    client.close()


def commit_seconds() -> float:
    """Return the seconds of a one-row commit with the log's durability settings."""
    with TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "bare.db")) as database:
        write_ahead(database)
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE rows (row BLOB)")
        database.commit()

        def commit() -> None:
            database.execute("INSERT INTO rows VALUES (zeroblob(1000))")
            database.commit()

        return typical_seconds(commit, COMMITS)


def figures(times_by_command: Mapping[str, CommandTime], commit: float) -> tuple[Figure, ...]:
    """Return the row of a bare commit and one per kind of command, slowest first; all have the same budget.

    The budget covers the processor time of the command plus a commit. The rest of the elapsed time is due to other
    processes.
    """
    slowest_first = sorted(times_by_command.items(), key=lambda each: (-each[1].processor, each[0]))
    return (
        Figure("a bare commit", milliseconds(commit)),
        *(
            Figure(
                name,
                f"{milliseconds(times.processor)} CPU time, {milliseconds(times.seconds)} wall time",
                f"< {BUDGET * 1000:.0f} ms with a commit",
                times.processor + commit < BUDGET,
                f"{(times.processor + commit) / BUDGET:.2f}×",
            )
            for name, times in slowest_first
        ),
    )


def section() -> Section:
    """Measure the commands of tables, studies, disputes and events through the service, and of whole matches."""
    with TemporaryDirectory() as folder, service_in(Path(folder)) as service:
        asyncio.run(run_commands(service.url))
        address = find_address(Path(folder))
        assert address is not None
        times_by_command = slowest_commands(address)
    return Section(
        "Writer: longest command of each kind", figures({**times_by_command, **whole_matches()}, commit_seconds())
    )
