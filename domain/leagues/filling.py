"""Who plays in the seats of players who are away or have left, from the opening of a round."""

from collections.abc import Iterator, Mapping

from domain.contests.alternates import PLAYS_ON, stand_in
from domain.contests.times import RoundTime
from domain.leagues.availability import away_players
from domain.leagues.facts import SubstituteNamed
from domain.leagues.season_state import LeagueGroup, Season, place_key, plays_in
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.facts import SERVICE, Actor

LEFT = "the player has left; a bot plays in the seat"
AWAY = "the player is away; a bot plays in the seat"


def fill_places(league: League, season: Season, rounds: range, time: RoundTime) -> Iterator[SubstituteNamed]:
    """Yield the substitutes for rounds that open together: alternates who accepted, then the plan's bot.

    Bots play for players who left until the end, for players who are away in single rounds. Without a bot in the plan
    players who are away keep their seats.
    """
    away = {number: away_players(league, season, number, time) for number in rounds}
    for index, group in enumerate(season.groups):
        for place in range(len(group.places)):
            offer = stand_in(league.people.offers, season.number, place_key(index, place), rounds[0])
            if offer is not None and offer.round == rounds[0]:
                yield SubstituteNamed(SERVICE, index, place, offer.player, offer.round, PLAYS_ON, offer.until)
                remaining = range(offer.until + 1, rounds.stop) if offer.until else range(0)
            else:
                remaining = rounds
            yield from fill_with_bot(plan_of(league, season).bot, group, (index, place), remaining, away)


def fill_with_bot(
    bot: Actor, group: LeagueGroup, at: tuple[int, int], rounds: range, away: Mapping[int, frozenset[Actor]]
) -> Iterator[SubstituteNamed]:
    """Yield the bot of a plan for a place (index of its group, index) in rounds that open together."""
    index, place = at
    seat = group.places[place]
    if bot and rounds and seat.in_round(rounds[0]) in group.left:
        yield SubstituteNamed(SERVICE, index, place, bot, rounds[0], LEFT)
        return
    for number in rounds:
        if bot and seat.in_round(number) in away[number] and plays_in(group, place, number):
            yield SubstituteNamed(SERVICE, index, place, bot, number, AWAY, number)
