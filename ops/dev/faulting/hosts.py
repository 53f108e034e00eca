"""Faults between hosts: cut off, kill, freeze and stop the hosts of web, follower and worker under load.

At the end every match is played out and every log examined.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.dev.faulting.examination import Examination, examine
from ops.dev.faulting.loading import BackgroundLoad
from ops.dev.faulting.machine import NotRecovered
from ops.dev.faulting.running import RECOVERY_SECONDS, FaultReport, Outcome, Say, line_of, observe_fault, shuffle_names
from ops.dev.hosts import JOBS, OUTSIDE, WEBS, HostNotStarted, Hosts
from ops.dev.load.client import NoResponse
from ops.dev.load.journal import Journal
from ops.dev.load.running import Plan
from ops.temporary_service import isolated_environment
from projections.platform.settings import Settings, variables

PEOPLE: Final = 40
RATE: Final = 20.0
SPECTATORS: Final = 20
HOLD_SECONDS: Final = (5.0, 20.0)
FINISH_SECONDS: Final = 900.0
"""Time limit for forty people to finish their matches."""


def pause(seconds: float) -> float:
    """Sleep, and return the seconds."""
    time.sleep(seconds)
    return seconds


Fault = Callable[[Hosts, str, Callable[[], float]], str]
"""A function that causes a fault at a host, calls its last argument to hold it, and returns a description."""


def lasting_fault(start: Callable[[Hosts, str], None], end: Callable[[Hosts, str], None]) -> Fault:
    """Return a fault that begins with one function, is held, and ends with the other even after an error."""

    def cause(hosts: Hosts, host: str, wait: Callable[[], float]) -> str:
        start(hosts, host)
        try:
            seconds = wait()
        finally:
            end(hosts, host)
        return f"{host} for {seconds:.1f} s"

    return cause


def stop(hosts: Hosts, host: str, _: Callable[[], float]) -> str:
    """Shut a host down in an orderly way and start it; raise `HostNotStarted` if it does not start."""
    hosts.stop(host)
    hosts.start(host)
    return host


FAULTS: Final[Mapping[str, Fault]] = {
    "cut": lasting_fault(Hosts.disconnect, Hosts.reconnect),
    "kill": lasting_fault(Hosts.kill, Hosts.start),
    "freeze": lasting_fault(Hosts.freeze, Hosts.thaw),
    "stop": stop,
}
"""Network partition, power loss, a freeze with open connections, and an orderly shutdown."""


def plan_of_hosts(people: int = PEOPLE, rate: float = RATE) -> Plan:
    """Return a plan: tables of two people and a bot, tables of bots, and an organiser who runs events of bots."""
    return Plan(
        title=default_title(TITLES).name,
        people=people,
        tables=people // 2,
        beside=("random",),
        bot_tables=2,
        bots=("greedy", "random"),
        spectators=SPECTATORS,
        organisers=1,
        rate=rate,
        seconds=float("inf"),
        is_whole=True,
    )


def settings_of(hosts: Hosts) -> tuple[Settings, dict[str, str]]:
    """Return settings that reach the hosts' stores from this machine, and an environment with them."""
    settings = variables(data=hosts.data(OUTSIDE), **hosts.stores)
    return Settings.from_environment(settings), isolated_environment(os.environ) | settings


def run_hosts(
    hosts: Hosts,
    plan: Plan,
    folder: Path,
    is_over: Callable[[int], bool],
    bounds: tuple[float, float],
    seed: str,
    write_line: Say,
) -> Outcome:
    """Play, inject faults until `is_over` returns True for their number, finish all matches, and examine.

    Every pair of fault and host comes once before any is repeated; `bounds` are seconds of a fault. Violations are in
    the outcome; raises `NotRecovered` if the load does not begin.
    """
    random_source, path = random.Random(f"{seed}/hosts"), folder / "journal.jsonl"
    reports, violations = list[FaultReport](), list[str]()
    pending: list[tuple[str, str]] = []
    with Journal(path) as journal:
        loading = BackgroundLoad(hosts.web_urls, plan, journal)
        loading.start()
        write_line(
            f"{plan.people} people at {plan.tables} tables, faults: {', '.join(FAULTS)} of {', '.join((*WEBS, *JOBS))}"
        )
        with loading.stop_afterwards(violations):
            while not is_over(len(reports)):
                pending = pending or [*every_pair(random_source)]
                name, host = pending.pop()
                detected = list[str]()
                seconds = random_source.uniform(*bounds)
                cause = partial(cause_once, hosts, name, host, partial(pause, seconds))
                reports.append(observe_fault(name, cause, detected, loading))
                write_line(line_of(reports[-1]))
            violations += [f"match {each} does not continue" for each in loading.wait_for_progress(RECOVERY_SECONDS)]
            write_line("started matches end")
            violations += [f"{each} has not ended" for each in loading.finish(FINISH_SECONDS)]
    violations += [f"{each.fault} {each.said}: {fault}" for each in reports for fault in each.wrong]
    resumed = loading.house.measurements().streams_resumed
    write_line(f"{resumed} stream reconnects")
    return Outcome(seed, tuple(reports), examination_of(hosts, path, violations), tuple(violations))


def every_pair(random_source: random.Random) -> list[tuple[str, str]]:
    """Return every pair of fault and host in random order."""
    pairs = [f"{name} {host}" for name in FAULTS for host in (*WEBS, *JOBS)]
    pairs_in_order = [pair.partition(" ") for pair in shuffle_names(pairs, random_source)]
    return [(name, host) for name, _, host in pairs_in_order]


def cause_once(hosts: Hosts, name: str, host: str, wait: Callable[[], float]) -> str:
    """Cause a fault at a host and return its description; raise `NotRecovered` if the host does not start."""
    try:
        return FAULTS[name](hosts, host, wait)
    except HostNotStarted as fault:
        raise NotRecovered(str(fault)) from fault


def examination_of(hosts: Hosts, path: Path, violations: list[str]) -> Examination | None:
    """Stop all hosts and examine the result; an obstacle is added to `violations` and gives None."""
    settings, environment = settings_of(hosts)

    def stop_all() -> None:
        for host in (*JOBS, *WEBS):
            hosts.stop(host)

    try:
        return examine(hosts.web_urls, stop_all, settings, environment, path)
    except (NotRecovered, NoResponse) as fault:
        violations.append(f"cannot examine the final state: {fault}")
        return None
