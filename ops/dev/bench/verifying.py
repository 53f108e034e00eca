"""Speed of log verification: whole matches per second of one processor, and files made to be expensive."""

import time
from collections.abc import Callable
from datetime import timedelta
from itertools import cycle, islice
from statistics import median
from typing import Final

import msgspec

from domain.kernel.loading import find_part
from domain.kernel.title import AnyTitle, default_title
from domain.kernel.values import replace
from domain.matches.log.entries import Entry, digest
from domain.matches.log.log_files import FILE_MAX, log_bytes, log_of
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.proofs.match import verify_content
from domain.titles import TITLES
from ops.dev.bench.figures import RUNS, Figure, Section
from workers.bots import BOTS

MATCHES: Final = 20
HOSTILE_BUDGET: Final = 2.0
REASON: Final = 370
"""Length of a padding text, chosen so that a file of the largest size has almost the greatest allowed number of
entries.
"""


def logs_of(title: AnyTitle, count: int = MATCHES) -> tuple[bytes, ...]:
    """Return logs of random bots, cycling through the numbers of players."""
    kind = BOTS["random"]
    return tuple(
        log_bytes(log_of(play_to_end(table, {kind.actor: kind.choose}).entries))
        for number, players in enumerate(islice(cycle(title.players), count))
        for table in [table_of_bots(title, (kind.actor,) * players, {}, seeded_origins(f"verify/{number}".encode()))]
    )


def processor_seconds(function: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median processor time of several runs of this process; other processes do not affect it."""

    def run() -> float:
        started = time.process_time()
        function()
        return time.process_time() - started

    return median(run() for _ in range(runs))


def verify_all(logs: tuple[bytes, ...]) -> None:
    """Verify logs; raise `AssertionError` if one is invalid."""
    for log in logs:
        assert verify_content(log).is_good, "a match of bots has a true log"


def rate_figure(title: AnyTitle) -> Figure:
    """Measure logs per second of one processor, against the title's floor if it sets one."""
    logs = logs_of(title)
    entries = sum(log.count(b"\n") - 1 for log in logs) // len(logs)
    rate = len(logs) / processor_seconds(lambda: verify_all(logs))
    label, absolute = f"{title.name}: logs of {entries} entries", f"{rate:,.1f} per CPU second"
    bounds: tuple[int, int] | None = find_part(f"ops.dev.titles.{title.name}.bench", "VERIFY_FLOOR")
    if bounds is None:
        return Figure(label, absolute)
    floor, target = bounds
    return Figure(label, absolute, f"≥ {floor}, aim {target}", rate >= floor, f"{rate / target:.2f}× the aim")


def largest_log() -> bytes:
    """Return a log of the largest size whose hash chain is valid but whose second entry breaks the rules."""
    title, actor = default_title(TITLES), BOTS["random"].actor
    first = table_of_bots(title, (actor,) * title.players.start, {}, seeded_origins(b"largest")).entries[0]
    body = msgspec.Raw(b'{"type":"voided","by":"service","reason":"' + b"x" * REASON + b'"}')
    entries: list[Entry] = [first]
    size = len(log_bytes(log_of(entries)))
    line_size = len(log_bytes(log_of([first, next_entry(entries, body)]))) - size
    entries += [next_entry(entries, body)]
    for _ in range((FILE_MAX - size) // (line_size + 16)):
        entries.append(next_entry(entries, body))
    return log_bytes(log_of(entries))


def next_entry(entries: list[Entry], body: msgspec.Raw) -> Entry:
    """Return the entry with this body that continues the chain, a second after the last one."""
    last = entries[-1]
    timestamp, version = last.timestamp + timedelta(seconds=1), last.version + 1
    return replace(
        last, originator_version=version, timestamp=timestamp, previous=digest(last), body=body, secrets=(), stream=None
    )


def hostile_figure() -> Figure:
    """Measure the largest file whose every line must be read."""
    content = largest_log()
    elapsed, count = processor_seconds(lambda: verify_content(content), 3), content.count(b"\n") - 1
    return Figure(
        f"a false log of {len(content) / 2**20:.0f} MB, {count:,} entries",
        f"{elapsed:.2f} s",
        f"< {HOSTILE_BUDGET:.0f} s",
        elapsed < HOSTILE_BUDGET,
    )


def section() -> Section:
    """Measure all titles and the largest invalid file."""
    return Section("Verify", (*(rate_figure(TITLES[title]) for title in sorted(TITLES)), hostile_figure()))
