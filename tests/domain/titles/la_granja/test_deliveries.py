"""Deliveries, craft buildings and barrows (LG-6.1 to LG-6.3)."""

from importlib import resources

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DeliveryChoice, DeliveryStep
from domain.titles.la_granja.boxes import DECK_REGISTRY
from domain.titles.la_granja.components import BUILDINGS
from domain.titles.la_granja.holdings import goods_in
from domain.titles.la_granja.state import CraftMarker, Farm, Row
from tests.domain.titles.la_granja.table import (
    A,
    B,
    fill_row,
    give_craft_markers,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Outcome, Position, position_after


def delivering(*effects: object, left: int = 3, round: int = 2, name: str = "free_deliveries") -> Position:
    """Return a position in which A may deliver."""
    return lay_table(*effects, step(name, DeliveryStep(A, left=left), round=round))


def test_one_delivery_moves_one_good_from_field_store_pen_or_space() -> None:
    """LG-6.1.1: to a free matching symbol of a row or an own barrow; equal goods on equal places are one choice."""
    position = delivering(
        lay_cards(A, "field", 1, 4, full=True),
        lay_cards(A, "barrow", 25),
        give_goods(A, olive=1, pig=1, trade_commodity=1),
        e.BuildingBlocked(5, 1),
    )

    assert position.legal(A, a.DeliverToBuilding, a.DeliverToBarrow) == (
        a.DeliverToBuilding("trade_commodity", "space", 1),
        a.DeliverToBuilding("olive", "field", 4),
        a.DeliverToBuilding("olive", "store", 4),
        a.DeliverToBuilding("pig", "pen", 6),
        a.DeliverToBarrow("pig", "pen", 25),
    )


def test_symbols_are_filled_in_any_order_and_over_several_rounds() -> None:
    """LG-6.1.1: the second symbol of card 3 is filled first; its wine symbol, already filled, takes no other wine."""
    position = delivering(lay_cards(A, "barrow", 3), load_barrow(A, 3, "wine"), give_goods(A, grape=1, wine=1, olive=1))

    assert a.DeliverToBarrow("wine", "store", 3) not in position.legal(A)
    after = position.when(A, a.DeliverToBarrow("grape", "store", 3))
    after.then(e.Delivered(A, "grape", "store", 0, 3, 1, 3))
    assert after.state.farms[A].barrows[0].filled == (False, True, True)


def test_different_deliveries_may_go_to_different_places() -> None:
    """LG-6.1.1: a barrow, then a building."""
    position = delivering(lay_cards(A, "barrow", 3), give_goods(A, grape=2))

    after = position.when(A, a.DeliverToBarrow("grape", "store", 3), a.DeliverToBuilding("grape", "store", 4))

    assert [each.building for each in after.of(e.Delivered)] == [0, 4]


def test_a_symbol_for_silver_or_vp_takes_one_of_them() -> None:
    """LG-6.1.2: not in the standard deck; it takes 1 silver and a marker from the supply."""
    assert goods_in(Farm(silver=2, vp=1)) == (("silver", ""), ("vp", ""))
    assert goods_in(Farm(silver=2, vp=1, markers=0)) == ()
    position = lay_table(give_goods(A, silver=2), lay_cards(A, "barrow", 1), e.Delivered(A, "silver", "", 0, 1, 0, 2))

    assert position.state.farms[A].silver == 1
    assert position.state.farms[A].markers == 24


def test_the_last_silver_cannot_pay_for_its_own_delivery() -> None:
    """LG-6.1.2, LG-5.4.1: in a deck with a silver symbol, an extra delivery is paid before it is made."""
    text = (resources.files("domain.titles.la_granja.data") / "farm_cards.toml").read_text(encoding="utf-8")
    asking = text[text.index("[[cards]]") :].replace('goods = ["olive", "grape"]', 'goods = ["silver", "grape"]', 1)
    deck = DECK_REGISTRY.add(asking, "silver.toml")

    def list_deliveries(silver: int, *, paid: bool) -> tuple[object, ...]:
        begun = e.MatchBegun("deluxe", deck, 2, "small", 14, 25)
        effects = (
            begun,
            *lay_cards(A, "barrow", 1),
            *give_goods(A, silver=silver),
            step("extra_deliveries", DeliveryStep(A, left=1, paid=paid)),
        )
        return position_after(la_granja, *effects).legal(A, a.DeliverToBarrow)

    silver = (a.DeliverToBarrow("silver", "", 1),)
    assert list_deliveries(1, paid=True) == ()
    assert list_deliveries(2, paid=True) == list_deliveries(1, paid=False) == silver


def test_a_blocked_building_takes_no_deliveries() -> None:
    """LG-6.2.1."""
    position = delivering(e.BuildingBlocked(1, 2), give_goods(A, trade_commodity=1))

    position.refuses(A, a.DeliverToBuilding("trade_commodity", "space", 1), IllegalAction)


def test_the_first_delivery_takes_the_lowest_free_row() -> None:
    """LG-6.2.2, LG-13.13: B has the first row and A takes the second; all rows are alike."""
    row = BUILDINGS[4].row
    position = delivering(fill_row(B, 4, row, 3), give_goods(A, olive=1, grain=1))

    after = position.when(A, a.DeliverToBuilding("grain", "store", 4), a.DeliverToBuilding("olive", "store", 4))

    assert after.state.buildings[3].rows == (
        Row(B, (False, False, False, True)),
        Row(A, (True, True, False, False)),
    )


def test_a_filled_symbol_of_the_own_row_takes_no_second_good() -> None:
    """LG-6.1.1, LG-6.2.2: the same symbol is free in B's row but filled in A's."""
    row = BUILDINGS[4].row
    position = delivering(fill_row(B, 4, row, 3), fill_row(A, 4, row, 0), give_goods(A, olive=1, food=1))

    assert a.DeliverToBuilding("olive", "store", 4) not in position.legal(A)
    assert a.DeliverToBuilding("food", "store", 4) in position.legal(A)


def completing(number: int, *effects: object, round: int = 2, left: int = 1) -> Outcome:
    """Deliver the last good of A's row of a building."""
    row = BUILDINGS[number].row
    *before, last = range(len(row))
    good = row[last]
    place = "pen" if good == "pig" else "store"
    position = delivering(
        *effects, fill_row(A, number, row, *before), give_goods(A, **{good: 1}), round=round, left=left
    )
    return position.when(A, a.DeliverToBuilding(good, place, number))


def test_rewards_of_a_full_row_in_order() -> None:
    """LG-6.2.3, LG-13.9, LG-1.5, LG-1.6: mark, first VP, order tile and its VP, VP of the round, craft marker."""
    blocked = (e.BuildingBlocked(2, 2), e.BuildingBlocked(3, 3))

    after = completing(1, *blocked, round=4)

    after.then(
        e.Delivered(A, "food", "store", 1, 0, 2, 3),
        e.BuildingCompleted(A, 1),
        e.GoodGained(A, "vp", 1, "", "first"),
        e.BuildingOpened(A, 2, 2),
        e.GoodGained(A, "vp", 1, "", "order_tile"),
        e.GoodGained(A, "vp", 4, "", "building"),
        e.CraftMarkerGained(A, 1),
        e.GoodGained(A, "silver", 3, "", "craft"),
    )
    building = after.state.buildings[0]
    assert (building.completed, building.marks, building.rows) == ((A,), (A,), (Row(A, (False,) * 3),))
    assert after.state.farms[A].markers == 24


def test_the_lowest_order_tile_is_removed_and_its_building_opens() -> None:
    """LG-6.2.3 (b): tile 1 is on building 6."""
    after = completing(1, e.BuildingBlocked(3, 2), e.BuildingBlocked(6, 1))

    assert after.of(e.BuildingOpened) == (e.BuildingOpened(A, 6, 1),)
    assert [building.order_tile for building in after.state.buildings] == [0, 0, 2, 0, 0, 0]


def test_the_second_to_complete_a_building_gets_no_first_rewards() -> None:
    """LG-6.2.3 (b): neither VP nor tile."""
    others = fill_row(B, 1, BUILDINGS[1].row, 0, 1, 2)

    after = completing(1, e.BuildingBlocked(3, 1), others, e.BuildingCompleted(B, 1))

    assert [gain.cause for gain in after.of(e.GoodGained)] == ["building", "craft"]
    assert after.of(e.BuildingOpened) == ()
    assert after.state.buildings[0].completed == (B, A)


def test_without_order_tiles_the_first_still_takes_the_building_s_vp() -> None:
    """LG-6.2.3 (b)."""
    after = completing(1)

    assert [gain.cause for gain in after.of(e.GoodGained)] == ["first", "building", "craft"]


def test_a_player_completes_each_building_once() -> None:
    """LG-6.2.4."""
    row = BUILDINGS[1].row
    position = delivering(fill_row(A, 1, row, 0, 1, 2), e.BuildingCompleted(A, 1), give_goods(A, trade_commodity=1))

    position.refuses(A, a.DeliverToBuilding("trade_commodity", "space", 1), IllegalAction)


def test_a_new_craft_marker_shows_its_instant_side() -> None:
    """LG-6.2.5: the Merchant House brings no income before phase IV."""
    after = completing(1)

    assert after.state.farms[A].crafts == (CraftMarker(1, False),)


def test_the_wainwright_gives_a_delivery_and_the_vp_of_the_own_siesta_space() -> None:
    """LG-6.2.3 (d): the delivery uses no donkey (LG-13.10) and may be declined."""
    pending = completing(2, e.SiestaAdvanced(A, 3), give_goods(A, olive=2), lay_cards(A, "barrow", 1), left=2)
    assert isinstance(pending.state.agenda[-1], DeliveryChoice)

    after = pending.when(A, a.DeliverToBarrow("olive", "store", 1))

    after.then(e.Delivered(A, "olive", "store", 0, 1, 0, 2), e.GoodGained(A, "vp", 2, "", "siesta"))
    assert after.state.agenda[-1] == DeliveryStep(A, left=1)
    pending.when(A, a.Decline()).then(e.GoodGained(A, "vp", 2, "", "siesta"))


def test_the_wainwright_on_a_siesta_space_without_vp_gives_none() -> None:
    """LG-6.2.3 (d), LG-7.2: space 0."""
    after = completing(2)

    assert "siesta" not in [gain.cause for gain in after.of(e.GoodGained)]


def test_the_delicatessen_gives_a_commodity() -> None:
    """LG-6.2.3 (d)."""
    assert completing(3).of(e.GoodGained)[-1] == e.GoodGained(A, "trade_commodity", 1, "space", "craft")


def test_the_greengrocer_gives_a_resource_of_choice() -> None:
    """LG-6.2.3 (d), LG-13.3: a pig without a pen is sold at once."""
    pending = completing(4, give_goods(A, pig=2))

    assert [action.good for action in pending.position.legal(A, a.TakeGood)] == ["olive", "grain", "grape", "pig"]
    after = pending.when(A, a.TakeGood("pig"))
    after.then(e.PigUnhoused(A, 3))
    assert isinstance(after.state.agenda[-1], DeliveryStep)


def test_the_village_store_gives_2_vp() -> None:
    """LG-6.2.3 (d): and nothing for its own marker (LG-6.2.7)."""
    after = completing(5)

    assert [(gain.amount, gain.cause) for gain in after.of(e.GoodGained)] == [
        (1, "first"),
        (2, "building"),
        (2, "craft"),
    ]


@pytest.mark.parametrize("barrows", [0, 1, 3])
def test_the_butcher_gives_1_vp_for_each_own_barrow(barrows: int) -> None:
    """LG-6.2.3 (d): 0 to 3."""
    after = completing(6, lay_cards(A, "barrow", *(1, 3, 4)[:barrows]))

    assert sum(gain.amount for gain in after.of(e.GoodGained) if gain.cause == "craft") == barrows


def test_a_flipped_village_store_pays_for_every_other_marker() -> None:
    """LG-6.2.7, LG-13.27: several times in a round and in any step."""
    after = completing(1, give_craft_markers(A, 5))

    assert e.GoodGained(A, "vp", 2, "", "village_store") in after.effects
    in_phase_two = lay_table(
        fill_row(A, 1, BUILDINGS[1].row, 0, 1),
        give_goods(A, food=1),
        give_craft_markers(A, 5),
        step("first_dice", DeliveryChoice(A), round=2),
    ).when(A, a.DeliverToBuilding("food", "store", 1))
    assert e.GoodGained(A, "vp", 2, "", "village_store") in in_phase_two.effects


def test_a_village_store_does_not_pay_in_the_round_it_was_gained() -> None:
    """LG-6.2.7: its marker is not flipped yet."""
    after = completing(1, e.CraftMarkerGained(A, 5))

    assert "village_store" not in [gain.cause for gain in after.of(e.GoodGained)]


def test_a_building_may_be_completed_in_phase_ii() -> None:
    """LG-6.2.8: all rewards follow at once."""
    position = lay_table(
        fill_row(A, 1, BUILDINGS[1].row, 0, 1), give_goods(A, food=1), step("first_dice", DeliveryChoice(A), round=3)
    )

    after = position.when(A, a.DeliverToBuilding("food", "store", 1))

    assert e.GoodGained(A, "vp", 3, "", "building") in after.effects
    assert after.state.step == "first_dice"


def completing_barrow(*effects: object) -> Outcome:
    """Deliver the last good of barrow 1 (olive, grape; 2 VP)."""
    position = delivering(lay_cards(A, "barrow", 1), load_barrow(A, 1, "grape"), give_goods(A, olive=1), *effects)
    return position.when(A, a.DeliverToBarrow("olive", "store", 1))


def test_rewards_of_a_full_barrow_in_order() -> None:
    """LG-6.3.1, LG-13.9: VP, discard, 1 commodity, then the choice of a space for the stall."""
    after = completing_barrow()

    after.then(
        e.Delivered(A, "olive", "store", 0, 1, 0, 2),
        e.GoodGained(A, "vp", 2, "", "barrow"),
        e.BarrowCompleted(A, 1),
        e.GoodGained(A, "trade_commodity", 1, "space", "barrow"),
    )
    assert after.state.discard == (1,)
    assert after.state.farms[A].barrows == ()
    assert after.position.legal(A, a.PlaceStall)


def test_a_flipped_butcher_pays_for_a_completed_barrow() -> None:
    """LG-6.3.2, LG-6.2.7: 1 VP after the stall, from the round after it was gained."""
    choosing = completing_barrow(give_craft_markers(A, 6))
    after = choosing.when(A, choosing.position.legal(A, a.PlaceStall)[0])
    fresh = completing_barrow(e.CraftMarkerGained(A, 6))

    assert after.of(e.StallPlaced, e.GoodGained)[-1] == e.GoodGained(A, "vp", 1, "", "butcher")
    assert "butcher" not in [
        gain.cause for gain in fresh.when(A, fresh.position.legal(A, a.PlaceStall)[0]).of(e.GoodGained)
    ]


def test_a_butcher_pays_in_phase_ii_for_a_barrow() -> None:
    """LG-13.28."""
    position = lay_table(
        lay_cards(A, "barrow", 1),
        load_barrow(A, 1, "grape"),
        give_goods(A, olive=1),
        give_craft_markers(A, 6),
        step("first_dice", DeliveryChoice(A), round=2),
    )

    choosing = position.when(A, a.DeliverToBarrow("olive", "store", 1))
    after = choosing.when(A, choosing.position.legal(A, a.PlaceStall)[0])

    assert e.GoodGained(A, "vp", 1, "", "butcher") in after.effects


def test_craft_markers_and_rows_never_score_as_stalls() -> None:
    """LG-6.2.6: nothing in step IV.1 for a completed building or a row."""
    position = lay_table(
        fill_row(A, 1, BUILDINGS[1].row, 0, 1, 2),
        e.BuildingCompleted(A, 1),
        fill_row(A, 2, BUILDINGS[2].row, 0),
        give_goods(A, trade_commodity=1),
        last_of("extra_deliveries", DeliveryStep(A, left=0)),
    )

    after = position.when(A, a.Pass())

    assert "stalls" not in [gain.cause for gain in after.of(e.GoodGained)]
    assert la_granja.phase(after.state).startswith("2/")
