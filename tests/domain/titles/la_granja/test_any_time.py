"""Any-time actions and their windows (LG-2)."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import (
    CardStep,
    DeliveryStep,
    DieChoice,
    DieResolution,
    DieWindow,
    DonkeyChoice,
    GrowthStep,
    Income,
    RoofStep,
)
from domain.titles.la_granja.components import STANDARD
from domain.titles.la_granja.state import RESOURCES
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    give_craft_markers,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    step,
)

WINDOW = step("first_dice", DieWindow(A))


def test_the_active_player_acts_as_often_as_wished_and_in_any_order() -> None:
    """LG-2.1: sell, buy and upgrade; the window stays open until it is closed."""
    position = lay_table(give_goods(A, silver=6, olive=2), WINDOW)

    outcome = position.when(
        A, a.SellResource("olive", "store"), a.BuyResource("grain"), a.UpgradeResource("olive", "store"), a.Pass()
    )

    assert [type(effect) for effect in outcome.effects if not isinstance(effect, e.Planned)][:4] == [
        e.ResourceSold,
        e.GoodPaid,
        e.GoodGained,
        e.ResourceUpgraded,
    ]


def test_an_action_is_finished_before_the_next() -> None:
    """LG-2.1: nothing else is legal while the second crop of a commodity is due."""
    position = lay_table(give_goods(A, trade_commodity=2, silver=9), WINDOW)

    owing = position.when(A, a.SpendCommodity("two_different_crops"), a.TakeGood("grain")).position

    assert owing.legal(A) == (a.TakeGood("olive"), a.TakeGood("grape"))


def test_no_actions_on_another_player_s_turn() -> None:
    """LG-2.2: B has commodities to spend, but it is A's turn."""
    position = lay_table(give_goods(A, silver=9), give_goods(B, trade_commodity=3), WINDOW)

    assert position.legal(B) == ()
    position.refuses(B, a.SpendCommodity("silver_4"), IllegalAction)


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("cards", CardStep(A)),
        ("growth", GrowthStep(A)),
        ("roofs", RoofStep(A)),
        ("first_dice", DieChoice(A)),
        ("first_dice", DieResolution(A, pips=4)),
        ("first_dice", DieWindow(A)),
        ("last_die", DieResolution(A, pips=4, source="last")),
        ("donkeys", DonkeyChoice(A)),
        ("free_deliveries", DeliveryStep(A, left=1)),
        ("extra_deliveries", DeliveryStep(A, left=1, paid=True)),
    ],
)
def test_windows_are_open_in_these_steps(name: str, task: DieChoice) -> None:
    """LG-2.1.1: I.1, I.3, I.4, before and after resolving a die, the last die, III.1, III.3 and III.4."""
    position = lay_table(give_goods(A, trade_commodity=1), e.DiceRolled((3, 4)), step(name, task))

    assert a.SpendCommodity("silver_4") in position.legal(A)


def test_no_window_in_the_income_step() -> None:
    """LG-2.1.1: the Greengrocer's choice of resource is the only one."""
    position = lay_table(
        give_goods(A, trade_commodity=1), give_craft_markers(A, 4), step("growth", GrowthStep(A), Income(A))
    )

    pending = position.when(A, a.Pass()).position

    assert pending.legal(A) == tuple(a.TakeGood(resource) for resource in RESOURCES)


def test_a_window_with_nothing_to_do_closes_automatically() -> None:
    """LG-2.1.1: B could only close the window, so play continues after it."""
    position = lay_table(give_goods(A, silver=9), step("roofs", RoofStep(A), RoofStep(B)))

    after = position.when(A, a.Pass())

    assert la_granja.seats_to_act(after.state) == (-1,)


def test_a_commodity_brings_4_silver() -> None:
    """LG-2.3 (a)."""
    lay_table(give_goods(A, trade_commodity=1, silver=1), WINDOW).when(A, a.SpendCommodity("silver_4")).then(
        e.GoodPaid(A, "trade_commodity", 1, "space", "spent"),
        e.GoodGained(A, "silver", 4, "", "commodity"),
    )


def test_a_commodity_brings_two_different_crops_into_their_stores() -> None:
    """LG-2.3 (b): the second crop differs from the first."""
    position = lay_table(give_goods(A, trade_commodity=1), WINDOW)

    one = position.when(A, a.SpendCommodity("two_different_crops"), a.TakeGood("olive"))

    one.position.refuses(A, a.TakeGood("olive"), IllegalAction)
    two = one.when(A, a.TakeGood("grape"))
    two.then(e.GoodGained(A, "grape", 1, "store", "commodity"))
    assert (two.state.farms[A].olive, two.state.farms[A].grape) == (1, 1)


def test_a_commodity_plays_or_draws_one_card() -> None:
    """LG-2.3 (c): an extension has its price as usual (LG-3.1.9)."""
    position = lay_table(give_goods(A, trade_commodity=1, vp=1), deal_cards(A, 5), WINDOW)

    choosing = position.when(A, a.SpendCommodity("play_or_draw_card")).position

    assert choosing.legal(A) == (a.DrawCard(), *(a.PlayCard(5, side) for side in SIDES))
    assert len(choosing.when(A, a.DrawCard()).state.farms[A].hand) == 2
    choosing.when(A, a.PlayCard(5, "extension")).then(
        e.GoodPaid(A, "vp", 1, "", "extension"), e.CardPlayed(A, 5, "extension")
    )


SIDES = ("field", "barrow", "extension", "helper")


def test_a_commodity_brings_a_pig_only_into_a_free_pen() -> None:
    """LG-2.3 (d), LG-13.4: the option is not offered with both pens full."""
    position = lay_table(give_goods(A, trade_commodity=2, pig=1), WINDOW)

    housed = position.when(A, a.SpendCommodity("pig_1"))

    assert housed.of(e.GoodGained, e.PigUnhoused) == (e.GoodGained(A, "pig", 1, "pen", "commodity"),)
    assert housed.state.farms[A].pig == 2
    assert a.SpendCommodity("pig_1") not in housed.position.legal(A)


def test_a_commodity_upgrades_up_to_two_free_of_charge() -> None:
    """LG-2.3 (e), LG-2.6, LG-13.29: from field and pen; ending after one is legal."""
    position = lay_table(give_goods(A, trade_commodity=1, pig=1), lay_cards(A, "field", 1, full=True), WINDOW)

    choosing = position.when(A, a.SpendCommodity("upgrade_2")).position
    one = choosing.when(A, a.UpgradeResource("pig", "pen"))

    one.then(e.ResourceUpgraded(A, "pig", "pen", "meat", 0))
    assert one.position.legal(A) == (a.Pass(), a.UpgradeResource("olive", "field"))
    one.when(A, a.Pass()).then()


def test_a_commodity_upgrades_no_third_resource() -> None:
    """LG-2.3 (e), LG-2.6: after two, the window offers upgrades for silver only."""
    position = lay_table(give_goods(A, trade_commodity=1, olive=3), WINDOW)

    after = position.when(A, a.SpendCommodity("upgrade_2"), *[a.UpgradeResource("olive", "store")] * 2)

    assert after.position.legal(A, a.UpgradeResource) == ()


@pytest.mark.parametrize(("resource", "price"), [("olive", 3), ("grain", 3), ("grape", 4), ("pig", 5)])
def test_buying_costs_the_buying_price(resource: str, price: int) -> None:
    """LG-2.4, LG-2.8: not offered with 1 silver less."""
    place = "pen" if resource == "pig" else "store"
    effects = lay_table(give_goods(A, silver=price), WINDOW).when(A, a.BuyResource(resource))

    assert effects.of(e.GoodPaid) == (e.GoodPaid(A, "silver", price, "", "buying"),)
    assert effects.of(e.GoodGained) == (e.GoodGained(A, resource, 1, place, "buying"),)
    poor = lay_table(give_goods(A, silver=price - 1, trade_commodity=1), WINDOW)
    poor.refuses(A, a.BuyResource(resource), IllegalAction)


def test_no_pig_is_bought_without_a_free_pen() -> None:
    """LG-2.4, LG-0.7: two pens hold two pigs, an extension adds a third."""
    full = give_goods(A, silver=9, pig=2)

    lay_table(full, WINDOW).refuses(A, a.BuyResource("pig"), IllegalAction)
    roomy = lay_table(full, lay_cards(A, "extension", 1), WINDOW)
    assert roomy.when(A, a.BuyResource("pig")).state.farms[A].pig == 3


def test_twelve_purchases_in_one_window_at_most() -> None:
    """LG-2.4: the thirteenth is refused; a new window has its own count."""
    position = lay_table(give_goods(A, silver=99), step("roofs", RoofStep(A), RoofStep(A)))

    bought = position.when(A, *[a.BuyResource("olive")] * 12)

    assert bought.position.legal(A, a.BuyResource) == ()
    again = bought.when(A, a.Pass()).position
    assert a.BuyResource("olive") in again.legal(A)


@pytest.mark.parametrize(("resource", "price"), [("olive", 1), ("grain", 1), ("grape", 2), ("pig", 3)])
def test_selling_brings_the_selling_price(resource: str, price: int) -> None:
    """LG-2.5, LG-2.8: from store or pen."""
    place = "pen" if resource == "pig" else "store"
    position = lay_table(give_goods(A, **{resource: 2}), WINDOW)

    after = position.when(A, a.SellResource(resource, place))

    after.then(e.ResourceSold(A, resource, place, 1, price))
    assert after.state.farms[A].silver == price


def test_crops_on_fields_are_neither_sold_nor_stored() -> None:
    """LG-2.5, LG-2.7: a full olive field and 9 silver allow only the upgrade."""
    position = lay_table(give_goods(A, silver=9), lay_cards(A, "field", 1, full=True), WINDOW)

    assert position.legal(A, a.SellResource) == ()
    assert position.legal(A, a.UpgradeResource) == (a.UpgradeResource("olive", "field"),)


@pytest.mark.parametrize(
    ("resource", "good", "price"),
    [("olive", "food", 2), ("grain", "food", 2), ("grape", "wine", 3), ("pig", "meat", 4)],
)
def test_upgrading_costs_the_upgrade_price(resource: str, good: str, price: int) -> None:
    """LG-2.6, LG-2.8, LG-0.3: the upgraded good goes to its store."""
    place = "pen" if resource == "pig" else "store"
    position = lay_table(give_goods(A, silver=price, **{resource: 1}), WINDOW)

    after = position.when(A, a.UpgradeResource(resource, place))
    after.then(e.ResourceUpgraded(A, resource, place, good, price))
    assert (getattr(after.state.farms[A], good), after.state.farms[A].silver) == (1, 0)
    poor = lay_table(give_goods(A, silver=price - 1, trade_commodity=1, **{resource: 1}), WINDOW)
    poor.refuses(A, a.UpgradeResource(resource, place), IllegalAction)


def test_upgraded_goods_are_neither_bought_nor_sold() -> None:
    """LG-0.2, LG-0.3, LG-0.1."""
    position = lay_table(give_goods(A, silver=50, food=2, wine=2, meat=2, trade_commodity=1), WINDOW)

    assert {action.resource for action in position.legal(A, a.BuyResource)} == {"olive", "grain", "grape", "pig"}
    assert position.legal(A, a.SellResource) == ()
    assert set(STANDARD.prices) == set(RESOURCES)


def test_the_first_action_closes_the_window() -> None:
    """Skipping takes the first legal action."""
    position = lay_table(give_goods(A, silver=9, olive=1, trade_commodity=1), last_of("cards", CardStep(A)))

    assert position.legal(A)[0] == a.Pass()
