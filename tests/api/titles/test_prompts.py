"""Prompts state the remaining choices, and the text of the card whose special action is left."""

import pytest

from api.titles.el_grande.prompts import prompt
from api.titles.la_granja import prompts
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.titles import el_grande, la_granja
from domain.titles.el_grande.actions import ChooseSource, PlaceCaballeros
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.agenda import AnyTask
from tests.domain.titles.el_grande import table as el_grande_table
from tests.domain.titles.la_granja.table import A, B, deal_cards, give_goods, lay_cards, lay_table, step

NOTHING_TO_GROW = "Nothing is left to grow or breed: take any other actions you like, then finish the step."
NO_ROOF = "You cannot buy a roof tile now: take any other actions you like, then finish the step."
PLAY_ONE = "You may play a card;"
PACKER = 20
NO_DELIVERY = "No delivery is possible now: take any other actions you like, then finish the step."


def test_a_remaining_special_action_shows_the_cards_text() -> None:
    position = el_grande_table.table(el_grande_table.acting(A, "s1-any-four"), pieces="granada 2 0 0 0\ncourt 5 0 0 0")
    placed = position.when(A, PlaceCaballeros("castillo", 1)).state

    before, after = (
        say(prompt(el_grande.view(state, Seat(A)), el_grande.legal_actions(state, Seat(A))))
        for state in (position.state, placed)
    )

    assert before == "You may place up to 1 caballero and use the special action of Machination, in either order."
    assert after == (
        "Machination: Move up to 4 caballeros of any colours to any regions or into the Castillo. Or end your turn."
    )


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        (A, "Choose where your caballeros from Granada go."),
        (B, "Choose where Player 2's caballeros from Granada go."),
    ],
)
def test_a_draft_names_the_owner_of_picked_up_caballeros(colour: int, expected: str) -> None:
    position = el_grande_table.table(el_grande_table.acting(A, "s1-any-four"), pieces="granada 2 1 0 0\ncourt 5 0 0 0")
    state = position.when(A, ChooseSource(colour, "granada")).state

    assert say(prompt(el_grande.view(state, Seat(A)), el_grande.legal_actions(state, Seat(A)))) == expected


@pytest.mark.parametrize(
    ("name", "task", "effects", "sentence"),
    [
        (
            "growth",
            t.GrowthStep(A),
            [lay_cards(A, "field", 1)],
            "Let your fields grow and your pigs breed",
        ),
        ("growth", t.GrowthStep(A), [], NOTHING_TO_GROW),
        ("roofs", t.RoofStep(A), [], NO_ROOF),
        ("free_deliveries", t.DeliveryStep(A, left=2), [give_goods(A, olive=1)], "You have 2 free deliveries."),
        ("free_deliveries", t.DeliveryStep(A, left=2), [], NO_DELIVERY),
        ("extra_deliveries", t.DeliveryStep(A, left=2, paid=True), [give_goods(A, olive=1)], NO_DELIVERY),
        (
            "extra_deliveries",
            t.DeliveryStep(A, left=2, paid=True),
            [give_goods(A, olive=1, silver=1)],
            "You may buy 2 extra deliveries for 1 silver each.",
        ),
        (
            "extra_deliveries",
            t.DeliveryStep(A, left=2, paid=True),
            [give_goods(A, olive=1), lay_cards(A, "helper", PACKER)],
            "You have 2 extra deliveries free of charge.",
        ),
        ("cards", t.CardStep(A), [deal_cards(A, 1)], f"{PLAY_ONE} then you draw up to your hand limit."),
        (
            "cards",
            t.CardStep(A),
            [deal_cards(A, 1), give_goods(A, silver=1)],
            f"{PLAY_ONE} then you draw up to your hand limit. Extension: 1 good.",
        ),
        (
            "cards",
            t.CardStep(A),
            [deal_cards(A, 1, 2, 3, 4)],
            f"{PLAY_ONE} then you discard down to your hand limit.",
        ),
        (
            "cards",
            t.CardStep(A, plays=0),
            [deal_cards(A, 1, 2, 3), give_goods(A, trade_commodity=1)],
            "You have played your cards for this step: finish it to draw up to your hand limit.",
        ),
        (
            "cards",
            t.CardStep(A, plays=0),
            [deal_cards(A, 1, 2, 3, 4), give_goods(A, trade_commodity=1)],
            "You have played your cards for this step: finish it to discard down to your hand limit.",
        ),
        (
            "cards",
            t.CardChoice(A, may_draw=True),
            [deal_cards(A, 1), give_goods(A, silver=1, pig=1), lay_cards(A, "extension", 2)],
            "Play a card from your hand, or draw one. Extension: 2 different goods.",
        ),
        (
            "cards",
            t.CardChoice(A, may_draw=False),
            [deal_cards(A, 1), give_goods(A, silver=1)],
            "You may play a card from your hand. Extension: 1 good.",
        ),
    ],
)
def test_a_step_states_its_choices_and_their_cost(
    name: str, task: AnyTask, effects: list[object], sentence: str
) -> None:
    state = lay_table(step(name, task), *effects).state

    prompt_text = say(prompts.prompt(la_granja.view(state, A), la_granja.legal_actions(state, A)))

    assert prompt_text.startswith(sentence)
    assert len(prompt_text) == len(sentence) or name == "growth"
