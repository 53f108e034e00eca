"""Helpers about the market."""

from domain import la_granja
from domain.la_granja import actions as a
from domain.la_granja import effects as e
from domain.la_granja.agenda import DieWindow, StallChoice
from tests.la_granja.table import A, B, C, cell_at, has, laid, step, table


def test_negotiator() -> None:
    """Card 2, automatic, on an opponent's turn (LG-10.6, LG-2.2): 1 VP for each marker removed."""
    position = table(
        laid(B, "helper", 2),
        e.StallPlaced(B, cell_at(2, 0, 1)),
        e.StallPlaced(B, cell_at(2, 1, 0)),
        step("free_deliveries", StallChoice(A, 5)),
    )

    after = position.when(A, a.PlaceStall(cell_at(2, 1, 1)))

    after.then(
        e.StallPlaced(A, cell_at(2, 1, 1)),
        e.StallRemoved(A, cell_at(2, 0, 1), B),
        e.GoodGained(B, "vp", 1, "", "helper"),
        e.GoodGained(A, "vp", 1, "", "market"),
        e.StallRemoved(A, cell_at(2, 1, 0), B),
        e.GoodGained(B, "vp", 1, "", "helper"),
        e.GoodGained(A, "vp", 1, "", "market"),
    )


def test_negotiator_is_paid_when_a_marker_is_replaced() -> None:
    """Card 2: also when the marker is replaced directly (LG-6.4.3)."""
    sixes = [e.StallPlaced(A, cell_at(2, -1, 1)), e.StallPlaced(B, cell_at(2, 2, 0))]
    position = table(
        laid(B, "helper", 2), sixes, has(A, trade_commodity=1), step("roofs", DieWindow(A), StallChoice(A, 6))
    )

    after = position.when(A, a.Pass())

    assert e.GoodGained(B, "vp", 1, "", "helper") in after.effects


def test_negotiator_pays_its_owner_only() -> None:
    """LG-10.6: with B and C affected only C has the helper; both are there before A goes on."""
    position = table(
        laid(C, "helper", 2),
        e.StallPlaced(B, cell_at(3, 0, 1)),
        e.StallPlaced(C, cell_at(3, 1, 0)),
        step("free_deliveries", StallChoice(A, 5)),
        seats=3,
    )

    after = position.when(A, a.PlaceStall(cell_at(3, 1, 1)))

    assert [gained.seat for gained in after.of(e.GoodGained) if gained.cause == "helper"] == [C]
    assert la_granja.scores(after.state) == (2, 0, 1)
