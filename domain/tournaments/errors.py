"""What an event refuses, each by a sentence with the value that does not fit."""


class PlanRefused(Exception):
    """The plan contradicts itself; the sentence says where."""


class EventRefused(Exception):
    """It does not fit the state the event is in."""


class NoSuchEntry(Exception):
    """Nobody takes part under that id."""


class EnteredAlready(Exception):
    """Nobody takes part twice in one event."""


class NoSuchRound(Exception):
    """The event has no such round, or no such table in it."""


class WrongResult(Exception):
    """Places or points that no table could have come to."""


class ImportRefused(Exception):
    """The file cannot be read as it should; the sentence names the line."""
