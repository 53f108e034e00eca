"""Time of a second start, from the command to the first page."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from ops.dev.bench.figures import Figure, Section

ROOT: Final = Path(__file__).parents[3]
BUDGET: Final = 2.0
PATIENCE_SECONDS: Final = 60.0


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def first_page_seconds(data: str) -> float:
    """Return the seconds from starting `ops/serve` to the whole first page, then stop it.

    Returns `PATIENCE_SECONDS` if it does not start, after a line on stderr.
    """
    port, started = free_port(), time.perf_counter()
    command = ["bash", str(ROOT / "ops" / "serve"), "--port", str(port), "--data", data]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ)
    ) as process:
        try:
            while time.perf_counter() - started < PATIENCE_SECONDS:
                try:
                    with urlopen(f"http://127.0.0.1:{port}/") as page:
                        page.read()
                    return time.perf_counter() - started
                except URLError:
                    time.sleep(0.01)
        finally:
            process.send_signal(signal.SIGTERM)
    sys.stderr.write("ops/serve did not start\n")
    return PATIENCE_SECONDS


def section() -> Section:
    """Measure the shortest of three further starts; the first may install and create files."""
    with TemporaryDirectory() as data:
        first_page_seconds(data)
        elapsed = min(first_page_seconds(data) for _ in range(3))
    return Section(
        "Start", (Figure("second start of ops/serve to the first page", f"{elapsed:.2f} s", "< 2 s", elapsed < BUDGET),)
    )
