"""What a tournament refuses, each by a sentence with the value that does not fit."""


class PlanRefused(Exception):
    """The plan contradicts itself; the sentence says where."""


class TournamentRefused(Exception):
    """It does not fit the state the tournament is in."""


class NoSuchEntry(Exception):
    """Nobody takes part under that id."""


class EnteredAlready(Exception):
    """Nobody takes part twice in one tournament."""


class NoSuchRound(Exception):
    """The tournament has no such round, or no such table in it."""


class WrongCode(Exception):
    """The code is not that of the seat."""


class CodeLocked(Exception):
    """Too many wrong codes were tried."""


class PhotoUnreadable(Exception):
    """What was sent is no picture, or not a whole one."""


class PhotoTooLarge(Exception):
    """A picture has more bytes or pixels than are taken."""


class PhotoRefused(Exception):
    """There are enough photos."""


class NotYourPhoto(Exception):
    """A photo is not for this person to add or take away."""


class NoSuchPhoto(Exception):
    """The event has no such photo."""
