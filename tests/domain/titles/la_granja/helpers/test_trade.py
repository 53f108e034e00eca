"""Helpers about prices and selling."""

import pytest

from domain.kernel.rules import SERVICE_SEAT, IllegalAction
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieWindow, SaleOwed
from tests.domain.titles.la_granja.table import A, B, give_goods, lay_cards, lay_table, step

WINDOW = step("first_dice", DieWindow(A))


@pytest.mark.parametrize(("resource", "price"), [("olive", 1), ("grain", 1), ("grape", 2), ("pig", 3)])
def test_chef(resource: str, price: int) -> None:
    """Card 1, automatic (LG-10.5): every paid upgrade costs 1 silver less (LG-10.7)."""
    place = "pen" if resource == "pig" else "store"
    position = lay_table(lay_cards(A, "helper", 1), give_goods(A, silver=price, **{resource: 1}), WINDOW)

    after = position.when(A, a.UpgradeResource(resource, place))

    assert after.of(e.ResourceUpgraded)[0].silver == price


def test_chef_works_for_its_owner_only() -> None:
    """Card 1: B's helper does not lower A's prices."""
    position = lay_table(lay_cards(B, "helper", 1), give_goods(A, silver=1, olive=1), WINDOW)

    position.refuses(A, a.UpgradeResource("olive", "store"), IllegalAction)


def test_chef_ends_when_the_card_leaves() -> None:
    """LG-10.8: the price is 2 again after card 1 was discarded."""
    position = lay_table(
        lay_cards(A, "helper", 1), e.CardDiscarded(A, 1, "helper"), give_goods(A, silver=1, olive=1), WINDOW
    )

    position.refuses(A, a.UpgradeResource("olive", "store"), IllegalAction)


def test_field_hand() -> None:
    """Card 35, automatic: crops can be sold from fields at the normal price (LG-2.5)."""
    position = lay_table(
        lay_cards(A, "helper", 35), lay_cards(A, "field", 2, full=True), give_goods(A, olive=1), WINDOW
    )

    after = position.when(A, a.SellResource("grape", "field"))

    after.then(e.ResourceSold(A, "grape", "field", 1, 2))
    assert not after.state.farms[A].fields[0].full


def test_field_hand_sells_one_crop_at_a_time() -> None:
    """Card 35: one of two full grape fields is emptied."""
    position = lay_table(lay_cards(A, "helper", 35), lay_cards(A, "field", 1, 2, 5, full=True), WINDOW)

    after = position.when(A, a.SellResource("grape", "field"))

    assert [field.full for field in after.state.farms[A].fields] == [True, False, True]


def test_field_hand_in_the_final_sale() -> None:
    """LG-13.20, LG-8.2: two grapes and an olive on fields bring 5 silver, 1 VP."""
    position = lay_table(
        lay_cards(A, "helper", 35),
        lay_cards(A, "field", 1, 2, 5, full=True),
        e.StepBegun(6, "sale", (SaleOwed(SERVICE_SEAT),)),
    )

    position.when(SERVICE_SEAT, a.FinalSale()).then(
        e.ResourceSold(A, "olive", "field", 1, 1),
        e.ResourceSold(A, "grape", "field", 2, 4),
        e.SilverExchanged(A, 5, 1),
    )


def test_miller() -> None:
    """Card 13, automatic: upgrading grain costs 2 silver less, not below 0 (LG-10.7); other goods as usual."""
    position = lay_table(lay_cards(A, "helper", 13), give_goods(A, grain=1, olive=1), WINDOW)

    position.when(A, a.UpgradeResource("grain", "store")).then(
        e.ResourceUpgraded(A, "grain", "store", "food", 0),
    )
    position.refuses(A, a.UpgradeResource("olive", "store"), IllegalAction)


def test_trader() -> None:
    """Card 7: a trade commodity for 7 silver or one of each crop, once per round (LG-10.2)."""
    position = lay_table(lay_cards(A, "helper", 7), give_goods(A, trade_commodity=2), WINDOW)
    pending = position.when(A, a.UseHelper(7))
    assert pending.position.legal(A) == (a.TakeOption("one_of_each_crop"), a.TakeOption("silver_7"))

    silver = pending.when(A, a.TakeOption("silver_7"))
    crops = pending.when(A, a.TakeOption("one_of_each_crop"))

    silver.then(
        e.GoodPaid(A, "trade_commodity", 1, "space", "spent"),
        e.GoodGained(A, "silver", 7, "", "helper"),
    )
    assert [(gain.good, gain.amount) for gain in crops.of(e.GoodGained)] == [
        ("olive", 1),
        ("grain", 1),
        ("grape", 1),
    ]
    silver.position.refuses(A, a.UseHelper(7), IllegalAction)


def test_oil_presser() -> None:
    """Card 12, action: upgrade an olive free of charge, also from a field, and gain 1 silver; olives only."""
    position = lay_table(
        lay_cards(A, "helper", 12), give_goods(A, grain=1), lay_cards(A, "field", 1, full=True), WINDOW
    )

    position.when(A, a.UseHelper(12)).then(
        e.HelperUsed(A, 12, True),
        e.ResourceUpgraded(A, "olive", "field", "food", 0),
        e.GoodGained(A, "silver", 1, "", "helper"),
    )
    lay_table(lay_cards(A, "helper", 12), give_goods(A, grain=1), WINDOW).refuses(A, a.UseHelper(12), IllegalAction)


def test_farm_servant() -> None:
    """Card 23, action: upgrade any resource free of charge."""
    position = lay_table(lay_cards(A, "helper", 23), give_goods(A, grain=1, pig=1, trade_commodity=1), WINDOW)

    after = position.when(A, a.UseHelper(23), a.UpgradeResource("pig", "pen"))

    after.then(e.HelperUsed(A, 23, True), e.ResourceUpgraded(A, "pig", "pen", "meat", 0))
    after.position.refuses(A, a.UseHelper(23), IllegalAction)


def test_ham_curer() -> None:
    """Card 27, action: upgrade a pig free of charge."""
    position = lay_table(lay_cards(A, "helper", 27), give_goods(A, grain=1, pig=1), WINDOW)

    position.when(A, a.UseHelper(27)).then(e.HelperUsed(A, 27, True), e.ResourceUpgraded(A, "pig", "pen", "meat", 0))


def test_vintner() -> None:
    """Card 14, triggered (LG-10.5): 1 VP when a grape is upgraded; once per round."""
    position = lay_table(lay_cards(A, "helper", 14), give_goods(A, grape=2, silver=9), WINDOW)

    pending = position.when(A, a.UpgradeResource("grape", "store"))
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(14))
    after = pending.when(A, a.UseHelper(14), a.UpgradeResource("grape", "store"))

    assert after.state.farms[A].vp == 1
    assert pending.when(A, a.Decline()).state.farms[A].vp == 0


def test_broker() -> None:
    """Card 30, automatic: every resource sold brings 1 silver more."""
    position = lay_table(lay_cards(A, "helper", 30), give_goods(A, olive=1, pig=1, trade_commodity=1), WINDOW)

    position.when(A, a.SellResource("olive", "store"), a.SellResource("pig", "pen")).then(
        e.ResourceSold(A, "olive", "store", 1, 2), e.ResourceSold(A, "pig", "pen", 1, 4)
    )


def test_haggler() -> None:
    """Card 31, automatic: every resource bought costs 1 silver less."""
    position = lay_table(lay_cards(A, "helper", 31), give_goods(A, silver=2, trade_commodity=1), WINDOW)

    after = position.when(A, a.BuyResource("olive"))

    assert after.of(e.GoodPaid) == (e.GoodPaid(A, "silver", 2, "", "buying"),)
    position.refuses(A, a.BuyResource("grape"), IllegalAction)


def test_haggler_and_broker_have_a_limit() -> None:
    """LG-2.4: buying and selling for 2 costs nothing, so a window allows 12 purchases."""
    position = lay_table(lay_cards(A, "helper", 30, 31), give_goods(A, silver=2, trade_commodity=1), WINDOW)

    after = position.when(A, *[a.BuyResource("olive"), a.SellResource("olive", "store")] * 12)

    assert after.state.farms[A].silver == 2
    after.position.refuses(A, a.BuyResource("olive"), IllegalAction)


def test_tenant() -> None:
    """Card 26, action in phase I: pay a crop from a store or field, or 2 silver, for 2 VP."""
    goods = [*give_goods(A, silver=2, olive=1, pig=1), *lay_cards(A, "field", 1, full=True)]
    position = lay_table(lay_cards(A, "helper", 26), goods, step("growth", DieWindow(A)))

    pending = position.when(A, a.UseHelper(26)).position

    assert pending.legal(A) == (a.PayGood("olive", "field"), a.PayGood("olive", "store"), a.PayGood("silver", ""))
    pending.when(A, a.PayGood("silver", "")).then(
        e.GoodPaid(A, "silver", 2, "", "helper"), e.GoodGained(A, "vp", 2, "", "helper")
    )
    pending.when(A, a.PayGood("olive", "field")).then(
        e.GoodPaid(A, "olive", 1, "field", "helper"), e.GoodGained(A, "vp", 2, "", "helper")
    )
    lay_table(lay_cards(A, "helper", 26), goods, WINDOW).refuses(A, a.UseHelper(26), IllegalAction)


def test_almoner() -> None:
    """Card 51, action: 4 silver for 3 VP."""
    position = lay_table(lay_cards(A, "helper", 51), give_goods(A, silver=4, trade_commodity=1), WINDOW)

    position.when(A, a.UseHelper(51)).then(
        e.HelperUsed(A, 51, True), e.GoodPaid(A, "silver", 4, "", "helper"), e.GoodGained(A, "vp", 3, "", "helper")
    )
    lay_table(lay_cards(A, "helper", 51), give_goods(A, silver=3), WINDOW).refuses(A, a.UseHelper(51), IllegalAction)


def test_moneylender() -> None:
    """Card 52, action: 1 VP, already taken (LG-10.9), for 4 silver."""
    position = lay_table(lay_cards(A, "helper", 52), give_goods(A, vp=1, trade_commodity=1), WINDOW)

    position.when(A, a.UseHelper(52)).then(
        e.HelperUsed(A, 52, True), e.GoodPaid(A, "vp", 1, "", "helper"), e.GoodGained(A, "silver", 4, "", "helper")
    )
    lay_table(lay_cards(A, "helper", 52), give_goods(A, silver=3), WINDOW).refuses(A, a.UseHelper(52), IllegalAction)


def test_grocer_s_boy() -> None:
    """Card 53, action: a crop in a store, but not on a field, for one of another kind and 1 silver."""
    crops = [*give_goods(A, olive=1), *lay_cards(A, "field", 2, full=True)]
    position = lay_table(lay_cards(A, "helper", 53), crops, WINDOW)

    pending = position.when(A, a.UseHelper(53))
    assert pending.position.legal(A) == (a.TakeGood("grain"), a.TakeGood("grape"))

    after = pending.when(A, a.TakeGood("grape"))

    farm = after.state.farms[A]
    assert (farm.olive, farm.grape, farm.silver) == (0, 1, 1)


def test_pig_dealer() -> None:
    """Card 65, action: sell a pig for 6 silver, without the Broker's bonus."""
    position = lay_table(lay_cards(A, "helper", 65, 30), give_goods(A, pig=1), WINDOW)

    position.when(A, a.UseHelper(65)).then(e.HelperUsed(A, 65, True), e.ResourceSold(A, "pig", "pen", 1, 6))


def test_exporter() -> None:
    """Card 66, action: sell an upgraded good at its fixed price, without the Broker's bonus."""
    position = lay_table(lay_cards(A, "helper", 66, 30), give_goods(A, food=1, meat=1), WINDOW)

    pending = position.when(A, a.UseHelper(66))

    assert pending.position.legal(A) == (a.SellResource("food", "store"), a.SellResource("meat", "store"))
    pending.when(A, a.SellResource("meat", "store")).then(e.ResourceSold(A, "meat", "store", 1, 7))


def test_broker_in_the_final_sale() -> None:
    """Card 30, LG-8.2: also for crops on fields with the Field Hand; the Exporter's goods are not sold."""
    position = lay_table(
        lay_cards(A, "helper", 30, 35, 66),
        lay_cards(A, "field", 1, full=True),
        give_goods(A, pig=1, meat=1),
        e.StepBegun(6, "sale", (SaleOwed(SERVICE_SEAT),)),
    )

    position.when(SERVICE_SEAT, a.FinalSale()).then(
        e.ResourceSold(A, "pig", "pen", 1, 4), e.ResourceSold(A, "olive", "field", 1, 2), e.SilverExchanged(A, 5, 1)
    )


def test_discounts_add_up() -> None:
    """LG-10.7: Chef and Miller together lower 2 by 3, but not below 0; the Chef alone lowers an olive's price by 1."""
    position = lay_table(lay_cards(A, "helper", 1, 13), give_goods(A, silver=1, grain=1, olive=1), WINDOW)

    position.when(A, a.UpgradeResource("grain", "store"), a.UpgradeResource("olive", "store")).then(
        e.ResourceUpgraded(A, "grain", "store", "food", 0), e.ResourceUpgraded(A, "olive", "store", "food", 1)
    )
