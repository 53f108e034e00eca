"""The market (LG-6.4) on the small board, in axial coordinates; centre (0,0)=2 (0,1)=3 (1,0)=4 (1,1)=5."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import StallChoice
from domain.titles.la_granja.components_market import MARKETS
from tests.domain.titles.la_granja.table import A, B, C, D, cell_at, lay_table, step
from tests.scenario import Outcome, Position


def stalls(seat: int, *places: tuple[int, int], seats: int = 2) -> list[e.StallPlaced]:
    """Return effects that place the seat's markers at these coordinates."""
    return [e.StallPlaced((A, B, C, D)[seat], cell_at(seats, q, r)) for q, r in places]


def placing(value: int, *effects: object, seats: int = 2) -> Position:
    """Return a position in which A has completed a barrow of this value."""
    return lay_table(*effects, step("free_deliveries", StallChoice(A, value)), seats=seats)


def place_stall(value: int, at: tuple[int, int], *effects: object, seats: int = 2) -> Outcome:
    return placing(value, *effects, seats=seats).when(A, a.PlaceStall(cell_at(seats, *at)))


def test_the_marker_goes_to_a_free_space_of_the_value() -> None:
    """LG-6.4.1: the free spaces of value 5 on the small board."""
    position = placing(5, stalls(1, (1, 1)))

    assert position.legal(A) == tuple(a.PlaceStall(cell_at(2, q, r)) for q, r in ((-1, 0), (-1, 2)))
    position.refuses(A, a.PlaceStall(cell_at(2, 0, 0)), IllegalAction)


def test_opponents_on_adjacent_lower_spaces_are_removed_for_1_vp_each() -> None:
    """LG-6.4.2: (1,1)=5 touches (0,1)=3, (1,0)=4, (0,2)=2, (2,0)=6, (1,2)=3, (2,1)=4; B has 3, 4 and 6."""
    after = place_stall(5, (1, 1), stalls(1, (0, 1), (1, 0), (2, 0)))

    after.then(
        e.StallPlaced(A, cell_at(2, 1, 1)),
        e.StallRemoved(A, cell_at(2, 0, 1), B),
        e.GoodGained(A, "vp", 1, "", "market"),
        e.StallRemoved(A, cell_at(2, 1, 0), B),
        e.GoodGained(A, "vp", 1, "", "market"),
    )
    assert after.state.stalls[cell_at(2, 2, 0)] == B
    assert after.state.farms[B].markers == 24


def test_own_markers_and_equal_or_higher_values_are_safe() -> None:
    """LG-6.4.5: A's own 3 and B's 6 stay; spaces of equal value are never adjacent."""
    after = place_stall(5, (1, 1), stalls(0, (0, 1)), stalls(1, (2, 0), (-1, 0)))

    after.then(e.StallPlaced(A, cell_at(2, 1, 1)))


def test_only_spaces_that_share_an_edge_are_adjacent() -> None:
    """LG-6.4.6: (0,0)=2 is lower than 5 but does not touch (1,1)."""
    after = place_stall(5, (1, 1), stalls(1, (0, 0)))

    assert after.of(e.StallRemoved) == ()


def test_closed_spaces_are_neither_neighbours_nor_offered() -> None:
    """LG-6.4.6, LG-1.1: (0,3)=6 is closed with 3 players and open with 4."""
    closed, opened = placing(6, seats=3), placing(6, seats=4)

    assert a.PlaceStall(cell_at(4, 0, 3)) in opened.legal(A)
    assert a.PlaceStall(cell_at(3, 0, 3)) not in closed.legal(A)
    board = MARKETS["large_closed"]
    shut = [index for index, cell in enumerate(board.cells) if cell.closed_3p]
    assert all(index not in around for index in shut for around in board.neighbours)


def test_an_opponent_s_marker_is_replaced_on_a_full_value() -> None:
    """LG-6.4.3: B has two of the fives and A the third; 1 VP each for the marker replaced and the marker swept."""
    full = (stalls(0, (-1, 0)), stalls(1, (-1, 2), (1, 1), (0, 1)))
    position = placing(5, *full)
    assert position.legal(A) == (a.PlaceStall(cell_at(2, -1, 2)), a.PlaceStall(cell_at(2, 1, 1)))

    after = position.when(A, a.PlaceStall(cell_at(2, 1, 1)))

    after.then(
        e.StallRemoved(A, cell_at(2, 1, 1), B),
        e.GoodGained(A, "vp", 1, "", "market"),
        e.StallPlaced(A, cell_at(2, 1, 1)),
        e.StallRemoved(A, cell_at(2, 0, 1), B),
        e.GoodGained(A, "vp", 1, "", "market"),
    )


def test_a_single_free_space_is_taken_automatically() -> None:
    """LG-6.4.1: a single choice is forced; the next stall of the value finds only own markers and is not placed."""
    fives = stalls(0, (-1, 0))
    tasks = step("free_deliveries", StallChoice(A, 5), StallChoice(A, 5), StallChoice(A, 5))

    after = lay_table(fives, tasks).when(A, a.PlaceStall(cell_at(2, 1, 1)))

    assert after.of(e.StallPlaced) == (e.StallPlaced(A, cell_at(2, 1, 1)), e.StallPlaced(A, cell_at(2, -1, 2)))


def test_nothing_is_placed_among_own_markers() -> None:
    """LG-6.4.4."""
    sixes = MARKETS["small"].by_value[6]
    mine = [e.StallPlaced(A, cell) for cell in sixes]
    position = lay_table(mine, step("free_deliveries", StallChoice(A, 2), StallChoice(A, 6)))

    after = position.when(A, a.PlaceStall(cell_at(2, 0, 0)))

    after.then(e.StallPlaced(A, cell_at(2, 0, 0)))


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 3, 2, 1)])
def test_markers_return_to_their_owners_in_turn_order(order: tuple[int, ...]) -> None:
    """LG-10.6."""
    position = lay_table(
        stalls(1, (0, 1), seats=4),
        stalls(3, (1, 0), seats=4),
        step("free_deliveries", StallChoice(A, 5)),
        seats=4,
        order=order,
    )

    after = position.when(A, a.PlaceStall(cell_at(4, 1, 1)))

    assert [removed.owner for removed in after.of(e.StallRemoved)] == [seat for seat in order if seat in (B, D)]
