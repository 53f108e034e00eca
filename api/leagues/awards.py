"""Prizes of a season and their awards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from api.accounts.display_names import Names, names_of
from api.contests.prize_schemas import SetDivisionPrizes
from api.leagues.responses import actors_of
from api.leagues.season_schemas import DivisionPrizes, SeasonAwardShown, SeasonAwardsShown
from api.leagues.service import LeagueService, OrganisedLeague
from api.matches.responses import show_player
from domain.leagues import prizes
from domain.leagues.season_state import Season
from domain.leagues.standings import plan_of
from domain.leagues.state import League
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.standings.results import Results


async def set_prizes(league: OrganisedLeague, request: SetDivisionPrizes) -> Stream[League]:
    """Set the prizes of a division; raise as `prizes.set_prizes`, or `ConflictOfInterest` for one who plays."""
    await league.require_neutral("set prizes")
    division, given, reason = request.division - 1, request.prizes, request.reason
    return await league.append(lambda state, by: prizes.set_prizes(state, by, division, given, reason))


async def season_awards(leagues: LeagueService, stream: Stream[League], number: int) -> SeasonAwardsShown:
    """Return the prizes and awards of a season, counted from 1; raise `NoSuchStream` if none."""
    season = season_numbered(stream, number)
    names = await asyncio.to_thread(names_of, leagues.accounts, actors_of(stream.state))
    return show_awards(stream.state, season, await leagues.results(stream.id), names)


def season_numbered(stream: Stream[League], number: int) -> Season:
    """Return a season of a league, counted from 1; raise `NoSuchStream` if none."""
    if not 1 <= number <= len(stream.state.seasons):
        raise NoSuchStream(f"league {stream.id} has no season {number}")
    return stream.state.seasons[number - 1]


def show_awards(league: League, season: Season, results: Results, names: Names) -> SeasonAwardsShown:
    """Return the prizes of a season and its awards by group, best first."""
    divisions = plan_of(league, season).divisions
    return SeasonAwardsShown(
        league_id=league.id,
        season=season.number,
        is_final=season.status == "closed",
        divisions=tuple(
            DivisionPrizes(number + 1, division.name, season.prizes_of(number))
            for number, division in enumerate(divisions)
        ),
        awards=tuple(
            award
            for number in range(len(season.groups))
            for award in awards_of_group(league, season, number, results, names)
        ),
    )


def awards_of_group(
    league: League, season: Season, number: int, results: Results, names: Names
) -> tuple[SeasonAwardShown, ...]:
    """Return the awards of a group, numbered from 0, best first."""
    group = season.groups[number]
    currency = season.prizes_of(group.division).currency
    return tuple(
        SeasonAwardShown(
            group=number + 1,
            rank=each.rank,
            player=show_player(group.places[place].actor, names),
            amount=each.amount,
            currency=currency,
            prize=each.name,
        )
        for place, each in prizes.group_awards(league, season, number, results).items()
    )


def awards_by_player(awards: SeasonAwardsShown) -> Mapping[tuple[int, Actor], SeasonAwardShown]:
    """Return the awards by group, from 1, and player."""
    return {(each.group, each.player.id): each for each in awards.awards}
