"""An oracle for scoring, written from the text of the rules alone and without the code under test.

Everything follows EG-9 to EG-12 and EG-16 to EG-19 of RULES.md. Areas are named, colours are numbered by seat, and the
dummy of two players is last.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

Points = tuple[int, ...]


class Board(NamedTuple):
    """A board in plain data."""

    seats: int
    counts: Mapping[str, Sequence[int]]
    """The caballeros of every area by colour; with two seats the third colour is the dummy's."""
    grandes: Sequence[str]
    king: str
    scoreboards: Mapping[str, str]
    """The alternative scoreboard of each area that has one."""


PRINTED: Final = """
galicia 4 2 0 | navarra  5 3 1 | aragon  5 4 1 | cataluna 4 2 1 | castilla 6 4 2
toledo  7 4 2 | valencia 5 3 2 | sevilla 4 3 1 | granada  6 3 1 | castillo 5 3 1
"""
SCOREBOARDS: Final = "board-4 4 0 0 | board-8 8 4 0"

RANKS: Final = """
A 1
AA 22        AB 12
AAA 222      AAB 223      ABB 133      ABC 123
AAAA 2222    AAAB 2223    AABB 2244    AABC 2234    ABBB 1333    ABBC 1334    ABCC 1244    ABCD 1234
AAAAA 22222  AAAAB 22223  AAABB 22244  AAABC 22234  AABBB 22444  AABBC 22445  AABCC 22355  AABCD 22345
ABBBB 13333  ABBBC 13334  ABBCC 13355  ABBCD 13345  ABCCC 12444  ABCCD 12445  ABCDD 12355  ABCDE 12345
"""
"""The ties of EG-10.3 by counts in descending order, each with the place whose points a colour gets."""


def read_table(text: str) -> dict[str, tuple[int, ...]]:
    rows = [row.split() for row in text.replace("\n", "|").split("|") if row.strip()]
    return {name: tuple(map(int, values)) for name, *values in rows}


AREA_TABLES: Final = read_table(PRINTED)
BOARD_TABLES: Final = read_table(SCOREBOARDS)
REGIONS: Final = tuple(area for area in AREA_TABLES if area != "castillo")
RANK_OF: Final = dict(zip(RANKS.split()[::2], RANKS.split()[1::2], strict=True))


def standing_of(counts: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """Return the pattern of ties as a word of `RANKS`, and the colours in descending order."""
    present = sorted((colour for colour in range(len(counts)) if counts[colour]), key=lambda colour: -counts[colour])
    heights = sorted({counts[colour] for colour in present}, reverse=True)
    return "".join("ABCDE"[heights.index(counts[colour])] for colour in present), tuple(present)


def table_at(board: Board, area: str) -> tuple[int, ...]:
    """Return the table in force: a scoreboard's, or else the printed one (EG-11.1)."""
    scoreboard = board.scoreboards.get(area)
    return BOARD_TABLES[scoreboard] if scoreboard else AREA_TABLES[area]


def bonus(board: Board, area: str, colour: int) -> int:
    """Return the bonus of a sole first (EG-10.5, EG-10.6, EG-18.7, EG-18.8)."""
    return 2 * (board.king == area) + 2 * (board.grandes[colour] == area)


def worth(board: Board, area: str, *, only_first: bool = False) -> Points:
    """Return the points of every seat for the area (EG-10, EG-16.12, EG-17.1), or only of sole firsts (EG-12.12)."""
    pattern, present = standing_of(board.counts[area])
    first, second, third = table_at(board, area)
    points_by_rank = {"1": first, "2": second, "3": third if board.seats >= 4 else 0}
    if only_first:
        points_by_rank = {"1": first}
    points = [0] * board.seats
    for colour, rank in zip(present, RANK_OF.get(pattern, ""), strict=True):
        if colour < board.seats:
            points[colour] = points_by_rank.get(rank, 0) + (bonus(board, area, colour) if rank == "1" else 0)
    return tuple(points)


def total(board: Board, areas: Sequence[str], *, only_first: bool = False) -> Points:
    """Return the points of several areas."""
    points = [worth(board, area, only_first=only_first) for area in areas]
    return tuple(sum(column) for column in zip((0,) * board.seats, *points, strict=True))


def regions_of_value(board: Board, *values: int) -> tuple[str, ...]:
    """Return the regions whose first place is worth one of these values (EG-11.3, EG-12.10)."""
    return tuple(region for region in REGIONS if table_at(board, region)[0] in values)


def most_peopled(board: Board) -> tuple[str, ...]:
    """Return all regions with the highest total, the dummy's caballeros included (EG-12.13)."""
    sums = {region: sum(board.counts[region]) for region in REGIONS}
    return tuple(region for region in REGIONS if all(sums[region] >= other for other in sums.values()))


def least_peopled(board: Board) -> tuple[str, ...]:
    """Return all regions with the lowest total of at least 1 (EG-12.13)."""
    sums = {region: sum(board.counts[region]) for region in REGIONS if sum(board.counts[region])}
    return tuple(region for region in sums if all(sums[region] <= other for other in sums.values()))


def regions_chosen_once(choices: Sequence[str]) -> tuple[str, ...]:
    """Return the regions that exactly one player has chosen (EG-19.6)."""
    return tuple(region for region in REGIONS if list(choices).count(region) == 1)


def after_the_discs(board: Board, discs: Mapping[int, str | None]) -> Board:
    """Return the board after the Castillo is emptied; None is an unclear disc.

    EG-9.3, EG-9.5, EG-16.11, EG-18.7, EG-18.8.
    """
    if board.king == "castillo":
        return board
    counts = {area: list(row) for area, row in board.counts.items()}
    grandes = list(board.grandes)
    for colour, count in enumerate(board.counts["castillo"]):
        counts["castillo"][colour] = 0
        target = discs.get(colour)
        if target is None or target == board.king:
            continue
        counts[target][colour] += count
        if grandes[colour] == "castillo":
            grandes[colour] = target
    return board._replace(counts=counts, grandes=grandes)


def general_scoring(board: Board, discs: Mapping[int, str | None]) -> Points:
    """Return the points of a general scoring: the Castillo, then the regions after the reveal (EG-9.4 to EG-9.6)."""
    return tuple(map(sum, zip(worth(board, "castillo"), total(after_the_discs(board, discs), REGIONS), strict=True)))
