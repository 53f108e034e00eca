"""Costs of a card in the description of playing it."""

from typing import Any

import pytest

from domain.kernel.messages import say
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.view import view
from domain.titles.la_granja.words import describe
from tests.domain.titles.la_granja.table import A, lay_cards, lay_table, step


@pytest.mark.parametrize(
    ("laid_before", "side", "sentence"),
    [
        (
            lay_cards(A, "extension", 2),
            "extension",
            "Play card “Chef” as a farm extension for 2 goods of different kinds: ",
        ),
        (
            [*lay_cards(A, "extension", 2), *lay_cards(A, "helper", 25)],
            "extension",
            "Play card “Chef” as a farm extension for 1 good: ",
        ),
        (lay_cards(A, "barrow", 2, 3), "barrow", "Play card “Chef” as a market barrow: "),
        (lay_cards(A, "barrow", 2, 3, 4), "barrow", "Play card “Chef” as a market barrow in place of another: "),
        (lay_cards(A, "helper", 2, 3), "helper", "Play the Chef as a helper"),
        (lay_cards(A, "helper", 2, 3, 4), "helper", "Play the Chef as a helper in place of another"),
    ],
)
def test_the_description_of_playing_a_card_includes_its_cost(laid_before: list[Any], side: str, sentence: str) -> None:
    """LG-3.1.4, LG-3.1.6: including the adjustments of helpers."""
    shown_view = view(lay_table(step("cards", t.CardStep(A)), *laid_before).state, A)

    assert say(describe(shown_view, a.PlayCard(1, side))).startswith(sentence)
