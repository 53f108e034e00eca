"""`esporles status`: show the state of the running service in the terminal, from the metrics of its processes."""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.live import Live

from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.service_client import find_address
from ops.status.report import Report, report
from ops.status.scraping import Scrape, scrape
from ops.status.screen import screen
from ops.stores import read_settings
from projections.platform.setting_values import split_listener

SECONDS: Final = 2.0
SECONDS_MAX: Final = 3_600.0

Sleep = Callable[[float], None]


def arguments(parser: ArgumentParser) -> None:
    """Add `--data`, `--at NAME=ADDRESS` (repeatable), `--seconds` (2 by default) and `--once`."""
    add_data_option(parser)
    parser.add_argument(
        "--at", action="append", default=[], metavar="NAME=ADDRESS",
        help="metrics address of a process on another host, HOST:PORT or unix:///path; may be repeated",
    )  # fmt: skip
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"refresh interval (default: {SECONDS:.0f})")
    parser.add_argument("--once", action="store_true", help="print one report and exit; implied by --json")


def addresses_of(arguments: Namespace) -> tuple[str, dict[str, str]]:
    """Return the data folder as text, "" if no service runs there, and the metrics address of each process.

    Raises `WrongUsage` for an `--at` of another form, `Finding` without a running service and any `--at`.
    """
    addresses = dict[str, str]()
    for text in arguments.at:
        name, sign, address = text.partition("=")
        try:
            split_listener(address)
        except ValueError as fault:
            raise WrongUsage(f"invalid --at {text!r}: expected NAME=HOST:PORT or NAME=unix:///path") from fault
        if not sign or not name:
            raise WrongUsage(f"invalid --at {text!r}: expected NAME=HOST:PORT or NAME=unix:///path")
        addresses[name] = address
    data: Path = read_settings(arguments).data
    service = find_address(data)
    if service is None and not addresses:
        raise Finding(f"no service is running on {data}")
    return (str(data) if service is not None else "", (service.metrics if service is not None else {}) | addresses)


def reports(
    addresses: dict[str, str], seconds: float, sleep: Sleep, previous: Scrape | None = None
) -> tuple[Scrape, Report]:
    """Scrape, rest for `seconds`, scrape again; return the second scrape and the report of the interval.

    With `previous` the first scrape is skipped.
    """
    previous = previous or scrape(addresses)
    sleep(seconds)
    after = scrape(addresses)
    return after, report(previous, after)


def run(arguments: Namespace, sleep: Sleep = time.sleep) -> int:
    """Show the state of the service live until interrupted; with `--once` or `--json` print one report and return.

    One report returns `NEGATIVE` if a problem needs attention. Raises `WrongUsage` if `--seconds` is out of bounds,
    `Finding` if no service runs and no `--at` is given.
    """
    if not 0 < arguments.seconds <= SECONDS_MAX:
        raise WrongUsage(f"invalid --seconds {arguments.seconds}: expected more than 0 and at most {SECONDS_MAX:.0f}")
    source, addresses = addresses_of(arguments)
    last, latest_report = reports(addresses, arguments.seconds, sleep)
    if arguments.json:
        result_writer(as_json=True)(latest_report, "")
        return NEGATIVE if latest_report.attention else SUCCESS
    console = Console(width=None if os.isatty(1) else 120)
    if arguments.once:
        console.print(screen(latest_report, source))
        return NEGATIVE if latest_report.attention else SUCCESS
    with Live(screen(latest_report, source), console=console, screen=True, auto_refresh=False) as display:
        while True:
            last, latest_report = reports(addresses, arguments.seconds, sleep, last)
            display.update(screen(latest_report, source), refresh=True)
