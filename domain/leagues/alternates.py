"""Alternates of a league: the list, offers of vacant places, and answers."""

from datetime import datetime

from domain.contests import alternates
from domain.leagues.contest_facts import AlternateListed, AlternateRemoved, OfferAnswered
from domain.leagues.duties import season_offers
from domain.leagues.state import League
from domain.matches.facts import Actor


def list_alternate(
    league: League, by: Actor, player: Actor, strength: int, reason: str = ""
) -> tuple[AlternateListed, ...]:
    """Add a person to the alternates, or change the strength, as `alternates.list_alternate` raises."""
    listed = AlternateListed(by, player, strength, reason.strip())
    rule, known = league.plan.alternates, league.people.alternates
    return alternates.list_alternate(rule, known, listed, is_playing=is_playing(league, player))


def is_playing(league: League, player: Actor) -> bool:
    """Return whether a person has entered the latest season or holds a place in it, unless it is over."""
    season = league.season
    if season is None or season.status == "closed":
        return False
    if season.groups:
        return season.of_actor(player) is not None
    return any(entry.actor == player for entry in season.entered)


def remove_alternate(league: League, by: Actor, player: Actor, reason: str = "") -> AlternateRemoved:
    """Remove a person from the alternates; raise `ContestRefused` unless they are on the list."""
    return alternates.remove_alternate(league.people.alternates, AlternateRemoved(by, player, reason.strip()))


def answer_offer(
    league: League, player: Actor, place: str, number: int, at: datetime, *, accepted: bool
) -> OfferAnswered:
    """Decide an alternate's answer to the offer of a place, as `Offers.answer` raises."""
    offers = alternates.require_offers(None if league.season is None else season_offers(league, league.season))
    return offers.answer(OfferAnswered(player, player, place, number, offers.season, accepted=accepted), at)
