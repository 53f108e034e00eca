"""Errors of study commands; each message holds the offending value."""

from domain.matches.errors import MatchError


class NotYourStudy(MatchError):
    """The caller may not read or write that study, or this part of it."""


class StudyClosed(NotYourStudy):
    """Studies of a match that counts are closed to all but their writers until the match has ended."""


class StudyRefused(MatchError):
    """Invalid content for a study."""


class WrongMatch(MatchError):
    """The study is about another match: the digests do not agree."""


class StudyExists(MatchError):
    """Another study has that id."""


class IllegalVariation(MatchError):
    """The engine refuses a step of a variation; the message names it."""

    def __init__(self, sentence: str, step: int) -> None:
        super().__init__(sentence)
        self.step = step
