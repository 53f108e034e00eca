"""The examination after all faults: the journal against the logs, every log, the read models, and the tree."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from domain.proofs.match import verify_content
from ops.dev.load.checking import Comparison, check, collect
from ops.dev.load.client import Client
from ops.stores import open_matches
from ops.temporary_service import ROOT
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.settings import Settings, variables
from projections.platform.store import ReadStore
from projections.rebuild import rebuild

PATIENCE_SECONDS: Final = 60.0


def compare_logs(urls: Sequence[str], journal: Path) -> tuple[Comparison, list[str]]:
    """Compare the journal with the logs and verify each log; return the comparison and the faults of logs."""
    checked = asyncio.run(check(urls, journal, PATIENCE_SECONDS))
    return checked, asyncio.run(verify_logs(urls, collect(journal).matches))


async def verify_logs(urls: Sequence[str], match_ids: Iterable[str]) -> list[str]:
    """Verify the public log of each match; return a sentence for each invalid or unavailable one."""
    client, faults = Client(urls, patience=PATIENCE_SECONDS), list[str]()
    for match_id in match_ids:
        status, content = await client.ask("GET", f"/api/matches/{match_id}/log", decode=False)
        if status != 200:
            faults.append(f"match {match_id}: its log returned {status}")
            continue
        report = verify_content(content)
        if not report.is_good:
            faults.append(f"match {match_id}: {report.fault}")
    client.close()
    return faults


def compare_read_models(settings: Settings) -> list[str]:
    """Let the read models catch up, rebuild them, and return a sentence for each table that differs.

    The service must be stopped; the rebuilt models stay.
    """
    with open_matches(settings, to_write=False) as matches, closing(ReadStore(settings.reads_url)) as read_store:
        FollowerLoop(matches, read_store, tuple(PROJECTIONS.values())).catch_up()
        old = rows(read_store)
        rebuild(sorted(PROJECTIONS), matches, read_store)
        new = rows(read_store)
    return [
        f"read model {name}, table {table}: {len(old[name, table])} rows, {len(new[name, table])} after a rebuild"
        for name, table in old
        if old[name, table] != new[name, table]
    ]


def rows(read_store: ReadStore) -> dict[tuple[str, str], list[str]]:
    """Return the rows of every table of every projection as sorted text, by (projection, table)."""
    rows_by_table = dict[tuple[str, str], list[str]]()
    for name, projection in PROJECTIONS.items():
        for table in projection.TABLES:
            rows_by_table[name, table] = sorted(map(repr, read_store.rows(f"SELECT * FROM {table}")))  # noqa: S608  # our own name
    return rows_by_table


def audit_store(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """Run `esporles audit store`; return its output, cut, as the only item if it fails, else an empty list."""
    command = [sys.executable, "-m", "ops.cli", "audit", "store", "--data", str(settings.data), "--json"]
    audit_environment = dict(environment) | variables(store=settings.store_url)
    result = subprocess.run(command, cwd=ROOT, env=audit_environment, capture_output=True, text=True, check=False)
    return [] if result.returncode == 0 else [f"audit store: {(result.stdout or result.stderr).strip()[:2_000]}"]


class Examination(msgspec.Struct, frozen=True):
    """The result of an examination; `faults` is empty if all is well."""

    checked: Comparison
    faults: tuple[str, ...]


def examine(
    urls: Sequence[str], stop: Callable[[], None], settings: Settings, environment: Mapping[str, str], journal: Path
) -> Examination:
    """Compare logs, stop the service, then compare the read models and audit the store; return all faults."""
    checked, faults = compare_logs(urls, journal)
    stop()
    faults = [*checked.faults, *faults, *compare_read_models(settings), *audit_store(settings, environment)]
    return Examination(checked, tuple(faults))
