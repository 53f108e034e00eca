"""Helpers without effect are not offered (LG-10.5)."""

import pytest

from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import DieResolution
from tests.domain.titles.la_granja.table import A, deck_with, give_goods, lay_cards, lay_table, step


@pytest.mark.parametrize(("goods", "steps", "is_offered"), [({}, 4, False), ({}, 3, True), ({"olive": 1}, 4, True)])
def test_merchant_is_not_offered_without_effect(goods: dict[str, int], steps: int, is_offered: bool) -> None:
    """Card 6, LG-10.5: round 5, nothing to upgrade, and the siesta marker on the last space."""
    die = step("first_dice", DieResolution(A, pips=4), round=5)
    position = lay_table(lay_cards(A, "helper", 6), give_goods(A, vp=1, **goods), e.SiestaAdvanced(A, steps), die)

    after = position.when(A, a.TakeOption("silver_4")).position

    assert (a.UseHelper(6) in after.legal(A)) is is_offered


def test_merchant_is_offered_after_the_drover_s_bonus() -> None:
    """Cards 6 and 21, round 5, in a deck with the Drover on space 4: only its crop can be upgraded."""
    deck = deck_with(("params = { space = 1, crop_choice", "params = { space = 4, crop_choice"))
    die = step("first_dice", DieResolution(A, pips=4), round=5)
    position = lay_table(lay_cards(A, "helper", 6, 21), give_goods(A, vp=1), e.SiestaAdvanced(A, 4), die, deck=deck)

    after = position.when(A, a.TakeOption("silver_4")).position
    assert after.legal(A) == (a.TakeGood("olive"), a.TakeGood("grain"))

    assert after.when(A, a.TakeGood("olive")).position.legal(A) == (a.Decline(), a.UseHelper(6))


@pytest.mark.parametrize(("goods", "is_offered"), [({}, False), ({"olive": 1}, True)])
def test_night_owl_is_not_offered_without_effect(goods: dict[str, int], is_offered: bool) -> None:
    """Card 42, LG-10.5: the last die shows 5, nothing can be upgraded, and the marker has reached the last space."""
    die = step("last_die", DieResolution(A, pips=5, source="last"))
    position = lay_table(lay_cards(A, "helper", 42), give_goods(A, **goods), e.SiestaAdvanced(A, 2), die)

    after = position.when(A, a.TakeOption("siesta_2")).position

    assert (a.UseHelper(42) in after.legal(A)) is is_offered
