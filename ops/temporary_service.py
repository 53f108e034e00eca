"""Temporary services in separate folders for commands, independent of a running service."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from ops.console import Finding
from ops.embedded_valkey import socket_folder, valkey_command
from ops.supervisor import WORKER_COUNT, Started, die_with_parent
from projections.platform.settings import VARIABLES, environment_without, variables

ROOT: Final = Path(__file__).parent.parent
LIMITS: Final = (
    "changes_per_minute",
    "creations_per_hour",
    "accounts_per_minute",
    "newcomers_per_day",
    "guest_creations_per_hour",
    "guesses_per_hour",
    "messages_per_minute",
    "streams_per_person",
    "streams_per_address",
    "listed_tables_per_person",
    "bot_tables_per_person",
    "tables_with_bots_per_person",
)
"""Limits per person and address, disabled because a load has a single source."""
SERVE: Final = ("ops.cli", "serve")
"""The module and arguments that run the service."""
VALKEY_LOOKS: Final = 200
VALKEY_LOOK_SECONDS: Final = 0.05


def isolated_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without the settings of a service that runs here, such as its databases."""
    return environment_without(environment, *VARIABLES) | variables(demo=0)


@contextmanager
def start_server(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """Run a server that prints one line of JSON when it is ready; provide that document, and stop it at the end.

    Raises `ValueError` if it ends without that line.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGTERM)


@contextmanager
def valkey_server() -> Iterator[str]:
    """Run an empty Valkey on a private socket, provide its URL, and kill it and remove its folder at the end.

    Raises `NoValkey` without its binary.
    """
    folder = socket_folder()
    socket_path = folder / "valkey.sock"
    process = subprocess.Popen(valkey_command(socket_path, folder / "valkey.log"))
    retry = Retry(ConstantBackoff(VALKEY_LOOK_SECONDS), VALKEY_LOOKS)
    try:
        with Redis.from_url(f"unix://{socket_path}", retry=retry) as redis:
            redis.ping()
        yield f"unix://{socket_path}"
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


@contextmanager
def service_in(
    folder: Path,
    *,
    workers: int = WORKER_COUNT,
    program: Sequence[str] = SERVE,
    log: Path | None = None,
    **options: object,
) -> Iterator[Started]:
    """Run the whole service on a folder, without limits and demo, until the context ends or this process dies.

    `options` are further settings by field name. Its output goes to `log`, by default `service.log` in the folder.
    Raises `Finding` with the last line of the log if it does not start.
    """
    command = [sys.executable, "-m", *program, "--json", "--port", "0"]
    command += ["--data", str(folder), "--workers", str(workers)]
    environment = isolated_environment(os.environ) | variables(**(dict.fromkeys(LIMITS, 0) | options))
    log = log or folder / "service.log"
    with (
        log.open("ab") as output,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
            env=environment,
            cwd=ROOT,
            preexec_fn=die_with_parent,  # noqa: PLW1509  # a single system call, prepared in advance; takes no lock
        ) as process,
    ):
        assert process.stdout is not None
        try:
            if not (line := process.stdout.readline()):
                raise Finding(f"the service did not start: {last_line(log)}")
            yield msgspec.json.decode(line, type=Started)
        finally:
            process.send_signal(signal.SIGTERM)


def last_line(log: Path) -> str:
    """Return the last line of a service's log."""
    return (log.read_text(errors="replace").splitlines() or ["no output"])[-1]
