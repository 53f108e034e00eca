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


def lasting_fault(begin: Callable[[Hosts, str], None], end: Callable[[Hosts, str], None]) -> Fault:
    """Return a fault that begins with one function, is held, and ends with the other even after an error."""

    def bring_about(hosts: Hosts, host: str, hold: Callable[[], float]) -> str:
        begin(hosts, host)
        try:
            seconds = hold()
        finally:
            end(hosts, host)
        return f"{host} for {seconds:.1f} s"

    return bring_about


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
    told = variables(data=hosts.data(OUTSIDE), **hosts.stores)
    return Settings.from_environment(told), isolated_environment(os.environ) | told


def run_hosts(
    hosts: Hosts,
    plan: Plan,
    beside: Path,
    is_over: Callable[[int], bool],
    bounds: tuple[float, float],
    seed: str,
    say: Say,
) -> Outcome:
    """Play, inject faults until `is_over` returns True for their number, finish all matches, and examine.

    Every pair of fault and host comes once before any is repeated; `bounds` are seconds of a fault. Violations are in
    the outcome; raises `NotRecovered` if the load does not begin.
    """
    luck, path = random.Random(f"{seed}/hosts"), beside / "journal.jsonl"
    happened, wrong = list[FaultReport](), list[str]()
    waiting: list[tuple[str, str]] = []
    with Journal(path) as journal:
        loading = BackgroundLoad(hosts.web_urls, plan, journal)
        loading.start()
        say(f"{plan.people} people at {plan.tables} tables, faults: {', '.join(FAULTS)} of {', '.join((*WEBS, *JOBS))}")
        with loading.stop_afterwards(wrong):
            while not is_over(len(happened)):
                waiting = waiting or [*every_pair(luck)]
                name, host = waiting.pop()
                found = list[str]()
                seconds = luck.uniform(*bounds)
                bring_about = partial(cause_once, hosts, name, host, partial(pause, seconds))
                happened.append(observe_fault(name, bring_about, found, loading))
                say(line_of(happened[-1]))
            wrong += [f"match {each} does not continue" for each in loading.wait_for_progress(RECOVERY_SECONDS)]
            say("started matches end")
            wrong += [f"{each} has not ended" for each in loading.finish(FINISH_SECONDS)]
    wrong += [f"{each.fault} {each.said}: {fault}" for each in happened for fault in each.wrong]
    resumed = loading.house.measurements().streams_resumed
    say(f"{resumed} stream reconnects")
    return Outcome(seed, tuple(happened), examination_of(hosts, path, wrong), tuple(wrong))


def every_pair(luck: random.Random) -> list[tuple[str, str]]:
    """Return every pair of fault and host in random order."""
    pairs = [f"{name} {host}" for name in FAULTS for host in (*WEBS, *JOBS)]
    drawn = [pair.partition(" ") for pair in shuffle_names(pairs, luck)]
    return [(name, host) for name, _, host in drawn]


def cause_once(hosts: Hosts, name: str, host: str, hold: Callable[[], float]) -> str:
    """Cause a fault at a host and return its description; raise `NotRecovered` if the host does not start."""
    try:
        return FAULTS[name](hosts, host, hold)
    except HostNotStarted as fault:
        raise NotRecovered(str(fault)) from fault


def examination_of(hosts: Hosts, path: Path, wrong: list[str]) -> Examination | None:
    """Stop all hosts and examine the result; an obstacle is added to `wrong` and gives None."""
    settings, environment = settings_of(hosts)

    def stop_all() -> None:
        for host in (*JOBS, *WEBS):
            hosts.stop(host)

    try:
        return examine(hosts.web_urls, stop_all, settings, environment, path)
    except (NotRecovered, NoResponse) as fault:
        wrong.append(f"cannot examine the final state: {fault}")
        return None
