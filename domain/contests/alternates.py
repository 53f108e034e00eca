"""Alternates: people who take vacant places of a contest, with one offer after the other.

The place of a player who is away is vacant for these rounds. The place of a player who has left is vacant until the
end if the plan lets substitutes play on. An accepted offer is binding.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal, NamedTuple, TypeVar

import msgspec

from domain.contests.duties import AT_ONCE, DueStep, first_due
from domain.contests.errors import ContestRefused
from domain.contests.fact_base import ContestFact, Text
from domain.contests.times import Moment
from domain.kernel.values import Value, replace
from domain.matches.facts import SERVICE, Actor
from domain.signatures.acts import Signed

HOURS_MAX: Final = 240
ALTERNATES_MAX: Final = 500
STRENGTH_MAX: Final = 1_000_000
PLAYS_ON: Final = "an alternate plays in the seat"

Strength = Annotated[int, msgspec.Meta(ge=-STRENGTH_MAX, le=STRENGTH_MAX)]
Answer = Literal["open", "accepted", "declined", "lapsed"]


class AlternateRule(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Vacant places are offered to at most `most` alternates, who have `hours` to answer."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=HOURS_MAX)] = 24
    most: Annotated[int, msgspec.Meta(ge=1, le=ALTERNATES_MAX)] = 20


class AlternateListed(ContestFact, frozen=True):
    """A person joined the list of alternates, or got another strength; stronger ones come first."""

    by: Actor
    player: Actor
    strength: Strength = 0
    reason: Text = ""
    signed: Signed | None = None


class AlternateRemoved(ContestFact, frozen=True):
    """A person left the list of alternates, or was removed."""

    by: Actor
    player: Actor
    reason: Text = ""
    signed: Signed | None = None


class OfOffer(ContestFact, frozen=True):
    """Base of facts about the offer of a place from a round on; `season` is 0 in a tournament."""

    by: Actor
    player: Actor
    place: str
    round: int
    season: int = 0


class PlaceOffered(OfOffer, frozen=True, kw_only=True):
    """A vacant place was offered to an alternate, who answers before `ends`.

    `until`: its last round; 0: until the end.
    """

    ends: Moment
    until: int = 0
    signed: Signed | None = None


class OfferAnswered(OfOffer, frozen=True, kw_only=True):
    """An alternate accepted or declined an offer."""

    accepted: bool = False
    signed: Signed | None = None


class OfferLapsed(OfOffer, frozen=True, kw_only=True):
    """An offer ended without an answer, or its place is vacant no longer."""

    signed: Signed | None = None


L = TypeVar("L", bound=AlternateListed)
R = TypeVar("R", bound=AlternateRemoved)
P = TypeVar("P", bound=PlaceOffered)
A = TypeVar("A", bound=OfferAnswered)
X = TypeVar("X", bound=OfferLapsed)
"""The facts of a subject."""


class Offer(Value, frozen=True, omit_defaults=True):
    """An offer and its answer."""

    player: Actor
    place: str
    round: int
    ends: Moment
    until: int = 0
    season: int = 0
    answer: Answer = "open"

    @property
    def key(self) -> tuple[Actor, str, int, int]:
        """Identify the offer among the open ones."""
        return self.player, self.place, self.round, self.season

    def covers(self, number: int) -> bool:
        """Return whether the offer includes a round."""
        return self.round <= number and (not self.until or number <= self.until)


class Vacancy(NamedTuple):
    """A place without a player from a round on; `until` as in `PlaceOffered`."""

    place: str
    round: int
    until: int


class Offers(NamedTuple):
    """The offers of a contest as of now.

    `closes`: the time when the tables of the next round are decided, if it is known. `is_available`: whether a person
    can take a place.
    """

    rule: AlternateRule
    season: int
    made: tuple[Offer, ...]
    alternates: Mapping[Actor, int]
    vacancies: tuple[Vacancy, ...]
    closes: datetime | None
    is_available: Callable[[Actor], bool]

    def is_vacant(self, offer: Offer) -> bool:
        """Return whether the place of an offer is still vacant."""
        vacancy = Vacancy(offer.place, offer.round, offer.until)
        return offer.season == self.season and vacancy in self.vacancies

    def find_open(self) -> Iterator[Offer]:
        """Yield the open offers, the earliest first, including former seasons."""
        return (offer for offer in self.made if offer.answer == "open")

    def next_alternate(self, vacancy: Vacancy) -> Actor | None:
        """Return the strongest alternate without a former offer of the place, an open one, or a place in its round."""
        busy = {
            offer.player
            for offer in self.made
            if offer.season == self.season
            and (
                offer.answer == "open"
                or (offer.place, offer.round) == (vacancy.place, vacancy.round)
                or (offer.answer == "accepted" and offer.covers(vacancy.round))
            )
        }
        order = sorted(self.alternates, key=lambda player: -self.alternates[player])
        return next((player for player in order if player not in busy and self.is_available(player)), None)

    def find_askable(self) -> Iterator[tuple[Vacancy, Actor]]:
        """Yield the vacancies without an open offer, each with the alternate to ask next."""
        asked = {(offer.place, offer.round) for offer in self.find_open() if offer.season == self.season}
        for vacancy in self.vacancies:
            player = self.next_alternate(vacancy)
            if player is not None and (vacancy.place, vacancy.round) not in asked:
                yield vacancy, player

    def next_step(self) -> DueStep | None:
        """Return the step `offer`: when an offer ends or its place is filled, or at once for a new offer."""
        times = [offer.ends if self.is_vacant(offer) else AT_ONCE for offer in self.find_open()]
        if next(self.find_askable(), None) is not None:
            times.append(AT_ONCE)
        return first_due(DueStep("offer", None if at == AT_ONCE else at) for at in times)

    def take_step(self, lapsing: type[X], offering: type[P], at: datetime) -> tuple[X | P, ...]:
        """Return the ends of offers and the next offers as of a time; empty if the round starts first.

        `lapsing`, `offering`: the kinds of facts of the subject.
        """
        lapsed = tuple(
            lapsing(SERVICE, offer.player, offer.place, offer.round, offer.season)
            for offer in self.find_open()
            if offer.ends <= at or not self.is_vacant(offer)
        )
        return (*lapsed, *self.offer_places(offering, lapsed, at))

    def offer_places(self, offering: type[P], lapsed: Sequence[OfferLapsed], at: datetime) -> Iterator[P]:
        """Yield an offer for each vacancy that can be offered, to different people."""
        if self.closes is not None and self.closes <= at:
            return
        ends = at + timedelta(hours=self.rule.hours)
        if self.closes is not None:
            ends = min(ends, self.closes)
        left = self
        for ended in lapsed:
            left = left._replace(made=offers_after(left.made, ended))
        for vacancy in self.vacancies:
            askable = dict(left.find_askable())
            if vacancy in askable:
                fact = offering(
                    SERVICE, askable[vacancy], vacancy.place, vacancy.round, self.season, ends=ends, until=vacancy.until
                )
                left = left._replace(made=offers_after(left.made, fact))
                yield fact

    def answer(self, answered: A, at: datetime) -> A:
        """Decide the answer of an alternate to an open offer.

        Raise `ContestRefused` without such an offer, after its end, and if its place is vacant no longer.
        """
        offer = find_open_offer(self.made, answered)
        if at >= offer.ends:
            raise ContestRefused(f"the offer ended at {offer.ends.isoformat()}")
        if answered.accepted and not self.is_vacant(offer):
            raise ContestRefused(f"the place in round {answered.round} is not vacant any longer")
        return answered

    def check_offer(self, fact: PlaceOffered, at: datetime) -> None:
        """Raise `ContestRefused` unless an offer recorded at a time follows from the list and the plan.

        It was decided a moment before, so its end may be earlier.
        """
        due = ((vacancy, player, self.season) for vacancy, player in self.find_askable())
        if (Vacancy(fact.place, fact.round, fact.until), fact.player, fact.season) not in due:
            raise ContestRefused("the place is not vacant, or another alternate is the next one")
        if not at < fact.ends <= at + timedelta(hours=self.rule.hours):
            raise ContestRefused("the offer has another end than the plan gives")

    def check_lapse(self, fact: OfferLapsed, at: datetime) -> None:
        """Raise `ContestRefused` unless an offer has ended by a time, or its place is vacant no longer."""
        offer = find_open_offer(self.made, fact)
        if at < offer.ends and self.is_vacant(offer):
            raise ContestRefused("the offer has not ended")


def require_offers(offers: Offers | None) -> Offers:
    """Return the offers of a contest; raise `ContestRefused` without alternates in its plan."""
    if offers is None:
        raise ContestRefused("this event has no alternates")
    return offers


def find_open_offer(offers: Sequence[Offer], fact: OfferAnswered | OfferLapsed) -> Offer:
    """Return the open offer that a fact ends; raise `ContestRefused` if there is none."""
    for offer in offers:
        if offer.answer == "open" and offer.key == key_of(fact):
            return offer
    raise ContestRefused(f"no place is offered to you in round {fact.round}")


def alternates_after(alternates: Mapping[Actor, int], fact: AlternateListed | AlternateRemoved) -> Mapping[Actor, int]:
    """Return the list of alternates after a change; an alternate with another strength keeps the rank of joining."""
    if isinstance(fact, AlternateListed):
        return {**alternates, fact.player: fact.strength}
    return {player: strength for player, strength in alternates.items() if player != fact.player}


def key_of(fact: OfOffer) -> tuple[Actor, str, int, int]:
    """Return the key of the offer that a fact is about."""
    return fact.player, fact.place, fact.round, fact.season


def offers_after(offers: tuple[Offer, ...], fact: OfOffer) -> tuple[Offer, ...]:
    """Return the offers after a new one, an answer or an end."""
    if isinstance(fact, PlaceOffered):
        return (*offers, Offer(fact.player, fact.place, fact.round, fact.ends, fact.until, fact.season))
    answer: Answer = "lapsed"
    if isinstance(fact, OfferAnswered):
        answer = "accepted" if fact.accepted else "declined"
    return tuple(
        replace(each, answer=answer) if each.answer == "open" and each.key == key_of(fact) else each for each in offers
    )


def offers_without(offers: tuple[Offer, ...], player: Actor) -> tuple[Offer, ...]:
    """Return the offers after a person left the list: open ones are declined."""
    return tuple(
        replace(each, answer="declined") if each.answer == "open" and each.player == player else each for each in offers
    )


def stand_in(offers: Sequence[Offer], season: int, place: str, number: int) -> Offer | None:
    """Return the accepted offer of a place that covers a round, or None."""
    return next(
        (
            offer
            for offer in reversed(offers)
            if offer.answer == "accepted" and (offer.season, offer.place) == (season, place) and offer.covers(number)
        ),
        None,
    )


def list_alternate(
    rule: AlternateRule | None, alternates: Mapping[Actor, int], listed: L, *, is_playing: bool
) -> tuple[L, ...]:
    """Add a person to the list, or change the strength; nothing if both are as before.

    Raise `ContestRefused` without alternates in the plan, for a player of the event, and for a full list.
    """
    if rule is None:
        raise ContestRefused("this event has no alternates")
    if is_playing:
        raise ContestRefused("players of the event are not alternates")
    if listed.player not in alternates and len(alternates) >= rule.most:
        raise ContestRefused(f"the list of alternates is full: it has {rule.most} places")
    return () if alternates.get(listed.player) == listed.strength else (listed,)


def remove_alternate(alternates: Collection[Actor], removed: R) -> R:
    """Remove a person from the list; raise `ContestRefused` unless they are on it."""
    if removed.player not in alternates:
        raise ContestRefused(f"{removed.player} is not on the list of alternates")
    return removed


def fault_of_alternates(rule: AlternateRule | None, cap: int, round_hours: int, *, plays_on: bool) -> str | None:
    """Return why alternates contradict a plan, or None.

    `cap`: the number of players, and `round_hours` the length of a round, 0 if not fixed. `plays_on`: substitutes play
    on for players who leave.
    """
    if rule is None:
        return "substitutes play on only with alternates in the plan" if plays_on else None
    if cap and rule.most > cap:
        return f"{rule.most} alternates are more than the {cap} players"
    if round_hours and rule.hours > round_hours:
        return f"alternates have {rule.hours} hours to answer, longer than a round of {round_hours} hours"
    return None
