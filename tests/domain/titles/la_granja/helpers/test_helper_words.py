"""Descriptions of helpers' choices and effects."""

import pytest

from domain.kernel.messages import say
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.agenda import AnyTask, CardKeeping, DeliveryChoice, HelperChoice, RoofPayment
from tests.domain.titles.la_granja.table import A, lay_cards, lay_table, step


@pytest.mark.parametrize(
    ("task", "action", "sentence"),
    [
        (HelperChoice(A, 7), a.TakeOption("silver_7"), "Choose 7 silver from the Trader"),
        (HelperChoice(A, 26), a.PayGood("olive", "field"), "Pay the Tenant with olive from a field"),
        (HelperChoice(A, 7), a.BuyRoof("D22"), "Buy the roof tile “1 food, wine or meat” with resources"),
        (HelperChoice(A, 66), a.SellResource("meat", "store"), "Sell 1 meat from the store for 7 silver"),
        (HelperChoice(A, 40), a.RecoverDonkey(4), "Take back the donkey tile with 4 donkeys"),
        (
            RoofPayment(A, "D31", 3),
            a.PayGood("pig", "pen"),
            "Pay 1 pig from a pen for the roof tile “1 crop of choice”",
        ),
        (CardKeeping(A, 1), a.DiscardCard(12), "Discard the drawn card “Oil Presser”"),
        (
            DeliveryChoice(A),
            a.DeliverToBarrow("olive", "store", 34, "grape"),
            "Deliver 1 olive from the store in place of grape to the market barrow of card “Olive Grower”",
        ),
        (
            DeliveryChoice(A),
            a.DeliverToBuilding("olive", "store", 6, "grape"),
            "Deliver 1 olive from the store in place of grape to the Butcher",
        ),
        (
            HelperChoice(A, 7),
            a.MoveStall(4, 0),
            "Move the marker from row 2, place 2 to the market space of value 5 (row 2, place 1)",
        ),
    ],
)
def test_describes_the_choice_of_a_helper(task: AnyTask, action: a.Action, sentence: str) -> None:
    """LG-10.5: the sentence names the helper or the subject of the choice."""
    view = la_granja.view(lay_table(lay_cards(A, "helper", 7, 26), step("first_dice", task)).state, A)

    assert say(la_granja.describe(view, action)) == sentence


def test_narrates_the_effects_of_a_helper() -> None:
    """LG-10.5: bookkeeping effects have no sentence."""
    view = la_granja.view(lay_table().state, None)
    effects = (
        e.DonkeyRecovered(A, 4),
        e.CardsKept(A),
        e.HelperMarked(A, 7),
        e.StallMoved(A, 4, 0),
        e.MomentReached(A, "grown"),
        e.StallSettled(A, 0, 1),
    )

    assert [say(message) for message in la_granja.narrate(view, effects)] == [
        "Player 1 takes back the donkey tile with 4 donkeys",
        "Player 1 keeps the remaining drawn cards",
        "Player 1 places a marker on the Trader",
        "Player 1 moves a marker to the market space of value 5 (row 2, place 1)",
    ]
