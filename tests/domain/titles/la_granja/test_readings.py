"""Readings of LG-13 about helpers; each test fails under the alternative reading."""

import pytest

from domain.kernel.hidden import Hidden
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DeliveryStep, DieResolution, DieWindow, DonkeyAdvance, RoofStep
from domain.titles.la_granja.components import ROOF_TILES
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    give_craft_markers,
    give_goods,
    lay_cards,
    lay_table,
    step,
)
from tests.scenario import Outcome, Position

DOUBLING = next(tile.id for tile in ROOF_TILES.values() if tile.effect == "double_roof_vp")


def test_barter_trader_keeps_no_commodity() -> None:
    """LG-13.30, card 63: goods only, so it is not offered for a trade commodity."""
    goods = [*lay_cards(A, "helper", 63), *lay_cards(A, "barrow", 1), *give_goods(A, trade_commodity=1, olive=1)]
    position = lay_table(goods, step("free_deliveries", DeliveryStep(A, left=2)))

    commodity = position.when(A, a.DeliverToBuilding("trade_commodity", "space", 1)).position
    assert a.UseHelper(63) not in commodity.legal(A)
    assert a.UseHelper(63) in commodity.when(A, a.DeliverToBarrow("olive", "store", 1)).position.legal(A)


def moving(tile: int, *effects: object) -> Outcome:
    """Advance A, who has the Herald and 1 silver, by this donkey tile after B has closed a window."""
    chosen = [e.DonkeyChosen(A, Hidden(tile, (A,))), e.DonkeysRevealed((tile, 1))]
    goods = [*lay_cards(A, "helper", 24), *give_goods(A, silver=1), *give_goods(B, trade_commodity=1)]
    turn = step("siesta", DieWindow(B), DonkeyAdvance(A))
    return lay_table(goods, *effects, chosen, turn).when(B, a.Pass())


def test_herald_adds_nothing_to_no_hats() -> None:
    """LG-13.31, card 24: the tile with 4 donkeys has no hat, so there is no move to lengthen."""
    assert moving(4).position.legal(A) == ()
    assert moving(3).position.legal(A) == (a.Decline(), a.UseHelper(24))


def test_herald_lengthens_the_step_of_the_wainwright() -> None:
    """LG-13.31, LG-5.2.1: a flipped Wainwright gives a move of 1 step even without a hat."""
    pending = moving(4, give_craft_markers(A, 2))
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(24))

    assert pending.when(A, a.UseHelper(24)).of(e.SiestaAdvanced) == (e.SiestaAdvanced(A, 2),)


def buying(tiles: int) -> Outcome:
    """Let A, who has the Warehouse Builder and `tiles` tiles including the doubling tile, buy another."""
    others = [tile.id for tile in ROOF_TILES.values() if tile.edition == "deluxe" and tile.id != DOUBLING]
    owned = (DOUBLING, *others[: tiles - 1])
    bought = [e.RoofsRevealed((*owned, others[-1])), *(e.RoofBought(A, tile, 0) for tile in owned)]
    position = lay_table(lay_cards(A, "helper", 43), bought, give_goods(A, silver=9), step("roofs", RoofStep(A)))
    return position.when(A, a.BuyRoof(others[-1]))


def test_the_doubling_tile_does_not_double_the_space_of_the_warehouse_builder() -> None:
    """LG-13.32, LG-9.8, card 43: the sixth space belongs to the card (3 VP); the fifth is printed."""
    sixth = buying(5)
    assert sixth.of(e.GoodGained) == (e.GoodGained(A, "vp", 3, "", "roof_space"),)
    assert a.UseRoof(DOUBLING) not in sixth.position.legal(A)

    fifth = buying(4)
    assert fifth.position.legal(A) == (a.Decline(), a.UseRoof(DOUBLING))
    assert fifth.when(A, a.UseRoof(DOUBLING)).state.farms[A].vp == 8


def declining(helper: int, pips: int, *effects: object, source: str = "chosen") -> Position:
    """Return a position in which A has declined the gain of a die."""
    die = step("first_dice", DieResolution(A, pips=pips, source=source), round=4)
    return lay_table(lay_cards(A, "helper", helper), give_goods(A, vp=1), *effects, die).when(A, a.Decline()).position


def test_tax_collector_pays_nothing_for_a_declined_gain() -> None:
    """LG-13.33, card 16: a space is resolved only by taking its gain."""
    assert declining(16, 4).state.farms[A].silver == 0


@pytest.mark.parametrize(
    ("helper", "pips", "source"), [(21, 1, "chosen"), (47, 5, "chosen"), (6, 1, "chosen"), (42, 4, "last")]
)
def test_helpers_do_not_react_to_a_declined_space(helper: int, pips: int, source: str) -> None:
    """LG-13.33: Drover, Dreamer, Merchant and Night Owl require a resolved space like the Tax Collector."""
    after = declining(helper, pips, source=source)

    assert after.legal(A) == ()
    assert after.state.siesta[0] == (A, B)


def test_a_die_with_a_declined_second_option_counts_as_resolved() -> None:
    """LG-13.33, cards 3 and 6: the Porter's first option was taken, so the Merchant is offered."""
    die = step("first_dice", DieResolution(A, pips=6), round=4)
    position = lay_table(lay_cards(A, "helper", 3, 6), give_goods(A, vp=1, trade_commodity=1), die)

    after = position.when(A, a.UseHelper(3), a.TakeOption("silver_2"), a.Decline()).position

    assert after.legal(A) == (a.Decline(), a.UseHelper(6))


def test_a_porter_replaced_by_the_first_option_still_allows_the_second() -> None:
    """LG-13.34, LG-10.4, card 3: a card played on space 2 replaces the Porter; the crop can still be taken."""
    position = lay_table(
        lay_cards(A, "helper", 3, 7, 8),
        deal_cards(A, 9),
        give_goods(A, vp=1),
        step("first_dice", DieResolution(A, pips=2)),
    )

    replaced = position.when(
        A, a.UseHelper(3), a.TakeOption("play_card"), a.PlayCard(9, "helper"), a.ReplaceCard(3)
    ).position
    assert replaced.legal(A) == (a.Decline(), a.TakeOption("draw_card"), a.TakeOption("crop_any"))

    assert replaced.when(A, a.TakeOption("crop_any"), a.TakeGood("grape")).state.farms[A].grape == 1
