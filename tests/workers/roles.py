"""Processes of a service on several hosts, run on this machine as `esporles run ROLE`, for tests that kill them."""

import os
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from ops.certificates import Authority
from ops.roles import Running
from tests.workers.serving import PATIENCE_SECONDS, ROOT, OutputReader, process_of

TOKEN: Final = "the-service-token"
UNLIMITED: Final = {
    f"ESPORLES_{limit}": "0"
    for limit in (
        "ACCOUNTS_PER_MINUTE",
        "CHANGES_PER_MINUTE",
        "CREATIONS_PER_HOUR",
        "GUESSES_PER_HOUR",
        "STREAMS_PER_PERSON",
        "STREAMS_PER_ADDRESS",
        "LISTED_TABLES_PER_PERSON",
        "BOT_TABLES_PER_PERSON",
        "TABLES_WITH_BOTS_PER_PERSON",
        "NEWCOMERS_PER_DAY",
        "GUEST_CREATIONS_PER_HOUR",
    )
}


class RunningRole:
    """A process that has reported that it is ready."""

    def __init__(self, process: "subprocess.Popen[str]", output: OutputReader) -> None:
        self.process = process
        self.running = msgspec.json.decode(output.line(), type=Running)

    def kill(self) -> None:
        """Kill the process as a crash would."""
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_SECONDS)


class Deployment:
    """The shared resources and the running processes of a service."""

    def __init__(self, stack: ExitStack, folder: Path, log: str, reads: str, redis: str) -> None:
        self._stack = stack
        self.certificate: Final = Authority(folder / "keys").certificate_of("host", "127.0.0.1")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("ESPORLES_", "REDIS_"))}
        self._shared = {name: value for name, value in inherited.items() if name != "PYTEST_CURRENT_TEST"} | {
            "ESPORLES_DATA": str(folder / "data"),
            "ESPORLES_STORE": log,
            "ESPORLES_READS": reads,
            "ESPORLES_REDIS": redis,
            "ESPORLES_TOKEN": TOKEN,
            "ESPORLES_PORT": "0",
            "ESPORLES_DEMO": "0",
            "ESPORLES_DRAIN_SECONDS": "1",
            "ESPORLES_TLS_CA": str(self.certificate.ca),
            "ESPORLES_TLS_CERTIFICATE": str(self.certificate.certificate),
            "ESPORLES_TLS_KEY": str(self.certificate.key),
        }
        self.reads: Final = reads
        (folder / "data").mkdir(exist_ok=True)

    def run(self, role: str, **options: str) -> RunningRole:
        """Start a process and return it when it is ready."""
        settings = {f"ESPORLES_{name.upper()}": value for name, value in options.items()}
        command = [sys.executable, "-m", "ops.cli", "run", role, "--json"]
        return RunningRole(*self._stack.enter_context(process_of(command, self._shared | UNLIMITED | settings)))

    def web(self, **options: str) -> RunningRole:
        return self.run("web", door="127.0.0.1:0", **options)

    def worker(self, *web_roles: RunningRole, **options: str) -> RunningRole:
        return self.run("worker", services=",".join(web.running.door.rstrip("/") for web in web_roles), **options)

    def context(self, *, with_certificate: bool) -> ssl.SSLContext:
        """Return a TLS context for the service's private port."""
        context = ssl.create_default_context(cafile=self.certificate.ca)
        if with_certificate:
            context.load_cert_chain(self.certificate.certificate, self.certificate.key)
        return context


@contextmanager
def deployment(folder: Path, log: str, reads: str, redis: str) -> Iterator[Deployment]:
    """Provide a service; stop its processes at the end, the last one first."""
    with ExitStack() as stack:
        yield Deployment(stack, folder, log, reads, redis)


def run_refused(role: str, **environment: str) -> tuple[int, str]:
    """Return exit status and error output of a process that lacks a setting."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("ESPORLES_", "REDIS_"))}
    process = subprocess.run(
        [sys.executable, "-m", "ops.cli", "run", role],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    return process.returncode, process.stderr
