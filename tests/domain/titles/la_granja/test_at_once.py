"""Extra deliveries bought at once, a rule of the first edition's German text (LG-12.4)."""

import msgspec
import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.messages import say
from domain.kernel.rules import IllegalAction, UnknownOption
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import BoughtDeliveries, DeliveryStep, DeliveryTurn, DieWindow
from domain.titles.la_granja.words import describe
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    deck_with,
    give_goods,
    lay_cards,
    lay_table,
    load_barrow,
    random_match,
    step,
)
from tests.scenario import Position

AT_ONCE = {"edition": "original", "extra_deliveries": "at_once"}


def paying(*effects: object, silver: int = 3, way: str = "at_once", deck: str = "standard") -> Position:
    """Return a position of A's turn in step III.4 with three symbols for extra deliveries."""
    goods = (
        lay_cards(A, "barrow", 25, 15),
        give_goods(A, grain=1, pig=2, food=1, silver=silver),
        give_goods(B, trade_commodity=1),
    )
    turn = step("extra_deliveries", DieWindow(B), DeliveryTurn(A, paid=True))
    given = (*goods, lay_cards(A, "extension", 2, 3), *effects, turn)
    return lay_table(*given, edition="original", extra_deliveries=way, deck=deck).when(B, a.Pass()).position


def test_deliveries_are_paid_before_the_first_is_made() -> None:
    """LG-12.4, LG-5.4.1: two deliveries are bought for 2 silver and then made free of charge."""
    position = paying()
    assert position.legal(A, a.Pass, a.BuyDeliveries) == (a.Pass(), *map(a.BuyDeliveries, (1, 2, 3)))

    bought = position.when(A, a.BuyDeliveries(2)).then(e.GoodPaid(A, "silver", 2, "", "extra_delivery"))
    outcome = bought.when(A, a.DeliverToBarrow("pig", "pen", 25))

    outcome.then(e.Delivered(A, "pig", "pen", 0, 25, 1, 3))
    assert outcome.state.agenda[-1] == BoughtDeliveries(A, left=1)


def test_no_more_than_symbols_and_silver_allow() -> None:
    """LG-5.4.1, LG-5.4.3: three symbols; 2 silver buy two, and without silver none is offered."""
    assert paying(silver=9).legal(A, a.BuyDeliveries)[-1] == a.BuyDeliveries(3)
    assert paying(silver=2).legal(A, a.BuyDeliveries)[-1] == a.BuyDeliveries(2)
    assert paying(silver=0).legal(A, a.BuyDeliveries) == ()


def test_rewards_of_a_bought_delivery_buy_no_other() -> None:
    """LG-12.4: unlike one by one, where the same silver pays for the next (LG-5.4.2)."""
    barrow = (lay_cards(A, "barrow", 2), load_barrow(A, 2, "pig"))
    first = paying(*barrow, silver=1).when(A, a.BuyDeliveries(1), a.DeliverToBarrow("pig", "pen", 2)).position
    placed = first.when(A, first.legal(A, a.PlaceStall)[0], a.SpendCommodity("silver_4")).position

    assert placed.state.farms[A].silver == 4
    placed.refuses(A, a.DeliverToBarrow("pig", "pen", 25), IllegalAction)
    placed.refuses(A, a.BuyDeliveries(1), IllegalAction)


def test_silver_can_be_raised_before_the_purchase() -> None:
    """LG-2.1.1, LG-2.4: step III.4 is one window, so resources bought in it are counted together."""
    position = paying(silver=0).when(A, a.SellResource("grain", "store")).position
    assert position.legal(A, a.BuyDeliveries) == (a.BuyDeliveries(1),)

    bought = paying(silver=9).when(A, a.BuyResource("olive"), a.BuyDeliveries(1))

    assert bought.state.agenda[-1] == BoughtDeliveries(A, purchases=1, left=1)


def test_bought_deliveries_that_are_not_made_are_lost() -> None:
    """LG-12.4: and the Idler pays for free deliveries only (card 61)."""
    after = paying(lay_cards(A, "helper", 61)).when(A, a.BuyDeliveries(3), a.Pass())

    after.then(e.GoodPaid(A, "silver", 3, "", "extra_delivery"))
    assert paying().when(A, a.Pass()).of(e.GoodPaid) == ()


def test_the_window_stays_open_after_the_last_delivery() -> None:
    """LG-2.1.1."""
    after = paying().when(A, a.BuyDeliveries(1), a.DeliverToBarrow("pig", "pen", 25)).position

    assert after.legal(A)[0] == a.Pass()
    assert after.legal(A, a.DeliverToBarrow) == ()


def test_the_packer_s_deliveries_cost_nothing() -> None:
    """Card 20: the number must still be chosen."""
    after = paying(lay_cards(A, "helper", 20), silver=0).when(A, a.BuyDeliveries(3))

    after.then()
    assert after.state.agenda[-1] == BoughtDeliveries(A, left=3)


def test_the_last_deliverable_silver_is_not_paid() -> None:
    """LG-6.1.2: in a deck with a silver symbol, one of 2 silver pays and the other is delivered."""
    deck = deck_with(('goods = ["olive", "grape"]', 'goods = ["silver", "grape"]'))
    turn = step("extra_deliveries", DieWindow(B), DeliveryTurn(A, paid=True))
    goods = (
        lay_cards(A, "barrow", 1),
        lay_cards(A, "extension", 2),
        give_goods(A, silver=2),
        give_goods(B, trade_commodity=1),
    )
    position = (
        lay_table(*goods, turn, edition="original", extra_deliveries="at_once", deck=deck).when(B, a.Pass()).position
    )

    assert position.legal(A, a.BuyDeliveries) == (a.BuyDeliveries(1),)


def test_one_by_one_is_the_default() -> None:
    """LG-12.4, LG-13.12: in every edition; logs do not state the default."""
    assert paying(way="one_by_one").state.agenda[-1] == DeliveryStep(A, left=3, paid=True)
    for edition in ("deluxe", "original", "yucata", "bga"):
        usual = la_granja.options({"edition": edition})
        assert usual == la_granja.options({"edition": edition, "extra_deliveries": "one_by_one"})
        assert "extra_deliveries" not in usual.chosen
    assert la_granja.choices()["extra_deliveries"] == ("one_by_one", "at_once")
    begun = next(effects[0] for _, effects in random_match(2, 1))
    assert b"extraDeliveries" not in msgspec.json.encode(begun)


@pytest.mark.parametrize("edition", ["deluxe", "yucata", "bga"])
def test_the_option_is_refused_in_other_editions(edition: str) -> None:
    """LG-12.4: only the original edition allows `at_once`."""
    with pytest.raises(UnknownOption, match=rf"'extra_deliveries'.*'at_once'.*{edition!r}.*one_by_one$"):
        la_granja.options({"edition": edition, "extra_deliveries": "at_once"})


def test_an_unknown_way_to_buy_is_refused() -> None:
    """LG-12.4."""
    with pytest.raises(UnknownOption, match=r"'extra_deliveries'.*'two_by_two'.*one_by_one, at_once$"):
        la_granja.options({"edition": "original", "extra_deliveries": "two_by_two"})


def test_the_option_is_part_of_the_match_its_views_and_imagined_states() -> None:
    """LG-12.4: the first effect states the option."""
    state, effects = next(random_match(2, 1, options=AT_ONCE))

    begun = effects[0]
    assert isinstance(begun, e.MatchBegun)
    assert begun.extra_deliveries == "at_once"
    for reader in (None, A):
        view = la_granja.view(state, reader)
        assert view.extra_deliveries == "at_once"
        assert la_granja.imagine(view, SeededChance(bytes(32))).extra_deliveries == "at_once"


def test_describes_the_purchase() -> None:
    """LG-12.4."""
    view = la_granja.view(paying(deal_cards(A, 9)).state, A)

    assert say(describe(view, a.BuyDeliveries(1))) == "Buy 1 extra delivery for 1 silver"
    assert say(describe(view, a.BuyDeliveries(2))) == "Buy 2 extra deliveries for 2 silver"
    assert say(describe(view, a.Pass())) == "Buy no extra deliveries"
