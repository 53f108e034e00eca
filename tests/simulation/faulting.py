"""Inject faults on a machine with SQLite, then on a machine with PostgreSQL, for `ops/faults` and tests."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from ops.console import result_writer
from ops.dev.faulting.faults import FAULTS, PRIVILEGED, Scene, Store
from ops.dev.faulting.hosts import HOLD_SECONDS, plan_of_hosts, run_hosts
from ops.dev.faulting.machine import Clock, Machine, NotAllowed, SmallDisk
from ops.dev.faulting.queues import Queues
from ops.dev.faulting.running import Outcome, plan_for, run_faults, text
from ops.dev.hosts import Hosts
from ops.dev.load.running import Plan
from ops.dev.network import NoNetwork
from projections.platform.settings import Settings, variables
from tests.domain.eventstore.postgres import binaries_for, fresh_database, owner, stoppable_server
from tests.seeding import SEED

STORES: Final = ("sqlite", "postgres")
DISK_MEGABYTES: Final = 256
MINUTES_MAX: Final = 10_000


@contextmanager
def scene_on(store: str, without: Sequence[str], folder: Path, luck: random.Random, *, brief: bool) -> Iterator[Scene]:
    """Set up a machine with all faults it allows; raise `NotAllowed` for a fault that it does not."""
    with ExitStack() as stack:
        data, disk, clock = folder / "data", None, None
        options, environment = dict[str, object](), dict[str, str]()
        if not set(without) >= PRIVILEGED:
            disk = SmallDisk(folder / "disk", DISK_MEGABYTES)
            stack.callback(disk.close)
            data = disk.folder / "data"
        if "clock" not in without:
            clock = Clock(folder)
            environment = clock.environment
        postgres = queues = None
        if store == "postgres":
            server = stack.enter_context(stoppable_server())
            postgres = Store(server.stop, server.start, server.pids)
            valkey_queues = Queues(folder)
            valkey_queues.start()
            stack.callback(valkey_queues.stop)
            queues = Store(valkey_queues.stop, valkey_queues.start, valkey_queues.pids)
            options = {"store": fresh_database(server.address, "log"), "reads": fresh_database(server.address, "reads")}
            options |= {"redis": valkey_queues.url}
        machine = Machine(data, folder, environment, **options)
        stack.callback(machine.close)
        yield Scene(machine, luck, lambda: ("", 0), without, brief, disk, clock, postgres, queues)


def run(
    store: str,
    without: Sequence[str],
    seed: str,
    is_over: Callable[[int], bool],
    say: Callable[[str], None],
    *,
    brief: bool,
) -> Outcome:
    """Run a machine from its first start to the final check."""
    luck = random.Random(f"{seed}/{store}")
    with (
        TemporaryDirectory(prefix="faults-") as name,
        scene_on(store, without, Path(name), luck, brief=brief) as scene,
    ):
        settings = Settings.from_environment(scene.machine.environment | variables(data=scene.machine.data))
        plan = plan_for(people=4 if brief else 8, rate=20.0, spectators=4, organisers=1, bot_tables=1)
        return run_faults(scene, settings, plan, Path(name), is_over, seed, say)


def run_on_hosts(
    seed: str, is_over: Callable[[int], bool], say: Callable[[str], None], plan: Plan, hold: tuple[float, float]
) -> Outcome:
    """Run five hosts from their first start to the final check."""
    with TemporaryDirectory(prefix="hosts-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with Hosts(folder, binaries_for(owner(), folder), owner()) as hosts:
            hosts.start()
            return run_hosts(hosts, plan, folder, is_over, hold, seed, say)


def until(minutes: float) -> Callable[[int], bool]:
    end = time.monotonic() + 60 * minutes
    return lambda _: time.monotonic() > end


def arguments_of(args: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("ops/faults")
    parser.add_argument("minutes", nargs="?", type=float, default=10.0, metavar="MINUTES")
    parser.add_argument("--store", choices=STORES, help="default: one after the other, half of the time each")
    parser.add_argument(
        "--without", action="append", default=[], choices=sorted(FAULTS), help="leave a kind of fault out"
    )
    parser.add_argument("--hosts", action="store_true", help="five hosts in networks of their own instead (needs root)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(args)
    if not 0 < arguments.minutes <= MINUTES_MAX:
        parser.error(f"MINUTES is a number up to {MINUTES_MAX}, not {arguments.minutes}")
    return arguments


def run_at(target: str, arguments: argparse.Namespace, stores: int, say: Callable[[str], None]) -> Outcome:
    if target == "hosts":
        return run_on_hosts(SEED, until(arguments.minutes), say, plan_of_hosts(), HOLD_SECONDS)
    return run(target, arguments.without, SEED, until(arguments.minutes / stores), say, brief=False)


def main(args: Sequence[str]) -> int:
    """Return 0 if all is well, 1 if not, 2 if a kind of fault is impossible here and was not excluded."""
    arguments = arguments_of(args)
    stores = [arguments.store] if arguments.store else STORES

    def say(line: str) -> None:
        sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")
        sys.stderr.flush()

    outcomes = list[Outcome]()
    say(f"seed ESPORLES_TEST_SEED={SEED}")
    for target in ["hosts"] if arguments.hosts else stores:
        say(f"five {target}" if arguments.hosts else f"a machine with {target}")
        try:
            outcomes.append(run_at(target, arguments, len(stores), say))
        except NoNetwork as fault:
            sys.stderr.write(f"ops/faults: {fault}\n")
            return 2
        except NotAllowed as fault:
            sys.stderr.write(f"ops/faults: {fault}; --without {' --without '.join(sorted(PRIVILEGED))} leaves it out\n")
            return 2
        if not arguments.json:
            result_writer(as_json=False)(None, f"{target}: {text(outcomes[-1])}")
    if arguments.json:
        result_writer(as_json=True)(msgspec.to_builtins(outcomes), "")
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
