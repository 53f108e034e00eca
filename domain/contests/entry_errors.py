"""Refusals of entry, one class for each reason; each message names the value that decided."""

from collections.abc import Mapping

from domain.contests.errors import ContestRefused


class EntryRefused(ContestRefused):
    """A person does not meet a condition of entry.

    `values` are the numbers and names for the sentence in the reader's language.
    """

    def __init__(self, sentence: str, values: Mapping[str, int | str] | None = None) -> None:
        super().__init__(sentence)
        self.values = dict(values or {})


class RatingMissing(EntryRefused):
    """The event has a lower bound of ratings, and the person has no rating."""


class RatingTooLow(EntryRefused):
    """The rating is below the only bound."""


class RatingTooHigh(EntryRefused):
    """The rating is above the only bound."""


class RatingOutside(EntryRefused):
    """The rating is outside the band of the event."""


class TooFewMatches(EntryRefused):
    """The person has played too few rated matches."""


class LeavesTooMany(EntryRefused):
    """The person left too many of the last matches."""


class NotOfClubs(EntryRefused):
    """The person is no member of the clubs of the event."""


class NotListed(EntryRefused):
    """The person is not on the list of names."""


class CountryMissing(EntryRefused):
    """The event is for some countries, and the person has stated none."""


class CountryRefused(EntryRefused):
    """The event is for other countries."""


class PasswordMissing(EntryRefused):
    """The event requires a password."""


class PasswordWrong(EntryRefused):
    """The password is not the one of the event."""


class Excluded(EntryRefused):
    """The person is excluded from the series of the event."""


class PersonExcluded(EntryRefused):
    """An organiser cannot enter an excluded person before the exclusion is lifted."""


class ConditionUnmet(EntryRefused):
    """An organiser has to waive the conditions to let in someone who does not meet one."""
