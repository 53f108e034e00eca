"""Helpers about deliveries."""

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import (
    DeliveryStep,
    DeliveryTurn,
    DieWindow,
    ExtensionPayment,
    Gain,
    HelperOffer,
    MarkerShortage,
)
from domain.titles.la_granja.components import BUILDINGS
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    deck_with,
    fill_row,
    give_goods,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position


def delivery_step(*effects: object, name: str = "free_deliveries") -> Position:
    """Return a position in which A has card 63 and two deliveries."""
    return lay_table(lay_cards(A, "helper", 63), *effects, step(name, DeliveryStep(A, left=2)))


@pytest.mark.parametrize(("good", "place"), [("olive", "store"), ("olive", "field"), ("pig", "pen")])
def test_barter_trader(good: str, place: str) -> None:
    """Card 63, triggered: the delivery counts, the good stays in place, and the marker is taken from the supply."""
    goods = lay_cards(A, "field", 1, full=True) if place == "field" else give_goods(A, **{good: 1})
    position = delivery_step(lay_cards(A, "barrow", 8), goods)
    before = position.state.farms[A]

    after = position.when(A, a.DeliverToBarrow(good, place, 8), a.UseHelper(63))

    farm = after.state.farms[A]
    assert (farm.olive, farm.pig, farm.fields) == (before.olive, before.pig, before.fields)
    assert sum(farm.barrows[0].filled) == 1
    assert farm.markers == before.markers - 1
    assert farm.helpers[0].exhausted


def test_barter_trader_puts_a_crop_back_on_a_field_of_its_kind() -> None:
    """Card 63: the grape returns to its field, past an empty olive field and a full grape field."""
    position = delivery_step(
        lay_cards(A, "field", 1),
        lay_cards(A, "field", 2, 5, full=True),
        lay_cards(A, "field", 3),
        lay_cards(A, "barrow", 8),
    )

    after = position.when(A, a.DeliverToBarrow("grape", "field", 8), a.UseHelper(63))

    assert after.state.farms[A].fields == position.state.farms[A].fields


def grove() -> list[object]:
    """Return effects that put A's Grove Warden on the farm with an olive on its field."""
    return [*lay_cards(A, "helper", 49), e.GoodGained(A, "olive", 1, "field", "test", 49)]


@pytest.mark.parametrize(("place", "emptied"), [("field", 1), ("helper_field", 49)])
def test_barter_trader_returns_a_crop_to_its_own_field(place: str, emptied: int) -> None:
    """Cards 63 and 49, LG-0.7: a Grove Warden's field and an ordinary one of the same crop are two choices."""
    position = delivery_step(grove(), lay_cards(A, "field", 1, 4, full=True), lay_cards(A, "barrow", 8))
    assert set(position.legal(A, a.DeliverToBarrow)) == {
        a.DeliverToBarrow("olive", "field", 8),
        a.DeliverToBarrow("olive", "helper_field", 8),
    }

    delivered = position.when(A, a.DeliverToBarrow("olive", place, 8))
    assert [field.card for field in delivered.state.farms[A].fields if not field.full] == [emptied]
    outcome = delivered.when(A, a.UseHelper(63))

    assert outcome.state.farms[A].fields == position.state.farms[A].fields
    assert outcome.of(e.GoodGained) == (e.GoodGained(A, "olive", 1, "field", "helper", emptied),)


def test_an_emptied_grove_warden_may_grow_another_kind() -> None:
    """Card 49: an ordinary field grows its olive again, so its choice differs from the helper's field."""
    position = delivery_step(grove(), lay_cards(A, "field", 1, full=True), lay_cards(A, "barrow", 8))

    def find_crops(place: str) -> list[str]:
        farm = position.when(A, a.DeliverToBarrow("olive", place, 8), a.Decline()).state.farms[A]
        return [field.crop for field in farm.fields if not field.full]

    assert find_crops("field") == ["olive"]
    assert find_crops("helper_field") == [""]


def test_every_use_of_a_crop_offers_ordinary_and_helper_fields() -> None:
    """LG-0.7, LG-2.6, LG-0.9, LG-3.1.4, cards 49, 35, 26: upgrade, sale, payment, marker shortage."""
    both = ("field", "helper_field")
    farm = [*grove(), lay_cards(A, "field", 1, full=True), give_goods(A, silver=2)]

    window = lay_table(*farm, lay_cards(A, "helper", 35), step("first_dice", DieWindow(A)))
    for kind in (a.UpgradeResource, a.SellResource):
        assert {kind("olive", place) for place in both} <= set(window.legal(A))
    sold = window.when(A, a.SellResource("olive", "helper_field")).state.farms[A]
    assert [field.card for field in sold.fields if field.full] == [1]

    tenant = lay_table(*farm, lay_cards(A, "helper", 26), step("roofs", DieWindow(A))).when(A, a.UseHelper(26)).position
    paying = lay_table(*farm, deal_cards(A, 9), step("first_dice", ExtensionPayment(A, 9, owed=1, kind=2)))
    for position in (tenant, paying):
        assert {a.PayGood("olive", place) for place in both} <= set(position.legal(A))

    shortage = (Gain(A, "food", 1, "store", "test"), MarkerShortage(A, "food", "store"))
    short = lay_table(*farm, step("first_dice", *reversed(shortage)))
    assert {a.TakeBackMarker(place, "olive") for place in both} <= set(short.legal(A))
    outcome = lay_table(*farm, give_goods(A, meat=23), step("first_dice", *reversed(shortage))).when(
        A, a.TakeBackMarker("helper_field", "olive")
    )
    assert [field.crop for field in outcome.state.farms[A].fields] == ["", "olive"]


def test_barter_trader_is_offered_before_a_barrow_is_completed() -> None:
    """Card 63: the good is kept even if it completes the barrow; the barrow pays afterwards."""
    position = delivery_step(lay_cards(A, "barrow", 1), load_barrow(A, 1, "grape"), give_goods(A, olive=1))

    pending = position.when(A, a.DeliverToBarrow("olive", "store", 1))
    pending.then(e.Delivered(A, "olive", "store", 0, 1, 0, 2))
    after = pending.when(A, a.UseHelper(63))

    after.then(
        e.HelperUsed(A, 63, True),
        e.GoodGained(A, "olive", 1, "store", "helper"),
        e.GoodGained(A, "vp", 2, "", "barrow"),
        e.BarrowCompleted(A, 1),
        e.GoodGained(A, "trade_commodity", 1, "space", "barrow"),
    )


def test_barter_trader_keeps_the_larder_keepers_food_on_its_card() -> None:
    """Cards 63 and 48."""
    stored = [*lay_cards(A, "helper", 48), e.GoodGained(A, "food", 1, "helper", "test", 48)]
    position = delivery_step_with(63, lay_cards(A, "barrow", 12), stored)

    after = position.when(A, a.DeliverToBarrow("food", "helper", 12), a.UseHelper(63))

    assert after.of(e.GoodGained) == (e.GoodGained(A, "food", 1, "helper", "helper", 48),)
    assert [helper.goods for helper in after.state.farms[A].helpers] == [0, 1]


def test_barter_trader_may_be_declined_and_is_offered_again() -> None:
    """LG-10.5, LG-10.2: declined at the first delivery, used at the second, not offered after that."""
    position = delivery_step(lay_cards(A, "barrow", 16, 22), give_goods(A, grape=1, wine=2, olive=1))

    first = position.when(A, a.DeliverToBarrow("grape", "store", 16), a.Decline())
    assert first.state.farms[A].grape == 0
    second = first.when(A, a.DeliverToBarrow("wine", "store", 16), a.UseHelper(63))

    assert second.state.farms[A].wine == 2
    assert not isinstance(second.state.agenda[-1], HelperOffer)


def test_barter_trader_without_a_marker_in_the_supply() -> None:
    """Card 63, LG-0.9: the owner can take back another marker to keep the good."""
    position = delivery_step(lay_cards(A, "barrow", 8), give_goods(A, olive=1, food=24))
    assert position.state.farms[A].markers == 0

    pending = position.when(A, a.DeliverToBarrow("olive", "store", 8), a.UseHelper(63)).position
    assert la_granja.seats_to_act(pending.state) == (A,)
    outcome = pending.when(A, a.TakeBackMarker("store", "food"))

    assert (outcome.state.farms[A].olive, outcome.state.farms[A].food) == (1, 23)
    assert pending.when(A, a.Decline()).state.farms[A].olive == 0


def test_a_barrow_that_loses_a_marker_is_not_completed() -> None:
    """LG-0.9, LG-13.23: the marker for the kept good is taken from the barrow that was just filled."""
    position = delivery_step(lay_cards(A, "barrow", 1), load_barrow(A, 1, "grape"), give_goods(A, olive=1, food=23))
    assert position.state.farms[A].markers == 0

    after = position.when(
        A, a.DeliverToBarrow("olive", "store", 1), a.UseHelper(63), a.TakeBackMarker("barrow", "grape", 1)
    )

    assert after.of(e.BarrowCompleted) == ()
    assert after.state.farms[A].barrows[0].filled == (True, False)


def delivery_step_with(
    helper: int, *effects: object, left: int = 2, name: str = "free_deliveries", paid: bool = False
) -> Position:
    """Return a position in which A has this helper and `left` deliveries."""
    return lay_table(lay_cards(A, "helper", helper), *effects, step(name, DeliveryStep(A, left=left, paid=paid)))


def test_wine_dealer() -> None:
    """Card 54, automatic: 2 silver for each wine delivered, nothing for other goods."""
    position = delivery_step_with(
        54, lay_cards(A, "barrow", 48), give_goods(A, wine=2, olive=1), lay_cards(A, "barrow", 1), left=3
    )

    after = position.when(A, *[a.DeliverToBarrow("wine", "store", 48)] * 2)

    assert after.state.farms[A].silver == 4
    assert position.when(A, a.DeliverToBarrow("olive", "store", 1)).state.farms[A].silver == 0


def test_sausage_maker() -> None:
    """Card 55, triggered (LG-10.5): 2 VP for a meat delivered, once per round."""
    position = delivery_step_with(55, lay_cards(A, "barrow", 33), give_goods(A, meat=2))

    pending = position.when(A, a.DeliverToBarrow("meat", "store", 33))
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(55))
    after = pending.when(A, a.UseHelper(55), a.DeliverToBarrow("meat", "store", 33))

    assert after.state.farms[A].vp == 2


def test_stand_in() -> None:
    """Card 56, triggered: once per round a crop is delivered to the symbol of another crop."""
    position = delivery_step_with(56, lay_cards(A, "barrow", 34), give_goods(A, olive=2, food=1))
    swapped = a.DeliverToBarrow("olive", "store", 34, "grape")
    assert position.legal(A, a.DeliverToBarrow) == (swapped,)

    after = position.when(A, swapped)

    after.then(e.HelperUsed(A, 56, True), e.Delivered(A, "olive", "store", 0, 34, 0, 2))
    after.position.refuses(A, swapped, IllegalAction)


def test_stand_in_gives_crops_for_crops() -> None:
    """Card 56: crops replace crops only; it also applies to craft buildings."""
    position = delivery_step_with(
        56, lay_cards(A, "barrow", 58, 2), give_goods(A, pig=1, olive=1), give_goods(A, grain=1)
    )

    swaps = [action for action in position.legal(A, a.DeliverToBuilding, a.DeliverToBarrow) if action.asked]

    assert {(action.good, action.asked) for action in swaps} == {
        (good, asked) for good in ("olive", "grain") for asked in ("olive", "grain", "grape") if good != asked
    }
    assert all(isinstance(action, a.DeliverToBuilding) for action in swaps)


def test_barter_trader_with_stand_in() -> None:
    """Cards 63 and 56: an olive delivered in place of a grape is kept as an olive."""
    position = lay_table(
        lay_cards(A, "helper", 63, 56),
        lay_cards(A, "barrow", 34),
        give_goods(A, olive=1),
        step("first_dice", DeliveryStep(A, left=1)),
    )

    after = position.when(A, a.DeliverToBarrow("olive", "store", 34, "grape"), a.UseHelper(63))

    farm = after.state.farms[A]
    assert (farm.olive, farm.markers, farm.barrows[0].filled) == (1, 23, (True, False))
    assert all(helper.exhausted for helper in farm.helpers)


def test_barter_trader_and_sausage_maker_in_either_order() -> None:
    """LG-10.7: both are offered for the delivered meat, and the owner chooses the order."""
    position = lay_table(
        lay_cards(A, "helper", 63, 55),
        lay_cards(A, "barrow", 33),
        give_goods(A, meat=1),
        step("first_dice", DeliveryStep(A, left=1)),
    )
    pending = position.when(A, a.DeliverToBarrow("meat", "store", 33))
    assert set(pending.position.legal(A)) == {a.Decline(), a.UseHelper(55), a.UseHelper(63)}

    for first, second in ((55, 63), (63, 55)):
        farm = pending.when(A, a.UseHelper(first), a.UseHelper(second)).state.farms[A]
        assert (farm.vp, farm.meat) == (2, 1)


def test_wheelwright() -> None:
    """Card 28, automatic: 2 silver whenever a market barrow is completed."""
    position = delivery_step_with(28, lay_cards(A, "barrow", 1), load_barrow(A, 1, "olive"), give_goods(A, grape=1))

    after = position.when(A, a.DeliverToBarrow("grape", "store", 1))

    assert e.GoodGained(A, "silver", 2, "", "helper") in after.effects


def test_guild_clerk() -> None:
    """Card 29, automatic: 1 trade commodity whenever a craft building is completed."""
    row = BUILDINGS[6].row
    position = delivery_step_with(29, fill_row(A, 6, row, 0, 1), give_goods(A, meat=1))

    after = position.when(A, a.DeliverToBuilding("meat", "store", 6))

    assert e.GoodGained(A, "trade_commodity", 1, "space", "helper") in after.effects


def test_packer() -> None:
    """Card 20, automatic: extra deliveries cost no silver; their number does not change (LG-5.4.1)."""
    position = delivery_step_with(
        20, lay_cards(A, "barrow", 1), give_goods(A, olive=1), left=1, name="extra_deliveries", paid=True
    )

    after = position.when(A, a.DeliverToBarrow("olive", "store", 1))

    after.then(e.Delivered(A, "olive", "store", 0, 1, 0, 2))


@pytest.mark.parametrize(("tile", "deliveries"), [(1, 2), (2, 3), (3, 3), (4, 4)])
def test_muleteer(tile: int, deliveries: int) -> None:
    """Card 10, automatic: one more free delivery with 1 or 2 donkeys (LG-5.3.1)."""
    chosen = [e.DonkeyChosen(A, Hidden(tile, (A,))), e.DonkeysRevealed((tile, 1))]
    position = lay_table(
        lay_cards(A, "helper", 10),
        chosen,
        give_goods(A, trade_commodity=1),
        give_goods(B, trade_commodity=1),
        step("free_deliveries", DieWindow(B), DeliveryTurn(A, paid=False)),
    )

    after = position.when(B, a.Pass())

    assert after.state.agenda[-1] == DeliveryStep(A, left=deliveries)


@pytest.mark.parametrize(("left", "silver"), [(0, 0), (1, 2), (3, 4)])
def test_idler(left: int, silver: int) -> None:
    """Card 61, automatic: 2 silver for each unused free delivery, at most 4."""
    position = delivery_step_with(61, give_goods(A, trade_commodity=1), left=left)

    assert position.when(A, a.Pass()).state.farms[A].silver == silver


def test_idler_is_paid_for_free_deliveries_only() -> None:
    """Card 61: not for extra deliveries of step III.4."""
    position = delivery_step_with(61, give_goods(A, trade_commodity=1, silver=1), name="extra_deliveries", paid=True)

    assert position.when(A, a.Pass()).state.farms[A].silver == 1


def test_courier() -> None:
    """Card 64, action in phase II: 1 silver for a delivery."""
    goods = [*give_goods(A, silver=1, olive=1), *lay_cards(A, "barrow", 1)]
    position = lay_table(lay_cards(A, "helper", 64), goods, step("first_dice", DieWindow(A)))

    after = position.when(A, a.UseHelper(64), a.DeliverToBarrow("olive", "store", 1))

    after.then(
        e.HelperUsed(A, 64, True),
        e.GoodPaid(A, "silver", 1, "", "helper"),
        e.Delivered(A, "olive", "store", 0, 1, 0, 2),
    )
    lay_table(lay_cards(A, "helper", 64), goods, step("growth", DieWindow(A))).refuses(
        A, a.UseHelper(64), IllegalAction
    )


SILVER_BARROW = ('goods = ["olive", "grape"]', 'goods = ["silver", "grape"]')


@pytest.mark.parametrize(("silver", "is_open"), [(1, False), (2, True)])
def test_courier_does_not_take_the_last_deliverable_silver(silver: int, is_open: bool) -> None:
    """Card 64, LG-6.1.2: 1 silver pays for the delivery, and a second silver is delivered to the barrow."""
    goods = [*give_goods(A, silver=silver), *lay_cards(A, "barrow", 1)]
    position = lay_table(
        lay_cards(A, "helper", 64), goods, step("first_dice", DieWindow(A)), deck=deck_with(SILVER_BARROW)
    )

    assert (a.UseHelper(64) in position.legal(A)) is is_open


@pytest.mark.parametrize(("silver", "is_open"), [(1, False), (2, True)])
def test_the_paid_delivery_tile_does_not_take_the_last_deliverable_silver(silver: int, is_open: bool) -> None:
    """LG-9.9, LG-6.1.2: 1 silver pays for tile D52, and a second silver is delivered to the barrow."""
    tile = [e.RoofsRevealed(("D52",)), e.RoofBought(A, "D52", 0)]
    goods = [*give_goods(A, silver=silver), *lay_cards(A, "barrow", 1)]
    position = lay_table(tile, goods, step("free_deliveries", DieWindow(A)), deck=deck_with(SILVER_BARROW))

    assert (a.UseRoof("D52") in position.legal(A)) is is_open
