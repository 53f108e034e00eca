"""Kinds of notifications, channels, and frequencies."""

from typing import Final, Literal, get_args

Kind = Literal["turn", "clock", "hour", "invitation", "round", "dispute", "result", "mention", "reminder"]
"""`clock`: a quarter of the time is left; `hour`: an hour of a turn by correspondence is left.

`round`: a round was published; `reminder`: a deadline, or an announcement of an event.
"""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Channel = Literal["mail", "push"]
CHANNELS: Final[tuple[Channel, ...]] = get_args(Channel)
Frequency = Literal["once", "hourly", "daily", "off"]
"""Frequency on a channel: at once, in one message per hour or day, or never."""
FREQUENCIES: Final[tuple[Frequency, ...]] = get_args(Frequency)
FREQUENCIES_OF: Final[dict[Channel, tuple[Frequency, ...]]] = {"mail": FREQUENCIES, "push": ("once", "off")}
DEFAULT_FREQUENCY: Final[Frequency] = "once"
