"""Facts of a league that tournaments share (`domain.contests`), with the tags of its records."""

from typing import Final, get_args

from domain.contests import absences, alternates
from domain.leagues.fact_base import LeagueFact


class AbsencesStated(absences.AbsencesStated, LeagueFact, frozen=True):
    """A player of a season stated when they are away."""


class AlternateListed(alternates.AlternateListed, LeagueFact, frozen=True):
    """A person joined the list of alternates, or got another strength."""


class AlternateRemoved(alternates.AlternateRemoved, LeagueFact, frozen=True):
    """A person left the list of alternates."""


class PlaceOffered(alternates.PlaceOffered, LeagueFact, frozen=True, kw_only=True):
    """A vacant place was offered to an alternate."""


class OfferAnswered(alternates.OfferAnswered, LeagueFact, frozen=True, kw_only=True):
    """An alternate accepted or declined an offer."""


class OfferLapsed(alternates.OfferLapsed, LeagueFact, frozen=True, kw_only=True):
    """An offer ended without an answer."""


SharedFact = AbsencesStated | AlternateListed | AlternateRemoved | PlaceOffered | OfferAnswered | OfferLapsed
SHARED: Final = get_args(SharedFact)
