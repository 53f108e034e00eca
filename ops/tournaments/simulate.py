"""A whole tournament of bots on a real service, with a check that nothing is lost or counted twice.

An event is identified by its content, so the service creates it once even if its command is killed and repeated.
"""

import hashlib
import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from ops.console import Finding
from ops.service_client import ServiceAddress, fetch

LOOK_SECONDS: Final = 0.5
SILENT_SECONDS_MAX: Final = 600.0
"""Seconds without a finished match after which the event counts as stuck."""


class Moment(msgspec.Struct, frozen=True):
    """The progress of a tournament: current round from 1, finished tables in it, and finished matches in total."""

    round: int
    rounds: int
    tables_over: int
    tables: int
    matches_over: int
    matches: int
    matches_per_minute: float


OnProgress = Callable[[Moment], None]
"""Called whenever another match is over."""


class StandingRow(msgspec.Struct, frozen=True):
    """A row of the final standings."""

    rank: int
    name: str
    points: str
    played: int
    wins: int


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a simulated tournament; `lost` and `doubled` describe faults and should be empty."""

    event: str
    seed: int
    title: str
    players: int
    rounds: int
    matches: int
    taken_up: int
    """Matches that were already over when this command started."""
    entries: int
    seconds: float
    """Duration of this command, which is the basis of the pace."""
    matches_per_minute: float
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    standings: tuple[StandingRow, ...]


def ask_service(service: ServiceAddress, method: str, path: str, content: object = None, *, key: str = "") -> Any:
    """Send a request to the API and return the decoded response, None if empty; raise `Finding` if it is refused.

    Requests with the same `key` create an object once.
    """
    body = None if content is None else msgspec.json.encode(content)
    response = fetch(service, method, f"/api{path}", body, key=key)
    return json.loads(response) if response else None


def name_of(plan: Mapping[str, Any], bots: tuple[str, ...], players: int) -> str:
    """Return the identity of an event, derived from all its parameters."""
    return hashlib.sha256(msgspec.json.encode((plan, bots, players), order="sorted")).hexdigest()


def simulate(
    service: ServiceAddress,
    plan: Mapping[str, Any],
    bots: tuple[str, ...],
    players: int,
    on_progress: OnProgress = lambda _moment: None,
) -> Simulated:
    """Create the tournament or take it up, play it to its end with bots in equal shares, and check its results.

    `on_progress` gets the progress. Raises `Finding` if a round cannot be paired, or nothing ends for
    `SILENT_SECONDS_MAX`.
    """
    rounds = sum(stage["rounds"] for stage in plan["stages"])
    tables = -(-players // plan["size"])
    key = f"simulate/{name_of(plan, bots, players)}"
    event_view = ask_service(service, "POST", "/tournaments", {"plan": {**plan, "auto": True}}, key=key)
    event = event_view["eventId"]
    path = f"/tournaments/{event}"
    begin(service, path, event_view, bots, players)
    started = since = time.monotonic()
    over_before = over_count = tables_over(event_view)
    while True:
        time.sleep(LOOK_SECONDS)
        event_view, now = ask_service(service, "GET", path), time.monotonic()
        for each in event_view["rounds"]:
            if each["status"] == "failed":
                raise Finding(f"cannot pair round {each['round']}: {each['why']}")
        over_now = tables_over(event_view)
        if over_now != over_count:
            over_count, since = over_now, now
            matches_per_minute = round(60 * (over_count - over_before) / (now - started), 1)
            on_progress(moment_of(event_view["rounds"], rounds, tables * rounds, over_count, matches_per_minute))
        if event_view["status"] == "ended":
            break
        if now - since > SILENT_SECONDS_MAX:
            raise Finding(f"no match ended in {SILENT_SECONDS_MAX:.0f} s; {over_count} matches are over")
    seconds = time.monotonic() - started
    return sum_up(service, event, plan, event_view, players, over_before, seconds)


def begin(service: ServiceAddress, path: str, event_view: Any, bots: tuple[str, ...], players: int) -> None:
    """Enter the bots and ask for the first pairing, unless a killed command has done so.

    Each bot's entries are one request, and the event is automatic from the first pairing. Raises `Finding` if refused.
    """
    entered_count = 0
    for index, bot in enumerate(bots):
        share = players // len(bots) + (index < players % len(bots))
        entered_count += share
        if share and len(event_view["entries"]) < entered_count:
            ask_service(service, "POST", f"{path}/entries", {"bot": bot, "count": share})
    if not event_view["rounds"]:
        ask_service(service, "POST", f"{path}/pairings", {})


def tables_over(event_view: Any) -> int:
    """Return the number of finished tables of all rounds."""
    return sum(table["status"] == "over" for each in event_view["rounds"] for table in each["tables"])


def moment_of(round_views: Any, rounds: int, matches: int, over_count: int, matches_per_minute: float) -> Moment:
    """Return the progress in the latest round with tables."""
    last = next((each for each in reversed(round_views) if each["tables"]), round_views[-1])
    over_in_round = sum(table["status"] == "over" for table in last["tables"])
    return Moment(last["round"], rounds, over_in_round, len(last["tables"]), over_count, matches, matches_per_minute)


def sum_up(
    service: ServiceAddress,
    event: str,
    plan: Mapping[str, Any],
    event_view: Any,
    players: int,
    over_before: int,
    seconds: float,
) -> Simulated:
    """Build the report and compare tables, matches and standings; differences are listed as lost or doubled.

    `over_before` is the number of matches that were over before this command. Raises `Finding` if the service refuses.
    """
    standings = ask_service(service, "GET", f"/tournaments/{event}/standings")["standings"]
    tables = [(each["round"], table) for each in event_view["rounds"] for table in each["tables"]]
    ids = Counter(table["matchId"] for _, table in tables)
    lost = [f"table {table['table']} of round {number}" for number, table in tables if table["status"] != "over"]
    doubled = [f"match {name} belongs to {count} tables" for name, count in ids.items() if count > 1]
    entries = 0
    for number, table in tables:
        match = ask_service(service, "GET", f"/matches/{table['matchId']}")
        entries += match["version"]
        location = f"table {table['table']} of round {number}"
        if match["status"] != "ended" or match["scores"] != table["scores"] or match["ranking"] != table["places"]:
            lost.append(f"{location}: the result of match {table['matchId']} differs from the standings")
    seats = Counter(name for each in event_view["rounds"] for table in each["tables"] for name in table["entries"])
    for row in standings:
        if row["played"] != seats[row["entry"]]:
            problems = lost if row["played"] < seats[row["entry"]] else doubled
            problems.append(f"{row['name']} played {seats[row['entry']]} tables, but {row['played']} count")
        if row["played"] + row["byes"] != len(event_view["rounds"]):
            lost.append(f"{row['name']} has {row['played']} tables and {row['byes']} byes")
    return Simulated(
        event=event,
        seed=plan["seed"],
        title=plan["title"],
        players=players,
        rounds=len(event_view["rounds"]),
        matches=len(tables),
        taken_up=over_before,
        entries=entries,
        seconds=round(seconds, 1),
        matches_per_minute=round(60 * (len(tables) - over_before) / seconds, 1),
        lost=tuple(lost),
        doubled=tuple(doubled),
        standings=tuple(
            StandingRow(row["rank"], row["name"], row["points"], row["played"], row["wins"]) for row in standings
        ),
    )


def plan_of(
    title: str, rounds: int, size: int, options: Mapping[str, str], seed: int | None, name: str = "Simulated event"
) -> dict[str, Any]:
    """Return the plan of a public Swiss tournament; without a seed it gets a random one."""
    return {
        "name": name,
        "title": title,
        "options": dict(options),
        "size": size,
        "table": {"public": True},
        "stages": [{"kind": "swiss", "rounds": rounds}],
        "seed": secrets.randbelow(2**31) if seed is None else seed,
    }
