"""Orders: the facts of a tournament that an official signs, by the format of its records.

Specified in docs/specifications/proof.md, *Authority in tournaments*.
"""

from typing import Any, Final, Protocol

from domain.tournaments import facts
from domain.tournaments.check_in_facts import CheckedIn, CheckInClosed, CheckInUndone
from domain.tournaments.contest_facts import (
    AbsencesStated,
    AlternateListed,
    AlternateRemoved,
    OfferAnswered,
    OfferLapsed,
    PlaceOffered,
)
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.invitation_facts import PersonInvited

NEWEST_FORMAT: Final = 2
"""The format of new tournaments."""
FIRST_ORDERS: Final[frozenset[type[Any]]] = frozenset(
    {
        facts.NoShowNoted,
        facts.NoShowWithdrawn,
        facts.TablesReseated,
        facts.ResultEntered,
        facts.ResultWithdrawn,
        facts.ResultRuled,
        facts.PenaltyGiven,
        facts.RoundClosed,
        facts.TournamentEnded,
    }
)
"""The orders of format 1."""
ORDERS: Final[frozenset[type[Any]]] = FIRST_ORDERS | {
    facts.PlanChanged,
    facts.CalendarSet,
    DeadlineExtended,
    TableLeftToBots,
    CheckedIn,
    CheckInUndone,
    CheckInClosed,
    PersonInvited,
    facts.EntryMade,
    facts.EntryWithdrawn,
    facts.EntryReturned,
    AbsencesStated,
    AlternateListed,
    AlternateRemoved,
    PlaceOffered,
    OfferAnswered,
    OfferLapsed,
    facts.SubstituteNamed,
    facts.PairsSet,
    facts.PairingAsked,
    facts.PairingEdited,
    facts.RoundPublished,
}
"""The orders of format 2: everything that can change who plays, who wins, or by which rule."""


class HasFormat(Protocol):
    """A tournament; its state imports this module."""

    @property
    def format(self) -> int:
        """The format of its records."""
        ...


def is_order(tournament: HasFormat | None, fact: Any) -> bool:
    """Return whether a fact is an order in this tournament; None: before it is opened."""
    return tournament is not None and type(fact) in (FIRST_ORDERS if tournament.format == 1 else ORDERS)
