"""Faults between hosts: those of web, follower and worker are cut off, killed, frozen and stopped in turn, while people
play and events of bots go on; at the end every match is played out and every log examined."""

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
from ops.dev.faulting.ending import Ending, examine
from ops.dev.faulting.loading import Loading
from ops.dev.faulting.machine import NotBack
from ops.dev.faulting.running import RECOVERY_SECONDS, Happened, Outcome, Say, happen, in_turn, line_of
from ops.dev.hosts import JOBS, OUTSIDE, WEBS, Hosts, NotUp
from ops.dev.load.client import NoAnswer
from ops.dev.load.journal import Journal
from ops.dev.load.running import Plan
from ops.throwaway import alone_in
from projections.platform.settings import Settings, variables

PEOPLE: Final = 40
RATE: Final = 20.0
SPECTATORS: Final = 20
HOLD_SECONDS: Final = (5.0, 20.0)
FINISH_SECONDS: Final = 900.0
"""Until forty people have played out what they have begun."""


def waited(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


Fault = Callable[[Hosts, str, Callable[[], float]], str]
"""Brings it about at a host, for as long as the last argument takes; what happened, in words."""


def lasting(begin: Callable[[Hosts, str], None], end: Callable[[Hosts, str], None]) -> Fault:
    """A fault that is there until it is mended."""

    def bring_about(hosts: Hosts, host: str, hold: Callable[[], float]) -> str:
        begin(hosts, host)
        try:
            seconds = hold()
        finally:
            end(hosts, host)
        return f"{host} for {seconds:.1f} s"

    return bring_about


def stop(hosts: Hosts, host: str, _: Callable[[], float]) -> str:
    """The host is taken down in an orderly way, and comes back."""
    hosts.stop(host)
    hosts.start(host)
    return host


FAULTS: Final[Mapping[str, Fault]] = {
    "cut": lasting(Hosts.cut, Hosts.mend),
    "kill": lasting(Hosts.kill, Hosts.start),
    "freeze": lasting(Hosts.freeze, Hosts.thaw),
    "stop": stop,
}
"""No packet of a host arrives or reaches it; it loses its power; it stands still while its connections stay open; it is
taken down in an orderly way."""


def plan_of_hosts(people: int = PEOPLE, rate: float = RATE) -> Plan:
    """Tables of two people and a bot, a table of bots, and an organiser whose events are of bots."""
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
    """How the stores of all hosts are reached from here, and the environment that says it."""
    told = variables(data=hosts.data(OUTSIDE), **hosts.stores)
    return Settings.from_environment(told), alone_in(os.environ) | told


def run_hosts(
    hosts: Hosts,
    plan: Plan,
    beside: Path,
    is_over: Callable[[int], bool],
    bounds: tuple[float, float],
    seed: str,
    say: Say,
) -> Outcome:
    """Hosts that run: plays, breaks, plays out, examines. `is_over` is told how many faults there were."""
    luck, path = random.Random(f"{seed}/hosts"), beside / "journal.jsonl"
    happened, wrong = list[Happened](), list[str]()
    waiting: list[tuple[str, str]] = []
    with Journal(path) as journal:
        loading = Loading(hosts.web_urls, plan, journal)
        loading.start()
        say(f"{plan.people} people at {plan.tables} tables, faults: {', '.join(FAULTS)} of {', '.join((*WEBS, *JOBS))}")
        with loading.stopped_afterwards(wrong):
            while not is_over(len(happened)):
                waiting = waiting or [*every_pair(luck)]
                name, host = waiting.pop()
                found = list[str]()
                seconds = luck.uniform(*bounds)
                bring_about = partial(once, hosts, name, host, partial(waited, seconds))
                happened.append(happen(name, bring_about, found, loading))
                say(line_of(happened[-1]))
            wrong += [f"the match {each} does not go on" for each in loading.all_go_on(RECOVERY_SECONDS)]
            say("what has begun is played out")
            wrong += [f"{each} has not come to its end" for each in loading.finish(FINISH_SECONDS)]
    wrong += [f"{each.fault} {each.said}: {fault}" for each in happened for fault in each.wrong]
    resumed = loading.house.measured().streams_resumed
    say(f"streams were resumed {resumed} times")
    return Outcome(seed, tuple(happened), ending_of(hosts, path, wrong), tuple(wrong))


def every_pair(luck: random.Random) -> list[tuple[str, str]]:
    """Every fault at every host, in an order that is drawn."""
    pairs = [f"{name} {host}" for name in FAULTS for host in (*WEBS, *JOBS)]
    drawn = [pair.partition(" ") for pair in in_turn(pairs, luck)]
    return [(name, host) for name, _, host in drawn]


def once(hosts: Hosts, name: str, host: str, hold: Callable[[], float]) -> str:
    try:
        return FAULTS[name](hosts, host, hold)
    except NotUp as fault:
        raise NotBack(str(fault)) from fault


def ending_of(hosts: Hosts, path: Path, wrong: list[str]) -> Ending | None:
    """The examination; what hinders it is said."""
    settings, environment = settings_of(hosts)

    def stop_all() -> None:
        for host in (*JOBS, *WEBS):
            hosts.stop(host)

    try:
        return examine(hosts.web_urls, stop_all, settings, environment, path)
    except (NotBack, NoAnswer) as fault:
        wrong.append(f"what is left could not be examined: {fault}")
        return None
