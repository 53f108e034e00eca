"""A whole tournament of bots through a real service: store, workers, followers; nothing lost, nothing counted twice."""

import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from ops.console import Finding
from ops.door import ServiceAddress, ask, find_address
from ops.throwaway import service_in

LOOK_SECONDS: Final = 0.5
SILENT_SECONDS_MAX: Final = 600.0
"""When nothing has ended for so long, something is stuck."""


class Moment(msgspec.Struct, frozen=True):
    """How far the tournament is: rounds from 1, tables of this round that are over, matches over of all there will
    be."""

    round: int
    rounds: int
    tables_over: int
    tables: int
    matches_over: int
    matches: int
    matches_per_minute: float


Told = Callable[[Moment], None]
"""Called whenever another match is over."""


class StandingRow(msgspec.Struct, frozen=True):
    """A row of the final standings."""

    rank: int
    name: str
    points: str
    played: int
    wins: int


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """How the tournament went. `lost` and `doubled` name what is wrong, and are empty."""

    event: str
    title: str
    players: int
    rounds: int
    matches: int
    entries: int
    seconds: float
    matches_per_minute: float
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    standings: tuple[StandingRow, ...]


@contextmanager
def throwaway_service(workers: int) -> Iterator[ServiceAddress]:
    """A service on a folder of its own, gone afterwards."""
    with TemporaryDirectory(prefix="esporles-event-") as folder, service_in(Path(folder), workers=workers):
        door = find_address(Path(folder))
        if door is None:
            raise Finding("the service does not answer at its private socket")
        yield door


def ask_service(door: ServiceAddress, method: str, path: str, wanted: Any = None) -> Any:
    """One request about tournaments, and its answer."""
    body = None if wanted is None else msgspec.json.encode(wanted)
    answer = ask(door, method, f"/api{path}", body)
    return json.loads(answer) if answer else None


def simulate(
    door: ServiceAddress,
    plan: Mapping[str, Any],
    bots: tuple[str, ...],
    players: int,
    told: Told = lambda _moment: None,
) -> Simulated:
    """Plays the tournament through; the bots enter in turn."""
    rounds = sum(stage["rounds"] for stage in plan["stages"])
    tables = -(-players // plan["size"])
    event = ask_service(door, "POST", "/tournaments", {"plan": {**plan, "auto": True}})["eventId"]
    path = f"/tournaments/{event}"
    for at, bot in enumerate(bots):
        share = players // len(bots) + (at < players % len(bots))
        if share:
            ask_service(door, "POST", f"{path}/entries", {"bot": bot, "count": share})
    begun = time.monotonic()
    ask_service(door, "POST", f"{path}/pairings", {})
    over, since = 0, begun
    while True:
        time.sleep(LOOK_SECONDS)
        shown, now = ask_service(door, "GET", path), time.monotonic()
        for each in shown["rounds"]:
            if each["status"] == "failed":
                raise Finding(f"round {each['round']} could not be paired: {each['why']}")
        done = sum(table["status"] == "over" for each in shown["rounds"] for table in each["tables"])
        if done != over:
            over, since = done, now
            told(moment_of(shown["rounds"], rounds, tables * rounds, over, now - begun))
        if shown["status"] == "ended":
            break
        if now - since > SILENT_SECONDS_MAX:
            raise Finding(f"nothing has ended for {SILENT_SECONDS_MAX:.0f} s; {over} matches are over")
    seconds = time.monotonic() - begun
    return sum_up(door, event, plan, shown, players, seconds)


def moment_of(shown: Any, rounds: int, matches: int, over: int, seconds: float) -> Moment:
    """The newest round that anybody sits in, and how fast it goes."""
    last = next((each for each in reversed(shown) if each["tables"]), shown[-1])
    done = sum(table["status"] == "over" for table in last["tables"])
    return Moment(last["round"], rounds, done, len(last["tables"]), over, matches, round(60 * over / seconds, 1))


def sum_up(
    door: ServiceAddress,
    event: str,
    plan: Mapping[str, Any],
    shown: Any,
    players: int,
    seconds: float,
) -> Simulated:
    """The report, and the count of everything against everything else."""
    standings = ask_service(door, "GET", f"/tournaments/{event}/standings")["standings"]
    tables = [(each["round"], table) for each in shown["rounds"] for table in each["tables"]]
    ids = Counter(table["matchId"] for _, table in tables)
    lost = [f"table {table['table']} of round {number}" for number, table in tables if table["status"] != "over"]
    doubled = [f"the match {name} stands at {count} tables" for name, count in ids.items() if count > 1]
    entries = 0
    for number, table in tables:
        match = ask_service(door, "GET", f"/matches/{table['matchId']}")
        entries += match["version"]
        where = f"table {table['table']} of round {number}"
        if match["status"] != "ended" or match["scores"] != table["scores"] or match["ranking"] != table["places"]:
            lost.append(f"{where}: the match {table['matchId']} says something else than the standings")
    seats = Counter(name for each in shown["rounds"] for table in each["tables"] for name in table["entries"])
    for row in standings:
        if row["played"] != seats[row["entry"]]:
            wrong = lost if row["played"] < seats[row["entry"]] else doubled
            wrong.append(f"{row['name']} sat at {seats[row['entry']]} tables; {row['played']} count")
        if row["played"] + row["byes"] != len(shown["rounds"]):
            lost.append(f"{row['name']} has {row['played']} tables and {row['byes']} byes")
    return Simulated(
        event=event,
        title=plan["title"],
        players=players,
        rounds=len(shown["rounds"]),
        matches=len(tables),
        entries=entries,
        seconds=round(seconds, 1),
        matches_per_minute=round(60 * len(tables) / seconds, 1),
        lost=tuple(lost),
        doubled=tuple(doubled),
        standings=tuple(
            StandingRow(row["rank"], row["name"], row["points"], row["played"], row["wins"]) for row in standings
        ),
    )


def plan_of(
    title: str, rounds: int, size: int, options: Mapping[str, str], seed: int | None, name: str = "Simulated event"
) -> dict[str, Any]:
    """A Swiss at tables."""
    return {
        "name": name,
        "title": title,
        "options": dict(options),
        "size": size,
        "table": {"public": True},
        "stages": [{"kind": "swiss", "rounds": rounds}],
        "seed": secrets.randbelow(2**31) if seed is None else seed,
    }
