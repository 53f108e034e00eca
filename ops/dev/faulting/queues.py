"""A separate Valkey server for the service, which can be taken away."""

import subprocess
from pathlib import Path

from ops.dev.faulting.machine import wait_until
from ops.embedded_valkey import valkey_command
from workers.unix_http import is_listening


class Queues:
    """Queues and notification channels of a service, on a private socket."""

    def __init__(self, folder: Path) -> None:
        self._socket, self._log = folder / "queues.sock", folder / "queues.log"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server on its socket and wait until it responds; raise `NotRecovered` if it does not."""
        self._process = subprocess.Popen(valkey_command(self._socket, self._log))
        wait_until("the queues are up", lambda: is_listening(self._socket))

    def pids(self) -> list[int]:
        """Return its process id, if it runs."""
        return [] if self._process is None else [self._process.pid]

    def stop(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
