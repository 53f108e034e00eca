"""Inject faults one after the other under load, and report a line for each."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.faulting.examination import Examination, examine
from ops.dev.faulting.faults import FAULTS, Scene, faults_for
from ops.dev.faulting.loading import BackgroundLoad
from ops.dev.faulting.machine import NotAllowed, NotRecovered
from ops.dev.load.checking import collect
from ops.dev.load.client import NoResponse
from ops.dev.load.journal import Journal
from ops.dev.load.running import Plan
from projections.platform.settings import Settings

CALM_ACTIONS: Final = 5
"""Number of accepted actions to wait for after a fault, before the next."""
RECOVERY_SECONDS: Final = 90.0
"""Longer than every lease of a duty and every retry interval."""
AWAY_SECONDS: Final = 2.0
"""Longest time to a response that reports an outage, apart from the machine's own delay (`SLOW_FACTOR`)."""
SLOW_FACTOR: Final = 2.0
VICTIM_ACTIONS: Final = 12

Say = Callable[[str], None]


class FaultReport(msgspec.Struct, frozen=True, rename="camel"):
    """One fault and its observed effects; times in seconds."""

    fault: str
    said: str
    lasted: float
    back: float
    """From the fault's end until actions were accepted again."""
    acknowledged: int
    slowest_away: float
    wrong: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True, rename="camel"):
    """The result of a whole run."""

    seed: str
    happened: tuple[FaultReport, ...]
    ending: Examination | None
    wrong: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Return whether nothing was found wrong."""
        return not self.wrong and self.ending is not None and not self.ending.faults


def plan_for(people: int, rate: float, spectators: int, organisers: int, bot_tables: int) -> Plan:
    """Return a plan with tables of two people and a bot, without an end, and tables of bots."""
    return Plan(
        title=default_title(TITLES).name,
        people=people,
        tables=people // 2,
        seats=2,
        beside=("random",),
        bot_tables=bot_tables,
        bots=("random", "greedy"),
        spectators=spectators,
        organisers=organisers,
        rate=rate,
        seconds=float("inf"),
        is_whole=True,
    )


class Victims:
    """Matches that are begun and left idle, for faults that damage one match."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.match_id = ""

    def begin(self, url: str, journal: Journal) -> None:
        """Play a few actions between two people, then leave the match; raise `NotRecovered` if that takes too long."""
        plan = Plan(title=default_title(TITLES).name, people=2, tables=1)
        loading = BackgroundLoad([url], plan, journal)
        loading.start()
        loading.wait_until("a match starts", lambda: loading.acknowledged_count >= VICTIM_ACTIONS, RECOVERY_SECONDS)
        loading.stop()
        self.match_id = loading.house.tables[0].match_id

    def entry(self, random_source: random.Random) -> tuple[str, int]:
        """Return the idle match and the version of a random action in it."""
        acts = collect(self._path).matches[self.match_id].acts
        return self.match_id, random_source.choice(acts).expected


def observe_fault(
    name: str,
    cause: Callable[[], str],
    detected: list[str],
    loading: BackgroundLoad,
    *,
    is_timed: bool = True,
    suspended: Callable[[], float] = lambda: 0.0,
) -> FaultReport:
    """Cause a fault, wait until actions are accepted again, and report; errors and delays are violations.

    `detected` collects the violations that the fault itself detects. With `is_timed`, responses that report an outage
    too late are violations; `suspended` returns the seconds for which the responding process was suspended.
    """
    counters, started = loading.house.seen, time.monotonic()
    count_before, faults = loading.acknowledged_count, Counter(counters.faults)
    counters.slowest_away = 0.0
    detected.clear()
    try:
        message = cause()
    except (NotRecovered, NotAllowed) as fault:
        message = str(fault)
        detected.append(message)
    ended, after = time.monotonic(), loading.acknowledged_count
    try:
        description = f"actions are acknowledged after {name}"
        loading.wait_until(description, lambda: loading.acknowledged_count >= after + CALM_ACTIONS, RECOVERY_SECONDS)
    except NotRecovered as fault:
        detected.append(str(fault))
    violations = [*detected, *(f"{count} × {each}" for each, count in (counters.faults - faults).items())]
    if is_timed and counters.slowest_away - suspended() > AWAY_SECONDS * SLOW_FACTOR:
        violations.append(f"an unavailable response took {counters.slowest_away:.1f} s")
    return FaultReport(
        fault=name,
        said=message,
        lasted=round(ended - started, 1),
        back=round(time.monotonic() - ended, 1),
        acknowledged=loading.acknowledged_count - count_before,
        slowest_away=round(counters.slowest_away, 2),
        wrong=tuple(violations),
    )


def line_of(report: FaultReport) -> str:
    """Format the report of a fault in one line, and one for each violation."""
    line = (
        f"{report.fault:<16} {report.said}; lasted {report.lasted:.1f} s, acknowledged {report.acknowledged},"
        f" recovered after {report.back:.1f} s"
    )
    if report.slowest_away:
        line += f", refusals within {report.slowest_away:.2f} s"
    return "\n".join([line, *(f"  FAILED: {each}" for each in report.wrong)])


def cause_fault(scene: Scene, name: str) -> str:
    """Cause a fault; restart the machine if it is down afterwards."""
    try:
        return FAULTS[name](scene)
    finally:
        if not scene.machine.is_running():
            scene.machine.start()


def shuffle_names(names: Sequence[str], random_source: random.Random) -> list[str]:
    """Return all names in random order."""
    return random_source.sample(list(names), len(names))


def run_faults(
    scene: Scene,
    settings: Settings,
    plan: Plan,
    folder: Path,
    is_over: Callable[[int], bool],
    seed: str,
    write_line: Say,
) -> Outcome:
    """Start the machine, play, inject faults until `is_over` returns True for their number, and examine the result.

    Every fault comes once, in random order, before any is repeated. `write_line` gets a line for each. Violations are
    in the outcome; raises `NotRecovered` if machine or load do not begin.
    """
    machine, path = scene.machine, folder / "journal.jsonl"
    reports, violations = list[FaultReport](), list[str]()
    examination: Examination | None = None
    victims = Victims(path)
    scene.victim = lambda: victims.entry(scene.luck)
    write_line(f"started after {machine.start():.1f} s; faults: {', '.join(faults_for(scene))}")
    with Journal(path) as journal:
        victims.begin(machine.url, journal)
        loading = BackgroundLoad([machine.url], plan, journal)
        loading.start()
        pending: list[str] = []
        with loading.stop_afterwards(violations):
            while not is_over(len(reports)):
                pending = pending or shuffle_names(faults_for(scene), scene.luck)
                name = pending.pop()
                cause = partial(cause_fault, scene, name)
                scene.stood = 0.0
                is_timed = not scene.brief
                reports.append(
                    observe_fault(name, cause, scene.found, loading, is_timed=is_timed, suspended=lambda: scene.stood)
                )
                write_line(line_of(reports[-1]))
            violations += [f"match {each} does not continue" for each in loading.wait_for_progress(RECOVERY_SECONDS)]
    violations += [f"{each.fault}: {fault}" for each in reports for fault in each.wrong]
    try:
        examination = examine([machine.url], machine.stop, settings, machine.environment, path)
    except (NotRecovered, NoResponse) as fault:
        violations.append(f"cannot examine the final state: {fault}")
    return Outcome(seed, tuple(reports), examination, tuple(violations))


def text(outcome: Outcome) -> str:
    """Format the summary of a run: counts, all violations, and the verdict."""
    counts = Counter(each.fault for each in outcome.happened)
    acknowledged = sum(each.acknowledged for each in outcome.happened)
    lines = [
        f"seed {outcome.seed}: {len(outcome.happened)} faults, {acknowledged:,} actions acknowledged during them",
        ", ".join(f"{count} × {name}" for name, count in sorted(counts.items())),
    ]
    if outcome.ending is not None:
        checked = outcome.ending.checked
        lines.append(
            f"{checked.acknowledged:,} acknowledged actions and {checked.announced:,} announcements compared with"
            f" {checked.matches:,} logs of {checked.entries:,} entries; {checked.unknown:,} unknown, of which"
            f" {checked.unknown_taken:,} were stored; {checked.streams:,} streams compared"
        )
        lines += [f"FAILED: {fault}" for fault in outcome.ending.faults]
    lines += [f"FAILED: {fault}" for fault in outcome.wrong]
    lines.append("passed" if outcome.is_good else "failed")
    return "\n".join(lines)
