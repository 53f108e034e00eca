"""Everybody's way through the event, round by round, in the order of the standings."""

from collections.abc import Sequence

from domain.kernel.values import Value
from domain.standings.ranking import Standing
from domain.standings.results import Results, played, result_of
from domain.tournaments.state import Tournament


class Cell(Value, frozen=True):
    """One round of one person: the table, the ranks of those met there, the place, the points (sixtieths) for it.

    No table: a bye, or not there. No place: the table is not over, or counts for nothing. `unverified`: it was played
    face to face, and its result was told.
    """

    table: int | None
    opponents: tuple[int, ...]
    place: int | None
    points: int | None
    is_bye: bool = False
    unverified: bool = False


class Line(Value, frozen=True):
    entry: str
    rank: int
    cells: tuple[Cell, ...]


def crosstable(tournament: Tournament, results: Results, rows: Sequence[Standing]) -> tuple[Line, ...]:
    """One line for every row of the standings."""
    rank = {row.entry: row.rank for row in rows}
    games = {name: {game.round: game for game in own} for name, own in played(tournament, results).items()}
    at = {
        (each.number, name): number
        for each in tournament.played_rounds
        for number, table in enumerate(each.tables, start=1)
        for name in table.entries
    }
    tables = {
        (each.number, number): table
        for each in tournament.played_rounds
        for number, table in enumerate(each.tables, start=1)
    }

    def cell(name: str, number: int) -> Cell:
        game, table = games[name].get(number), at.get((number, name))
        if table is None:
            return Cell(None, (), None, game.points if game else None, game is not None)
        result = result_of(tables[number, table], results)
        met = tuple(sorted(rank[other] for other in tables[number, table].entries if other != name))
        told = result is not None and result.unverified
        return Cell(table, met, game.place if game else None, game.points if game else None, unverified=told)

    numbers = [each.number for each in tournament.played_rounds]
    return tuple(Line(row.entry, row.rank, tuple(cell(row.entry, number) for number in numbers)) for row in rows)
