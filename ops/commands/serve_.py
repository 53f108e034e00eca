"""`esporles serve`: the whole service on one machine."""

import os
import secrets
from argparse import ArgumentParser, Namespace
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import msgspec

from api.accounts.schema import StoreTooNew, require_readable
from api.settings import BadSetting, Settings
from domain.kernel.component_data import DataFault
from domain.matches.lock import StoreBusy
from ops.console import Finding, WrongUsage, answer
from ops.door import ServiceAddress, remove_address, write_address
from ops.embedded import NoValkey, SocketPathTooLong
from ops.supervisor import WORKER_COUNT, AddressInUse, Started, announce, serve

WORKERS_MAX: Final = 64
INSTALL: Final = "domain.matches.shelves:install"
"""Loaded only where there are files of decks to be read: the titles come with it, which takes longer than all else."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", help="the address to listen on (ESPORLES_HOST, 127.0.0.1)")
    parser.add_argument("--port", type=int, help="the port to listen on, 0 for any (ESPORLES_PORT, 8000)")
    parser.add_argument("--data", type=Path, help="the data folder (ESPORLES_DATA, var)")
    parser.add_argument("--workers", type=int, default=WORKER_COUNT, help="worker processes")


def settings_of(arguments: Namespace) -> Settings:
    """The environment's settings, with what the command line says in their place."""
    given = {"ESPORLES_HOST": arguments.host, "ESPORLES_PORT": arguments.port, "ESPORLES_DATA": arguments.data}
    environment = dict(os.environ) | {name: str(value) for name, value in given.items() if value is not None}
    try:
        settings = Settings.from_environment(environment)
        if any(settings.data.glob("*/*/*.toml")):
            resolve_name(INSTALL)(settings.data)
    except (BadSetting, DataFault) as error:
        raise WrongUsage(str(error)) from error
    if not 0 < arguments.workers <= WORKERS_MAX:
        raise WrongUsage(f"--workers takes a number from 1 to {WORKERS_MAX}, not {arguments.workers}")
    return msgspec.structs.replace(settings, token=settings.token or secrets.token_urlsafe(32))


def run(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    doors: list[ServiceAddress] = []

    def ready(started: Started) -> None:
        doors.append(ServiceAddress(started.socket, settings.token))
        write_address(settings.data, doors[0])
        if arguments.json:
            answer(as_json=True)(started, "")
        else:
            announce(started)

    try:
        # The service would find it out too, but in a process whose exceptions nobody turns into a sentence.
        require_readable(settings.people_path)
        return serve(settings, worker_count=arguments.workers, on_ready=ready)
    except (AddressInUse, NoValkey, SocketPathTooLong, StoreBusy, StoreTooNew) as error:
        raise Finding(str(error)) from error
    finally:
        # A start that failed because the service is running already must leave the running one its door.
        if doors:
            remove_address(settings.data)
