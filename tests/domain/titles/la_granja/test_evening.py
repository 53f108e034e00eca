"""Phase IV, the end of the match, and ranking (LG-7, LG-8)."""

import pytest

from domain.kernel.rules import SERVICE_SEAT, IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardStep, DeliveryStep, SaleOwed
from domain.titles.la_granja.components import ROOF_TILES
from domain.titles.la_granja.state import CraftMarker, HelperCard
from tests.domain.titles.la_granja.table import A, B, C, D, deal_cards, give_goods, last_of, lay_cards, lay_table
from tests.scenario import Outcome


def evening(*effects: object, round: int = 2, seats: int = 2, order: tuple[int, ...] = ()) -> Outcome:
    """Close the last window of phase III."""
    everybody = (A, B, C, D)[:seats]
    hands = [deal_cards(seat, 60 + seat) for seat in everybody]
    closing = last_of("extra_deliveries", DeliveryStep(A, left=0), round=round)
    return lay_table(give_goods(A, trade_commodity=1), hands, *effects, closing, seats=seats, order=order).when(
        A, a.Pass()
    )


def test_one_vp_for_each_own_marker_on_the_market() -> None:
    """LG-7.1: two of A, one of B."""
    stalls = [e.StallPlaced(A, 0), e.StallPlaced(A, 1), e.StallPlaced(B, 2)]

    gained = evening(stalls).of(e.GoodGained)

    assert gained == (e.GoodGained(A, "vp", 2, "", "stalls"), e.GoodGained(B, "vp", 1, "", "stalls"))


@pytest.mark.parametrize(("space", "vp"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)])
def test_the_siesta_space_brings_its_vp(space: int, vp: int) -> None:
    """LG-7.2: 0, 0, 1, 2, 3."""
    after = evening(e.SiestaAdvanced(A, space))

    assert sum(gain.amount for gain in after.of(e.GoodGained) if gain.seat == A) == vp


def test_siesta_markers_go_back_stacked_in_turn_order() -> None:
    """LG-7.3: the current order is B, C, A."""
    after = evening(e.SiestaAdvanced(A, 3), e.SiestaAdvanced(C, 3), seats=3, order=(1, 2, 0))

    assert after.state.siesta == ((B, C, A), (), (), (), ())


def test_roof_tiles_of_the_next_round_are_revealed_and_old_ones_leave() -> None:
    """LG-7.4, LG-1.4: one per player, of round 3."""
    after = evening(e.RoofsRevealed(("D21", "D23")), seats=3)

    assert len(after.state.roofs) == 3
    assert all(ROOF_TILES[tile].round == 3 for tile in after.state.roofs)


def test_craft_markers_gained_this_round_are_turned() -> None:
    """LG-7.4, LG-6.2.5."""
    after = evening(e.CraftMarkerGained(A, 1))

    assert after.state.farms[A].crafts == (CraftMarker(1, True),)


def test_helpers_are_refreshed_at_the_start_of_phase_iv() -> None:
    """LG-7.5, LG-10.2: before scoring."""
    after = evening(lay_cards(A, "helper", 4), e.HelperUsed(A, 4, True), e.StallPlaced(A, 0))

    assert after.state.farms[A].helpers == (HelperCard(4, False),)
    effects = [effect for effect in after.effects if isinstance(effect, e.HelpersRefreshed | e.GoodGained)]
    assert effects[0] == e.HelpersRefreshed()


def test_the_next_round_follows() -> None:
    """LG-8.1: round 3 begins with step I.1 and one card to play."""
    after = evening()

    assert la_granja.phase(after.state) == "3/I/cards"
    assert after.state.agenda[-1] == CardStep(A, plays=1)


def last_evening(*effects: object) -> Outcome:
    """Score the match for the last time."""
    return evening(*effects, round=6)


def test_the_service_owes_the_sale_after_round_6() -> None:
    """LG-8.1, LG-7.3, LG-7.4: markers score, but nothing is returned, flipped or revealed."""
    after = last_evening(e.SiestaAdvanced(B, 4), e.CraftMarkerGained(A, 1))

    assert la_granja.seats_to_act(after.state) == (SERVICE_SEAT,)
    assert after.position.legal(SERVICE_SEAT) == (a.FinalSale(),)
    assert after.of(e.SiestaReturned, e.RoofsRevealed, e.CraftMarkersFlipped) == ()
    assert after.of(e.GoodGained) == (e.GoodGained(B, "vp", 3, "", "siesta"),)
    assert after.state.agenda == (SaleOwed(SERVICE_SEAT),)
    after.position.refuses(A, a.FinalSale(), IllegalAction)


def sell_everything(*effects: object) -> Outcome:
    return last_evening(*effects).when(SERVICE_SEAT, a.FinalSale())


def test_resources_in_stores_and_pens_and_commodities_are_sold() -> None:
    """LG-8.2, LG-8.3: 2+1+4+3+8 silver and 1 is 19: three VP and 4 silver."""
    goods = give_goods(A, olive=2, grain=1, grape=2, pig=1, silver=1, trade_commodity=1)

    sell_everything(goods).then(
        e.ResourceSold(A, "olive", "store", 2, 2),
        e.ResourceSold(A, "grain", "store", 1, 1),
        e.ResourceSold(A, "grape", "store", 2, 4),
        e.ResourceSold(A, "pig", "pen", 1, 3),
        e.ResourceSold(A, "trade_commodity", "space", 2, 8),
        e.SilverExchanged(A, 15, 3),
    )


def test_crops_on_fields_and_upgraded_goods_bring_nothing() -> None:
    """LG-8.2: B has nothing else, so B sells nothing."""
    after = sell_everything(lay_cards(B, "field", 1, full=True), give_goods(B, food=3, wine=3, meat=3))

    assert [sale for sale in after.of(e.ResourceSold) if sale.seat == B] == []
    assert after.state.farms[B].vp == 0


@pytest.mark.parametrize(("silver", "vp"), [(0, 0), (4, 0), (5, 1), (14, 2), (15, 3)])
def test_each_full_5_silver_is_1_vp(silver: int, vp: int) -> None:
    """LG-8.3: the rest remains silver."""
    farm = sell_everything(give_goods(B, silver=silver)).state.farms[B]

    assert (farm.vp, farm.silver) == (vp, silver % 5)


def test_no_actions_after_the_sale() -> None:
    """LG-8.1."""
    after = sell_everything().position

    assert la_granja.seats_to_act(after.state) == ()
    assert after.legal(SERVICE_SEAT) == ()
    after.refuses(SERVICE_SEAT, a.FinalSale(), IllegalAction)
    assert la_granja.phase(after.state) == "6/IV/over"


@pytest.mark.parametrize(
    ("results", "places"),
    [
        (((10, 0), (9, 4)), (1, 2)),
        (((10, 1), (10, 4)), (2, 1)),
        (((10, 4), (10, 4)), (1, 1)),
        (((7, 0), (10, 2), (10, 2), (10, 1)), (4, 1, 1, 3)),
    ],
)
def test_ranking_by_vp_then_silver_then_shared(results: tuple[tuple[int, int], ...], places: tuple[int, ...]) -> None:
    """LG-8.4."""
    seats = len(results)
    belongings = [give_goods((A, B, C, D)[seat], vp=vp, silver=silver) for seat, (vp, silver) in enumerate(results)]
    position = lay_table(*belongings, e.StepBegun(6, "sale", (SaleOwed(SERVICE_SEAT),)), seats=seats)
    assert la_granja.ranking(position.state) is None

    after = position.when(SERVICE_SEAT, a.FinalSale())

    assert la_granja.scores(after.state) == tuple(vp for vp, _ in results)
    assert la_granja.ranking(after.state) == places
