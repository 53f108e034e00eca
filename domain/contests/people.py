"""The state of the people in a contest, which tournaments and leagues hold in one field."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from domain.contests.absences import Absences, AbsencesStated, absences_after
from domain.contests.alternates import (
    AlternateListed,
    AlternateRemoved,
    Offer,
    OfferAnswered,
    OfferLapsed,
    OfOffer,
    PlaceOffered,
    alternates_after,
    offers_after,
    offers_without,
)
from domain.contests.fact_base import ContestFact
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor


class ContestPeople(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The people of a contest, by the facts that both subjects share."""

    absences: Mapping[str, Absences] = {}
    """The absences of each player, by `absence_key`."""
    alternates: Mapping[Actor, int] = {}
    """The strength of each alternate, in the order of joining."""
    offers: tuple[Offer, ...] = ()
    """The offers of places to alternates, the earliest first."""


def alternate_removed(people: ContestPeople, fact: AlternateRemoved, _: datetime) -> ContestPeople:
    """Apply the removal of an alternate."""
    return replace(
        people,
        alternates=alternates_after(people.alternates, fact),
        offers=offers_without(people.offers, fact.player),
    )


def offers_changed(people: ContestPeople, fact: OfOffer, _: datetime) -> ContestPeople:
    """Apply an offer, its answer or its end."""
    return replace(people, offers=offers_after(people.offers, fact))


EVOLVE: Final[Mapping[type[ContestFact], Callable[[ContestPeople, Any, datetime], ContestPeople]]] = {
    AbsencesStated: lambda people, fact, _: replace(people, absences=absences_after(people.absences, fact)),
    AlternateListed: lambda people, fact, _: replace(people, alternates=alternates_after(people.alternates, fact)),
    AlternateRemoved: alternate_removed,
    PlaceOffered: offers_changed,
    OfferAnswered: offers_changed,
    OfferLapsed: offers_changed,
}
"""The fold of each shared fact; the last argument is the time of its record."""


def people_after(people: ContestPeople, fact: ContestFact, at: datetime) -> ContestPeople:
    """Return the people after a shared fact, which a subject records as its own subclass."""
    return EVOLVE[type(fact).__mro__[1]](people, fact, at)
