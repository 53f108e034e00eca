"""Who plays in the seats of players who are away or have left, from the opening of a round."""

from collections.abc import Iterator

from domain.leagues.availability import away_players
from domain.leagues.facts import SubstituteNamed
from domain.leagues.season_state import LeagueGroup, Season
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.facts import SERVICE

LEFT = "the player has left; a bot plays in the seat"
AWAY = "the player is away; a bot plays in the seat"


def fill_places(league: League, season: Season, number: int) -> Iterator[SubstituteNamed]:
    """Yield the bots for a round that opens: for players who have left until the end, for those away in that round.

    Without a bot in the plan, nothing is yielded, and players who are away keep their seats.
    """
    plan, away = plan_of(league, season), away_players(league, season, number)
    if not plan.bot:
        return
    for index, group in enumerate(season.groups):
        for place, seat in enumerate(group.places):
            player = seat.in_round(number)
            if player in group.left:
                yield SubstituteNamed(SERVICE, index, place, plan.bot, number, LEFT)
            elif player in away and plays_in(group, place, number):
                yield SubstituteNamed(SERVICE, index, place, plan.bot, number, AWAY, number)


def plays_in(group: LeagueGroup, place: int, number: int) -> bool:
    """Return whether a place has a table in a round."""
    return number <= len(group.rounds) and any(place in table for table in group.rounds[number - 1])
