"""The scoring of the rules agrees with an independent oracle over random boards."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.decide import settle_all
from tests.domain.titles.el_grande.table import A, acting, table
from tests.scenario import ScriptedChance
from tests.seeding import IS_EXPLORING, SEED
from tests.simulation import el_grande_oracle as oracle
from tests.simulation.el_grande_oracle import AREA_TABLES, BOARD_TABLES, RANK_OF, REGIONS, Board

BOARDS: Final = 100_000 if IS_EXPLORING else 1_000
PARTS: Final = 10
"""The number of parts, so that several processes can share them."""

EXILES: Final = ("france", "portugal")
ALL: Final = {"cards": "2023", "veterans": "all", "castillo": "open"}

Counts = dict[str, list[int]]


def spread_counts(random: Random, colours: int) -> list[int]:
    """Return counts from none to five."""
    return [random.randrange(6) for _ in range(colours)]


def close_counts(random: Random, colours: int) -> list[int]:
    """Return counts of none, one or two, which are mostly tied."""
    return [random.randrange(3) for _ in range(colours)]


def tied_counts(random: Random, colours: int) -> list[int]:
    """Return counts with as many ties as possible."""
    count, equal = random.randrange(1, 4), random.randrange(2, colours + 1)
    row = [count] * equal + [random.randrange(5) for _ in range(colours - equal)]
    random.shuffle(row)
    return row


def empty_counts(_: Random, colours: int) -> list[int]:
    return [0] * colours


STYLES: Final[tuple[Callable[[Random, int], list[int]], ...]] = (
    spread_counts,
    close_counts,
    close_counts,
    tied_counts,
    tied_counts,
    tied_counts,
    empty_counts,
)


def random_board(random: Random) -> Board:
    """Return a random possible board: at most thirty of a colour, the king anywhere, Grandes in the Castillo too."""
    seats = random.randrange(2, 6)
    colours, areas = 3 if seats == 2 else seats, list(AREA_TABLES)
    counts, supplies = Counts(), [30] * colours
    for area in random.sample(areas, len(areas)):
        row = random.choice(STYLES)(random, colours)
        counts[area] = [min(count, supply) for count, supply in zip(row, supplies, strict=True)]
        supplies = [supply - count for supply, count in zip(supplies, counts[area], strict=True)]
    king = random.choice((*areas, *REGIONS, *EXILES))
    crowd = random.choice(areas)
    grandes = [random.choice((*areas, king if king in areas else crowd, crowd)) for _ in range(seats)]
    tiles = random.sample(list(BOARD_TABLES), random.randrange(3))
    scoreboards = dict(zip(random.sample(areas, len(tiles)), tiles, strict=True))
    return Board(seats, counts, grandes, king, scoreboards)


def boards(part: int) -> Iterator[tuple[str, Random, Board]]:
    """Yield the boards of a part, each with the name that seeds it."""
    for number in range(part, BOARDS, PARTS):
        name = f"{SEED}/board/{number}"
        random = Random(name)
        yield name, random, random_board(random)


def lay_board(board: Board, *effects: Any) -> Any:
    """Return the position of the board in the last round, after these effects."""
    pieces = "\n".join(f"{area} {' '.join(map(str, row))}" for area, row in board.counts.items() if any(row))
    placements = [e.ScoreboardPlaced(tile, area) for area, tile in board.scoreboards.items()]  # type: ignore[arg-type]  # names of the oracle
    grandes = dict(enumerate(board.grandes))
    round_begun = e.RoundBegun(9, 8)
    return table(
        placements,
        round_begun,
        *effects,
        seats=board.seats,
        king=board.king,
        pieces=pieces,
        grandes=grandes,
        chosen=ALL,
    )


def gains_between(before: Any, after: Any) -> tuple[int, ...]:
    return tuple(later - earlier for earlier, later in zip(before.scores, after.scores, strict=True))


def general_scoring(board: Board, discs: Mapping[int, str | None]) -> tuple[tuple[int, ...], Any]:
    """Return points and state after the final general scoring, with these discs."""
    position = lay_board(board, e.StepBegun("scoring"))
    state = before = position.state
    for effect in settle_all(before, (), ScriptedChance()):
        state = el_grande.evolve(state, effect)
    while state.to_act:
        seat = state.to_act[0]
        for effect in el_grande.decide(state, seat, a.SetDisc(discs[seat]), ScriptedChance()):  # type: ignore[arg-type]  # names of the oracle
            state = el_grande.evolve(state, effect)
    assert state.step == "over"
    return gains_between(before, state), state


def card_scoring(board: Board, card: str, random: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the points of a scoring card by the rules and by the oracle."""
    position = lay_board(board, acting(A, card, seats=board.seats, offer=()))
    before = position.state
    if card == "s2-choose-region-1":
        region = random.choice(REGIONS)
        choice = a.NameArea(region)  # type: ignore[arg-type]  # names of the oracle
        return gains_between(before, position.when(A, choice).state), oracle.worth(board, region)
    outcome = position.when(A, a.UseSpecial())
    if card != "vet-secret-scoring":
        return gains_between(before, outcome.state), CARDS[card](board)
    choices = [random.choice(REGIONS[:4]) for _ in range(board.seats)]
    for seat, region in enumerate(choices):
        outcome = outcome.when(seat, a.ChooseRegion(region))  # type: ignore[arg-type]  # names of the oracle
    return gains_between(before, outcome.state), oracle.total(board, oracle.regions_chosen_once(choices))


CARDS: Final[Mapping[str, Callable[[Board], oracle.Points]]] = {
    "s3-bases-1": lambda board: oracle.total(board, oracle.regions_of_value(board, 4)),
    "s3-fiesta-1": lambda board: oracle.total(board, oracle.regions_of_value(board, 5)),
    "s3-six-seven": lambda board: oracle.total(board, oracle.regions_of_value(board, 6, 7)),
    "s3-revelation-1": lambda board: oracle.worth(board, "castillo"),
    "s3-firsts-only": lambda board: oracle.total(board, REGIONS, only_first=True),
    "s3-most": lambda board: oracle.total(board, oracle.most_peopled(board)),
    "s3-fewest": lambda board: oracle.total(board, oracle.least_peopled(board)),
}
ASKING: Final = ("s2-choose-region-1", "vet-secret-scoring")
"""Cards whose areas are chosen by a player."""


@pytest.mark.parametrize("part", range(PARTS))
def test_rules_and_oracle_score_alike(part: int) -> None:
    """Every board is scored three times: area by area, by a scoring card, and at the end of the match.

    EG-10.1 to EG-10.8, EG-9.4 to EG-9.6, EG-11.1, EG-11.3, EG-12.9 to EG-12.13, EG-16.9, EG-16.12, EG-17.1, EG-19.6.
    """
    cards = (*CARDS, *ASKING)
    for number, (name, random, board) in enumerate(boards(part)):
        state = lay_board(board).state
        by_area = {area: el_grande.scoring.area_points(state, index) for index, area in enumerate(AREA_TABLES)}
        by_card, expected = card_scoring(board, cards[number % len(cards)], random)
        discs = {seat: random.choice((*REGIONS, None)) for seat in range(board.seats)}
        final, _ = general_scoring(board, discs)

        assert by_area == {area: oracle.worth(board, area) for area in AREA_TABLES}, name
        assert by_card == expected, (name, cards[number % len(cards)])
        assert final == oracle.general_scoring(board, discs), (name, discs)


def test_rules_and_oracle_move_pieces_alike() -> None:
    """EG-9.5, EG-9.7, EG-16.11, EG-18.7, EG-18.8: the contents of the Castillo go to the same places."""
    for name, random, board in boards(0):
        discs = {seat: random.choice((*REGIONS, None)) for seat in range(board.seats)}
        after = oracle.after_the_discs(board, discs)
        view = el_grande.view(general_scoring(board, discs)[1], None)
        areas = {str(area.id): area for area in view.areas}

        expected_counts = {area: tuple(after.counts[area]) for area in AREA_TABLES}
        assert {area: areas[area].counts for area in AREA_TABLES} == expected_counts, name
        assert [player.grande for player in view.players] == list(after.grandes), name


def kinds_of(board: Board) -> Iterator[str]:
    """Yield the cases that a board belongs to."""
    yield f"{board.seats} seats"
    yield "the king beside the Castillo" if board.king == "castillo" else "the king in exile or in a region"
    for area, row in board.counts.items():
        word, present = oracle.standing_of(row)
        yield word
        location = "the Castillo" if area == "castillo" else "a region"
        if word and len(word) >= 3 and word == word[0] * len(word):
            yield f"three or more tied for first in {location}"
        if area in board.scoreboards:
            yield f"{board.scoreboards[area]} at {location}"
        if present and present[0] == board.seats:
            yield f"the dummy ahead in {location}"
        if present and word.count("A") == 1 and present[0] < board.seats and oracle.bonus(board, area, present[0]) == 4:
            yield f"both bonuses in {location}"


def test_the_boards_cover_every_case() -> None:
    """EG-10.3, EG-11.1, EG-16.9, EG-18.7: all 31 patterns of ties, dummy, scoreboards and Castillo, many times each."""
    counts = Counter(kind for part in range(PARTS) for _, _, board in boards(part) for kind in kinds_of(board))
    locations = ("a region", "the Castillo")
    cases = {*RANK_OF, *(f"{seats} seats" for seats in (2, 3, 4, 5)), "the king beside the Castillo"}
    for location in locations:
        cases |= {
            f"three or more tied for first in {location}",
            f"the dummy ahead in {location}",
            f"both bonuses in {location}",
        }
        cases |= {f"{tile} at {location}" for tile in BOARD_TABLES}

    assert len(RANK_OF) == 31
    assert {kind: count for kind in cases if (count := counts[kind]) < BOARDS // 500} == {}


def test_the_oracle_shares_nothing_with_the_rules() -> None:
    """The oracle imports neither the rules nor their data."""
    tree = ast.parse(Path(oracle.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert imported == {"collections.abc", "typing"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]


def test_the_oracle_knows_the_worked_examples() -> None:
    """EG-23.6 to EG-23.14, with counts and points of the rules text."""
    empty = dict.fromkeys(AREA_TABLES, (0, 0, 0, 0))
    rows = (
        (4, "castillo", (3, 2, 1, 0), (5, 3, 1, 0)),
        (4, "galicia", (4, 3, 2, 1), (4, 2, 0, 0)),
        (4, "navarra", (2, 2, 2, 1), (3, 3, 3, 1)),
        (4, "sevilla", (2, 2, 1, 0), (3, 3, 1, 0)),
        (4, "granada", (3, 1, 1, 0), (10, 1, 1, 0)),
        (4, "castilla", (4, 3, 2, 2), (6, 4, 0, 0)),
        (4, "aragon", (2, 2, 1, 1), (4, 4, 0, 0)),
        (3, "aragon", (2, 2, 1), (4, 4, 0)),
    )
    for seats, area, counts, points in rows:
        grandes = ("granada" if area == "granada" else "sevilla", *("navarra",) * (seats - 1))
        board = Board(seats, {**empty, area: counts}, grandes, "granada", {})
        assert oracle.worth(board, area) == points, area
    bases = Board(4, empty, ("toledo",) * 4, "granada", {"toledo": "board-4", "galicia": "board-8"})
    assert oracle.regions_of_value(bases, 4) == ("cataluna", "toledo", "sevilla")
    assert oracle.regions_of_value(bases._replace(scoreboards={}), 5) == ("navarra", "aragon", "valencia")
