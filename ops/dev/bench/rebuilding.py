"""Rebuild the read models of many bot matches on all processors, and measure disk space of log and read models."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Final

from eventsourcing.persistence import JSONTranscoder, StoredEvent

from domain.eventstore.mapper import ENTRY_TOPIC, MatchMapper, plain_state
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from ops.dev.bench.figures import Figure, Section, seconds, typical_seconds
from ops.dev.bench.match_log import cached_log, play_match
from ops.progress import progress
from ops.rebuilding import Fold, in_several
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.range_folding import fold_range
from projections.rebuild import rebuild

MATCHES: Final = 200
"""Default number of matches."""
FOLLOWED: Final = 40
"""Number of matches projected live for comparison."""
MILLION: Final = 1_000_000
REBUILD_BUDGET_SECONDS: Final = 180
BYTES_BUDGET: Final = 300_000
SMALL: Final = 500
"""Tables with fewer bytes per match are not listed."""
ZIPPED: Final = 20
"""Number of matches whose entries are compressed separately."""


def folding(log: Path) -> Fold:
    """Return the function that one process runs."""
    return partial(fold_range, log=open_store(store_env(log)))


def rebuild_figures(log: Path, reads_file: Path, jobs: int) -> tuple[Figure, ...]:
    """Measure the rebuild in several processes, relative to live projection of a smaller log by one process."""
    live_entries_rate = live_rate(jobs)
    with closing(open_store(store_env(log))) as matches, closing(ReadStore(reads_file)) as store:
        entries = matches.last_position()
        fold_all = partial(in_several, partial(folding, log), jobs)
        with progress("rebuilding: entries", entries) as step:
            elapsed = seconds(lambda: rebuild(sorted(PROJECTIONS), matches, store, step, fold_all=fold_all))
    seconds_per_million = elapsed * MILLION / entries
    return (
        Figure(
            f"rebuild of {len(PROJECTIONS)} read models, {entries:,} entries, {jobs} processes",
            f"{elapsed:.1f} s; {seconds_per_million:.0f} s at a million entries",
            f"< {REBUILD_BUDGET_SECONDS} s at a million",
            seconds_per_million < REBUILD_BUDGET_SECONDS,
            f"{entries / elapsed / live_entries_rate:.1f}× following live ({live_entries_rate:,.0f} entries/s)",
        ),
    )


def live_rate(jobs: int) -> float:
    """Return the entries per second that one process projects live."""
    with TemporaryDirectory() as folder:
        log = cached_log(FOLLOWED, lambda _: None, jobs)
        with closing(open_store(store_env(log))) as matches, closing(ReadStore(Path(folder) / "reads.db")) as store:
            loop = FollowerLoop(matches, store, tuple(PROJECTIONS.values()))
            return matches.last_position() / seconds(loop.catch_up)


def sizes(file: Path) -> Mapping[str, int]:
    """Return the bytes of values by table, and the file's size under the empty key."""
    with closing(sqlite3.connect(file)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        sizes_by_table = {"": file.stat().st_size}
        for table in tables:
            columns = [str(row[1]) for row in database.execute(f"PRAGMA table_info({table})")]
            size = " + ".join(f"COALESCE(LENGTH({column}), 0)" for column in columns)
            sizes_by_table[table] = database.execute(f"SELECT COALESCE(SUM({size}), 0) FROM {table}").fetchone()[0]  # noqa: S608
        return sizes_by_table


def storage_figures(log: Path, reads: Path, matches: int) -> tuple[Figure, ...]:
    """Return the bytes per match, in total and for each table of `SMALL` bytes or more, largest first."""
    log_sizes, reads_sizes = sizes(log), sizes(reads)
    each = (log_sizes[""] + reads_sizes[""]) / matches
    rows = [
        Figure(f"… the values of {table}", f"{size / matches:,.0f} bytes")
        for table, size in sorted({**log_sizes, **reads_sizes}.items(), key=lambda item: -item[1])
        if table and size / matches >= SMALL
    ]
    summary = f"{each:,.0f} bytes: log {log_sizes[''] / matches:,.0f}, read models {reads_sizes[''] / matches:,.0f}"
    return (Figure("storage of a match", summary, f"< {BYTES_BUDGET:,}", each < BYTES_BUDGET), *rows)


def compression_figures() -> tuple[Figure, ...]:
    """Measure the cost of compression when an entry is stored and read."""
    mapper = MatchMapper(JSONTranscoder())
    entries = [entry for number in range(ZIPPED) for entry in play_match(number)]
    plain_events = [StoredEvent(entry.line_id, entry.version, ENTRY_TOPIC, plain_state(entry)) for entry in entries]
    zipped_events = [mapper.to_stored_event(entry) for entry in entries]
    figures = []
    for label, run_plain, run_zipped in (
        ("stored", lambda: [plain_state(entry) for entry in entries], lambda: [*map(mapper.to_stored_event, entries)]),
        (
            "read",
            lambda: [*map(mapper.to_domain_event, plain_events)],
            lambda: [*map(mapper.to_domain_event, zipped_events)],
        ),
    ):
        seconds_plain, seconds_zipped = (
            typical_seconds(function) / len(entries) for function in (run_plain, run_zipped)
        )
        figures.append(
            Figure(
                f"an entry {label}, compressed",
                f"{seconds_zipped * 1e6:.1f} µs; {seconds_plain * 1e6:.1f} µs without",
                ratio=f"{seconds_zipped / seconds_plain:.2f}× the same without",
            )
        )
    return tuple(figures)


def compact(file: Path, target: Path) -> Path:
    """Copy a database without its free pages, and return the path of the copy."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("VACUUM INTO ?", (str(target),))
    return target


def section(matches: int = MATCHES) -> Section:
    """Measure the rebuild, storage and compression."""
    jobs = os.cpu_count() or 1
    with progress("matches played, once", matches) as step:
        cached = cached_log(matches, step, jobs)
    with TemporaryDirectory() as folder:
        log, reads = Path(copyfile(cached, Path(folder) / "log.db")), Path(folder) / "reads.db"
        rebuilt = rebuild_figures(log, reads, jobs)
        stored = storage_figures(compact(log, Path(folder) / "l.db"), compact(reads, Path(folder) / "r.db"), matches)
    return Section("Rebuild and storage", (*rebuilt, *stored, *compression_figures()))
