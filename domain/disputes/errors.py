"""What is refused about disputes: each a named exception whose sentence holds the bad value."""

from domain.matches.errors import MatchError


class NotAParty(MatchError):
    """The caller has no part in the dispute: neither at the table nor as an arbiter of it."""


class ArbiterPlays(MatchError):
    """An arbiter has nothing to do with the disputes of a match they have sat at."""


class DisputeRefused(MatchError):
    """No dispute can be raised like that."""


class DisputeSettled(MatchError):
    """Somebody has ruled on it, or it was withdrawn; the sentence says who and how."""


class AppealRefused(MatchError):
    """The ruling cannot be appealed (any more)."""


class CommitteeRefused(MatchError):
    """These people cannot hear the appeal together; the sentence says who and why."""


class VoteRefused(MatchError):
    """There is no such motion, too many of them, or no majority for one."""


class CallRefused(MatchError):
    """No arbiter can be called like that, or there is no call to deal with."""
