"""Who plays in the seats of players who are away or have left, from the opening of a round."""

from collections.abc import Iterator

from domain.contests.times import RoundTime
from domain.leagues.availability import away_players
from domain.leagues.facts import SubstituteNamed
from domain.leagues.season_state import LeagueGroup, Season
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.facts import SERVICE

LEFT = "the player has left; a bot plays in the seat"
AWAY = "the player is away; a bot plays in the seat"


def fill_places(league: League, season: Season, rounds: range, time: RoundTime) -> Iterator[SubstituteNamed]:
    """Yield the bots for rounds that open together: for players who left until the end, for others in single rounds.

    Without a bot in the plan, nothing is yielded, and players who are away keep their seats.
    """
    plan = plan_of(league, season)
    if not plan.bot:
        return
    away = {number: away_players(league, season, number, time) for number in rounds}
    for index, group in enumerate(season.groups):
        for place, seat in enumerate(group.places):
            if seat.in_round(rounds[0]) in group.left:
                yield SubstituteNamed(SERVICE, index, place, plan.bot, rounds[0], LEFT)
                continue
            for number in rounds:
                if seat.in_round(number) in away[number] and plays_in(group, place, number):
                    yield SubstituteNamed(SERVICE, index, place, plan.bot, number, AWAY, number)


def plays_in(group: LeagueGroup, place: int, number: int) -> bool:
    """Return whether a place has a table in a round."""
    return number <= len(group.rounds) and any(place in table for table in group.rounds[number - 1])
