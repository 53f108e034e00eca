"""The flag that signals set."""

import sys
import threading
from types import FrameType
from typing import Any

from tests.workers.serving import PATIENCE_SECONDS
from workers.stopping import StopFlag


def test_a_signal_may_arrive_at_any_line_of_a_wait() -> None:
    """A handler runs between two instructions of the thread it interrupts, as a trace function does."""
    flag = StopFlag()
    seen: list[bool] = []

    def interrupt(frame: FrameType, event: str, argument: Any) -> Any:
        flag.set()
        return interrupt

    def wait() -> None:
        sys.settrace(interrupt)
        try:
            seen.append(flag.wait(PATIENCE_SECONDS))
        finally:
            sys.settrace(None)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    thread.join(PATIENCE_SECONDS / 2)

    assert seen == [True]


def test_a_flag_that_nobody_sets_is_waited_for_no_longer_than_asked() -> None:
    flag = StopFlag()

    assert not flag.wait(0.001)
    assert not flag.is_set()


def test_a_flag_stays_set() -> None:
    flag = StopFlag()
    flag.set()

    assert [flag.wait(PATIENCE_SECONDS), flag.wait(PATIENCE_SECONDS)] == [True, True]
    assert flag.is_set()
