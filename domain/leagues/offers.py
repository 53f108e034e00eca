"""Vacant places of a season, which are offered to alternates."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from domain.contests.alternates import Offers, Vacancy, stand_in
from domain.contests.times import RoundTime
from domain.leagues.availability import away_players
from domain.leagues.season_state import Season, place_key, plays_in
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.facts import Actor, is_bot


def offers_of(league: League, season: Season, times: Mapping[int, RoundTime], closes: datetime | None) -> Offers | None:
    """Return the offers of a season; None without alternates in its plan.

    `times`: the expected times of rounds that are not open. `closes`: the start of the next round, if it is scheduled.
    """
    rule = plan_of(league, season).alternates
    if rule is None:
        return None
    vacancies = tuple(find_vacancies(league, season, times)) if season.status == "running" else ()
    away = away_from(league, season, times)
    people = league.people
    return Offers(
        rule,
        season.number,
        people.offers,
        people.alternates,
        vacancies,
        closes,
        lambda player: player not in away and season.of_actor(player) is None,
    )


def away_from(league: League, season: Season, times: Mapping[int, RoundTime]) -> frozenset[Actor]:
    """Return the alternates who are away in the next round."""
    number = season.rounds_opened + 1
    return away_players(league, season, number, times.get(number, RoundTime()), league.people.alternates)


def find_vacancies(league: League, season: Season, times: Mapping[int, RoundTime]) -> Iterator[Vacancy]:
    """Yield the places whose players are away in the next rounds, or have left if substitutes play on.

    Places that an alternate has accepted are not vacant.
    """
    first, plan = season.rounds_opened + 1, plan_of(league, season)
    rounds = range(first, (season.rounds if plan.at_once else min(first, season.rounds)) + 1)
    away = {number: away_players(league, season, number, times.get(number, RoundTime())) for number in rounds}
    for index, group in enumerate(season.groups):
        for at, place in enumerate(group.places):
            key, player = place_key(index, at), place.in_round(first)
            if not rounds or is_bot(player) or stand_in(league.people.offers, season.number, key, first) is not None:
                continue
            if player in group.left:
                if plan.withdrawal == "substitute":
                    yield Vacancy(key, first, 0)
            elif player in away[first] and plays_in(group, at, first):
                yield Vacancy(key, first, last_away(place.in_round(first), away, first))


def last_away(player: Actor, away: Mapping[int, frozenset[Actor]], first: int) -> int:
    """Return the last round up to which a player is away in all rounds that open together."""
    last = first
    while player in away.get(last + 1, frozenset()):
        last += 1
    return last
