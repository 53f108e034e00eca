"""`esporles load`: simulate users of a running service, then compare its logs with a journal of acknowledgements."""

import asyncio
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from domain.kernel.title import default_title
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, result_writer, table
from ops.dev.bench.figures import milliseconds, percentile
from ops.dev.load.checking import Comparison, check
from ops.dev.load.client import NoResponse
from ops.dev.load.journal import Journal
from ops.dev.load.running import PATIENCE_SECONDS, Measured, Plan, run_plan
from ops.dev.load.tables import LoadEnded
from ops.players import players_of
from ops.temporary_service import service_in

T = TypeVar("T")

COUNT_MAX: Final = 100_000
PARTS: Final = (0.5, 0.95, 0.99)


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """The measurements of a load and the comparison of the logs; latencies in seconds by percentile."""

    urls: tuple[str, ...]
    plan: Plan
    seconds: float
    actions: int
    actions_per_second: float
    latencies: dict[str, float]
    refused: int
    entries_read: int
    streams_resumed: int
    statuses: dict[str, int]
    tries_again: int
    lost_answers: int
    slowest_away: float
    server_faults: dict[str, int]
    journal: str
    checked: Comparison


def arguments(parser: ArgumentParser) -> None:
    """Add URLs, the numbers of users and tables, pace and duration, `--title`, `--patience`, `--journal`, `--check`."""
    parser.add_argument("url", nargs="*", metavar="URL", help="URLs of the service (default: start a temporary one)")
    parser.add_argument("--people", type=int, default=4, help="number of players, each with an account")
    parser.add_argument("--seats", type=int, default=2, help="seats per table")
    parser.add_argument("--tables", type=int, help="number of tables with people (default: one seat per person)")
    parser.add_argument("--bots", type=int, default=0, help="number of bots, at separate tables")
    parser.add_argument("--spectators", type=int, default=0, help="number of spectators that read streams")
    parser.add_argument(
        "--organisers", type=int, default=0, help="number of organisers, each running events of four bots"
    )
    parser.add_argument("--rate", type=float, default=0.0, help="actions a second of all people; 0: no limit")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument(
        "--whole", action="store_true", help="use one request per action, with the legal actions in the response"
    )
    parser.add_argument("--title", choices=sorted(players_of(parser).titles), help="the game (default: the first)")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE_SECONDS, help="seconds during which failed requests are retried"
    )
    parser.add_argument("--journal", type=Path, help="file for the acknowledged actions (default: in a new folder)")
    parser.add_argument("--check", action="store_true", help="send nothing; compare the logs with --journal")


def plan_of(arguments: Namespace) -> Plan:
    """Return the plan of a command line; raise `WrongUsage` at the first unusable number.

    By default there are as many tables as the people fill. Bots play at separate tables.
    """
    numbers = ("people", "bots", "spectators", "organisers")
    for name in numbers:
        if not 0 <= getattr(arguments, name) <= COUNT_MAX:
            raise WrongUsage(f"invalid --{name} {getattr(arguments, name)}: expected a number from 0 to {COUNT_MAX:,}")
    if not any(getattr(arguments, name) for name in numbers):
        raise WrongUsage("nothing to simulate: --people, --bots, --spectators and --organisers are all 0")
    title = arguments.title or default_title(players_of(arguments).titles).name
    seats, seat_counts = arguments.seats, players_of(arguments).titles[title].players
    if seats not in seat_counts:
        raise WrongUsage(
            f"invalid --seats {seats}: expected a number from {min(seat_counts)} to {max(seat_counts)} for {title}"
        )
    for name in ("rate", "seconds", "patience"):
        if not (math.isfinite(value := getattr(arguments, name)) and value >= 0):
            raise WrongUsage(f"invalid --{name} {value}: expected a number of at least 0")
    tables = arguments.tables if arguments.tables is not None else arguments.people // seats
    if 0 < arguments.people < seats:
        raise WrongUsage(f"--people {arguments.people} is not enough for a table of {seats}")
    if not 0 <= tables <= COUNT_MAX or (tables and not arguments.people):
        raise WrongUsage(f"invalid --tables {tables}: expected a number from 0 to {COUNT_MAX:,}, with enough --people")
    if arguments.bots % seats:
        raise WrongUsage(f"--bots {arguments.bots} is not a multiple of {seats} seats")
    if arguments.spectators and not (tables or arguments.bots):
        raise WrongUsage("--spectators requires tables")
    return Plan(
        title=title,
        people=arguments.people,
        tables=tables,
        seats=seats,
        bot_tables=arguments.bots // seats,
        bots=("random",) * seats,
        spectators=arguments.spectators,
        organisers=arguments.organisers,
        rate=arguments.rate,
        seconds=arguments.seconds,
        is_whole=arguments.whole,
    )


def urls_of(arguments: Namespace) -> tuple[str, ...]:
    """Return the given addresses; raise `WrongUsage` unless all are http URLs with a host."""
    for url in arguments.url:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise WrongUsage(f"invalid URL {url!r}: expected an address such as http://127.0.0.1:8000")
    return tuple(arguments.url)


@contextmanager
def addresses(arguments: Namespace, folder: Path) -> Iterator[tuple[str, ...]]:
    """Provide the given addresses, or the address of a service started on `folder` for the load.

    Raises `WrongUsage` for a malformed address, `Finding` if the service does not start.
    """
    if urls := urls_of(arguments):
        yield urls
        return
    with service_in(folder) as started:
        yield (started.url,)


def run(arguments: Namespace) -> int:
    """Run a load, compare the logs, and print the report; return `NEGATIVE` on a fault. `--check` only compares.

    Raises `WrongUsage` for an unusable plan or a journal that exists, `Finding` if the service ends the load.
    """
    if arguments.check:
        return check_journal(arguments)
    plan = plan_of(arguments)
    urls_of(arguments)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="esporles-load-")))
        path = arguments.journal or folder / "journal.jsonl"
        if path.exists():
            raise WrongUsage(f"--journal {path} exists; use --check to compare it")
        urls = stack.enter_context(addresses(arguments, folder))
        with Journal(path) as journal:
            measured = result_of(lambda: asyncio.run(run_plan(urls, plan, journal, patience=arguments.patience)))
        checked = result_of(lambda: asyncio.run(check(urls, path, arguments.patience)))
    report = report_of(urls, plan, measured, checked, str(arguments.journal or ""))
    result_writer(arguments.json)(report, text(report))
    return NEGATIVE if checked.faults or report.server_faults else SUCCESS


def result_of(function: Callable[[], T]) -> T:
    """Return the result of `function`; raise `Finding` if the service does not respond or ends the load."""
    try:
        return function()
    except (NoResponse, LoadEnded) as fault:
        raise Finding(str(fault)) from fault


def check_journal(arguments: Namespace) -> int:
    """Compare the logs with an existing journal and print the comparison; return `NEGATIVE` on a fault.

    Raises `WrongUsage` without `--journal` or URL, `Finding` if the service does not respond.
    """
    if arguments.journal is None or not arguments.journal.exists():
        raise WrongUsage(f"--check requires an existing --journal, not {arguments.journal}")
    if not (urls := urls_of(arguments)):
        raise WrongUsage("--check requires the URL of the service")
    checked = result_of(lambda: asyncio.run(check(urls, arguments.journal, arguments.patience)))
    result_writer(arguments.json)(checked, table(rows_of(checked)))
    return NEGATIVE if checked.faults else SUCCESS


def report_of(urls: tuple[str, ...], plan: Plan, measured: Measured, checked: Comparison, journal: str) -> Report:
    """Create the report of a load; percentiles of latencies are left out if there were no actions."""
    latencies = measured.latencies
    return Report(
        urls=urls,
        plan=plan,
        seconds=round(measured.seconds, 3),
        actions=measured.actions,
        actions_per_second=round(measured.actions / measured.seconds, 1) if measured.seconds else 0.0,
        latencies={f"{part:.0%}": round(percentile(latencies, part), 6) for part in PARTS} if latencies else {},
        refused=measured.refused,
        entries_read=measured.entries_read,
        streams_resumed=measured.streams_resumed,
        statuses=measured.statuses,
        tries_again=measured.tries_again,
        lost_answers=measured.lost,
        slowest_away=round(measured.slowest_away, 3),
        server_faults=measured.faults,
        journal=journal,
        checked=checked,
    )


def text(report: Report) -> str:
    """Format the report as a table: the load first, then the comparison."""
    share = ", ".join(f"{part} within {milliseconds(value)}" for part, value in report.latencies.items()) or "-"
    rate_text = f"{report.actions_per_second:,.1f}/s"
    rows = [
        ("service", ", ".join(report.urls)),
        ("actions", f"{report.actions:,} in {report.seconds:,.1f} s, {rate_text}; {share}"),
        ("refused", f"{report.refused:,}"),
        ("answers", ", ".join(f"{count:,} × {status}" for status, count in report.statuses.items()) or "none"),
        ("lost responses", f"{report.lost_answers:,}, {report.tries_again:,} retries"),
        ("streams", f"{report.entries_read:,} entries read, {report.streams_resumed:,} reconnects"),
        *rows_of(report.checked),
    ]
    rows += [("server error", f"{count:,} × {fault}") for fault, count in report.server_faults.items()]
    return table(rows)


def rows_of(checked: Comparison) -> list[tuple[str, ...]]:
    """Return the rows of a comparison, with one row per fault, or a row that there is none."""
    return [
        ("acknowledged", f"{checked.acknowledged:,} actions, {checked.announced:,} announcements"),
        ("unknown", f"{checked.unknown:,} actions, of which {checked.unknown_taken:,} were stored"),
        ("logs", f"{checked.matches:,} matches, {checked.entries:,} entries, {checked.streams:,} streams compared"),
        ("heads", checked.heads),
        *([("fault", each) for each in checked.faults] or [("faults", "none")]),
    ]
