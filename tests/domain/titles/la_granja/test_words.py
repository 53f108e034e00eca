"""Sentences for every action and effect, in the rulebook's words and without hidden information."""

import re
from importlib import resources
from typing import Any, Final, get_args

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.messages import Message, say
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja import effects as e
from domain.titles.la_granja import words_terms as terms
from domain.titles.la_granja.boxes import COMPONENT_REGISTRY, DECK_REGISTRY, box_name
from domain.titles.la_granja.components import REVENUE_SPACES, ROOF_EFFECTS, STANDARD
from domain.titles.la_granja.state import STEPS
from domain.titles.la_granja.tables import BOXES
from domain.titles.la_granja.view import View, view
from domain.titles.la_granja.words import DECLINE, DESCRIBE, PASS, describe
from domain.titles.la_granja.words_effects import NARRATE, narrate
from tests.domain.titles.la_granja.table import A, B, give_goods, lay_cards, lay_table, step
from tests.scenario import position_after

DATA: Final = resources.files("domain.titles.la_granja.data")
CELL_OF_TWO = 4
PLACE = re.compile(r"{(\w+)}")


def view_with_task(task: t.AnyTask, *effects: Any) -> View:
    """Return the view of seat A with this task."""
    return view(lay_table(step("first_dice", task), *effects).state, A)


def describe_action(visible: View, action: a.Action) -> str:
    return say(describe(visible, action))


def narrate_effects(*effects: e.Effect, seat: Seat | None = None) -> list[str]:
    return [say(message) for message in narrate(view(lay_table().state, seat), effects)]


def well_formed(message: Message) -> None:
    """Check that placeholders and arguments of the sentence agree in singular and plural."""
    for pattern in filter(None, (message.id, message.plural)):
        assert set(PLACE.findall(pattern)) == set(message.args) or not message.args
    for value in message.args.values():
        if isinstance(value, Message):
            well_formed(value)


def test_every_action_has_words() -> None:
    assert set(DESCRIBE) == set(get_args(a.Action))


def test_every_effect_has_words_or_is_bookkeeping() -> None:
    assert set(NARRATE) == set(get_args(e.Effect))


def test_every_term_of_the_components_has_words() -> None:
    spaces = {option for space in REVENUE_SPACES.values() for option in space.options}

    assert spaces | set(STANDARD.commodity.options) <= set(terms.OPTIONS)
    assert set(REVENUE_SPACES) == set(terms.SPACES)
    assert set(ROOF_EFFECTS) == set(terms.ROOF_EFFECTS)
    assert {"setup", *STEPS} == set(terms.STEPS)


STOPPING: Final = (
    t.CardStep(A),
    t.GrowthStep(A),
    t.RoofStep(A),
    t.DieWindow(A),
    t.DeliveryStep(A, left=1),
    t.DeliveryPurchase(A, limit=1),
    t.BoughtDeliveries(A, left=1),
    t.UpgradeChoice(A, 2),
    t.RoofPayment(A, "D31", 3),
)
DECLINING: Final = (t.DieResolution(A, pips=5), t.DeliveryChoice(A), t.RoofPlacement(A, 3))


def test_every_pass_and_decline_is_legal_for_its_task() -> None:
    """Sentences for actions that no task allows would be translated in vain."""
    for tasks, options, action in ((STOPPING, PASS, a.Pass()), (DECLINING, DECLINE, a.Decline())):
        assert {type(task) for task in tasks} == set(options)
        for task in tasks:
            assert action in lay_table(give_goods(A, silver=3), step("first_dice", task)).legal(A), task


WINDOW = t.DieChoice(A)


DELIVERY: Final = t.DeliveryChoice(A)


@pytest.mark.parametrize(
    ("task", "action", "sentence"),
    [
        (WINDOW, a.TakeDie(4), "Take the die showing 4: 4 silver"),
        (DELIVERY, a.DeliverToBuilding("wine", "store", 2), "Deliver 1 wine to the Wainwright"),
        (
            DELIVERY,
            a.DeliverToBuilding("olive", "helper_field", 4),
            "Deliver 1 olive from a helper's field to the Greengrocer",
        ),
        (
            DELIVERY,
            a.DeliverToBarrow("olive", "helper_field", 8),
            "Deliver 1 olive from a helper's field to the market barrow of card “Stockman”",
        ),
        (DELIVERY, a.DeliverToBuilding("olive", "helper", 4), "Deliver 1 olive from a helper to the Greengrocer"),
        (
            DELIVERY,
            a.DeliverToBarrow("olive", "helper", 8),
            "Deliver 1 olive from a helper to the market barrow of card “Stockman”",
        ),
        (DELIVERY, a.DeliverToBuilding("olive", "field", 4), "Deliver 1 olive from a field to the Greengrocer"),
        (
            DELIVERY,
            a.DeliverToBarrow("grain", "field", 7),
            "Deliver 1 grain from a field to the market barrow of card “Trader”",
        ),
        (DELIVERY, a.DeliverToBarrow("pig", "pen", 8), "Deliver 1 pig to the market barrow of card “Stockman”"),
        (t.CardStep(A), a.PlayCard(1, "helper"), "Play the Chef as a helper"),
        (
            t.CardStep(A),
            a.PlayCard(8, "helper"),
            "Play the Stockman as a helper",
        ),
        (t.CardStep(A), a.PlayCard(1, "field"), "Play card “Chef” as a field: olive"),
        (t.CardChoice(A, may_draw=True), a.DrawCard(), "Draw 1 card"),
        (t.CardDiscard(A, 1), a.DiscardCard(7), "Discard card “Trader”"),
        (
            t.Replacement(A, 7, "barrow"),
            a.ReplaceCard(5),
            "Discard the market barrow of card “Village Elder” to make room; goods on it are lost",
        ),
        (t.GrowthStep(A), a.GrowCrops(), "Let a crop grow on every empty field"),
        (t.GrowthStep(A), a.BreedPig(), "Take the newborn pig"),
        (t.DieShift(A, 2), a.ChangeDie(3), "Change the die to 3: 2 different crops"),
        (t.SpaceReservation(A), a.ReserveSpace(6), "Mark revenue space 6: only you may take its last die"),
        (t.GoodChoice(A, ("olive", "pig"), 1, "craft"), a.TakeGood("pig"), "Take 1 pig"),
        (t.DieChoice(A), a.UseRoof("D21"), "Use the roof tile “1 delivery”"),
        (t.RoofChoice(A, "D54"), a.TurnRoof("D11"), "Turn the roof tile “4 silver” face up again"),
        (
            t.DieChoice(A),
            a.UseHelper(4),
            "Use the Farm Worker: Pay 1 VP to play 1 card from hand; a farm extension still has to be paid for.",
        ),
        (
            t.ExtensionPayment(A, 7, 2, 0),
            a.PayGood("silver", ""),
            "Pay 1 silver for the farm extension",
        ),
        (
            t.MarkerShortage(A, "pig", "pen"),
            a.TakeBackMarker("barrow", "olive", 1),
            "Take back the marker of olive from the market barrow of card “Chef”",
        ),
        (
            t.MarkerShortage(A, "pig", "pen"),
            a.TakeBackMarker("row", "wine", 2),
            "Take back the marker of wine from the row at the Wainwright",
        ),
        (
            t.MarkerShortage(A, "pig", "pen"),
            a.TakeBackMarker("market", "", 4),
            "Take back the marker from the market space of value 2 (row 2, place 2)",
        ),
        (
            t.MarkerShortage(A, "pig", "pen"),
            a.TakeBackMarker("store", "food"),
            "Return 1 food from the store to get its marker back",
        ),
        (
            t.SaleOwed(SERVICE_SEAT),
            a.FinalSale(),
            "Sell all resources and trade commodities and turn silver into victory points",
        ),
        (
            t.CardStep(A),
            a.PlayCard(1, "barrow"),
            "Play card “Chef” as a market barrow: olive, grape for 2 victory points",
        ),
        (
            t.CardStep(A),
            a.PlayCard(1, "extension"),
            "Play card “Chef” as a farm extension for 1 good: 1 card more in hand, 1 silver of income, 1 pig pen",
        ),
        (t.CardStep(A), a.Pass(), "Play no more cards; draw up to the hand limit or discard down to it"),
        (t.GrowthStep(A), a.Pass(), "Finish the growth step: the rest grows and breeds automatically"),
        (t.GrowthStep(A, grown=True, bred=True), a.Pass(), "Finish the growth step"),
        (t.RoofStep(A), a.Pass(), "Buy no roof tile"),
        (t.RoofStep(A, bought=True), a.Pass(), "Finish the roof tile step"),
        (t.RoofStep(A), a.BuyRoof("D22"), "Buy the roof tile “1 food, wine or meat” for 2 silver"),
        (t.DeliveryStep(A, left=1), a.Pass(), "Make no more deliveries"),
        (t.DeliveryStep(A, left=1, paid=True), a.Pass(), "Buy no more extra deliveries"),
        (t.DieResolution(A, pips=5), a.Decline(), "Take nothing from this revenue space"),
        (t.DieResolution(A, pips=5), a.TakeOption("siesta_2"), "Choose: 2 siesta steps"),
        (t.HelperOffer(A, 63, "olive", "store"), a.Decline(), "Do not use the Barter Trader"),
        (t.MarkerShortage(A, "pig", "pen"), a.Decline(), "Give up 1 pig: no marker is left for it"),
        (WINDOW, a.BuyResource("grape"), "Buy 1 grape for 4 silver"),
        (WINDOW, a.SellResource("pig", "pen"), "Sell 1 pig from a pen for 3 silver"),
        (WINDOW, a.UpgradeResource("olive", "field"), "Upgrade 1 olive from a field to food for 2 silver"),
        (
            t.UpgradeChoice(A, 2),
            a.UpgradeResource("pig", "pen"),
            "Upgrade 1 pig from a pen to meat free of charge",
        ),
        (WINDOW, a.SpendCommodity("upgrade_2"), "Spend a trade commodity: up to 2 free upgrades"),
        (t.DonkeyChoice(A), a.ChooseDonkey(1), "Choose the donkey tile with 1 donkey and 3 hats"),
        (t.StallChoice(A, 2), a.PlaceStall(4), "Place a marker on the market space of value 2 (row 2, place 2)"),
        (
            t.ExtensionPayment(A, 7, 2, 0),
            a.PayGood("olive", "field"),
            "Pay 1 olive from a field for the farm extension",
        ),
        (t.ExtensionPayment(A, 7, 2, 0), a.PassOver("vp"), "Do not pay with victory points"),
        (
            t.MarkerShortage(A, "pig", "pen"),
            a.TakeBackMarker("mark", "", 3),
            "Take back the completion marker from the Delicatessen",
        ),
    ],
)
def test_describes_actions(task: t.AnyTask, action: a.Action, sentence: str) -> None:
    """Prices and deliveries follow LG-2.8 and LG-6.1.1."""
    message = describe(view_with_task(task), action)

    assert say(message) == sentence
    well_formed(message)


def test_the_upgrade_price_includes_the_chef() -> None:
    """LG-2.8 less 1 silver."""
    visible = view_with_task(WINDOW, lay_cards(A, "helper", 1), give_goods(A, grape=1))
    upgrade = a.UpgradeResource("grape", "store")

    assert describe_action(visible, upgrade) == "Upgrade 1 grape from the store to wine for 2 silver"


def test_replacing_a_stall_names_its_owner() -> None:
    """LG-6.4.3."""
    visible = view_with_task(t.StallChoice(A, 2), e.StallPlaced(B, CELL_OF_TWO))

    assert describe_action(visible, a.PlaceStall(CELL_OF_TWO)).startswith(
        "Replace the marker of Player 2 on the market space"
    )


def test_equal_roof_tiles_are_distinguished_by_their_id() -> None:
    """LG-3.4.1: the player buys a certain tile."""
    deck = view_with_task(WINDOW).deck
    by_effect: dict[str, list[str]] = {}
    for tile in BOXES[deck].roof_tiles:
        by_effect.setdefault(say(terms.roof(tile, deck)), []).append(tile)
    effect, (one, other, *_) = next((effect, tiles) for effect, tiles in by_effect.items() if len(tiles) > 1)

    assert say(terms.roof_tile(one, deck, (one, other))) == f"“{effect}” ({one})"
    assert say(terms.roof_tile(one, deck, (one,))) == f"“{effect}”"


def test_discarding_a_helper_to_make_room_names_it() -> None:
    """LG-3.1.6."""
    visible = view_with_task(t.Replacement(A, 9, "helper"), lay_cards(A, "helper", 1))

    assert describe_action(visible, a.ReplaceCard(1)) == "Discard the Chef to make room"


def test_cards_and_buildings_have_the_names_of_their_files() -> None:
    """No sentence uses a name of the package if the deck or component file has another."""
    cards = (DATA / "farm_cards.toml").read_text(encoding="utf-8")
    cards = cards[cards.index("[[cards]]") :].replace("\nnumber = ", "\nnumber = 20")
    village = (DATA / "components.toml").read_text(encoding="utf-8").replace('name = "Butcher"', 'name = "Shambles"')
    box = box_name(DECK_REGISTRY.add(cards, "far.toml"), COMPONENT_REGISTRY.add(village, "near.toml"))
    begun = e.MatchBegun("deluxe", box, 2, "small", 14, 25)
    visible = view(position_after(la_granja, begun, step("cards", t.HelperChoice(A, 207))).state, A)

    assert describe_action(visible, a.TakeOption("silver_7")) == "Choose 7 silver from the Trader"
    assert describe_action(visible, a.DeliverToBuilding("pig", "pen", 6)) == "Deliver 1 pig to the Shambles"
    assert [say(each) for each in narrate(visible, (e.BuildingCompleted(B, 6),))] == ["Player 2 completes the Shambles"]


def test_describes_actions_to_a_spectator() -> None:
    visible = view(lay_table(step("first_dice", t.DieChoice(B))).state, None)

    assert describe_action(visible, a.BuyResource("olive")) == "Buy 1 olive for 3 silver"


def test_drawn_cards_are_named_only_to_their_owner() -> None:
    """LG-0.11: even if the effect contains the values."""
    effect = e.CardsDrawn(A, 2, Hidden((3, 7), (A,)))

    assert narrate_effects(effect, seat=A) == ["Player 1 draws cards “Porter”, “Trader”"]
    assert narrate_effects(effect, seat=B) == narrate_effects(effect) == ["Player 1 draws 2 cards"]


def test_a_chosen_donkey_tile_is_named_only_to_its_owner() -> None:
    """LG-5.1.1."""
    chosen = e.DonkeyChosen(A, Hidden(4, (A,)))

    assert narrate_effects(chosen, seat=A) == ["Player 1 has chosen the donkey tile with 4 donkeys"]
    assert narrate_effects(chosen, seat=B) == narrate_effects(chosen) == ["Player 1 has chosen a donkey tile"]


def test_bookkeeping_effects_are_not_narrated() -> None:
    assert narrate_effects(e.Planned(A, 1, ()), e.DieResolved(A, 4, "chosen")) == []


def test_the_player_is_an_argument_that_a_page_can_replace() -> None:
    (message,) = narrate(view(lay_table().state, None), (e.DieTaken(B, 6),))

    assert message.args["player"] == Message("Player {number}", {"number": 2})
    assert say(message) == "Player 2 takes the die showing 6"


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        (e.StepBegun(3, "first_dice"), "Round 3, phase II: take the first dice"),
        (e.MatchBegun("deluxe", "standard", 2, "small", 14, 25), "A match of La Granja begins with 2 players"),
        (e.TurnOrderSet((B, A)), "The turn order is Player 2, Player 1"),
        (e.BuildingBlocked(3, 1), "Building order tile 1 blocks the Delicatessen"),
        (
            e.BuildingOpened(A, 3, 1),
            "Player 1 removes building order tile 1: the Delicatessen is open to all players",
        ),
        (e.GainGivenUp(A, "pig"), "Player 1 has no marker left and gives up a gain: 1 pig"),
        (e.GainGivenUp(A, "stall"), "Player 1 has no marker left and gives up a gain: 1 market stall"),
        (e.MarkerTakenBack(A, "row", "wine", 2), "Player 1 takes back a marker from a row of a craft building"),
        (e.ResourceUpgraded(A, "pig", "pen", "meat", 4), "Player 1 upgrades 1 pig to meat for 4 silver"),
        (e.DiscardReshuffled(), "The discard pile is shuffled into a new draw pile"),
        (e.CardPlayed(A, 1, "field", "olive"), "Player 1 plays card “Chef” as a field: olive"),
        (e.CardPlayed(A, 1, "barrow", "", 2), "Player 1 plays card “Chef” as a market barrow: olive, grape"),
        (
            e.CardPlayed(A, 2, "extension"),
            (
                "Player 1 plays card “Negotiator” as a farm extension:"
                " 1 card more in hand, 1 silver of income, 1 extra delivery"
            ),
        ),
        (e.CardPlayed(A, 1, "helper"), "Player 1 plays the Chef as a helper"),
        (e.CardDiscarded(A, 7, "hand"), "Player 1 discards card “Trader”"),
        (
            e.CardDiscarded(A, 1, "barrow"),
            "Player 1 discards the market barrow of card “Chef”; the goods on it are lost",
        ),
        (e.CardDiscarded(A, 1, "helper"), "Player 1 discards the Chef"),
        (
            e.RoofsRevealed(("D11", "D13")),
            "The roof tiles of the round are “4 silver”, “1 pig”",
        ),
        (e.RoofUsed(A, "D13"), "Player 1 uses the roof tile “1 pig”"),
        (e.RoofTurned(A, "D13"), "Player 1 turns the roof tile “1 pig” face up again"),
        (e.SpaceReserved(A, 6), "Player 1 marks revenue space 6"),
        (e.DiceRolled((1, 1, 5)), "The revenue dice show 1, 1, 5"),
        (e.DieChanged(A, 3, 5), "Player 1 changes the die from 3 to 5"),
        (e.SiestaAdvanced(A, 3), "Player 1 advances to space 3 of the siesta track"),
        (e.SiestaReturned(), "The siesta markers go back to the start"),
        (e.DonkeysReturned(), "All players get their four donkey tiles back"),
        (e.BuildingCompleted(A, 6), "Player 1 completes the Butcher"),
        (e.CraftMarkerGained(A, 6), "Player 1 takes a craft marker of the Butcher"),
        (e.CraftMarkersFlipped(), "New craft markers are turned to their permanent side"),
        (e.BarrowCompleted(A, 5), "Player 1 completes the market barrow of card “Village Elder”"),
        (e.StallPlaced(A, 4), "Player 1 places a marker on the market space of value 2 (row 2, place 2)"),
        (e.HelperUsed(A, 1, exhausts=False), "Player 1 uses the Chef"),
        (e.HelpersRefreshed(), "Exhausted helpers can be used again"),
        (e.GoodGained(A, "trade_commodity", 2, "space", "income"), "Player 1 takes 2 trade commodities"),
        (e.GoodGained(A, "olive", 1, "field", "growth", 1), "Player 1 has 1 olive on a field"),
        (e.GoodGained(A, "olive", 1, "helper", "growth", 1), "Player 1 has 1 olive on a helper"),
        (e.GoodPaid(A, "silver", 3, "", "buying"), "Player 1 pays 3 silver"),
        (e.ResourceSold(A, "pig", "pen", 2, 6), "Player 1 sells 2 pigs from a pen for 6 silver"),
        (e.PigUnhoused(A, 3), "Player 1 has no free pen and sells the pig for 3 silver"),
        (e.ResourceUpgraded(A, "grape", "store", "wine", 0), "Player 1 upgrades 1 grape to wine free of charge"),
        (e.Delivered(B, "wine", "store", 2, 0, 1, 3), "Player 2 delivers 1 wine to the Wainwright"),
        (
            e.Delivered(B, "wine", "store", 0, 5, 1, 3),
            "Player 2 delivers 1 wine to the market barrow of card “Village Elder”",
        ),
        (
            e.StallRemoved(A, CELL_OF_TWO, B),
            "Player 1 removes the marker of Player 2 from the market space of value 2 (row 2, place 2)",
        ),
        (e.RoofBought(A, "D54", 5), "Player 1 buys the roof tile “turn another used roof tile face up” for 5 silver"),
        (
            e.DonkeysRevealed((4, 1)),
            "The donkey tiles are shown: Player 1 with 4 donkeys and 0 hats, Player 2 with 1 donkey and 3 hats",
        ),
        (e.SilverExchanged(A, 15, 3), "Player 1 turns 15 silver into 3 victory points"),
        (e.RoofsRevealed(()), "No roof tiles are turned up"),
    ],
)
def test_narrates_effects(effect: e.Effect, sentence: str) -> None:
    (message,) = narrate(view(lay_table().state, None), (effect,))

    assert say(message) == sentence
    well_formed(message)
