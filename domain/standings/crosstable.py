"""The crosstable: each entry's rounds in the order of the standings."""

from collections.abc import Iterator, Mapping, Sequence

from domain.kernel.values import Value
from domain.standings.contest import Contest, ContestRound, RoundTable
from domain.standings.counted import rounds_of_entries
from domain.standings.ranking import Standing
from domain.standings.results import PlayedRound, Results, result_of


class CrosstableCell(Value, frozen=True):
    """A round of an entry: the table, the ranks of opponents, the place, and the points in sixtieths.

    No table: a bye or an absence. No place: the table is not over or void. `unverified`: played face to face and
    entered by hand. `absent`: a bot played for the entry (rule 2).
    """

    table: int | None
    opponents: tuple[int, ...]
    place: int | None
    points: int | None
    is_bye: bool = False
    unverified: bool = False
    absent: bool = False


class CrosstableLine(Value, frozen=True):
    """An entry's line of the crosstable."""

    entry: str
    rank: int
    cells: tuple[CrosstableCell, ...]


def crosstable(
    tournament: Contest, results: Results, rows: Sequence[Standing], first: int | None = None
) -> tuple[CrosstableLine, ...]:
    """Return a line for every row of the standings, or for the `first` rows; one cell per played round."""
    rank = {row.entry: row.rank for row in rows}
    games = {
        name: {game.round: game for game in rounds} for name, rounds in rounds_of_entries(tournament, results).items()
    }
    columns = [column(each, results, rank, games) for each in tournament.played_rounds]
    return tuple(
        CrosstableLine(row.entry, row.rank, tuple(cells[row.entry] for cells in columns)) for row in rows[:first]
    )


def column(
    round_: ContestRound, results: Results, rank: Mapping[str, int], games: Mapping[str, Mapping[int, PlayedRound]]
) -> dict[str, CrosstableCell]:
    """Return the cells of a round for every entry in the standings, also for entries that were not paired."""
    own_games = {name: games[name].get(round_.number) for name in rank}
    cells = {
        name: CrosstableCell(None, (), None, game.points if game else None, game is not None)
        for name, game in own_games.items()
    }
    for number, table in enumerate(round_.tables, start=1):
        cells.update(cells_of(number, table, results, rank, own_games))
    return cells


def cells_of(
    number: int,
    table: RoundTable,
    results: Results,
    rank: Mapping[str, int],
    own_games: Mapping[str, PlayedRound | None],
) -> Iterator[tuple[str, CrosstableCell]]:
    """Yield (entry, cell) for every entry at the table, best ranked first; opponents are named by rank."""
    result = result_of(table, results)
    is_unverified = result is not None and result.unverified
    order = sorted(table.entries, key=lambda name: rank[name])
    for name in order:
        game = own_games[name]
        opponents = tuple(rank[other] for other in order if other != name)
        place, points = (game.place, game.points) if game else (None, None)
        is_absent = game is not None and game.is_absent
        yield name, CrosstableCell(number, opponents, place, points, unverified=is_unverified, absent=is_absent)
