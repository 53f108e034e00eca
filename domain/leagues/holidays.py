"""The tables that share the days of holiday of a place in a season."""

from collections.abc import Container
from uuid import UUID

from domain.contests.holidays import PlaceTable, PlaceTables
from domain.leagues.season_state import Season
from domain.leagues.standings import plan_of
from domain.leagues.state import League, match_of
from domain.matches.facts import Actor


def tables_of_place(league: League, match_id: UUID, seat: int, players: Container[Actor]) -> PlaceTables | None:
    """Return the open tables of the place that has a seat of a match in the latest season; None for other matches.

    `players`: everyone who has played there, to find the group.
    """
    season = league.season
    if season is None:
        return None
    for number, group in enumerate(season.groups):
        if any(holder.actor in players for place in group.places for holder in place.holders):
            tables = tables_in_group(league, season, number, match_id, seat)
            if tables:
                rule = plan_of(league, season).holidays
                return PlaceTables(None if rule is None else rule.days, tables)
    return None


def tables_in_group(league: League, season: Season, number: int, match_id: UUID, seat: int) -> tuple[PlaceTable, ...]:
    """Return the open tables of the place that has a seat of a match in a group; empty if the match is not of it."""
    group = season.groups[number]
    seats = {
        (match_of(league.id, season.number, number, round_number, table), at): place
        for round_number, tables in enumerate(group.rounds[: season.rounds_opened], 1)
        for table, places in enumerate(tables, 1)
        for at, place in enumerate(places)
    }
    own = seats.get((match_id, seat))
    if own is None:
        return ()
    return tuple(PlaceTable(match, at) for (match, at), place in seats.items() if place == own)
