"""What the desk refuses: each a named exception whose sentence holds the bad value."""

from domain.match.errors import MatchError


class DeskError(MatchError):
    """Base of what the desk refuses."""


class RoleRefused(DeskError):
    """The role cannot be given or taken."""


class NoSuchPerson(DeskError):
    """Nobody has that id or name."""


class RoleMissing(DeskError):
    """Whoever asks does not hold the role this needs."""


class NotAParty(DeskError):
    """Whoever asks has no part in the dispute: neither at the table nor as an arbiter of it."""


class ArbiterPlays(DeskError):
    """An arbiter has nothing to do with the disputes of a match they have sat at."""


class DisputeRefused(DeskError):
    """No dispute can be raised like that."""


class DisputeSettled(DeskError):
    """Somebody has ruled on it, or it was withdrawn; the sentence says who and how."""


class AppealRefused(DeskError):
    """The ruling cannot be appealed (any more)."""


class NotYourStudy(DeskError):
    """Whoever asks may not read or write that study, or not this part of it."""


class StudyRefused(DeskError):
    """That cannot be written into a study."""


class WrongMatch(DeskError):
    """The study is about another match: the digests do not agree."""


class StudyExists(DeskError):
    """Another study has that id."""


class IllegalVariation(DeskError):
    """The engine refuses a step of a variation; the sentence names it."""

    def __init__(self, sentence: str, step: int) -> None:
        super().__init__(sentence)
        self.step = step
