"""Step III.1, where all seats choose at the same time, so that no action may depend on their order (LG-2.1.1)."""

import pytest

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DeliveryStep, DonkeyChoice
from domain.titles.la_granja.components import ROOF_EFFECTS, ROOF_TILES
from tests.domain.titles.la_granja.table import A, B, deal_cards, deck_with, give_goods, lay_cards, lay_table, step
from tests.scenario import Position

TILE_OF = {effect: next(tile.id for tile in ROOF_TILES.values() if tile.effect == effect) for effect in ROOF_EFFECTS}


def give_tiles(*effects: str) -> list[object]:
    """Return effects that give A tiles with these effects."""
    tiles = [TILE_OF[effect] for effect in effects]
    return [e.RoofsRevealed(tuple(tiles)), *(e.RoofBought(A, tile, 0) for tile in tiles)]


def choosing(*effects: object, deck: str = "standard") -> Position:
    """Return a position in which A and B choose a donkey tile."""
    return lay_table(*effects, step("donkeys", DonkeyChoice(A), DonkeyChoice(B)), deck=deck)


def delivering(*effects: object, deck: str = "standard") -> Position:
    """Return a position of A's turn in step III.3."""
    return lay_table(*effects, step("free_deliveries", DeliveryStep(A, left=1)), deck=deck)


@pytest.mark.parametrize("effect", ["delivery", "paid_delivery", "market_marker", "play_or_draw_card"])
def test_tiles_for_deliveries_stalls_and_draws_are_closed(effect: str) -> None:
    """LG-2.1.1, LG-9.1: they can be used in step III.3 again."""
    goods = [*give_goods(A, olive=1, silver=2), *lay_cards(A, "barrow", 1), *give_tiles(effect)]
    use = a.UseRoof(TILE_OF[effect])

    choosing(goods).refuses(A, use, IllegalAction)
    assert use in delivering(goods).legal(A)


def test_a_commodity_can_play_but_not_draw_a_card() -> None:
    """LG-2.1.1, LG-2.3 (c): the option is not offered with an empty hand."""
    position = choosing(give_goods(A, trade_commodity=1), deal_cards(A, 9))

    spent = position.when(A, a.SpendCommodity("play_or_draw_card")).position
    assert {type(action) for action in spent.legal(A)} == {a.PlayCard}
    choosing(give_goods(A, trade_commodity=1)).refuses(A, a.SpendCommodity("play_or_draw_card"), IllegalAction)


def test_a_tile_can_play_but_not_draw_a_card() -> None:
    """LG-2.1.1, LG-9.1: in step III.3 it can do both."""
    effects = [*give_tiles("play_or_draw_card"), deal_cards(A, 9)]
    use = a.UseRoof(TILE_OF["play_or_draw_card"])

    assert a.DrawCard() not in choosing(effects).when(A, use).position.legal(A)
    assert a.DrawCard() in delivering(effects).when(A, use).position.legal(A)


def test_a_helper_for_deliveries_is_closed() -> None:
    """LG-2.1.1: in a deck whose Courier works in every phase."""
    deck = deck_with(('name = "Courier"\nphases = ["II"]', 'name = "Courier"\nphases = ["any"]'))
    goods = [*give_goods(A, olive=1, silver=2), *lay_cards(A, "barrow", 1), *lay_cards(A, "helper", 64)]

    choosing(goods, deck=deck).refuses(A, a.UseHelper(64), IllegalAction)
    assert a.UseHelper(64) in delivering(goods, deck=deck).legal(A)


def test_everything_else_is_open_until_the_choice() -> None:
    """LG-2.1, LG-2.1.1: commodities, buying, selling, upgrading, other tiles and helpers, moving a stall."""
    goods = [*give_goods(A, olive=1, pig=1, silver=9, vp=1, trade_commodity=1), deal_cards(A, 9), e.StallPlaced(A, 4)]
    tiles = [*give_tiles("silver_4", "upgraded_good", "flip_roof", "delivery"), e.RoofUsed(A, TILE_OF["delivery"])]
    helpers = [*lay_cards(A, "helper", 23, 39, 40), e.DonkeyUsed(A, 1)]

    position = choosing(goods, tiles, helpers)

    assert set(position.legal(A)) >= {
        *map(a.SpendCommodity, ("silver_4", "two_different_crops", "play_or_draw_card", "pig_1", "upgrade_2")),
        *map(a.BuyResource, ("olive", "grain", "grape", "pig")),
        a.SellResource("olive", "store"),
        a.UpgradeResource("pig", "pen"),
        *(a.UseRoof(TILE_OF[effect]) for effect in ("silver_4", "upgraded_good", "flip_roof")),
        *map(a.UseHelper, (23, 39, 40)),
    }
    chosen = position.when(A, a.ChooseDonkey(2)).position
    assert chosen.legal(A) == ()


def test_an_action_does_not_change_the_legal_actions_of_others() -> None:
    """LG-2.1.1, LG-10.6: both seats have goods to deliver and stalls on the market."""
    position = choosing(
        *(
            effect
            for seat in (A, B)
            for effect in (
                *give_goods(seat, olive=1, food=1, silver=5, trade_commodity=2),
                *lay_cards(seat, "barrow", 1 + seat),
            )
        ),
        lay_cards(B, "helper", 33),
        e.StallPlaced(B, 4),
        give_tiles("delivery", "market_marker"),
        deal_cards(A, 9),
        deal_cards(B, 10),
    )
    before = position.legal(B)

    for action in position.legal(A):
        after = position.when(A, action)
        assert after.of(e.Delivered, e.StallPlaced, e.StallRemoved, e.CardsDrawn) == ()
        assert after.position.legal(B) == before


def test_a_shortage_of_markers_is_independent_of_other_seats() -> None:
    """LG-0.9, LG-2.1.1: no action of B returns a marker to A."""
    short = choosing(
        give_goods(A, food=25), give_goods(A, silver=9), give_goods(B, trade_commodity=1, silver=9), e.StallPlaced(B, 4)
    )
    pending = short.when(A, a.BuyResource("olive")).position
    assert {A, B} <= set(la_granja.seats_to_act(pending.state))

    for action in pending.legal(B):
        after = pending.when(B, action)
        assert after.state.farms[A].markers == 0
        assert after.position.legal(A) == pending.legal(A)
    state = pending.when(A, a.TakeBackMarker("store", "food")).state
    assert (state.farms[A].olive, state.stalls[4]) == (1, B)
