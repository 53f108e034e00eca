"""Helpers about income, fields, pigs and roof tiles."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import (
    CardChoice,
    DeliveryChoice,
    DieWindow,
    GrowthStep,
    HelperOffer,
    Income,
    MarkerShortage,
    RoofStep,
)
from domain.titles.la_granja.holdings import pens
from domain.titles.la_granja.phases.rounds import begin_next_step
from domain.titles.la_granja.state import Field
from tests.domain.titles.la_granja.table import (
    A,
    B,
    C,
    deal_cards,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Outcome, Position

GROWING = step("growth", GrowthStep(A))
BUYING = step("roofs", RoofStep(A), round=3)


def income_of(*effects: object) -> Outcome:
    """Apply the effects and take A's income."""
    position = lay_table(*effects, give_goods(B, trade_commodity=1), step("income", DieWindow(B), Income(A)))
    return position.when(B, a.Pass())


@pytest.mark.parametrize(("helper", "good"), [(34, "olive"), (36, "grain")])
def test_olive_grower_and_grain_grower(helper: int, good: str) -> None:
    """Cards 34 and 36, automatic: a crop as income, into the store (LG-3.2.2)."""
    assert income_of(lay_cards(A, "helper", helper)).of(e.GoodGained) == (e.GoodGained(A, good, 1, "store", "income"),)


def test_olive_grower() -> None:
    """Card 34: the income roof tile (LG-9.6) brings another olive."""
    position = lay_table(lay_cards(A, "helper", 34), e.RoofBought(A, "D44", 0), step("first_dice", DieWindow(A)))

    after = position.when(A, a.UseRoof("D44"))

    assert after.state.farms[A].olive == 1


def test_grain_grower() -> None:
    """Card 36 works for its owner only."""
    assert income_of(lay_cards(B, "helper", 36)).of(e.GoodGained) == ()


def test_winegrower() -> None:
    """Card 37, automatic: a grape as income with a grape field, empty or not; without one nothing."""
    without = income_of(lay_cards(A, "helper", 37), lay_cards(A, "field", 1))
    with_one = income_of(lay_cards(A, "helper", 37), lay_cards(A, "field", 2))

    assert without.of(e.GoodGained) == ()
    assert with_one.of(e.GoodGained) == (e.GoodGained(A, "grape", 1, "store", "income"),)


def test_steward() -> None:
    """Card 45, automatic: 1 silver per extension, at most 3, in addition to their own income."""
    four = income_of(lay_cards(A, "helper", 45), lay_cards(A, "extension", 3, 5, 7, 12))

    assert four.of(e.GoodGained) == (e.GoodGained(A, "silver", 3, "", "income"),)


def test_larder_keeper() -> None:
    """Card 48, automatic: 1 food on the card in each step I.2, at most 2; it can only be delivered."""
    one = income_of(lay_cards(A, "helper", 48))
    assert one.of(e.GoodGained) == (e.GoodGained(A, "food", 1, "helper", "income", 48),)
    assert one.state.farms[A].markers == 24

    twice = [e.GoodGained(A, "food", 2, "helper", "test", 48)]
    assert income_of(lay_cards(A, "helper", 48), twice).of(e.GoodGained) == ()
    position = lay_table(
        lay_cards(A, "helper", 48), twice, lay_cards(A, "barrow", 58), step("free_deliveries", DeliveryChoice(A))
    )
    after = position.when(A, a.DeliverToBarrow("food", "helper", 58))

    assert after.state.farms[A].helpers[0].goods == 1
    assert sum(after.state.farms[A].barrows[0].filled) == 1
    assert after.state.farms[A].markers == 23
    assert position.state.farms[A].food == 0


def test_larder_keeper_loses_its_food_when_it_is_replaced() -> None:
    """LG-10.8: the food on the card is lost and its markers return to the supply."""
    position = lay_table(
        lay_cards(A, "helper", 48, 7, 8),
        e.GoodGained(A, "food", 2, "helper", "test", 48),
        deal_cards(A, 9),
        step("first_dice", CardChoice(A, may_draw=False)),
    )

    after = position.when(A, a.PlayCard(9, "helper"), a.ReplaceCard(48))

    assert (after.state.farms[A].markers, after.state.farms[A].food) == (25, 0)


def test_larder_keeper_s_marker_may_be_taken_back() -> None:
    """LG-0.9: food on the card counts as a marker like any other good."""
    position = lay_table(
        lay_cards(A, "helper", 48),
        e.GoodGained(A, "food", 2, "helper", "test", 48),
        step("first_dice", MarkerShortage(A, "pig", "pen")),
    )

    assert a.TakeBackMarker("helper", "food") in position.legal(A)
    state = la_granja.evolve(position.state, e.MarkerTakenBack(A, "helper", "food", 0))
    assert (state.farms[A].markers, state.farms[A].helpers[0].goods) == (24, 1)


def test_grove_warden() -> None:
    """Card 49, automatic: the card is a field; when it is empty the owner chooses the next crop."""
    position = lay_table(deal_cards(A, 49), step("growth", CardChoice(A, may_draw=False), GrowthStep(A)))
    played = position.when(A, a.PlayCard(49, "helper"))
    assert played.of(e.CardPlayed) == (e.CardPlayed(A, 49, "helper", "choice"),)

    pending = played.when(A, a.GrowCrops())
    assert pending.position.legal(A) == tuple(map(a.TakeGood, ("olive", "grain", "grape")))
    after = pending.when(A, a.TakeGood("grape"))

    assert after.state.farms[A].fields == (Field(49, "grape", True),)
    assert after.state.farms[A].markers == 24


def test_grove_warden_loses_its_crop_when_it_is_replaced() -> None:
    """LG-10.8, card 49."""
    grown = [e.CardPlayed(A, 49, "helper", "choice"), e.GoodGained(A, "grape", 1, "field", "test", 49)]
    position = lay_table(
        deal_cards(A, 49),
        grown,
        lay_cards(A, "helper", 7, 8),
        deal_cards(A, 9),
        step("first_dice", CardChoice(A, False)),
    )

    after = position.when(A, a.PlayCard(9, "helper"), a.ReplaceCard(49))

    assert after.state.farms[A].fields == ()
    assert after.state.farms[A].markers == 25


def test_grove_warden_s_crop_can_be_delivered() -> None:
    """Card 49: the field may grow any crop after the delivery; the Barter Trader returns the delivered crop."""
    grown = [e.CardPlayed(A, 49, "helper", "choice"), e.GoodGained(A, "grape", 1, "field", "test", 49)]
    position = lay_table(
        deal_cards(A, 49),
        grown,
        lay_cards(A, "barrow", 1),
        lay_cards(A, "helper", 63),
        step("first_dice", DeliveryChoice(A)),
    )

    pending = position.when(A, a.DeliverToBarrow("grape", "helper_field", 1))
    assert pending.state.farms[A].fields == (Field(49, "", False),)
    assert pending.when(A, a.UseHelper(63)).state.farms[A].fields == (Field(49, "grape", True),)


def test_gleaner() -> None:
    """Card 17, triggered after growth: gain a crop that an own field grows; not offered without a field."""
    position = lay_table(lay_cards(A, "helper", 17), lay_cards(A, "field", 1, 2), GROWING)
    pending = position.when(A, a.GrowCrops())
    assert pending.position.legal(A) == (a.Decline(), a.UseHelper(17))

    after = pending.when(A, a.UseHelper(17), a.TakeGood("grape"))

    assert after.state.farms[A].grape == 1
    bare = lay_table(lay_cards(A, "helper", 17), give_goods(A, trade_commodity=1), GROWING).when(A, a.Pass())
    assert not any(isinstance(task, HelperOffer) for task in bare.state.agenda)


def test_stockman() -> None:
    """Card 8, automatic: one pig is enough for a newborn one, with a free pen (LG-3.3.2)."""
    one = lay_table(lay_cards(A, "helper", 8), give_goods(A, pig=1), GROWING)
    none = lay_table(lay_cards(A, "helper", 8), give_goods(A, trade_commodity=1), GROWING)
    full = lay_table(lay_cards(A, "helper", 8), give_goods(A, pig=2), GROWING)

    one.when(A, a.BreedPig()).then(e.GoodGained(A, "pig", 1, "pen", "birth"))
    none.refuses(A, a.BreedPig(), IllegalAction)
    full.refuses(A, a.BreedPig(), IllegalAction)


def test_swineherd() -> None:
    """Card 62, automatic: two more pens; pigs left without a pen are sold, with the Broker's bonus."""
    position = lay_table(
        lay_cards(A, "helper", 62, 30, 8),
        give_goods(A, pig=4),
        deal_cards(A, 9),
        step("first_dice", CardChoice(A, may_draw=False)),
    )
    assert pens(position.state, A) == 4

    after = position.when(A, a.PlayCard(9, "helper"), a.ReplaceCard(62))

    after.then(e.CardDiscarded(A, 62, "helper"), e.ResourceSold(A, "pig", "pen", 2, 8), e.CardPlayed(A, 9, "helper"))


def roof_step(*effects: object, silver: int = 0, round: int = 3) -> Position:
    """Return a position in which A may buy tile D31 or D33 for the printed price 3."""
    return lay_table(
        give_goods(A, silver=silver, trade_commodity=1),
        *effects,
        e.RoofsRevealed(("D31", "D33")),
        step("roofs", RoofStep(A), round=round),
    )


def test_turner() -> None:
    """Card 11, automatic: a roof tile costs 1 silver less (LG-3.4.2)."""
    position = roof_step(lay_cards(A, "helper", 11), silver=2)

    assert position.when(A, a.BuyRoof("D31")).of(e.RoofBought) == (e.RoofBought(A, "D31", 2),)
    assert la_granja.view(position.state, A).farms[A].roof_prices == (2, 2)


def test_thatcher() -> None:
    """Card 60, automatic: 1 VP for each roof tile bought, including the first space without VP (LG-3.4.3)."""
    after = roof_step(lay_cards(A, "helper", 60), silver=3).when(A, a.BuyRoof("D31"))

    after.then(e.RoofBought(A, "D31", 3), e.GoodGained(A, "vp", 1, "", "helper"))


def test_joiner() -> None:
    """Card 22, triggered: a grain counts as 2 silver and 1 silver is added; a pig counts as 4 without change."""
    position = roof_step(lay_cards(A, "helper", 22), give_goods(A, grain=1, pig=1), silver=1)

    pending = position.when(A, a.UseHelper(22), a.BuyRoof("D31"))
    assert pending.position.legal(A) == (a.PayGood("grain", "store"), a.PayGood("pig", "pen"))
    mixed = pending.when(A, a.PayGood("grain", "store"), a.Pass())
    pig = pending.when(A, a.PayGood("pig", "pen"))

    mixed.then(e.GoodPaid(A, "grain", 1, "store", "roof"), e.RoofBought(A, "D31", 1))
    pig.then(e.GoodPaid(A, "pig", 1, "pen", "roof"), e.RoofBought(A, "D31", 0))
    assert (pig.state.farms[A].silver, mixed.state.farms[A].silver) == (1, 0)
    for after in (mixed, pig):
        assert not after.position.legal(A, a.BuyRoof, a.UseHelper)


def test_joiner_needs_enough_resources() -> None:
    """Card 22: not offered if silver and olive together are below the price."""
    roof_step(lay_cards(A, "helper", 22), give_goods(A, olive=1)).refuses(A, a.UseHelper(22), IllegalAction)


def test_warehouse_builder() -> None:
    """Card 43, automatic: a sixth roof space with 3 VP; its tile stays when the helper leaves (LG-10.8)."""
    five = [e.RoofBought(A, tile, 0) for tile in ("D11", "D12", "D13", "D14", "D21")]
    roof_step(five, silver=3).refuses(A, a.BuyRoof("D31"), IllegalAction)

    after = roof_step(five, lay_cards(A, "helper", 43), silver=3).when(A, a.BuyRoof("D31"))

    after.then(e.RoofBought(A, "D31", 3), e.GoodGained(A, "vp", 3, "", "roof_space"))
    gone = la_granja.evolve(after.state, e.CardDiscarded(A, 43, "helper"))
    assert len(gone.farms[A].roofs) == 6


def test_early_riser() -> None:
    """Card 59, automatic: the owner is first in step I.4, in round 1 too (LG-3.4.1)."""
    for round, others in ((1, [B, A]), (2, [A, B])):
        position = lay_table(lay_cards(C, "helper", 59), last_of("growth", DieWindow(A), round=round), seats=3)
        state = la_granja.evolve(position.state, e.Planned(A, 1))
        begun = begin_next_step(state, position.chance)[-1]
        assert isinstance(begun, e.StepBegun)
        assert [task.seat for task in reversed(begun.tasks)] == [C, *others]


def test_larder_keeper_s_food_completes_a_barrow() -> None:
    """Card 48, LG-6.3.1: the food fills the last symbol."""
    position = lay_table(
        lay_cards(A, "helper", 48),
        e.GoodGained(A, "food", 1, "helper", "test", 48),
        lay_cards(A, "barrow", 41),
        load_barrow(A, 41, "grape"),
        step("free_deliveries", DeliveryChoice(A)),
    )

    after = position.when(A, a.DeliverToBarrow("food", "helper", 41))

    assert after.of(e.BarrowCompleted) == (e.BarrowCompleted(A, 41),)
    assert after.state.farms[A].vp == 3
