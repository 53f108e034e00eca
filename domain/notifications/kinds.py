"""Kinds of notifications, channels, and frequencies."""

from typing import Final, Literal, get_args

Kind = Literal["turn", "clock", "invitation", "round", "dispute", "result", "mention", "reminder"]
"""`round`: a round was published; `reminder`: a deadline, or an announcement of an event."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Way = Literal["mail", "push"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
Pace = Literal["once", "hourly", "daily", "off"]
"""Frequency on a channel: at once, in one message per hour or day, or never."""
PACES: Final[tuple[Pace, ...]] = get_args(Pace)
PACES_OF: Final[dict[Way, tuple[Pace, ...]]] = {"mail": PACES, "push": ("once", "off")}
USUAL_PACE: Final[Pace] = "once"
