"""Alternates of a tournament: the list, offers of vacant places, and answers."""

from datetime import datetime

from domain.contests import alternates
from domain.matches.facts import Actor
from domain.tournaments.contest_facts import AlternateListed, AlternateRemoved, OfferAnswered, OfferLapsed, PlaceOffered
from domain.tournaments.duties import event_offers
from domain.tournaments.facts import Fact
from domain.tournaments.registration import require_not_ended, require_reason
from domain.tournaments.state import Tournament


def list_alternate(
    state: Tournament, by: Actor, player: Actor, strength: int, reason: str = ""
) -> tuple[AlternateListed, ...]:
    """Add a person to the alternates, or change the strength, as `alternates.list_alternate` raises.

    Raise `TournamentRefused` after the end.
    """
    require_not_ended(state)
    listed = AlternateListed(by, player, strength, require_reason_of_others(by, player, reason))
    rule, known = state.plan.alternates, state.people.alternates
    return alternates.list_alternate(rule, known, listed, is_playing=state.entry_of(player) is not None)


def remove_alternate(state: Tournament, by: Actor, player: Actor, reason: str = "") -> AlternateRemoved:
    """Remove a person from the alternates; raise `ContestRefused` unless they are on the list."""
    require_not_ended(state)
    removed = AlternateRemoved(by, player, require_reason_of_others(by, player, reason))
    return alternates.remove_alternate(state.people.alternates, removed)


def require_reason_of_others(by: Actor, player: Actor, reason: str) -> str:
    """Return the reason of a change; raise `TournamentRefused` if another person gives none."""
    return reason.strip() if by == player else require_reason(reason, "a change of the alternates")


def answer_offer(
    state: Tournament, player: Actor, place: str, number: int, at: datetime, *, accepted: bool
) -> OfferAnswered:
    """Decide an alternate's answer to the offer of a place, as `Offers.answer` raises."""
    require_not_ended(state)
    offers = alternates.require_offers(event_offers(state))
    return offers.answer(OfferAnswered(player, player, place, number, offers.season, accepted=accepted), at)


def offer_places(state: Tournament, at: datetime) -> tuple[Fact, ...]:
    """Return the ends of offers and new ones as of a time; empty if it is too late for these."""
    offers = alternates.require_offers(event_offers(state))
    if state.round is not None and state.round.status != "closed" and offers.closes is not None and offers.closes <= at:
        # The round before is late, so the next one has no time yet.
        offers = offers._replace(closes=None)
    return offers.take_step(OfferLapsed, PlaceOffered, at)
