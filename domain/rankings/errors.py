"""Refusals of commands about ranking lists; each message contains the offending value."""


class RankingRefused(Exception):
    """A rule that contradicts itself, or a command that does not fit the state of the list."""


class MonthNotReady(Exception):
    """The ratings of a month are not complete yet; the month can be closed later."""


class ContentMissing(Exception):
    """The content with this digest is not stored, or not completely."""
