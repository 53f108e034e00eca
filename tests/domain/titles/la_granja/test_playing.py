"""Step I.1: playing, paying for, drawing and discarding farm cards (LG-3.1)."""

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardChoice, CardStep, HandCheck, Income
from domain.titles.la_granja.cards import CARD_NUMBERS
from domain.titles.la_granja.holdings import draw_pile, draw_pile_count, extra_deliveries, hand_limit, pens
from domain.titles.la_granja.state import Barrow, Field, HelperCard
from tests.domain.titles.la_granja.table import (
    A,
    B,
    deal_cards,
    give_goods,
    last_of,
    lay_cards,
    lay_table,
    load_barrow,
    opening,
    play_effect,
    step,
)
from tests.scenario import Position

BUSY = give_goods(A, trade_commodity=1)
"""A commodity, which keeps the window open after the last card."""


def card_step(*effects: object, plays: int = 1) -> Position:
    return lay_table(BUSY, *effects, step("cards", CardStep(A, plays=plays)))


def test_one_card_may_be_played() -> None:
    """LG-3.1.1."""
    position = card_step(deal_cards(A, 1, 2))

    after = position.when(A, a.PlayCard(1, "field"))

    assert after.position.legal(A, a.PlayCard) == ()


def test_up_to_two_cards_in_round_1_and_one_later() -> None:
    """LG-3.1.1, LG-13.1."""
    state, _ = opening(2)
    assert state.agenda[-1] == CardStep(state.order[0], plays=2)
    position = card_step(deal_cards(A, 1, 2, 3), plays=2)

    assert position.legal(A)[0] == a.Pass()
    assert a.Pass() in position.when(A, a.PlayCard(1, "field")).position.legal(A)
    two = position.when(A, a.PlayCard(1, "field"), a.PlayCard(2, "field"))
    assert two.position.legal(A, a.PlayCard) == ()


def test_round_2_asks_for_one_card() -> None:
    """LG-3.1.1."""
    position = lay_table(deal_cards(A, 1, 2), last_of("siesta_scoring", CardChoice(A, may_draw=False)))

    after = position.when(A, a.PlayCard(1, "field"))

    assert la_granja.phase(after.state) == "2/I/cards"
    assert after.of(e.StepBegun)[-1].tasks == (CardStep(B, plays=1), CardStep(A, plays=1))


def test_a_field_enters_empty_and_free_of_charge() -> None:
    """LG-3.1.2: its crop grows later; the number of fields is unlimited."""
    position = card_step(lay_cards(A, "field", 4, 7, 10, 13, 16, 19), deal_cards(A, 1))

    after = position.when(A, a.PlayCard(1, "field"))

    after.then(e.CardPlayed(A, 1, "field", "olive"))
    assert after.state.farms[A].fields[-1] == Field(1, "olive", False)
    assert len(after.state.farms[A].fields) == 7


def test_a_barrow_has_its_symbols_empty() -> None:
    """LG-3.1.3: free of charge."""
    after = card_step(deal_cards(A, 3)).when(A, a.PlayCard(3, "barrow"))

    after.then(e.CardPlayed(A, 3, "barrow", symbols=3))
    assert after.state.farms[A].barrows == (Barrow(3, (False, False, False)),)


def test_a_helper_is_laid_free_of_charge() -> None:
    """LG-3.1.5: and it is not exhausted."""
    after = card_step(deal_cards(A, 8)).when(A, a.PlayCard(8, "helper"))

    after.then(e.CardPlayed(A, 8, "helper"))
    assert after.state.farms[A].helpers == (HelperCard(8, False),)


@pytest.mark.parametrize("side", ["barrow", "helper"])
def test_a_fourth_barrow_or_helper_replaces_one(side: str) -> None:
    """LG-3.1.3, LG-3.1.5, LG-3.1.6: at most 3 at a time; the owner chooses which to discard."""
    position = card_step(lay_cards(A, side, 8, 9, 10), deal_cards(A, 7))

    choosing = position.when(A, a.PlayCard(7, side))

    choosing.then()
    assert choosing.position.legal(A) == (a.ReplaceCard(8), a.ReplaceCard(9), a.ReplaceCard(10))
    after = choosing.when(A, a.ReplaceCard(9))
    after.then(e.CardDiscarded(A, 9, side), play_effect(A, 7, side))
    assert after.state.discard == (9,)


def test_goods_on_a_discarded_barrow_are_lost_and_its_markers_return() -> None:
    """LG-3.1.6."""
    position = card_step(
        lay_cards(A, "barrow", 8, 9, 10), load_barrow(A, 8, "olive", "pig"), deal_cards(A, 7), give_goods(A, silver=0)
    )
    before = position.state.farms[A].markers

    after = position.when(A, a.PlayCard(7, "barrow"), a.ReplaceCard(8)).state.farms[A]

    assert after.markers == before + 2
    assert (after.olive, after.pig) == (0, 0)


def test_the_nth_extension_costs_n_different_kinds() -> None:
    """LG-3.1.4, LG-0.4: the second costs two kinds, in the order of LG-0.4 from silver."""
    position = card_step(lay_cards(A, "extension", 1), give_goods(A, silver=3, vp=2, pig=1), deal_cards(A, 2))

    paying = position.when(A, a.PlayCard(2, "extension")).position
    assert paying.legal(A) == (a.PassOver("silver"), a.PayGood("silver", ""))
    vp = paying.when(A, a.PassOver("silver"))

    vp.then(
        e.GoodPaid(A, "vp", 1, "", "extension"),
        e.GoodPaid(A, "pig", 1, "pen", "extension"),
        e.CardPlayed(A, 2, "extension"),
    )


def test_a_kind_can_be_skipped_only_while_enough_remain() -> None:
    """LG-3.1.4: two kinds are due; after paying silver and skipping VP the pig must be paid."""
    position = card_step(lay_cards(A, "extension", 1), give_goods(A, silver=3, vp=2, pig=1), deal_cards(A, 2))
    paying = position.when(A, a.PlayCard(2, "extension"), a.PayGood("silver", "")).position

    assert paying.legal(A) == (a.PassOver("vp"), a.PayGood("vp", ""))
    paying.when(A, a.PassOver("vp")).then(e.GoodPaid(A, "pig", 1, "pen", "extension"), e.CardPlayed(A, 2, "extension"))


def test_crops_are_paid_from_field_or_store() -> None:
    """LG-3.1.4, LG-2.7: the player chooses; the marker returns to the supply."""
    position = card_step(lay_cards(A, "field", 1, full=True), give_goods(A, olive=1), deal_cards(A, 2))

    paying = position.when(A, a.PlayCard(2, "extension")).position

    assert paying.legal(A) == (a.PayGood("olive", "field"), a.PayGood("olive", "store"))
    after = paying.when(A, a.PayGood("olive", "field"))
    assert after.state.farms[A].fields == (Field(1, "olive", False),)
    assert after.state.farms[A].olive == 1
    assert after.state.farms[A].markers == position.state.farms[A].markers + 1


def test_a_crop_only_in_the_store_is_paid_from_there() -> None:
    """LG-3.1.4."""
    position = card_step(lay_cards(A, "field", 1), give_goods(A, olive=1, pig=1), deal_cards(A, 2))

    paying = position.when(A, a.PlayCard(2, "extension")).position

    assert paying.legal(A) == (a.PassOver("olive"), a.PayGood("olive", "store"))


def test_upgraded_goods_pay_too_but_a_commodity_does_not() -> None:
    """LG-3.1.4, LG-0.4, LG-0.5."""
    position = card_step(give_goods(A, trade_commodity=3), deal_cards(A, 2))

    position.refuses(A, a.PlayCard(2, "extension"), IllegalAction)
    for good in ("food", "wine", "meat"):
        richer = card_step(give_goods(A, **{good: 1}), deal_cards(A, 2))
        richer.when(A, a.PlayCard(2, "extension")).then(
            e.GoodPaid(A, good, 1, "store", "extension"), e.CardPlayed(A, 2, "extension")
        )


def test_an_extension_that_cannot_be_paid_cannot_be_begun() -> None:
    """LG-3.1.4: the third costs three kinds, and the farm has two."""
    position = card_step(lay_cards(A, "extension", 1, 2), give_goods(A, silver=9, olive=5), deal_cards(A, 3))

    position.refuses(A, a.PlayCard(3, "extension"), IllegalAction)
    assert a.PlayCard(3, "field") in position.legal(A)


def test_only_the_side_played_counts() -> None:
    """LG-3.1.7, LG-0.6: card 1 as an extension adds a pen and a hand card, but no helper or field."""
    extended = lay_table(lay_cards(A, "extension", 1))
    helped = lay_table(lay_cards(A, "helper", 1))

    assert (pens(extended.state, A), hand_limit(extended.state, A), extra_deliveries(extended.state, A)) == (3, 4, 1)
    assert (pens(helped.state, A), hand_limit(helped.state, A)) == (2, 3)
    assert extended.state.farms[A].fields == ()


def test_an_extension_pays_income_in_the_round_it_is_played() -> None:
    """LG-3.1.7: it works in every step still to come."""
    position = lay_table(give_goods(A, vp=1), deal_cards(A, 1), step("cards", CardChoice(A, may_draw=False), Income(A)))

    after = position.when(A, a.PlayCard(1, "extension"))

    assert after.of(e.GoodGained) == (e.GoodGained(A, "silver", 1, "", "income"),)


def test_cards_are_drawn_up_to_the_hand_limit() -> None:
    """LG-3.1.8: 3 plus 1 for each extension; only the owner sees them."""
    position = lay_table(BUSY, lay_cards(A, "extension", 1), deal_cards(A, 9), step("cards", CardStep(A)))

    after = position.with_chance({"card/3": (20, 11, 30)}).when(A, a.Pass())

    after.then(e.CardsDrawn(A, 3, Hidden((11, 20, 30), (A,))))
    assert after.state.farms[A].hand == (9, 11, 20, 30)


def test_cards_of_own_choice_are_discarded_down_to_the_limit() -> None:
    """LG-3.1.8: two of five cards must be discarded, face up."""
    position = lay_table(BUSY, deal_cards(A, 1, 2, 3, 4, 5), step("cards", CardStep(A)))

    choosing = position.when(A, a.Pass()).position

    assert choosing.legal(A) == tuple(a.DiscardCard(card) for card in (1, 2, 3, 4, 5))
    after = choosing.when(A, a.DiscardCard(4), a.DiscardCard(1))
    after.then(e.CardDiscarded(A, 4, "hand"), e.CardDiscarded(A, 1, "hand"))
    assert after.state.discard == (4, 1)


def test_at_other_times_a_hand_may_be_larger() -> None:
    """LG-3.1.8, LG-3.1.9: a card drawn through a commodity makes a hand of four."""
    position = lay_table(deal_cards(A, 1, 2, 3), step("second_dice", CardChoice(A, may_draw=True)))

    after = position.when(A, a.DrawCard())

    assert len(after.state.farms[A].hand) == 4
    assert la_granja.seats_to_act(after.state) == (-1,)


def test_a_card_at_another_time_follows_the_same_rules() -> None:
    """LG-3.1.9: a fourth barrow replaces another in phase II too."""
    position = lay_table(
        lay_cards(A, "barrow", 8, 9, 10), deal_cards(A, 7), step("second_dice", CardChoice(A, may_draw=False))
    )

    after = position.when(A, a.PlayCard(7, "barrow"), a.ReplaceCard(10))

    after.then(e.CardDiscarded(A, 10, "barrow"), play_effect(A, 7, "barrow"))


def all_but(*cards: int) -> list[object]:
    """Return effects that play all other cards as fields of B."""
    return lay_cards(B, "field", *(card for card in CARD_NUMBERS if card not in cards))


def test_the_discard_pile_is_reshuffled_when_the_last_card_is_drawn() -> None:
    """LG-0.10: three cards are drawn from two in the pile and four discarded ones."""
    discarded = [deal_cards(A, 3, 4, 5, 6), *(e.CardDiscarded(A, card, "hand") for card in (3, 4, 5, 6))]
    position = lay_table(all_but(1, 2, 3, 4, 5, 6), discarded, BUSY, step("cards", CardStep(A)))
    assert draw_pile(position.state) == (1, 2)

    after = position.when(A, a.Pass())

    first, reshuffled, second = (effect for effect in after.effects if not isinstance(effect, e.Planned))
    assert first.cards.value == (1, 2)
    assert reshuffled == e.DiscardReshuffled()
    assert (second.count, second.cards.value) == (1, (3,))
    assert after.state.discard == ()
    assert draw_pile_count(after.state) == 3


def test_the_discard_pile_is_reshuffled_even_if_nothing_more_is_drawn() -> None:
    """LG-0.10: the draw pile exists before the next draw."""
    position = lay_table(
        all_but(1, 2, 3),
        deal_cards(A, 3),
        e.CardDiscarded(A, 3, "hand"),
        deal_cards(A, 2),
        step("roofs", CardChoice(A, True)),
    )

    after = position.when(A, a.DrawCard())

    assert after.state.farms[A].hand == (1, 2)
    assert (after.state.discard, draw_pile(after.state)) == ((), (3,))


def test_with_both_piles_empty_no_card_can_be_drawn() -> None:
    """LG-0.10: the hand check draws nothing, and drawing is not offered."""
    position = lay_table(all_but(1), deal_cards(A, 1), BUSY, step("cards", CardStep(A)))

    after = position.when(A, a.Pass())

    after.then()
    choosing = lay_table(all_but(1), deal_cards(A, 1), step("roofs", CardChoice(A, may_draw=True)))
    choosing.refuses(A, a.DrawCard(), IllegalAction)


def test_the_very_last_card_can_be_drawn() -> None:
    """LG-0.10: one card is left and the discard pile is empty."""
    position = lay_table(all_but(1, 2), deal_cards(A, 1), step("roofs", CardChoice(A, may_draw=True)))

    after = position.when(A, a.DrawCard())

    assert after.state.farms[A].hand == (1, 2)
    assert after.of(e.DiscardReshuffled) == ()


def test_the_discard_pile_stays_while_the_draw_pile_has_cards() -> None:
    """LG-0.10: one discarded card, two cards left to draw."""
    discarded = [deal_cards(A, 4), e.CardDiscarded(A, 4, "hand")]
    position = lay_table(all_but(1, 2, 3, 4), discarded, deal_cards(A, 1), step("roofs", CardChoice(A, may_draw=True)))

    assert position.when(A, a.DrawCard()).state.discard == (4,)


def test_each_player_finishes_the_step_before_the_next() -> None:
    """LG-3.1.8."""
    position = lay_table(
        give_goods(B, trade_commodity=1), deal_cards(A, 1), deal_cards(B, 2), last_of("cards", CardStep(A), CardStep(B))
    )

    after = position.when(A, a.PlayCard(1, "field"))

    assert len(after.state.farms[A].hand) == 3
    assert la_granja.seats_to_act(after.state) == (B,)


def test_the_hand_check_leaves_a_full_hand_unchanged() -> None:
    """LG-3.1.8: three cards without an extension."""
    position = lay_table(
        deal_cards(A, 1, 2, 3), deal_cards(B, 9), step("roofs", CardChoice(B, may_draw=False), HandCheck(A))
    )

    after = position.when(B, a.PlayCard(9, "field"))

    after.then(play_effect(B, 9, "field"))
    assert la_granja.seats_to_act(after.state) == (-1,)
