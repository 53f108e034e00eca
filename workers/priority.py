"""How far workers stand back from the service and its followers: bots that think keep no person waiting."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

NICENESS: Final = 10
AUTOGROUP: Final = Path("/proc/self/autogroup")


def stand_back() -> None:
    """For this process and those it starts.

    Linux may first share a processor evenly between sessions and look at the niceness of processes only within each
    (sched(7), autogroup). The supervisor and systemd give every process a session of its own, so that the niceness of
    the process alone changes nothing there: the session has one too.
    """
    os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        # Where there are no such groups, the niceness of the process is all that counts.
        with suppress(OSError):
            AUTOGROUP.write_text(str(NICENESS), encoding="ascii")
