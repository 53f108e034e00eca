"""Points of an area as text tables: caballeros by player, and the points they bring."""

import pytest

from domain.kernel.values import replace
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import PLACE_INDEX
from domain.titles.el_grande.scoring import (
    area_points,
    extreme_regions,
    open_scores,
    place_points,
    prices,
    ranking,
    regions_worth,
    scores,
)
from tests.domain.titles.el_grande.table import A, B, table

EXAMPLES = """
# rule        area      counts    seats  points    king      grandes
EG-23.6       castillo  3,2,1,0   4      5,3,1,0   castilla  -
EG-23.7       galicia   4,3,2,1   4      4,2,0,0   castilla  -
EG-23.8       navarra   2,2,2,1   4      3,3,3,1   castilla  b
EG-23.9       sevilla   2,2,1,0   4      3,3,1,0   castilla  a
EG-23.10      granada   3,1,1,0   4      10,1,1,0  granada   a
EG-10.5       granada   3,1,1,0   4      8,1,1,0   granada   -
EG-10.6       granada   3,1,1,0   4      8,1,1,0   castilla  a
EG-10.7       granada   3,3,1,0   4      3,3,1,0   granada   a
EG-10.1       granada   1,2,3,0   4      1,3,6,0   castilla  -
EG-10.2       granada   2,0,0,0   4      6,0,0,0   castilla  -
EG-6.2        castilla  1,3,0,0   4      4,8,0,0   castilla  -
EG-16.12      granada   3,2,1     3      6,3,0     castilla  -
EG-17.1       navarra   3,1,2     3      5,0,3     castilla  -
EG-10.3       granada   0,0,0,0   4      0,0,0,0   granada   a
EG-10.4       toledo    5,4,4,3   5      7,2,2,0   castilla  -
"""


def examples(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines() if not line.startswith("#")]


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


@pytest.mark.parametrize("example", examples(EXAMPLES), ids=lambda example: " ".join(example[:3]))
def test_an_area_scores_as_in_the_rulebook(example: list[str]) -> None:
    """EG-23.6 EG-23.7 EG-23.8 EG-23.9 EG-23.10; EG-10.1 to EG-10.8: places, ties, bonuses.

    EG-10.5 EG-10.6 EG-10.7: king and Grande each add 2 for the sole first and nothing in a tie. EG-6.2: the king's
    region scores like any other. EG-16.12, EG-17.1: no third place with two or three players.
    """
    _, area, counts, seats, points, king, grandes = example
    homes = {} if grandes == "-" else {"abcde".index(grandes): area}
    row = f"{area} {counts.replace(',', ' ')}"
    state = table(seats=int(seats), king=king, pieces=row, grandes=homes).state

    padded = numbers(points) + (0,) * (int(seats) - len(numbers(points)))
    assert area_points(state, PLACE_INDEX[area]) == padded


@pytest.mark.parametrize(
    ("prices", "counts", "points"),
    [
        ((5, 3, 1), (4, 4, 4, 3), (3, 3, 3, 1)),
        ((6, 4, 2), (4, 3, 2, 2), (6, 4, 0, 0)),
        ((5, 4, 1), (2, 2, 1, 1), (4, 4, 0, 0)),
        ((5, 4, 0), (2, 2, 1), (4, 4, 0)),
        ((7, 4, 2), (1, 1, 1, 1, 1), (4, 4, 4, 4, 4)),
        ((7, 4, 2), (3, 2, 2, 2, 1), (7, 2, 2, 2, 0)),
        ((7, 4, 2), (5, 4, 3, 2, 1), (7, 4, 2, 0, 0)),
    ],
)
def test_ties_get_the_next_lower_place(
    prices: tuple[int, int, int], counts: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """EG-23.11, EG-23.12, EG-10.3, EG-10.4: tied players get the next lower place; players below move down by one."""
    assert place_points(counts, prices) == points


def test_caballeros_rank_and_grandes_do_not_count() -> None:
    """EG-10.1, EG-10.2, EG-0.2: a Grande alone in a region scores nothing."""
    state = table(pieces="granada 0 2 0 0", grandes={A: "granada"}).state

    assert area_points(state, PLACE_INDEX["granada"]) == (0, 6, 0, 0)


def test_bonuses_hold_at_every_scoring_and_with_a_scoreboard() -> None:
    """EG-10.8, EG-11.1, EG-11.4: 8/4/0 replaces the table; king and Grande add 2 each."""
    state = table(
        e.ScoreboardPlaced("board-8", "granada"), king="granada", pieces="granada 3 1 1 0", grandes={A: "granada"}
    ).state

    assert prices(state, PLACE_INDEX["granada"]) == (8, 4, 0)
    assert area_points(state, PLACE_INDEX["granada"]) == (12, 0, 0, 0)


def test_the_dummy_ranks_and_gets_nothing() -> None:
    """EG-16.9: its caballeros count for every ranking; as sole first it takes first place from the players."""
    state = table(seats=2, king="granada", pieces="granada 1 2 3", grandes={B: "granada"}).state

    assert area_points(state, PLACE_INDEX["granada"]) == (0, 3)


def test_first_places_only() -> None:
    """EG-12.12: a tie for first and all other places score nothing; bonuses apply."""
    state = table(king="granada", pieces="granada 3 2 0 0\ntoledo 2 2 0 0", grandes={A: "granada"}).state

    assert area_points(state, PLACE_INDEX["granada"], first_only=True) == (10, 0, 0, 0)
    assert area_points(state, PLACE_INDEX["toledo"], first_only=True) == (0, 0, 0, 0)


def test_value_classes_follow_the_table_in_force() -> None:
    """EG-23.13, EG-11.3: with 4/0/0 at Toledo and 8/4/0 at Galicia, Bases scores Sevilla, Cataluña and Toledo."""
    state = table(e.ScoreboardPlaced("board-4", "toledo"), e.ScoreboardPlaced("board-8", "galicia")).state
    bases = {PLACE_INDEX[name] for name in ("sevilla", "cataluna", "toledo")}

    assert set(regions_worth(state, (4,))) == bases


def test_fiesta_is_aragon_navarra_valencia() -> None:
    """EG-23.14: never the Castillo, although its first place is worth 5."""
    fiesta = {PLACE_INDEX[name] for name in ("aragon", "navarra", "valencia")}

    assert set(regions_worth(table().state, (5,))) == fiesta


def test_extremes_count_all_colours_and_take_equals_together() -> None:
    """EG-12.13: totals include all colours, the dummy and the king's region; empty regions are not the fewest."""
    state = table(seats=2, king="toledo", pieces="toledo 1 1 3\ngranada 5 0 0\naragon 1 0 0\nsevilla 0 1 0").state

    assert extreme_regions(state, "most", 0) == (PLACE_INDEX["toledo"], PLACE_INDEX["granada"])
    assert extreme_regions(state, "fewest", 1) == (PLACE_INDEX["aragon"], PLACE_INDEX["sevilla"])


def test_an_empty_board_has_no_region_with_the_fewest() -> None:
    """EG-12.13: the lowest total is at least 1."""
    assert extreme_regions(table().state, "fewest", 1) == ()


def test_equal_points_share_a_place() -> None:
    """EG-14.1, EG-14.2: there is no tie-break for any place."""
    state = table(e.StepBegun("over")).state

    assert ranking(replace(state, scores=(10, 30, 10, 30))) == (3, 1, 3, 1)
    assert ranking(replace(state, scores=(1, 2, 3, 4))) == (4, 3, 2, 1)


def test_there_is_no_ranking_before_the_end() -> None:
    """EG-14.1: the game ends after the third general scoring."""
    assert ranking(table().state) is None


def test_scores_are_public() -> None:
    """EG-21.1: scores are public."""
    state = table().state

    assert open_scores(state) == scores(state) == state.scores
