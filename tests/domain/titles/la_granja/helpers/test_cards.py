"""Helpers about playing cards."""

from domain.kernel.rules import IllegalAction
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardChoice, CardStep, DieWindow
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.holdings import hand_limit
from tests.domain.titles.la_granja.table import A, B, deal_cards, give_goods, last_of, lay_cards, lay_table, step

WINDOW = step("first_dice", DieWindow(A))
SURELY = step("first_dice", CardChoice(A, may_draw=True))


def test_farm_worker() -> None:
    """Card 4, action (LG-10.5): pay 1 VP to play 1 card; an extension has its price on top."""
    position = lay_table(lay_cards(A, "helper", 4), give_goods(A, vp=2, trade_commodity=1), deal_cards(A, 9), WINDOW)

    pending = position.when(A, a.UseHelper(4))

    pending.then(e.HelperUsed(A, 4, True), e.GoodPaid(A, "vp", 1, "", "helper"))
    pending.when(A, a.PlayCard(9, "extension")).then(
        e.GoodPaid(A, "vp", 1, "", "extension"), e.CardPlayed(A, 9, "extension")
    )


def test_farm_worker_works_once_per_round() -> None:
    """LG-10.2, LG-7.5: exhausted until phase IV."""
    position = lay_table(
        lay_cards(A, "helper", 4), give_goods(A, vp=9, trade_commodity=1), deal_cards(A, 9, 10), WINDOW
    )

    after = position.when(A, a.UseHelper(4), a.PlayCard(9, "field"))

    after.position.refuses(A, a.UseHelper(4), IllegalAction)
    assert a.SpendCommodity("silver_4") in after.position.legal(A)
    refreshed = lay_table(
        lay_cards(A, "helper", 4),
        e.HelperUsed(A, 4, True),
        e.HelpersRefreshed(),
        give_goods(A, vp=1),
        deal_cards(A, 9),
        WINDOW,
    )
    assert a.UseHelper(4) in refreshed.legal(A)


def test_farm_worker_needs_a_vp_already_taken() -> None:
    """LG-10.9: not offered without VP, nor without a card."""
    poor = lay_table(lay_cards(A, "helper", 4), give_goods(A, trade_commodity=1), deal_cards(A, 9), WINDOW)
    bare = lay_table(lay_cards(A, "helper", 4), give_goods(A, vp=1, trade_commodity=1), WINDOW)

    poor.refuses(A, a.UseHelper(4), IllegalAction)
    bare.refuses(A, a.UseHelper(4), IllegalAction)


def test_farm_worker_may_be_used_at_once_and_in_any_phase() -> None:
    """LG-10.3, LG-10.1: usable in the window in which it was played."""
    position = lay_table(give_goods(A, vp=1), deal_cards(A, 4, 9), step("cards", CardStep(A)))

    after = position.when(A, a.PlayCard(4, "helper"), a.UseHelper(4), a.PlayCard(9, "field"))

    assert after.of(e.CardPlayed) == (e.CardPlayed(A, 4, "helper"), e.CardPlayed(A, 9, "field", "grain"))


def test_farm_worker_is_carried_out_before_anything_else() -> None:
    """LG-10.4: no commodity or roof tile can be used before the card is played."""
    position = lay_table(
        lay_cards(A, "helper", 4),
        give_goods(A, vp=1, trade_commodity=1),
        e.RoofBought(A, "D11", 0),
        deal_cards(A, 9),
        WINDOW,
    )

    pending = position.when(A, a.UseHelper(4)).position

    assert pending.legal(A) == pending.legal(A, a.PlayCard)


def test_foreman() -> None:
    """Card 50, in step I.1 before drawing: 1 silver to play one more card; an extension has its price on top."""
    position = lay_table(
        lay_cards(A, "helper", 50), give_goods(A, silver=3), deal_cards(A, 9, 10), step("cards", CardStep(A))
    )

    after = position.when(A, a.PlayCard(9, "field"), a.UseHelper(50), a.PlayCard(10, "extension"))

    assert after.of(e.GoodPaid) == (
        e.GoodPaid(A, "silver", 1, "", "helper"),
        e.GoodPaid(A, "silver", 1, "", "extension"),
    )
    elsewhere = lay_table(
        lay_cards(A, "helper", 50), give_goods(A, silver=3, trade_commodity=1), deal_cards(A, 9), WINDOW
    )
    elsewhere.refuses(A, a.UseHelper(50), IllegalAction)


def test_land_surveyor() -> None:
    """Card 19, action in phase I: discard a card for the crop of its field side and 1 silver."""
    position = lay_table(lay_cards(A, "helper", 19), deal_cards(A, 2, 9), step("growth", DieWindow(A)))

    after = position.when(A, a.UseHelper(19), a.DiscardCard(2))

    farm = after.state.farms[A]
    assert (farm.hand, farm.grape, farm.silver, after.state.discard) == ((9,), 1, 1, (2,))


def test_irrigator() -> None:
    """Card 44, automatic: a field that the owner plays grows its crop at once; other sides do not."""
    position = lay_table(lay_cards(A, "helper", 44), deal_cards(A, 2, 9), step("cards", CardStep(A, plays=2)))

    after = position.when(A, a.PlayCard(2, "field"), a.PlayCard(9, "barrow"))

    assert after.of(e.GoodGained) == (e.GoodGained(A, "grape", 1, "field", "helper", 2),)
    assert after.state.farms[A].fields[0].full


def test_builder() -> None:
    """Card 25, automatic: the second extension costs 1 good; the first still costs 1."""
    second = lay_table(
        lay_cards(A, "helper", 25), lay_cards(A, "extension", 1), give_goods(A, silver=1), deal_cards(A, 9), SURELY
    )
    first = lay_table(lay_cards(A, "helper", 25), give_goods(A, silver=1), deal_cards(A, 9), SURELY)

    for position in (second, first):
        after = position.when(A, a.PlayCard(9, "extension"))
        after.then(e.GoodPaid(A, "silver", 1, "", "extension"), e.CardPlayed(A, 9, "extension"))
    lay_table(lay_cards(A, "helper", 25), deal_cards(A, 9), SURELY).refuses(
        A, a.PlayCard(9, "extension"), IllegalAction
    )


def test_bookkeeper() -> None:
    """Card 41, automatic: outside step I.1 two cards are drawn and one is kept; the hand limit is 4."""
    position = lay_table(lay_cards(A, "helper", 41), deal_cards(A, 9), give_goods(A, trade_commodity=1), WINDOW)
    drawing = position.with_chance({"card/3": (12, 20)}).when(A, a.SpendCommodity("play_or_draw_card"), a.DrawCard())
    assert drawing.position.legal(A) == (a.DiscardCard(12), a.DiscardCard(20))
    assert la_granja.view(drawing.state, B).farms[A].aside == ()
    assert la_granja.view(drawing.state, B).farms[A].aside_count == 2

    after = drawing.when(A, a.DiscardCard(12))

    after.then(e.CardDiscarded(A, 12, "aside"), e.CardsKept(A))
    farm = after.state.farms[A]
    assert (farm.hand, farm.aside, after.state.discard) == ((9, 20), (), (12,))
    assert hand_limit(after.state, A) == 4


def test_bookkeeper_draws_one_card_in_the_card_step() -> None:
    """Card 41."""
    position = lay_table(lay_cards(A, "helper", 41), give_goods(A, trade_commodity=1), step("cards", CardStep(A)))

    after = position.when(A, a.SpendCommodity("play_or_draw_card"))

    assert next(effect.count for effect in after.of(e.CardsDrawn)) == 1
    assert after.state.farms[A].aside == ()


def test_bookkeeper_keeps_the_only_card_left() -> None:
    """Card 41, LG-0.10: with one card left to draw there is no choice."""
    others = tuple(number for number in CARDS if number not in (41, 66))
    position = lay_table(lay_cards(A, "helper", 41), deal_cards(B, *others), give_goods(A, trade_commodity=1), WINDOW)

    after = position.when(A, a.SpendCommodity("play_or_draw_card"))

    assert after.of(e.CardsKept) == (e.CardsKept(A),)
    assert after.state.farms[A].hand == (66,)


def test_schoolmistress() -> None:
    """Card 18, automatic: hand limit 4 in step I.1, and 1 silver of income in step I.2."""
    position = lay_table(lay_cards(A, "helper", 18), last_of("cards", CardStep(A)))

    after = position.when(A, a.Pass())

    assert len(after.state.farms[A].hand) == 4
    assert after.state.farms[A].silver == 1
