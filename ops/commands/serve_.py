"""`esporles serve`: run the whole service on one machine."""

import os
import secrets
import subprocess
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from domain.eventstore.writer_lock import StoreBusy
from domain.kernel.component_data import DataFault
from domain.kernel.loading import load
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.demo.folder import DEMO_FAILED, claim, require_real
from ops.demo.folder import NAME as DEMO_FOLDER
from ops.embedded_valkey import NoValkey, SocketPathTooLong
from ops.players import players_of
from ops.service_client import ServiceAddress, remove_address, write_address
from ops.settings_help import show_settings
from ops.sockets import AddressInUse
from ops.supervisor import (
    PROGRAMS,
    STDERR,
    WORKER_COUNT,
    CannotWrite,
    Programs,
    Restarted,
    Started,
    announce,
    report,
    require_writable,
    serve,
)
from projections.platform.setting_values import JSON, BadSetting
from projections.platform.settings import Settings, describe, variables

WORKERS_MAX: Final = 64
DEMO_MODULE: Final = "ops.demo.world"
SEEDED_PROGRAMS: Final = Programs(("ops.tournaments.seeded", "1999", "service"))
"""The chance of the demo is seeded, as in a simulated event."""


def arguments(parser: ArgumentParser) -> None:
    """Add `--host`, `--port`, `--data`, `--workers` and `--demo`, and the settings to the help."""
    show_settings(parser)
    parser.add_argument("--host", help=describe("host"))
    parser.add_argument("--port", type=int, help=describe("port"))
    add_data_option(parser)
    parser.add_argument("--workers", type=int, default=WORKER_COUNT, help="number of worker processes")
    parser.add_argument(
        "--demo",
        action="store_true",
        help="create and serve a demo with playing bots, in the folder of --data or in `demo` in the default folder",
    )


def settings_of(arguments: Namespace) -> Settings:
    """Return the settings of the environment, overridden by the command line, with a random token if none is set.

    With `--demo` and no `--data` the folder is inside the default one. Registers the folder's deck files. Raises
    `WrongUsage` for a bad setting or deck file, or for `--workers` out of bounds.
    """
    options = {"host": arguments.host, "port": arguments.port, "data": arguments.data}
    environment = os.environ | variables(**{field: value for field, value in options.items() if value is not None})
    try:
        settings = Settings.from_environment(environment)
        if arguments.demo and arguments.data is None:
            settings = msgspec.structs.replace(settings, data=settings.data / DEMO_FOLDER)
        if any(settings.data.glob("*/*/*.toml")):
            # This imports the titles, which takes longer than the rest.
            load("domain.matches.data_files", "register_data_folder")(settings.data, players_of(arguments).titles)
    except (BadSetting, DataFault) as error:
        raise WrongUsage(str(error)) from error
    if not 0 < arguments.workers <= WORKERS_MAX:
        raise WrongUsage(f"invalid --workers {arguments.workers}: expected a number from 1 to {WORKERS_MAX}")
    return msgspec.structs.replace(settings, token=settings.token or secrets.token_urlsafe(32))


def restart_reporter(settings: Settings) -> Callable[[Restarted], None]:
    """Return the function that reports a restarted process, on stderr or, if logs are JSON, as a log line."""
    if settings.logs != JSON:
        return report
    # Importing logs takes longer than the rest of the supervisor.
    warn = load("projections.platform.telemetry.logs", "configure_warnings")(settings, "supervisor")

    def report_as_object(restarted: Restarted) -> None:
        warn("process exited, restarted", name=restarted.name, code=restarted.code, pid=restarted.pid)

    return report_as_object


@contextmanager
def prepare_demo(settings: Settings) -> Iterator[Callable[[], None]]:
    """Provide a function to call when the service is ready, which creates the demo in a separate process.

    The process is stopped at the end of the context. Nothing happens if the demo exists. Raises `Finding`, `StoreBusy`
    or `WrongUsage` if the folder cannot be a demo's.
    """
    is_whole, processes = claim(settings).is_whole, list[subprocess.Popen[bytes]]()
    stopping = threading.Event()

    def begin() -> None:
        if not is_whole:
            command = [sys.executable, "-m", DEMO_MODULE, str(settings.data)]
            processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=STDERR, start_new_session=True))
            threading.Thread(target=watch_demo, args=(processes[0], stopping), daemon=True).start()

    try:
        yield begin
    finally:
        stopping.set()
        for process in processes:
            process.terminate()
            process.wait()


def watch_demo(process: "subprocess.Popen[bytes]", stopping: threading.Event) -> None:
    """Wait for the process that creates the demo; write to stderr if it crashed and was not being stopped."""
    code = process.wait()
    if code not in {SUCCESS, NEGATIVE} and not stopping.is_set():
        sys.stderr.write(f"{DEMO_FAILED}: process exited with status {code}; it is created again at the next start\n")


def run(arguments: Namespace, programs: Programs = PROGRAMS) -> int:
    """Run the service until stopped, with `--demo` on a demo's folder, and return its exit status.

    Raises `Finding` if the folder is in use, a demo's without `--demo` or another's with it; `WrongUsage` if `--demo`
    meets settings that name servers.
    """
    settings = settings_of(arguments)
    if not arguments.demo:
        require_real(settings)
        return run_service(arguments, settings, programs)
    try:
        with prepare_demo(settings) as start_demo:
            return run_service(arguments, settings, SEEDED_PROGRAMS, start_demo)
    except StoreBusy as error:
        raise Finding(str(error)) from error


def run_service(
    arguments: Namespace, settings: Settings, programs: Programs, on_ready: Callable[[], None] = lambda: None
) -> int:
    """Run the service until stopped and return its exit status; when ready, print its addresses and call `on_ready`.

    While it runs, its private address is in the data folder. Raises `Finding` if an address or store is in use, cannot
    be written or lacks its Valkey; `WrongUsage` for a bad setting.
    """
    addresses: list[ServiceAddress] = []

    def ready(started: Started) -> None:
        addresses.append(ServiceAddress(started.socket, settings.token, started.metrics))
        write_address(settings.data, addresses[0])
        if arguments.json:
            result_writer(as_json=True)(started, "")
        else:
            announce(started)
        on_ready()

    try:
        # The service would detect this as well, but in a process whose exceptions are not turned into messages.
        settings.require_data_moved()
        settings.require_tree_process()
        require_writable(settings.data)
        return serve(
            settings,
            worker_count=arguments.workers,
            on_ready=ready,
            on_restart=restart_reporter(settings),
            programs=programs,
        )
    except (AddressInUse, CannotWrite, NoValkey, SocketPathTooLong, StoreBusy) as error:
        raise Finding(str(error)) from error
    except BadSetting as error:
        raise WrongUsage(str(error)) from error
    finally:
        # If the service is already running, a failed start must not remove its address.
        if addresses:
            remove_address(settings.data)
