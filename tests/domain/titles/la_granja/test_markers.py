"""Goods, places and the 25 markers (LG-0)."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardChoice, DieWindow, Gain, GrowthStep
from domain.titles.la_granja.components import BUILDINGS
from domain.titles.la_granja.holdings import goods_in
from domain.titles.la_granja.state import COMMODITY, FARM_GOODS
from tests.domain.titles.la_granja.table import (
    A,
    B,
    cell_at,
    deal_cards,
    fill_row,
    give_goods,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position

WINDOW = step("first_dice", DieWindow(A))


def test_a_pig_lies_in_a_pen_and_other_goods_in_stores() -> None:
    """LG-0.7: equal goods on equal places are one choice, and stores have no limit."""
    farm = lay_table(
        give_goods(A, olive=9, pig=2, wine=5, trade_commodity=4), lay_cards(A, "field", 1, 4, full=True)
    ).state.farms[A]

    assert goods_in(farm) == (
        ("olive", "field"),
        ("olive", "store"),
        ("pig", "pen"),
        ("wine", "store"),
        (COMMODITY, "space"),
    )


def test_a_commodity_is_no_farm_good() -> None:
    """LG-0.4, LG-0.5: nine kinds, in this order."""
    assert FARM_GOODS == ("silver", "vp", "olive", "grain", "grape", "pig", "food", "wine", "meat")
    assert COMMODITY not in FARM_GOODS


def test_silver_and_vp_are_unlimited_and_need_no_marker() -> None:
    """LG-0.8."""
    farm = lay_table(give_goods(A, silver=1000, vp=1000)).state.farms[A]

    assert (farm.silver, farm.vp, farm.markers) == (1000, 1000, 25)


def test_things_that_cost_a_marker() -> None:
    """LG-0.9: goods, commodities, filled symbols of barrows and rows, completed-building marks, stalls."""
    farm = lay_table(
        give_goods(A, olive=2, pig=1, food=1, trade_commodity=1),
        lay_cards(A, "field", 1, full=True),
        lay_cards(A, "field", 4),
        lay_cards(A, "barrow", 3),
        load_barrow(A, 3, "olive", "wine"),
        fill_row(A, 1, BUILDINGS[1].row, 0),
        fill_row(A, 2, BUILDINGS[2].row, 0, 1, 2),
        e.BuildingCompleted(A, 2),
        e.StallPlaced(A, 0),
    ).state.farms[A]

    assert farm.markers == 25 - (2 + 1 + 1 + 1) - 1 - 2 - 1 - 1 - 1


ALL_USED = [
    give_goods(A, olive=16, trade_commodity=1, pig=1),
    lay_cards(A, "field", 4, full=True),
    lay_cards(A, "barrow", 3),
    load_barrow(A, 3, "wine"),
    fill_row(B, 1, BUILDINGS[1].row, 2),
    fill_row(A, 1, BUILDINGS[1].row, 0),
    fill_row(A, 2, BUILDINGS[2].row, 0, 1, 2),
    [e.BuildingCompleted(A, 2), e.StallPlaced(A, cell_at(2, 0, 0)), e.StallPlaced(A, cell_at(2, 1, 0))],
    give_goods(A, silver=20),
]


def short() -> Position:
    """Return a position in which A has used all markers."""
    position = lay_table(*ALL_USED, WINDOW)
    assert position.state.farms[A].markers == 1
    return position.when(A, a.BuyResource("grain")).position


def test_without_markers_the_owner_gives_up_or_takes_one_back() -> None:
    """LG-0.9, LG-13.23: from store, field, pen, space, barrow, row, mark or market."""
    position = short()
    assert position.state.farms[A].markers == 0

    pending = position.when(A, a.BuyResource("grape")).position

    assert pending.legal(A) == (
        a.Decline(),
        a.TakeBackMarker("field", "olive"),
        a.TakeBackMarker("store", "olive"),
        a.TakeBackMarker("store", "grain"),
        a.TakeBackMarker("pen", "pig"),
        a.TakeBackMarker("space", "trade_commodity"),
        a.TakeBackMarker("barrow", "wine", 3),
        a.TakeBackMarker("row", "trade_commodity", 1),
        a.TakeBackMarker("mark", "", 2),
        a.TakeBackMarker("market", "", cell_at(2, 0, 0)),
        a.TakeBackMarker("market", "", cell_at(2, 1, 0)),
    )


def test_a_gain_given_up_is_lost() -> None:
    """LG-0.9: its price is not paid back."""
    after = short().when(A, a.BuyResource("grape"), a.Decline())

    after.then(e.GoodPaid(A, "silver", 4, "", "buying"), e.GainGivenUp(A, "grape"))
    assert after.state.farms[A].grape == 0


CENTRE = cell_at(2, 0, 0)
TAKEN_BACK = [
    (a.TakeBackMarker("store", "olive"), e.MarkerTakenBack(A, "store", "olive", 0)),
    (a.TakeBackMarker("field", "olive"), e.MarkerTakenBack(A, "field", "olive", 0)),
    (a.TakeBackMarker("pen", "pig"), e.MarkerTakenBack(A, "pen", "pig", 0)),
    (a.TakeBackMarker("space", "trade_commodity"), e.MarkerTakenBack(A, "space", "trade_commodity", 0)),
    (a.TakeBackMarker("barrow", "wine", 3), e.MarkerTakenBack(A, "barrow", "wine", 3, 2)),
    (a.TakeBackMarker("row", "trade_commodity", 1), e.MarkerTakenBack(A, "row", "trade_commodity", 1, 0)),
    (a.TakeBackMarker("mark", "", 2), e.MarkerTakenBack(A, "mark", "", 2)),
    (a.TakeBackMarker("market", "", CENTRE), e.MarkerTakenBack(A, "market", "", CENTRE)),
]


@pytest.mark.parametrize(("action", "effect"), TAKEN_BACK, ids=lambda value: getattr(value, "place", ""))
def test_a_marker_taken_back_is_used_for_the_gain_and_its_good_is_lost(
    action: a.TakeBackMarker, effect: e.MarkerTakenBack
) -> None:
    """LG-0.9, LG-13.23: any own marker may be taken, including from an unfinished barrow or row."""
    after = short().when(A, a.BuyResource("grape"), action)

    after.then(e.GoodPaid(A, "silver", 4, "", "buying"), effect, e.GoodGained(A, "grape", 1, "store", "buying"))
    assert after.state.farms[A].markers == 0


def test_a_building_stays_completed_without_its_mark() -> None:
    """LG-0.9: it cannot be completed again."""
    after = short().when(A, a.BuyResource("grape"), a.TakeBackMarker("mark", "", 2))

    assert after.state.buildings[1].completed == (A,)
    assert after.state.buildings[1].marks == ()


def test_a_gain_of_several_uses_the_markers_left() -> None:
    """LG-0.9: one marker is left for two empty fields; for the second crop the owner must choose."""
    position = lay_table(*ALL_USED, lay_cards(A, "field", 5, 6), step("growth", GrowthStep(A)))

    pending = position.when(A, a.GrowCrops())

    pending.then(e.GoodGained(A, "grape", 1, "field", "growth", 5))
    after = pending.when(A, a.TakeBackMarker("field", "grape"))
    after.then(e.MarkerTakenBack(A, "field", "grape", 0), e.GoodGained(A, "grain", 1, "field", "growth", 6))


def test_giving_up_one_of_several_keeps_the_others() -> None:
    """LG-0.9: one of three goods has a marker, one is given up, and one gets a marker taken back."""
    position = lay_table(
        *ALL_USED,
        deal_cards(B, 60),
        step("first_dice", CardChoice(B, may_draw=False), Gain(A, "food", 3, "store", "test")),
    )

    pending = position.when(B, a.PlayCard(60, "field")).position
    after = pending.when(A, a.Decline(), a.TakeBackMarker("store", "olive"))

    after.then(
        e.GainGivenUp(A, "food"),
        e.MarkerTakenBack(A, "store", "olive", 0),
        e.GoodGained(A, "food", 1, "store", "test"),
    )
    assert after.state.farms[A].food == 2
    assert la_granja.seats_to_act(after.state) == (-1,)


def test_pigs_without_a_pen_are_sold() -> None:
    """LG-0.7, LG-3.2.2: one free pen for three pigs."""
    position = lay_table(
        give_goods(A, pig=1),
        deal_cards(B, 60),
        step("first_dice", CardChoice(B, may_draw=False), Gain(A, "pig", 3, "pen", "test")),
    )

    after = position.when(B, a.PlayCard(60, "field"))

    assert after.of(e.GoodGained, e.PigUnhoused) == (
        e.GoodGained(A, "pig", 1, "pen", "test"),
        e.PigUnhoused(A, 3),
        e.PigUnhoused(A, 3),
    )
    assert after.state.farms[A].silver == 6


def test_a_shortage_on_another_player_s_turn() -> None:
    """LG-0.9: A decides during B's turn, and B continues afterwards."""
    position = lay_table(
        *ALL_USED,
        give_goods(B, trade_commodity=1),
        deal_cards(B, 60),
        step("first_dice", CardChoice(B, may_draw=False), Gain(A, "food", 2, "store", "test"), DieWindow(B)),
    )

    pending = position.when(B, a.PlayCard(60, "field"))

    assert la_granja.seats_to_act(pending.state) == (A,)
    pending.position.refuses(B, a.Pass(), IllegalAction)
    assert la_granja.seats_to_act(pending.when(A, a.Decline()).state) == (B,)


def test_a_pig_sold_without_a_pen_needs_no_marker() -> None:
    """LG-0.9, LG-4.5."""
    position = lay_table(
        *ALL_USED,
        give_goods(A, pig=1),
        deal_cards(B, 60),
        step("first_dice", CardChoice(B, may_draw=False), Gain(A, "pig", 1, "pen", "die")),
    )
    assert position.state.farms[A].markers == 0

    after = position.when(B, a.PlayCard(60, "field"))

    assert after.of(e.PigUnhoused) == (e.PigUnhoused(A, 3),)


def test_upgrading_and_delivering_need_no_further_marker() -> None:
    """LG-0.9: an olive can be upgraded with no marker left."""
    after = short().when(A, a.UpgradeResource("olive", "store"))

    after.then(e.ResourceUpgraded(A, "olive", "store", "food", 2))
    assert after.state.farms[A].markers == 0
