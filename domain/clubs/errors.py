"""Errors of commands about clubs; each message names the fault."""

from domain.matches.errors import MatchError


class ClubRefused(MatchError):
    """A command that does not fit the state of the club."""


class NotOfClub(MatchError):
    """The caller lacks the role in the club that the command needs."""
