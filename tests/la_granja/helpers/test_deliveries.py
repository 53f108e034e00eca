"""Helpers about deliveries."""

import pytest

from domain import la_granja
from domain.la_granja import actions as a
from domain.la_granja import effects as e
from domain.la_granja.agenda import DeliveryStep, HelperOffer
from tests.la_granja.table import A, has, laid, loaded, step, table
from tests.scenario import Position


def delivering(*effects: object, name: str = "free_deliveries") -> Position:
    """A has card 63 and two deliveries."""
    return table(laid(A, "helper", 63), *effects, step(name, DeliveryStep(A, left=2)))


@pytest.mark.parametrize(("good", "place"), [("olive", "store"), ("olive", "field"), ("pig", "pen")])
def test_barter_trader(good: str, place: str) -> None:
    """Card 63, triggered: the delivery counts, the good stays where it was, the marker comes from the supply."""
    goods = laid(A, "field", 1, full=True) if place == "field" else has(A, **{good: 1})
    position = delivering(laid(A, "barrow", 8), goods)
    before = position.state.farms[A]

    after = position.when(A, a.DeliverToBarrow(good, place, 8), a.UseHelper(63))

    farm = after.state.farms[A]
    assert (farm.olive, farm.pig, farm.fields) == (before.olive, before.pig, before.fields)
    assert sum(farm.barrows[0].filled) == 1
    assert farm.markers == before.markers - 1
    assert farm.helpers[0].exhausted


def test_barter_trader_puts_a_crop_back_on_a_field_of_its_kind() -> None:
    """Card 63: an empty olive field and a full grape field lie before the one the grape came from."""
    position = delivering(
        laid(A, "field", 1), laid(A, "field", 2, 5, full=True), laid(A, "field", 3), laid(A, "barrow", 8)
    )

    after = position.when(A, a.DeliverToBarrow("grape", "field", 8), a.UseHelper(63))

    assert after.state.farms[A].fields == position.state.farms[A].fields


def test_barter_trader_is_asked_before_a_barrow_is_completed() -> None:
    """Card 63: the delivered good is kept even when it completes the barrow; then the barrow pays."""
    position = delivering(laid(A, "barrow", 1), loaded(A, 1, "grape"), has(A, olive=1))

    asked = position.when(A, a.DeliverToBarrow("olive", "store", 1))
    asked.then(e.Delivered(A, "olive", "store", 0, 1, 0, 2))
    after = asked.when(A, a.UseHelper(63))

    after.then(
        e.HelperUsed(A, 63, True),
        e.GoodGained(A, "olive", 1, "store", "helper"),
        e.GoodGained(A, "vp", 2, "", "barrow"),
        e.BarrowCompleted(A, 1),
        e.GoodGained(A, "trade_commodity", 1, "space", "barrow"),
    )


def test_barter_trader_keeps_a_commodity_too() -> None:
    """Card 63: whatever good is delivered."""
    after = delivering(has(A, trade_commodity=1)).when(
        A, a.DeliverToBuilding("trade_commodity", "space", 1), a.UseHelper(63)
    )

    assert after.state.farms[A].trade_commodity == 1


def test_barter_trader_may_be_declined_and_is_asked_again() -> None:
    """LG-10.5, LG-10.2: declined at the first delivery, used at the second, not asked any more."""
    position = delivering(laid(A, "barrow", 16, 22), has(A, grape=1, wine=2, olive=1))

    first = position.when(A, a.DeliverToBarrow("grape", "store", 16), a.Decline())
    assert first.state.farms[A].grape == 0
    second = first.when(A, a.DeliverToBarrow("wine", "store", 16), a.UseHelper(63))

    assert second.state.farms[A].wine == 2
    assert not isinstance(second.state.agenda[-1], HelperOffer)


def test_barter_trader_without_a_marker_in_the_supply() -> None:
    """Card 63, LG-0.9: the owner is asked; taking back another marker keeps the good."""
    position = delivering(laid(A, "barrow", 8), has(A, olive=1, food=24))
    assert position.state.farms[A].markers == 0

    asked = position.when(A, a.DeliverToBarrow("olive", "store", 8), a.UseHelper(63)).position
    assert la_granja.seats_to_act(asked.state) == (A,)
    kept = asked.when(A, a.TakeBackMarker("store", "food"))

    assert (kept.state.farms[A].olive, kept.state.farms[A].food) == (1, 23)
    assert asked.when(A, a.Decline()).state.farms[A].olive == 0


def test_a_row_robbed_of_a_marker_is_not_completed() -> None:
    """LG-0.9, LG-13.23: the marker for the kept good comes off the very barrow that was full."""
    position = delivering(laid(A, "barrow", 1), loaded(A, 1, "grape"), has(A, olive=1, food=23))
    assert position.state.farms[A].markers == 0

    after = position.when(
        A, a.DeliverToBarrow("olive", "store", 1), a.UseHelper(63), a.TakeBackMarker("barrow", "grape", 1)
    )

    assert after.of(e.BarrowCompleted) == ()
    assert after.state.farms[A].barrows[0].filled == (True, False)
