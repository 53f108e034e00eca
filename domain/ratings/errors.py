"""Refusals of rated play: each a named exception whose sentence holds the bad value."""

from collections.abc import Mapping


class RatedRefused(Exception):
    """Base of what is refused at rated tables, and where an opener asks for players who stay. `values` are the numbers
    and names it is about, for the sentence in the reader's language."""

    def __init__(self, sentence: str, values: Mapping[str, int | str] | None = None) -> None:
        super().__init__(sentence)
        self.values = dict(values or {})


class RatedWithoutClock(RatedRefused):
    """A rated match has a clock."""


class GuestUnrated(RatedRefused):
    """Who plays a rated match has an account."""


class ProgramUnwelcome(RatedRefused):
    """The table does not take accounts of bots."""


class EventWithoutPrograms(RatedRefused):
    """The tables of the event do not take accounts of bots, and this is one."""


class LiveTableTaken(RatedRefused):
    """Nobody plays at two rated live tables at once."""


class TooManyRated(RatedRefused):
    """The person plays at as many rated correspondence tables as the service allows."""


class LeavesTooOften(RatedRefused):
    """The opener asks for players who stay, and this one leaves more often."""
