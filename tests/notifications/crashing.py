"""Processes of a service that crash at a step named by a test: `python -m tests.notifications.crashing ROLE`.

They are the real processes, with hooks at some steps. The test writes the steps to pass into a file, and the process
that passes the last one exits at once.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Final

from api.notifications import outbox
from ops import service
from projections import notifications
from projections.loop import FollowerLoop
from tests.launching import create_app
from workers import main
from workers.notifications import push
from workers.notifications.service import OutgoingClient
from workers.queues import Queues

RUN: Final = """
import os, sys, msgspec
from projections.platform.settings import Settings
from ops.supervisor import Programs, serve

def tell(what):
    sys.stdout.write(msgspec.json.encode(what).decode() + "\\n")
    sys.stdout.flush()

settings, (count, module) = Settings.from_environment(os.environ), sys.argv[1:]
programs = Programs((module, "service"), (module,))
sys.exit(serve(settings, worker_count=int(count), on_ready=tell, on_restart=tell, programs=programs))
"""
"""The program that starts them (`tests.workers.serving`)."""
ORDERED: Final = "steps"


def order(folder: Path, *steps: str) -> None:
    """Crash the process that passes the last of these steps; the others must be passed before."""
    new_file = folder / f"{ORDERED}.new"
    new_file.write_text("\n".join(steps))
    new_file.replace(folder / ORDERED)


def passes(step: str) -> None:
    """Pass a step, and crash if it is the last one ordered."""
    folder = Path(os.environ["ESPORLES_DATA"])
    with suppress(FileNotFoundError):
        first, *others = (folder / ORDERED).read_text().split("\n")
        if first != step:
            return
        if others:
            order(folder, *others)
            return
        (folder / ORDERED).unlink()
        os.kill(os.getpid(), signal.SIGKILL)


def watch(owner: Any, name: str, before: str = "", after: str = "") -> None:
    """Pass a step before a function runs, and another after it unless its result is empty."""
    original: Callable[..., Any] = getattr(owner, name)

    @wraps(original)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        passes(before)
        result = original(*args, **kwargs)
        if result is None or result:
            passes(after)
        return result

    setattr(owner, name, wrapper)


def watch_all() -> None:
    """Watch every step between a fact in the log and a settled message."""
    watch(notifications, "follow_all", "read", "noted")
    watch(FollowerLoop, "_notify", "noted for good")
    watch(Queues, "hand_over", after="issued")
    watch(outbox.Outbox, "add_and_advance", "taking up", "taken up")
    watch(outbox, "add", after="added")
    watch(outbox.Outbox, "lease", after="leased")
    watch(push.Pusher, "send", "begun", "handed over")
    watch(push.PinnedConnection, "connect", after="connected")
    watch(outbox.Outbox, "settle", "settling", "settled")
    watch(OutgoingClient, "settle", after="over")


if __name__ == "__main__":
    watch_all()
    role = sys.argv[1]
    sys.exit(service.main(create_app) if role == "service" else main.main([role]))
