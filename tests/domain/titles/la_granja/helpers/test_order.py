"""Several helpers of one owner that answer the same event (LG-10.7): the pairs in which the order matters."""

from itertools import combinations, product
from typing import Final

import pytest

from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieResolution, Income
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.helpers import HELPERS
from domain.titles.la_granja.reckoning import ADJUSTMENTS, Number, adjust
from domain.titles.la_granja.state import RESOURCES
from tests.domain.titles.la_granja.helpers.orders import (
    EDITIONS,
    Moment,
    answering,
    as_played,
    asks_for_the_order,
    ends,
    follow,
    in_this_order,
    moments,
    outcomes,
    pairs,
    position,
)
from tests.domain.titles.la_granja.table import A, deck_with, has, holds, laid, step, table
from tests.scenario import Position

SPARE: Final = (0, 1, 9)
"""Markers left when the event happens; with few of them an order can matter where it does not with many (LG-0.9)."""

BOTH_WAYS = pytest.mark.parametrize("lying", [(6, 21), (21, 6)], ids=["merchant-first", "drover-first"])


def asked(
    lying: tuple[int, ...], pips: int, option: str, *effects: object, round: int, deck: str = "standard"
) -> Position:
    """A has these helpers and a VP, and has just taken what a chosen die gives."""
    die = step("first_dice", DieResolution(A, pips=pips), round=round)
    position = table(laid(A, "helper", *lying), has(A, vp=1), *effects, die, deck=deck)
    return position.when(A, a.TakeOption(option)).position


@BOTH_WAYS
def test_drover_before_merchant_brings_the_olive_in_time(lying: tuple[int, ...]) -> None:
    """LG-10.7, cards 21 and 6, round 5: the olive comes first and is upgraded; whichever was laid first."""
    position = asked(lying, 1, "pig_1", round=5)
    assert set(position.legal(A)) == {a.Decline(), a.UseHelper(6), a.UseHelper(21)}

    after = position.when(
        A,
        a.UseHelper(21),
        a.TakeGood("olive"),
        a.UseHelper(6),
        a.TakeOption("upgrade_2"),
        a.UpgradeResource("olive", "store"),
    )

    assert (after.state.farms[A].olive, after.state.farms[A].food) == (0, 1)


@BOTH_WAYS
def test_merchant_before_drover_keeps_the_crop_for_later(lying: tuple[int, ...]) -> None:
    """LG-10.7, cards 6 and 21: the olive of the Drover comes by itself after the Merchant's space."""
    position = asked(lying, 1, "pig_1", round=5)

    upgraded = position.when(A, a.UseHelper(6), a.TakeOption("upgrade_2")).position
    assert upgraded.legal(A) == (a.Pass(), a.UpgradeResource("pig", "pen"))
    after = upgraded.when(A, a.Pass())

    assert after.position.legal(A) == (a.TakeGood("olive"), a.TakeGood("grain"))


@BOTH_WAYS
def test_drover_delivers_in_round_6_what_he_brings(lying: tuple[int, ...]) -> None:
    """LG-10.7, round 6: the olive is there for the delivery of the Merchant's space."""
    position = asked(lying, 1, "pig_1", laid(A, "barrow", 1), round=6)

    after = position.when(
        A,
        a.UseHelper(21),
        a.TakeGood("olive"),
        a.UseHelper(6),
        a.TakeOption("delivery_1"),
        a.DeliverToBarrow("olive", "store", 1),
    )

    assert after.of(e.Delivered) == (e.Delivered(A, "olive", "store", 0, 1, 0, 2),)


@BOTH_WAYS
def test_a_declined_merchant_leaves_the_drover_to_come_by_himself(lying: tuple[int, ...]) -> None:
    """LG-10.5: the Drover is automatic, so there is nothing left to ask about the order."""
    after = asked(lying, 1, "pig_1", round=5).when(A, a.Decline())

    assert after.position.legal(A) == (a.TakeGood("olive"), a.TakeGood("grain"))


def test_a_drover_replaced_before_his_turn_brings_nothing() -> None:
    """LG-10.8, LG-10.7: the Merchant came first, and his space let the owner play a helper in the Drover's place."""
    position = asked((6, 21, 8), 1, "pig_1", holds(A, 9), round=2)

    after = position.when(A, a.UseHelper(6), a.TakeOption("play_card"), a.PlayCard(9, "helper"), a.ReplaceCard(21))

    assert after.of(e.GoodGained) == ()
    assert after.position.legal(A) == ()


@pytest.mark.parametrize(("round", "is_asked"), [(1, False), (2, True), (3, False), (4, False), (5, False), (6, False)])
def test_tax_collector_waits_where_silver_can_be_paid(round: int, is_asked: bool) -> None:
    """LG-10.7, cards 16 and 6: only a farm extension of space 2 can be paid with the 2 silver."""
    position = asked((6, 16), 4, "silver_4", has(A, olive=1), holds(A, 9), round=round)

    assert (a.UseHelper(16) in position.legal(A)) is is_asked


@pytest.mark.parametrize(("round", "is_asked"), [(1, False), (2, False), (4, False), (5, False), (6, True)])
def test_dreamer_waits_where_a_wainwright_may_pay_by_his_step(round: int, is_asked: bool) -> None:
    """LG-10.7, cards 47 and 6: the VP of the siesta space are taken when a delivery completes the Wainwright."""
    position = asked((6, 47), 5, "siesta_2", has(A, olive=1), round=round)

    assert (a.UseHelper(47) in position.legal(A)) is is_asked


def test_silver_waits_for_the_delivery_of_a_deck_that_asks_for_it() -> None:
    """LG-10.7, LG-6.1.2: in round 6 the 2 silver of the Tax Collector may be what the Merchant's space delivers."""
    deck = deck_with(('goods = ["olive", "grape"]', 'goods = ["silver", "grape"]'))

    assert a.UseHelper(16) in asked((6, 16), 4, "silver_4", round=6, deck=deck).legal(A)
    assert a.UseHelper(16) not in asked((6, 16), 4, "silver_4", round=5, deck=deck).legal(A)


def test_a_bonus_of_vp_waits_for_the_merchant_who_is_paid_with_vp() -> None:
    """LG-10.7, LG-10.9: VP of another deck's Tax Collector may be wanted for the Merchant's price."""
    deck = deck_with(("params = { space = 4, silver = 2 }", "params = { space = 4, vp = 2 }"))

    position = asked((6, 16), 4, "silver_4", round=3, deck=deck)
    assert a.UseHelper(16) in position.legal(A)

    assert position.when(A, a.UseHelper(16)).state.farms[A].vp == 3


@pytest.mark.parametrize(
    ("moment", "first", "second"), list(pairs()), ids=lambda each: each.name if isinstance(each, Moment) else str(each)
)
def test_in_both_orders_of_every_pair(moment: Moment, first: int, second: int) -> None:
    """LG-10.7: play brings about all that either order does, and asks for the order exactly where it can matter."""
    both_ask = all(CARDS[number].helper.mode == "triggered" for number in (first, second))
    for round, edition in product(moment.rounds, EDITIONS):
        matters, is_asked = False, False
        for spare in SPARE:
            state = position(moment, (first, second), round, edition, spare)
            one = in_this_order(state, moment.event, first, second)
            other = in_this_order(state, moment.event, second, first)
            ends, asked = as_played(state, moment.event)
            assert ends == one | other, f"round {round}, {edition}, {spare} markers to spare"
            turned = position(moment, (second, first), round, edition, spare)
            assert outcomes(as_played(turned, moment.event)[0]) == outcomes(ends), "the order of laying counts"
            matters = matters or one != other
            is_asked = is_asked or asks_for_the_order(asked, first, second)
        assert is_asked == (matters or both_ask), f"round {round}, {edition}"


def test_the_pairs_are_those_that_answer_one_event() -> None:
    """LG-10.7: of 66 helpers these are asked about or act at the same moment; no moment is missing from the law."""
    reacting = {number for number, card in CARDS.items() if HELPERS[card.helper.kind].reacts}

    assert {number for moment in moments() for number in answering(moment)} == reacting
    assert {(first, second) for _, first, second in pairs()} == {
        (6, 16), (6, 21), (6, 47), (16, 42), (21, 42), (42, 47),
        (54, 63), (55, 63), (2, 33), (32, 58),
    }  # fmt: skip


@pytest.mark.parametrize("number", Number, ids=lambda number: number.name)
def test_helpers_that_change_a_number_change_it_in_any_order(number: Number) -> None:
    """LG-10.7: discounts and additions of every two helpers come to the same, whichever was laid first."""
    changing = [card for card in CARDS.values() if card.helper.kind in ADJUSTMENTS[number]]
    for one, other in combinations(changing, 2):
        for base, about in product(range(7), (*RESOURCES, 1, 2, 3, 4, 5, 6)):
            first, second = (
                adjust(table(laid(A, "helper", *lying)).state, A, number, base, about)
                for lying in ((one.number, other.number), (other.number, one.number))
            )
            assert first == second


@pytest.mark.parametrize("pair", list(combinations((34, 36, 37, 48), 2)), ids=str)
@pytest.mark.parametrize("spare", SPARE)
def test_helpers_bring_income_in_any_order(pair: tuple[int, int], spare: int) -> None:
    """LG-10.7, LG-0.9: with too few markers too, the owner keeps of it what the other order would have let keep."""
    field = laid(A, "field", 2)
    one, other = (
        position(Moment("income", step("income", Income(A)), tuple(field), "roofs"), lying, 3, "original", spare)
        for lying in (pair, pair[::-1])
    )

    assert outcomes(set(ends(follow(one, ()), set()))) == outcomes(set(ends(follow(other, ()), set())))
