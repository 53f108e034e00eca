"""Classes of clocks, by which ranking lists choose matches."""

from typing import Final, Literal

from domain.matches.facts import Clock

ClockClass = Literal["", "fast", "standard", "correspondence"]
"""`fast` and `standard` are played in one sitting; empty: without a clock."""

FAST_SECONDS_MAX: Final = 900
"""The largest time for a whole match, without increments, of a fast clock."""
FAST_MOVE_SECONDS_MAX: Final = 60
"""The largest time for a move of a fast clock."""


def clock_class_of(clock: Clock) -> ClockClass:
    """Return the class of a clock."""
    if clock.kind == "none":
        return ""
    if clock.kind == "correspondence":
        return "correspondence"
    seconds_max = FAST_MOVE_SECONDS_MAX if clock.kind == "per_move" else FAST_SECONDS_MAX
    return "fast" if clock.seconds <= seconds_max else "standard"
