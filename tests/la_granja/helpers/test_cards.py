"""Helpers about playing cards."""

from domain.kernel.rules import IllegalAction
from domain.la_granja import actions as a
from domain.la_granja import effects as e
from domain.la_granja.agenda import CardStep, DieWindow
from tests.la_granja.table import A, has, holds, laid, step, table

WINDOW = step("first_dice", DieWindow(A))


def test_farm_worker() -> None:
    """Card 4, action (LG-10.5): pay 1 VP to play 1 card; an extension is paid for as well."""
    position = table(laid(A, "helper", 4), has(A, vp=2, trade_commodity=1), holds(A, 9), WINDOW)

    asked = position.when(A, a.UseHelper(4))

    asked.then(e.HelperUsed(A, 4, True), e.GoodPaid(A, "vp", 1, "", "helper"))
    asked.when(A, a.PlayCard(9, "extension")).then(
        e.GoodPaid(A, "vp", 1, "", "extension"), e.CardPlayed(A, 9, "extension")
    )


def test_farm_worker_works_once_per_round() -> None:
    """LG-10.2, LG-7.5: exhausted until phase IV."""
    position = table(laid(A, "helper", 4), has(A, vp=9, trade_commodity=1), holds(A, 9, 10), WINDOW)

    after = position.when(A, a.UseHelper(4), a.PlayCard(9, "field"))

    after.position.refuses(A, a.UseHelper(4), IllegalAction)
    assert a.SpendCommodity("silver_4") in after.position.legal(A)
    refreshed = table(
        laid(A, "helper", 4), e.HelperUsed(A, 4, True), e.HelpersRefreshed(), has(A, vp=1), holds(A, 9), WINDOW
    )
    assert a.UseHelper(4) in refreshed.legal(A)


def test_farm_worker_needs_a_vp_already_taken() -> None:
    """LG-10.9: without VP it is not offered, nor without a card."""
    poor = table(laid(A, "helper", 4), has(A, trade_commodity=1), holds(A, 9), WINDOW)
    bare = table(laid(A, "helper", 4), has(A, vp=1, trade_commodity=1), WINDOW)

    poor.refuses(A, a.UseHelper(4), IllegalAction)
    bare.refuses(A, a.UseHelper(4), IllegalAction)


def test_farm_worker_may_be_used_at_once_and_in_any_phase() -> None:
    """LG-10.3, LG-10.1: in the very window in which it was played."""
    position = table(has(A, vp=1), holds(A, 4, 9), step("cards", CardStep(A)))

    after = position.when(A, a.PlayCard(4, "helper"), a.UseHelper(4), a.PlayCard(9, "field"))

    assert after.of(e.CardPlayed) == (e.CardPlayed(A, 4, "helper"), e.CardPlayed(A, 9, "field", "grain"))


def test_farm_worker_is_carried_out_before_anything_else() -> None:
    """LG-10.4: while the card is owed, no commodity is spent and no roof tile used."""
    position = table(
        laid(A, "helper", 4), has(A, vp=1, trade_commodity=1), e.RoofBought(A, "D11", 0), holds(A, 9), WINDOW
    )

    asked = position.when(A, a.UseHelper(4)).position

    assert asked.legal(A) == asked.legal(A, a.PlayCard)
