"""The steps that the service takes for a league."""

from collections.abc import Container, Iterator
from typing import Literal
from uuid import UUID

from domain.leagues.season_state import TableKey
from domain.leagues.state import League, match_of

Duty = Literal["open"]
"""The step that the service takes: open the tables of open rounds."""


def tables_to_open(league: League, seated_matches: Container[UUID]) -> Iterator[TableKey]:
    """Yield the tables of open rounds that need a match: no manual result, and not in `seated_matches`; round by round.

    `seated_matches` holds the matches whose players have their seats. Nothing is yielded unless a season is running.
    """
    season = league.season
    if season is None or season.status != "running":
        return
    for round_number in range(1, season.rounds_opened + 1):
        for number, group in enumerate(season.groups):
            tables = group.rounds[round_number - 1] if round_number <= len(group.rounds) else ()
            for table in range(1, len(tables) + 1):
                if match_of(league.id, season.number, number, round_number, table) in seated_matches:
                    continue
                if group.ruling(round_number, table) is None:
                    yield number, round_number, table


def duty_of(league: League, seated_matches: Container[UUID]) -> Duty | None:
    """Return the step that the service must take; None if the organiser or the players must act."""
    return "open" if next(tables_to_open(league, seated_matches), None) else None
