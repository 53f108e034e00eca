"""Explanations of a scored area: the parts of the points, and the points of shared places."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from domain.kernel.messages import say
from domain.matches.facts import ActionTaken, MatchStarted
from domain.matches.log.log_files import read_log
from domain.matches.titles import read_fact
from domain.titles import TITLES, el_grande
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import PLACE_INDEX
from domain.titles.el_grande.scoring import area_points
from tests.domain.titles.el_grande.table import A, B, line, table

GOLDEN: Final = Path(__file__).parents[3] / "golden"
SHORT: Final = "each gets the points for second place"


def narrate_scoring(*effects: e.Effect, **board: Any) -> list[str]:
    """Return the sentences for a spectator who sees this board after the entry."""
    return [say(message) for message in el_grande.narrate(el_grande.view(table(**board).state, None), effects)]


@pytest.mark.parametrize(
    ("king", "grandes", "sums"),
    [
        ("castilla", {}, "7 for Player 1"),
        ("toledo", {}, "9 for Player 1 (2 of them for the king)"),
        ("castilla", {A: "toledo", B: "aragon"}, "9 for Player 1 (2 of them for the Grande)"),
        ("toledo", {A: "toledo", B: "toledo"}, "11 for Player 1 (4 of them for king and Grande)"),
        ("castilla", {B: "toledo"}, "7 for Player 1"),
    ],
)
def test_bonuses_of_king_and_grande_are_explained(king: str, grandes: Mapping[int, str], sums: str) -> None:
    """EG-10.5, EG-10.6: 2 points each, to the sole first."""
    board = table(king=king, grandes=grandes, pieces="toledo 3 2 1 0")
    points = area_points(board.state, PLACE_INDEX["toledo"])

    sentences = narrate_scoring(e.AreaScored("toledo", points), king=king, grandes=grandes, pieces="toledo 3 2 1 0")
    assert sentences == [f"Toledo is scored: {sums}, 4 for Player 2, 2 for Player 3"]


@pytest.mark.parametrize(
    ("counts", "seats", "sentences"),
    [
        ("toledo 2 2 0 0", 4, [f"Player 1, Player 2 share first place: {SHORT}"]),
        ("toledo 2 2 1 0", 4, [f"Player 1, Player 2 share first place: {SHORT}, and the next is third"]),
        ("toledo 3 2 2 0", 4, ["Player 2, Player 3 share second place: each gets the points for third place"]),
        ("toledo 4 3 2 2", 4, ["Player 3, Player 4 share third place and get nothing"]),
        (
            "toledo 2 2 1 1",
            4,
            [
                f"Player 1, Player 2 share first place: {SHORT}, and the next is third",
                "Player 3, Player 4 share third place and get nothing",
            ],
        ),
        (
            "toledo 3 2 2",
            3,
            ["Player 2, Player 3 share second place and get nothing: third place counts only with 4 or 5 players"],
        ),
        (
            "galicia 3 2 2 0",
            4,
            ["Player 2, Player 3 share second place: each gets the points for third place, which are 0"],
        ),
        ("toledo 4 3 2 1", 4, []),
        ("toledo 0 2 2", 2, [f"Player 2, the dummy share first place: {SHORT}"]),
    ],
)
def test_points_of_a_shared_place_are_explained(counts: str, seats: int, sentences: list[str]) -> None:
    """EG-10.3, EG-10.4, EG-16.12: all tied players get the points of the next lower place."""
    area = counts.split(maxsplit=1)[0]
    points = area_points(table(pieces=counts, seats=seats).state, PLACE_INDEX[area])

    assert narrate_scoring(e.AreaScored(area, points), pieces=counts, seats=seats)[1:] == sentences  # type: ignore[arg-type]  # areas of the text


def test_a_scoreboard_may_give_second_place_nothing() -> None:
    """EG-11.1: the table in force counts."""
    board = table(e.ScoreboardPlaced("board-4", "toledo"), pieces="toledo 2 2 0 0")
    points = area_points(board.state, PLACE_INDEX["toledo"])

    sentences = el_grande.narrate(el_grande.view(board.state, None), (e.AreaScored("toledo", points),))
    assert list(map(say, sentences)) == [
        "Toledo is scored: no one gets points",
        "Player 1, Player 2 share first place: each gets the points for second place, which are 0",
    ]


def test_a_shared_first_place_scores_nothing_if_only_the_first_counts() -> None:
    """EG-12.12: other places are not mentioned."""
    shared, alone = "toledo 2 2 1 1", "toledo 3 1 1 0"

    assert narrate_scoring(e.AreaScored("toledo", (0, 0, 0, 0)), pieces=shared) == [
        "Toledo is scored: no one gets points",
        "Player 1, Player 2 share first place: only a sole first place scores here",
    ]
    assert narrate_scoring(e.AreaScored("toledo", (7, 0, 0, 0)), pieces=alone) == ["Toledo is scored: 7 for Player 1"]


def test_the_castillo_is_explained_as_it_was_opened() -> None:
    """EG-9.4: its caballeros have left by the end of the entry, and a Grande with them (EG-18.7)."""
    opened = e.CastilloOpened((2, 1, 1, 0))
    moved = e.CaballerosMoved(-1, (line(A, "castillo", "toledo", 2),))
    scored = e.AreaScored("castillo", (7, 1, 1, 0))

    _, *sentences = narrate_scoring(
        opened, scored, moved, e.GrandeMoved(A, "toledo"), pieces="toledo 2 0 0 0", grandes={A: "toledo"}
    )
    assert sentences[:2] == [
        "The Castillo is scored: 7 for Player 1 (2 of them for the Grande), 1 for Player 2, 1 for Player 3",
        "Player 2, Player 3 share second place: each gets the points for third place",
    ]


def test_a_region_is_explained_as_it_was_when_scored() -> None:
    """EG-9.3, EG-16.6: a Grande that arrives after the scoring adds nothing; a later dummy caballero does not count."""
    scored = e.AreaScored("toledo", (7, 4, 2, 0))
    late = narrate_scoring(scored, e.GrandeMoved(A, "toledo"), pieces="toledo 3 2 1 0", grandes={A: "toledo"})
    assert late[0] == "Toledo is scored: 7 for Player 1, 4 for Player 2, 2 for Player 3"

    points = area_points(table(pieces="toledo 2 2 0 0").state, PLACE_INDEX["toledo"])
    moved = e.CaballerosMoved(-1, (line(A, "castillo", "toledo", 1), line(B, "toledo", "aragon", 1)))
    assert narrate_scoring(e.AreaScored("toledo", points), moved, pieces="toledo 3 1 0 0")[1] == (
        f"Player 1, Player 2 share first place: {SHORT}"
    )

    points = area_points(table(pieces="toledo 0 2 2", seats=2).state, PLACE_INDEX["toledo"])
    effect = e.DummyRegionDrawn("toledo", 1)
    assert narrate_scoring(e.AreaScored("toledo", points), effect, pieces="toledo 0 2 3", seats=2)[1] == (
        f"Player 2, the dummy share first place: {SHORT}"
    )


def test_sums_that_the_board_does_not_explain_stay_unexplained() -> None:
    """The same holds for a Castillo that was never opened."""
    assert narrate_scoring(e.AreaScored("toledo", (1, 1, 1, 1)), pieces="toledo 2 2 0 0") == [
        "Toledo is scored: 1 for Player 1, 1 for Player 2, 1 for Player 3, 1 for Player 4"
    ]
    assert narrate_scoring(e.AreaScored("castillo", (3, 3, 0, 0))) == [
        "The Castillo is scored: 3 for Player 1, 3 for Player 2"
    ]


@pytest.mark.parametrize("name", ["el_grande-2-eager-8", "el_grande-3-eager-3", "el_grande-5-random-11"])
def test_explanations_match_each_scoring_of_a_recorded_match(name: str) -> None:
    """Over whole matches, later effects of an entry never change the explanation."""
    title = TITLES["el_grande"]
    state: Any = None
    compared = 0
    for entry in read_log(GOLDEN / f"{name}.jsonl").entries:
        fact = read_fact(title, entry)
        if not isinstance(fact, MatchStarted | ActionTaken):
            continue
        expected: list[str] = []
        for index, effect in enumerate(fact.effects):
            if isinstance(effect, e.AreaScored):
                lone = fact.effects[index - 1 : index + 1] if effect.area == "castillo" else (effect,)
                expected += map(say, el_grande.narrate(el_grande.view(state, None), lone))
            state = el_grande.evolve(state, effect)
        if expected:
            sentences = list(map(say, el_grande.narrate(el_grande.view(state, None), fact.effects)))
            assert [sentence for sentence in sentences if sentence in expected] == expected
            compared += 1
    assert compared > 2
