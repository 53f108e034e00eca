"""Everybody's way through the tournament, round by round, in the order of the standings."""

from collections.abc import Sequence

from domain.kernel.values import Value
from domain.standings.contest import Contest
from domain.standings.ranking import Standing
from domain.standings.results import Results, result_of, rounds_of_entries


class CrosstableCell(Value, frozen=True):
    """One round of one person: the table, the ranks of those met there, the place, the points (sixtieths) for it.

    No table: a bye, or not there. No place: the table is not over, or counts for nothing. `unverified`: it was played
    face to face, and its result was entered by hand.
    """

    table: int | None
    opponents: tuple[int, ...]
    place: int | None
    points: int | None
    is_bye: bool = False
    unverified: bool = False


class CrosstableLine(Value, frozen=True):
    entry: str
    rank: int
    cells: tuple[CrosstableCell, ...]


def crosstable(tournament: Contest, results: Results, rows: Sequence[Standing]) -> tuple[CrosstableLine, ...]:
    """One line for every row of the standings."""
    rank = {row.entry: row.rank for row in rows}
    games = {name: {game.round: game for game in own} for name, own in rounds_of_entries(tournament, results).items()}
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

    def cell(name: str, number: int) -> CrosstableCell:
        game, table = games[name].get(number), at.get((number, name))
        if table is None:
            return CrosstableCell(None, (), None, game.points if game else None, game is not None)
        result = result_of(tables[number, table], results)
        met = tuple(sorted(rank[other] for other in tables[number, table].entries if other != name))
        told = result is not None and result.unverified
        return CrosstableCell(table, met, game.place if game else None, game.points if game else None, unverified=told)

    numbers = [each.number for each in tournament.played_rounds]
    return tuple(
        CrosstableLine(row.entry, row.rank, tuple(cell(row.entry, number) for number in numbers)) for row in rows
    )
