"""Steps I.2 to I.4: income, growth and newborn pig, roof tiles (LG-3.2 to LG-3.4)."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieWindow, GrowthStep, Income, RoofStep
from tests.domain.titles.la_granja.table import (
    A,
    B,
    C,
    deal_cards,
    give_craft_markers,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    step,
)
from tests.scenario import Outcome, Position


def income_of(*effects: object, seat: int = 0) -> Outcome:
    """Close A's window, then take the seat's income."""
    ready = step("income", DieWindow(A), Income(A))
    return lay_table(give_goods(A, trade_commodity=1), *effects, ready).when(A, a.Pass())


def test_income_of_extensions_and_flipped_markers() -> None:
    """LG-3.2.1: 2 silver from extensions 1 and 2, 3 from the Merchant House, 1 commodity from the Delicatessen."""
    income_of(lay_cards(A, "extension", 1, 2, 3), give_craft_markers(A, 1, 3)).then(
        e.GoodGained(A, "silver", 2, "", "income"),
        e.GoodGained(A, "silver", 3, "", "income"),
        e.GoodGained(A, "trade_commodity", 1, "space", "income"),
    )


def test_a_marker_not_yet_flipped_brings_no_income() -> None:
    """LG-3.2.1, LG-6.2.5: it has its lasting effect from the next round on."""
    income_of(e.CraftMarkerGained(A, 1)).then()


def test_the_greengrocer_gives_a_resource_in_step_i_2() -> None:
    """LG-13.2, LG-3.2.1, LG-3.2.2: a crop of choice goes into its store."""
    pending = income_of(give_craft_markers(A, 4))

    after = pending.when(A, a.TakeGood("grape"))

    after.then(e.GoodGained(A, "grape", 1, "store", "income"))
    assert la_granja.seats_to_act(after.state) == (-1,)


def test_a_pig_as_income_without_a_pen_is_sold_at_once() -> None:
    """LG-3.2.2, LG-13.3: for 3 silver, the normal price."""
    after = income_of(give_craft_markers(A, 4), give_goods(A, pig=2)).when(A, a.TakeGood("pig"))

    after.then(e.PigUnhoused(A, 3))
    assert (after.state.farms[A].pig, after.state.farms[A].silver) == (2, 3)


def growing(*effects: object) -> Position:
    return lay_table(give_goods(A, trade_commodity=1), *effects, step("growth", GrowthStep(A)))


def test_each_empty_field_gets_one_crop_of_its_kind() -> None:
    """LG-3.3.1."""
    position = growing(lay_cards(A, "field", 1, full=True), lay_cards(A, "field", 2, 3))

    position.when(A, a.GrowCrops()).then(
        e.GoodGained(A, "grape", 1, "field", "growth", 2),
        e.GoodGained(A, "grain", 1, "field", "growth", 3),
    )


@pytest.mark.parametrize(("pigs", "newborn"), [(0, 0), (1, 0), (2, 1), (4, 1)])
def test_two_pigs_have_one_newborn_never_more(pigs: int, newborn: int) -> None:
    """LG-3.3.2: with five pens."""
    position = growing(lay_cards(A, "extension", 1, 3, 5), give_goods(A, pig=pigs))

    after = position.when(A, a.Pass())

    assert after.state.farms[A].pig == pigs + newborn


def test_without_a_free_pen_no_pig_is_born_and_nothing_is_sold() -> None:
    """LG-3.3.2, LG-13.5: two pens, two pigs."""
    position = growing(give_goods(A, pig=2))

    assert a.BreedPig() not in position.legal(A)
    position.when(A, a.Pass()).then()


def test_the_player_chooses_the_order_and_acts_in_between() -> None:
    """LG-3.3.3, LG-13.6: selling a pig after growth makes room for a newborn."""
    position = growing(lay_cards(A, "extension", 1), lay_cards(A, "field", 1), give_goods(A, pig=3))
    assert position.legal(A)[:2] == (a.Pass(), a.GrowCrops())

    after = position.when(A, a.GrowCrops(), a.SellResource("pig", "pen"), a.BreedPig())

    after.then(
        e.GoodGained(A, "olive", 1, "field", "growth", 1),
        e.ResourceSold(A, "pig", "pen", 1, 3),
        e.GoodGained(A, "pig", 1, "pen", "birth"),
    )
    assert after.position.legal(A, a.GrowCrops, a.BreedPig) == ()


def test_breeding_first_and_growth_when_the_window_closes() -> None:
    """LG-3.3.3: closing the window does the remaining part, once."""
    position = growing(lay_cards(A, "extension", 1), lay_cards(A, "field", 1), give_goods(A, pig=2))

    position.when(A, a.BreedPig(), a.Pass()).then(
        e.GoodGained(A, "pig", 1, "pen", "birth"),
        e.GoodGained(A, "olive", 1, "field", "growth", 1),
    )


def roofing(*effects: object, round: int = 1) -> Position:
    tiles = e.RoofsRevealed(("D11", "D12", "D13"))
    return lay_table(give_goods(A, silver=9), *effects, tiles, step("roofs", RoofStep(A), round=round))


def test_one_open_tile_may_be_bought_for_the_number_of_the_round() -> None:
    """LG-3.4.1, LG-3.4.2, LG-3.4.3: the first space has no VP."""
    position = roofing()

    after = position.when(A, a.BuyRoof("D12"))

    after.then(e.RoofBought(A, "D12", 1))
    assert after.state.roofs == ("D11", "D13")
    assert after.position.legal(A, a.BuyRoof) == ()


def test_round_3_tiles_cost_3_silver() -> None:
    """LG-3.4.2."""
    tiles = e.RoofsRevealed(("D31", "D32"))
    poor = lay_table(give_goods(A, silver=2, olive=1), tiles, step("roofs", RoofStep(A), round=3))

    assert poor.legal(A, a.BuyRoof) == ()
    rich = lay_table(give_goods(A, silver=3, olive=1), tiles, step("roofs", RoofStep(A), round=3))
    rich.when(A, a.BuyRoof("D31")).then(e.RoofBought(A, "D31", 3))


def roofs(*tiles: str) -> list[e.RoofBought]:
    return [e.RoofBought(A, tile, 0) for tile in tiles]


@pytest.mark.parametrize(("owned", "vp"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_the_space_covered_brings_its_printed_vp_at_once(owned: int, vp: int) -> None:
    """LG-3.4.3, LG-13.25: 0, 1, 2, 3, 4 from left to right."""
    position = roofing(roofs("D61", "D62", "D63", "D64")[:owned])

    position.when(A, a.BuyRoof("D11")).then(e.RoofBought(A, "D11", 1), e.GoodGained(A, "vp", vp, "", "roof_space"))


def test_five_tiles_fill_the_roof() -> None:
    """LG-3.4.4."""
    position = roofing(roofs("D61", "D62", "D63", "D64", "D54"))

    position.refuses(A, a.BuyRoof("D11"), IllegalAction)


def test_a_used_tile_stays_on_its_space_and_cannot_be_used_again() -> None:
    """LG-3.4.4, LG-3.4.5, LG-9.1: face down; it may be used in the turn it was bought."""
    after = roofing().when(A, a.BuyRoof("D11"), a.UseRoof("D11"))

    assert after.state.farms[A].silver == 9 - 1 + 4
    (roof,) = after.state.farms[A].roofs
    assert roof.used
    after.position.refuses(A, a.UseRoof("D11"), IllegalAction)


def test_tiles_are_bought_in_reverse_order_in_round_1() -> None:
    """LG-3.4.1."""
    position = lay_table(deal_cards(A, 1), last_of("growth", DieWindow(A)), seats=3)
    rich = lay_table(
        *(give_goods(seat, silver=9, trade_commodity=1) for seat in (A, B, C)),
        e.RoofsRevealed(("D11", "D12", "D13")),
        last_of("growth", DieWindow(A)),
        seats=3,
    )
    assert position.state.order == (A, B, C)

    first = rich.when(A, a.Pass())

    assert la_granja.seats_to_act(first.state) == (C,)
    second = first.when(C, a.Pass())
    assert la_granja.seats_to_act(second.state) == (B,)
    assert la_granja.seats_to_act(second.when(B, a.Pass()).state) == (A,)


def test_tiles_are_bought_in_turn_order_from_round_2_on() -> None:
    """LG-3.4.1."""
    position = lay_table(
        *(give_goods(seat, silver=9, trade_commodity=1) for seat in (A, B)),
        e.RoofsRevealed(("D21", "D22")),
        last_of("growth", DieWindow(A), round=2),
        order=(1, 0),
    )

    assert la_granja.seats_to_act(position.when(A, a.Pass()).state) == (B,)
