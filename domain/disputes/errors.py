"""Errors of dispute commands; each message holds the offending value."""

from domain.matches.errors import MatchError


class NotAParty(MatchError):
    """The caller is neither a player of the match nor an arbiter of the dispute."""


class ArbiterPlays(MatchError):
    """An arbiter may not judge a match at which they have sat."""


class DisputeRefused(MatchError):
    """An invalid dispute."""


class DisputeSettled(MatchError):
    """The dispute has a ruling or was withdrawn; the message names by whom."""


class AppealRefused(MatchError):
    """The ruling cannot be appealed, or no longer."""


class CommitteeRefused(MatchError):
    """These people cannot hear the appeal together; the message gives the reason."""


class VoteRefused(MatchError):
    """No such motion, too many motions, or no majority."""


class CallRefused(MatchError):
    """No arbiter can be called, or no call is waiting."""
