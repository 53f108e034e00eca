"""Phase III: donkey tiles, siesta track, free and extra deliveries (LG-5)."""

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import (
    Advance,
    DeliveryStep,
    DeliveryTurn,
    DieWindow,
    DonkeyAdvance,
    DonkeyChoice,
    DonkeyEnd,
)
from tests.domain.titles.la_granja.table import (
    A,
    B,
    C,
    D,
    deal_cards,
    give_craft_markers,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    load_barrow,
    step,
)
from tests.scenario import Position


def choosing(*effects: object, seats: int = 3) -> Position:
    """Return a position in which all seats choose a donkey tile."""
    seated = (A, B, C, D)[:seats]
    return lay_table(*effects, last_of("donkeys", *(DonkeyChoice(seat) for seat in seated)), seats=seats)


def test_simultaneous_choices_are_hidden() -> None:
    """LG-5.1.1, LG-0.11, LG-0.12: others see only that a player has chosen."""
    position = choosing()
    assert la_granja.seats_to_act(position.state) == (A, B, C)

    after = position.when(B, a.ChooseDonkey(3))

    after.then(e.DonkeyChosen(B, Hidden(3, (B,))))
    assert la_granja.seats_to_act(after.state) == (A, C)
    assert a.ChooseDonkey in la_granja.CODEC.secret_actions


def test_a_choice_once_sent_is_final() -> None:
    """LG-5.1.1: B can neither choose again nor take any-time actions."""
    after = choosing(give_goods(B, trade_commodity=1)).when(B, a.ChooseDonkey(3)).position

    assert after.legal(B) == ()
    after.refuses(B, a.ChooseDonkey(2), IllegalAction)


def test_all_tiles_are_revealed_together() -> None:
    """LG-5.1.1: after the last choice, in any order."""
    after = choosing().when(B, a.ChooseDonkey(3)).when(A, a.ChooseDonkey(4)).when(C, a.ChooseDonkey(1))

    assert after.of(e.DonkeysRevealed) == (e.DonkeysRevealed((4, 3, 1)),)


def test_unfinished_actions_do_not_delay_other_players() -> None:
    """LG-0.12, LG-2.1: B chooses while A must take a crop and C must play a card; then both continue."""
    position = choosing(give_goods(A, trade_commodity=1), give_goods(C, trade_commodity=1), deal_cards(C, 9))

    busy = position.when(A, a.SpendCommodity("two_different_crops")).when(C, a.SpendCommodity("play_or_draw_card"))
    assert la_granja.seats_to_act(busy.state) == (A, B, C)
    chosen = busy.when(B, a.ChooseDonkey(1)).when(A, a.TakeGood("olive"))

    assert chosen.position.legal(A) == (a.TakeGood("grain"), a.TakeGood("grape"))
    later = chosen.when(C, a.PlayCard(9, "field")).when(A, a.TakeGood("grape"))
    assert later.position.legal(A, a.ChooseDonkey) == later.position.legal(C, a.ChooseDonkey)
    shown = later.when(C, a.ChooseDonkey(2)).when(A, a.ChooseDonkey(2))
    assert shown.of(e.DonkeysRevealed) == (e.DonkeysRevealed((2, 1, 2)),)


def test_a_used_tile_stays_unavailable() -> None:
    """LG-5.1.2."""
    position = choosing(e.DonkeyUsed(A, 1), e.DonkeyUsed(A, 4))

    assert position.legal(A, a.ChooseDonkey) == (a.ChooseDonkey(2), a.ChooseDonkey(3))


@pytest.mark.parametrize(("round", "tiles"), [(3, 1), (4, 4), (5, 1)])
def test_all_tiles_return_in_round_4(round: int, tiles: int) -> None:
    """LG-5.1.2."""
    used = [e.DonkeyUsed(A, tile) for tile in (1, 2, 3)]
    position = lay_table(used, give_goods(A, trade_commodity=1), last_of("last_die", DieWindow(A), round=round))

    after = position.when(A, a.Pass()).position

    assert len(after.legal(A, a.ChooseDonkey)) == tiles


def donkeys(*tiles: int) -> e.DonkeysRevealed:
    return e.DonkeysRevealed(tiles)


def advancing(seat: int, *effects: object) -> Position:
    """Return a position in which B closes a window and the seat then advances by its tile."""
    seated = (A, B, C)[seat]
    return lay_table(deal_cards(B, 60), *effects, step("siesta", DieWindow(B), DonkeyAdvance(seated)), seats=3)


@pytest.mark.parametrize(("tile", "hats"), [(1, 3), (2, 2), (3, 1)])
def test_a_marker_advances_as_many_steps_as_the_tile_shows_hats(tile: int, hats: int) -> None:
    """LG-5.2.1: 1 donkey and 3 hats, 2 and 2, 3 and 1."""
    position = advancing(0, donkeys(tile, 4, 4), give_goods(B, trade_commodity=1))

    position.when(B, a.Pass()).then(e.SiestaAdvanced(A, hats))


def test_four_donkeys_have_no_hat() -> None:
    """LG-5.2.1, LG-5.2.2, LG-13.7: no step, and the marker keeps its place in the stack."""
    position = advancing(1, donkeys(1, 4, 4), give_goods(B, trade_commodity=1))
    before = position.state.siesta

    after = position.when(B, a.Pass())

    after.then()
    assert after.state.siesta == before


def test_a_flipped_wainwright_adds_a_step() -> None:
    """LG-5.2.1."""
    position = advancing(0, donkeys(3, 4, 4), give_craft_markers(A, 2), give_goods(B, trade_commodity=1))

    position.when(B, a.Pass()).then(e.SiestaAdvanced(A, 2))


def test_a_marker_goes_on_top_and_never_past_the_last_space() -> None:
    """LG-5.2.2: three hats move from space 2 to space 4, on top of C."""
    position = advancing(
        0, donkeys(1, 4, 4), give_goods(B, trade_commodity=1), e.SiestaAdvanced(A, 2), e.SiestaAdvanced(C, 4)
    )

    after = position.when(B, a.Pass())

    after.then(e.SiestaAdvanced(A, 4))
    assert after.state.siesta[4] == (A, C)


def test_a_marker_on_the_last_space_keeps_its_place() -> None:
    """LG-5.2.2, LG-13.8: A's marker is below C's and stays there."""
    under = (e.SiestaAdvanced(A, 4), e.SiestaAdvanced(C, 4))
    after = advancing(0, donkeys(1, 4, 4), give_goods(B, trade_commodity=1), *under).when(B, a.Pass())

    after.then()
    assert after.state.siesta[4] == (C, A)


def test_the_turn_order_is_set_from_the_highest_space_down() -> None:
    """LG-5.2.3: within a stack from top to bottom; markers stay, and the order applies at once."""
    position = lay_table(
        donkeys(4, 4, 4, 4),
        *(e.SiestaAdvanced(seat, space) for seat, space in ((B, 3), (D, 1), (A, 3))),
        give_goods(C, trade_commodity=1),
        lay_cards(C, "barrow", 1),
        last_of("siesta", DieWindow(C), Advance(C, 1)),
        seats=4,
    )

    after = position.when(C, a.Pass())

    assert after.of(e.TurnOrderSet) == (e.TurnOrderSet((A, B, C, D)),)
    assert after.state.siesta == ((), (C, D), (), (A, B), ())
    assert after.state.order == (A, B, C, D)


def delivering(tile: int, *effects: object) -> Position:
    """Return a position of A's turn in step III.3, after B has closed a window."""
    goods = (
        lay_cards(A, "barrow", 25, 15),
        give_goods(A, grain=1, pig=2, food=1, wine=1),
        give_goods(B, trade_commodity=1),
    )
    turn = step("free_deliveries", DieWindow(B), DeliveryTurn(A, paid=False), DonkeyEnd(A), DieWindow(B))
    return lay_table(*goods, donkeys(tile, 1), *effects, turn).when(B, a.Pass()).position


@pytest.mark.parametrize(("tile", "markers", "count"), [(1, (), 1), (2, (), 2), (4, (), 4), (2, (2,), 3)])
def test_free_deliveries_as_many_as_donkeys(tile: int, markers: tuple[int, ...], count: int) -> None:
    """LG-5.3.1: one more with a flipped Wainwright marker."""
    position = delivering(tile, give_craft_markers(A, *markers))

    assert isinstance(position.state.agenda[-1], DeliveryStep)
    assert position.state.agenda[-1].left == count


def test_deliveries_end_when_they_are_used_up_and_the_tile_is_put_aside() -> None:
    """LG-5.3.1, LG-5.3.2: one donkey, one delivery; B follows afterwards."""
    position = delivering(1)
    assert position.legal(B) == ()

    after = position.when(A, a.DeliverToBarrow("grain", "store", 25))
    assert after.position.legal(A, a.DeliverToBarrow, a.DeliverToBuilding) == ()
    ended = after.when(A, a.Pass())

    ended.then(e.DonkeyUsed(A, 1))
    assert ended.state.farms[A].donkeys_used == (1,)
    assert la_granja.seats_to_act(ended.state) == (B,)


def test_unused_deliveries_are_lost() -> None:
    """LG-5.3.1."""
    after = delivering(4).when(A, a.Pass())

    after.then(e.DonkeyUsed(A, 4))


def paying(*effects: object, silver: int = 3) -> Position:
    """Return a position of A's turn in step III.4."""
    goods = (
        lay_cards(A, "barrow", 25, 15),
        give_goods(A, grain=1, pig=2, food=1, silver=silver),
        give_goods(B, trade_commodity=1),
    )
    turn = step("extra_deliveries", DieWindow(B), DeliveryTurn(A, paid=True))
    return lay_table(*goods, *effects, turn).when(B, a.Pass()).position


@pytest.mark.parametrize(("extensions", "count"), [((), 1), ((2,), 2), ((1, 2, 3), 3)])
def test_extra_deliveries_as_many_as_symbols(extensions: tuple[int, ...], count: int) -> None:
    """LG-5.4.1: 1 on the board plus those on extensions 2 and 3; extension 1 has none."""
    position = paying(lay_cards(A, "extension", *extensions))

    assert position.state.agenda[-1] == DeliveryStep(A, left=count, paid=True)


def test_each_extra_delivery_costs_1_silver() -> None:
    """LG-5.4.1."""
    paying(lay_cards(A, "extension", 2)).when(A, a.DeliverToBarrow("pig", "pen", 25)).then(
        e.GoodPaid(A, "silver", 1, "", "extra_delivery"),
        e.Delivered(A, "pig", "pen", 0, 25, 1, 3),
    )


def test_no_extra_delivery_without_silver() -> None:
    """LG-5.4.1."""
    position = paying(silver=0)

    position.refuses(A, a.DeliverToBarrow("pig", "pen", 25), IllegalAction)


def test_rewards_of_an_extra_delivery_can_pay_for_the_next() -> None:
    """LG-5.4.2, LG-13.12: the barrow's commodity is exchanged for silver."""
    position = paying(lay_cards(A, "extension", 2), lay_cards(A, "barrow", 2), load_barrow(A, 2, "pig"), silver=1)

    first = position.when(A, a.DeliverToBarrow("pig", "pen", 2)).position
    placed = first.when(A, first.legal(A, a.PlaceStall)[0])
    assert placed.state.farms[A].silver == 0
    again = placed.when(A, a.SpendCommodity("silver_4"), a.DeliverToBarrow("pig", "pen", 25))

    assert len(again.of(e.Delivered)) == 1


def test_an_extension_played_in_the_step_does_not_raise_the_number() -> None:
    """LG-5.4.3, LG-13.11: extension 2 has a symbol, but still one delivery is left."""
    position = paying(give_goods(A, trade_commodity=1), deal_cards(A, 2))

    after = position.when(A, a.SpendCommodity("play_or_draw_card"), a.PlayCard(2, "extension"), a.PayGood("silver", ""))

    assert after.state.agenda[-1] == DeliveryStep(A, left=1, paid=True)


def test_the_step_stays_open_after_the_last_delivery() -> None:
    """LG-2.1.1: the player closes the window of III.4."""
    after = paying().when(A, a.DeliverToBarrow("pig", "pen", 25)).position

    assert after.legal(A)[0] == a.Pass()
    assert after.legal(A, a.DeliverToBarrow) == ()
