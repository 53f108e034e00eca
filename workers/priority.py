"""The CPU priority of workers: below the service and its followers, so that thinking bots delay no player."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

NICENESS: Final = 10
AUTOGROUP: Final = Path("/proc/self/autogroup")


def lower_priority() -> None:
    """Lower the priority of this process and its children by `NICENESS`.

    With autogroups (sched(7)), Linux divides the CPU evenly between sessions and applies niceness only within
    each. The supervisor and systemd give every process a session, so the niceness of the session must be set as
    well.
    """
    os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        # Without autogroups the niceness of the process suffices.
        with suppress(OSError):
            AUTOGROUP.write_text(str(NICENESS), encoding="ascii")
