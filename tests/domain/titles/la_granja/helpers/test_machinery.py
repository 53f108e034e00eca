"""Rules that apply to all helpers (LG-10)."""

from pathlib import Path

from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import CardChoice, DieResolution, DieWindow, HelperOffer
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.helpers import HELPERS
from tests.domain.titles.la_granja.table import A, deal_cards, give_goods, lay_cards, lay_table, step


def test_all_helpers_have_an_effect() -> None:
    """LG-10.5: all 66 cards have a known kind, and each of the three modes occurs."""
    kinds = {card.helper.kind for card in CARDS.values()}

    assert len(CARDS) == 66
    assert kinds <= set(HELPERS)
    assert {card.helper.mode for card in CARDS.values()} == {"automatic", "triggered", "action"}


def test_every_helper_with_an_effect_has_a_test_named_after_it() -> None:
    """LG-10.5: the test's name contains the name on the card."""
    text = "\n".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))

    for number, card in CARDS.items():
        name = card.helper.name.lower().replace(" ", "_").replace("-", "_").replace("'", "_")
        assert f"def test_{name}" in text, f"helper {number} ({name}) has no test"


def test_pigs_without_a_pen_are_sold_when_a_helper_leaves() -> None:
    """LG-10.8: two of four pens leave with the helper; two pigs are sold at the normal price."""
    position = lay_table(
        lay_cards(A, "helper", 62, 7, 8),
        give_goods(A, pig=4),
        deal_cards(A, 9),
        step("first_dice", CardChoice(A, may_draw=False)),
    )

    after = position.when(A, a.PlayCard(9, "helper"), a.ReplaceCard(62))

    after.then(e.CardDiscarded(A, 62, "helper"), e.ResourceSold(A, "pig", "pen", 2, 6), e.CardPlayed(A, 9, "helper"))


def test_pigs_with_a_pen_stay_when_a_helper_leaves() -> None:
    """LG-10.8: two pigs in two pens; nothing is sold."""
    position = lay_table(
        lay_cards(A, "helper", 62, 7, 8),
        give_goods(A, pig=2),
        deal_cards(A, 9),
        step("first_dice", CardChoice(A, may_draw=False)),
    )

    after = position.when(A, a.PlayCard(9, "helper"), a.ReplaceCard(62))

    after.then(e.CardDiscarded(A, 62, "helper"), e.CardPlayed(A, 9, "helper"))


def test_a_helper_works_only_in_its_phases() -> None:
    """LG-10.1: the Porter while a die is resolved in phase II, the Farm Worker at any time on the owner's turn."""
    both = [*lay_cards(A, "helper", 3, 4), *give_goods(A, vp=1, trade_commodity=1), deal_cards(A, 9)]

    growing = lay_table(both, step("growth", DieWindow(A)))
    resolving = lay_table(both, step("first_dice", DieResolution(A, pips=6)))

    assert growing.legal(A, a.UseHelper) == (a.UseHelper(4),)
    assert resolving.legal(A, a.UseHelper) == (a.UseHelper(3), a.UseHelper(4))


def test_a_helper_not_marked_once_per_round_is_not_exhausted() -> None:
    """LG-10.2."""
    used = [*lay_cards(A, "helper", 4), e.HelperUsed(A, 4, exhausts=False)]
    exhausted = [*lay_cards(A, "helper", 4), e.HelperUsed(A, 4, exhausts=True)]

    assert not lay_table(used).state.farms[A].helpers[0].exhausted
    assert lay_table(exhausted).state.farms[A].helpers[0].exhausted


def test_the_owner_chooses_the_order_of_several_helpers() -> None:
    """LG-10.7: two are offered for one event; either may be used first, and the other stays on offer."""
    position = lay_table(
        lay_cards(A, "helper", 5, 6),
        give_goods(A, vp=1, trade_commodity=1),
        step("first_dice", HelperOffer(A, 5), HelperOffer(A, 6), round=4),
    )
    assert position.legal(A) == (a.Decline(), a.UseHelper(5), a.UseHelper(6))

    after = position.when(A, a.UseHelper(6), a.TakeOption("silver_4"))

    assert after.position.legal(A) == (a.Decline(), a.UseHelper(5))
    assert after.when(A, a.UseHelper(5), a.ReserveSpace(1)).of(e.SpaceReserved) == (e.SpaceReserved(A, 1),)


def test_several_helpers_on_one_event_all_apply() -> None:
    """LG-10.7, LG-10.8.1: the Porter takes both options of space 6, and the Merchant resolves space 4."""
    position = lay_table(
        lay_cards(A, "helper", 3, 6),
        give_goods(A, vp=1, trade_commodity=1),
        step("first_dice", DieResolution(A, pips=6), round=4),
    )

    after = position.when(
        A,
        a.UseHelper(3),
        a.TakeOption("silver_2"),
        a.TakeOption("delivery_1"),
        a.DeliverToBuilding("trade_commodity", "space", 1),
        a.UseHelper(6),
        a.TakeOption("silver_4"),
    )

    assert after.state.farms[A].silver == 6
    assert [each.source for each in after.of(e.DieResolved)] == ["chosen", "merchant"]
