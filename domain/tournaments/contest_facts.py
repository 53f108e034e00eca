"""Facts of a tournament that leagues share (`domain.contests`), with the tags of its records."""

from typing import Final, get_args

from domain.contests import absences, alternates
from domain.tournaments.fact_base import TournamentFact


class AbsencesStated(absences.AbsencesStated, TournamentFact, frozen=True):
    """An entry stated when it is away."""


class AlternateListed(alternates.AlternateListed, TournamentFact, frozen=True):
    """A person joined the list of alternates, or got another strength."""


class AlternateRemoved(alternates.AlternateRemoved, TournamentFact, frozen=True):
    """A person left the list of alternates."""


class PlaceOffered(alternates.PlaceOffered, TournamentFact, frozen=True, kw_only=True):
    """A vacant place was offered to an alternate."""


class OfferAnswered(alternates.OfferAnswered, TournamentFact, frozen=True, kw_only=True):
    """An alternate accepted or declined an offer."""


class OfferLapsed(alternates.OfferLapsed, TournamentFact, frozen=True, kw_only=True):
    """An offer ended without an answer."""


SharedFact = AbsencesStated | AlternateListed | AlternateRemoved | PlaceOffered | OfferAnswered | OfferLapsed
SHARED: Final = get_args(SharedFact)
