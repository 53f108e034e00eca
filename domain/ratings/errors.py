"""Refusals of rated play; each message contains the offending value."""

from collections.abc import Mapping


class RatedRefused(Exception):
    """The base class of refusals at rated tables and of openers who require players to stay.

    `values` are the numbers and names for the sentence in the reader's language.
    """

    def __init__(self, sentence: str, values: Mapping[str, int | str] | None = None) -> None:
        super().__init__(sentence)
        self.values = dict(values or {})


class RatedWithoutClock(RatedRefused):
    """A rated match needs a clock."""


class GuestUnrated(RatedRefused):
    """A rated match needs players with accounts."""


class ProgramUnwelcome(RatedRefused):
    """The table does not accept bot accounts."""


class EventWithoutPrograms(RatedRefused):
    """The event's tables do not accept bot accounts, and the account is one."""


class LiveTableTaken(RatedRefused):
    """A player may play at one rated live table at a time."""


class TooManyRated(RatedRefused):
    """The player has reached the service's limit of rated correspondence tables."""


class LeavesTooOften(RatedRefused):
    """The player leaves matches more often than the opener accepts."""
