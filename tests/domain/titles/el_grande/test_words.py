"""Every action and effect as a plain English sentence."""

from typing import Any, get_args

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.messages import say
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.state import CORRECTIONS_MAX, Announcement
from domain.titles.el_grande.words import DESCRIBE
from domain.titles.el_grande.words_effects import NARRATE
from tests.domain.titles.el_grande.table import A, B, acting, go, line, table

SAID = {
    a.PassGreyCard("grey-1-own"): "Pass the grey card 1 (move own caballeros) to the left",
    a.PlayPowerCard(8): "Play power card 8: calls up to 2 caballeros",
    a.PlayPowerCard(13): "Play power card 13: calls no caballeros",
    a.PlayPowerCard(8, "grey-2-opp"): "Play power card 8 with the grey card 2 (move opposing caballeros): 10 in all",
    a.CallCaballeros(0): "Call no caballeros to the Court",
    a.CallCaballeros(1): "Call 1 caballero to the Court",
    a.CallFromRegion("granada", 2): "Call 2 caballeros from Granada to the Court",
    a.EndCall(): "Call no more caballeros from regions",
    a.DeclineGrey(): "Do not use the effect of the grey card",
    a.TakeActionCard("s4-coup"): "Take Coup (places up to 4 caballeros)",
    a.PlaceCaballeros("toledo", 2): "Place 2 caballeros in Toledo",
    a.PlaceCaballeros("castillo", 1): "Put 1 caballero into the Castillo",
    a.EndTurn(): "End the turn",
    a.ChooseSource(B, "aragon"): "Pick up caballeros of Player 2 in Aragón",
    a.SendCaballeros("court", 1): "Call 1 caballero to the Court with the card",
    a.SendCaballeros("toledo", 1): "Send 1 caballero from the Court to Toledo with the card",
    a.CloseDraft(): "Make these moves",
    a.CorrectDraft(): "Take back the last step",
    a.DropDraft(): "Choose all moves again",
    a.UseSpecial(): "Use the grey card without effect",
    a.MoveKing("france"): "Move the king to France",
    a.MoveGrande("sevilla"): "Move your Grande to Sevilla",
    a.NameArea("castillo"): "Score the Castillo",
    a.PlaceScoreboard("board-4", "navarra"): "Put the scoreboard 4/0/0 at Navarra",
    a.TakeBackCard(4): "Take back the power card 4",
    a.TakeBackCard("grey-3-place"): "Take back the grey card 3 (place more caballeros)",
    a.AllowSpecial(): "Allow the special action",
    a.UseVeto(): "Veto the special action",
    a.SendBack("court", 3): "Send 3 caballeros from the Court to the Province",
    a.ChooseRegion("castilla"): "Secretly choose Castilla",
    a.SetDisc(): "Leave the disc unclear: your caballeros go to the Court",
    a.SetDisc("cataluna"): "Set the disc to Cataluña",
}


@pytest.mark.parametrize(("action", "sentence"), SAID.items(), ids=lambda value: type(value).__name__)
def test_an_action_is_described(action: a.Action, sentence: str) -> None:
    """The sentence is imperative and uses the rulebook's words."""
    view = el_grande.view(table().state, Seat(A))

    assert say(el_grande.describe(view, action)) == sentence


@pytest.mark.parametrize(
    ("card", "action", "sentence"),
    [
        ("s2-return-one-each", a.ChooseSource(B, "aragon"), "Send 1 caballero of Player 2 from Aragón to the Province"),
        ("nr-escort", a.ChooseSource(B, "castilla"), "Take 1 caballero of Player 2 along with the king"),
        ("s4-coup", a.NameArea("toledo"), "Name Toledo for the Coup"),
        ("s3-most", a.UseSpecial(), "Carry out the special action of Throng"),
        ("s1-any-four", a.ChooseSource(A, "aragon"), "Pick up your caballeros in Aragón"),
        ("s3-most", a.EndTurn(), "End the turn without the special action"),
    ],
)
def test_the_description_of_an_action_depends_on_the_card(card: str, action: a.Action, sentence: str) -> None:
    """The same choice has different sentences with different cards."""
    chosen = {"cards": "2023", "new_regency": "yes"}
    view = el_grande.view(table(acting(A, card), chosen=chosen).state, Seat(A))

    assert say(el_grande.describe(view, action)) == sentence


def test_a_line_of_a_draft_is_described() -> None:
    """The source is a region, or the Court if the card draws on it."""
    position = table(acting(A, "s1-any-four"), pieces="granada 2 0 0 0")
    state = position.when(A, a.ChooseSource(A, "granada")).state
    evacuating = table(acting(A, "s1-evacuation"), pieces="granada 2 0 0 0").when(A, *go(A, "granada", "toledo"))

    view = el_grande.view(state, Seat(A))
    assert say(el_grande.describe(view, a.SendCaballeros("toledo", 2))) == "Move 2 caballeros to Toledo"
    view = el_grande.view(evacuating.state, Seat(A))
    assert say(el_grande.describe(view, a.SendCaballeros("navarra", 1))) == "Move 1 caballero to Navarra"


def test_the_last_correction_warns_of_losing_the_effect() -> None:
    """EG-12.2, EG-5.8: dropping a draft then gives up the special action."""
    view = replace(el_grande.view(table(acting(A, "s1-evacuation")).state, Seat(A)), corrections=CORRECTIONS_MAX)

    assert say(el_grande.describe(view, a.DropDraft())) == "Skip the special action"


def narrate_to(reader: int | None, *effects: Any, seats: int = 4) -> list[str]:
    view = el_grande.view(table(seats=seats).state, None if reader is None else Seat(reader))
    return [say(message) for message in el_grande.narrate(view, effects)]


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        (e.BoardLaid(table().state.setting), "A match of El Grande begins with 4 players"),
        (e.KingStood("toledo"), "The king is in Toledo"),
        (e.HomeTaken(A, "granada"), "Player 1 has the home region Granada"),
        (e.FirstPlayerSet(B), "Player 2 has the first-player marker"),
        (e.GreyCardSetAside(A, Hidden("grey-1-own", (A,))), "Player 1 has chosen a grey card to pass"),
        (e.RoundBegun(4, 3), "Round 4 begins"),
        (e.StepBegun("scoring"), "The general scoring begins"),
        (e.ActionCardTurned("s4-coup", from_stack=True), "Coup is on offer"),
        (e.PowerCardPlayed(A, 8, 8), "Player 1 plays power card 8"),
        (
            e.PowerCardPlayed(A, 8, 9, "grey-1-muster"),
            "Player 1 plays power card 8 with the grey card 1 (call more caballeros): 9 in all",
        ),
        (e.TurnOrderSet((1, 0)), "The turn order is: Player 2, Player 1"),
        (e.TurnBegun(0, 1), "It is Player 2's turn"),
        (e.ActionCardTaken(A, "s4-coup"), "Player 1 takes Coup"),
        (e.SpecialVetoed(A, B, "vet-veto-1"), "Player 2 vetoes Player 1's special action"),
        (e.SecretsRevealed((A,), (None,)), "Player 1 left the disc unclear"),
        (e.SecretsRevealed((A,), ("toledo",)), "Player 1 chose Toledo"),
        (e.KingMoved("castillo"), "The king is next to the Castillo"),
        (e.KingMoved("portugal"), "The king moves to Portugal"),
        (e.GrandeMoved(A, "castillo"), "Player 1's Grande moves to the Castillo"),
        (e.ScoreboardPlaced("board-8", "aragon"), "The scoreboard 8/4/0 is placed at Aragón"),
        (e.VetoLaid(A, "vet-veto-1", 2), "Player 1 lays down a Veto"),
        (e.VetoDiscarded(A, "vet-veto-1"), "Player 1's Veto is discarded unused"),
        (e.InfiltrationAllowed(A), "Player 1 may also place in the king's region this turn"),
        (e.CastilloOpened((0, 0, 0, 0)), "The Castillo is opened: it is empty"),
        (
            e.CastilloOpened((2, 1, 0, 0)),
            "The Castillo is opened: Player 1 with 2 caballeros, Player 2 with 1 caballero",
        ),
        (e.AreaScored("toledo", (7, 4, 0, 0)), "Toledo is scored: 7 for Player 1, 4 for Player 2"),
        (e.AreaScored("castillo", (5, 0, 0, 0)), "The Castillo is scored: 5 for Player 1"),
        (e.AreaScored("toledo", (0, 0, 0, 0)), "Toledo is scored: no one gets points"),
        (e.SpecialAnnounced(A, "s3-most", Announcement("score_extreme")), "Player 1 uses Throng"),
        (
            e.SpecialAnnounced(A, "s4-coup", Announcement("coup", place="toledo")),
            "Player 1 uses Coup: Toledo",
        ),
        (
            e.SpecialAnnounced(A, "s4-decree-1", Announcement("place_scoreboard", place="toledo", board="board-4")),
            "Player 1 uses Decree: the scoreboard 4/0/0 at Toledo",
        ),
        (
            e.SpecialAnnounced(A, "grey-1-own", Announcement("move_caballeros")),
            "Player 1 uses grey card 1 (move own caballeros)",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_public_effects_are_narrated(effect: e.Effect, sentence: str) -> None:
    """EG-21.1, EG-12.11: the log of all announcements is the same for spectators."""
    assert narrate_to(None, effect) == [sentence]
    assert narrate_to(A, effect) == [sentence]


@pytest.mark.parametrize(
    ("effect", "own", "others"),
    [
        (
            e.GreyCardsDealt(A, Hidden(("grey-1-own", "grey-2-own", "grey-3-place"), (A,))),
            (
                "Player 1 is dealt the grey card 1 (move own caballeros), grey card 2 (move own caballeros), "
                "grey card 3 (place more caballeros)"
            ),
            "Player 1 is dealt 3 grey cards",
        ),
        (
            e.GreyCardPassed(A, B, Hidden("grey-1-own", (A, B))),
            "Player 1 passes the grey card 1 (move own caballeros) to Player 2",
            "Player 1 passes a grey card to Player 2",
        ),
        (
            e.SecretChosen(A, Hidden("toledo", (A,))),
            "Player 1 secretly chooses Toledo",
            "Player 1 has made a secret choice",
        ),
        (
            e.SecretChosen(A, Hidden(None, (A,))),
            "Player 1 leaves the disc unclear",
            "Player 1 has made a secret choice",
        ),
        (
            e.CardTakenBack(A, Hidden(9, (A,))),
            "Player 1 takes back the power card 9",
            "Player 1 takes a card back into their hand unseen",
        ),
        (
            e.SpecialAnnounced(A, "s4-empowerment-1", Announcement("recover_power_card"), Hidden(9, (A,))),
            "Player 1 uses Empowerment to take back the power card 9",
            "Player 1 uses Empowerment",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_hidden_values_are_narrated_to_their_audience_only(effect: e.Effect, own: str, others: str) -> None:
    """EG-21.3: even if the reader's log holds the value."""
    assert narrate_to(A, effect) == [own]
    assert narrate_to(2, effect) == [others]
    assert narrate_to(None, effect) == [others]


@pytest.mark.parametrize(
    ("moved", "sentence"),
    [
        (e.CaballerosMoved(A, (line(A, "province", "court", 2),)), "Player 1 calls 2 caballeros to the Court"),
        (e.CaballerosMoved(A, (line(A, "court", "castillo", 2),)), "Player 1 puts 2 caballeros into the Castillo"),
        (e.CaballerosMoved(A, (line(A, "court", "toledo"),), placement=True), "Player 1 places 1 caballero in Toledo"),
        (
            e.CaballerosMoved(A, (line(A, "aragon", "toledo"),)),
            "1 caballero of Player 1 goes from Aragón to Toledo",
        ),
        (
            e.CaballerosMoved(A, (line(A, "aragon", "toledo", 2),)),
            "2 caballeros of Player 1 go from Aragón to Toledo",
        ),
        (
            e.CaballerosMoved(A, (line(B, "aragon", "toledo", 3),)),
            "Player 1 moves 3 caballeros of Player 2 from Aragón to Toledo",
        ),
    ],
)
def test_moves_are_narrated_in_the_words_of_their_rule(moved: e.CaballerosMoved, sentence: str) -> None:
    """EG-7.4: number and colours, also into the Castillo."""
    assert narrate_to(None, moved) == [sentence]


def test_the_lines_of_a_draft_are_narrated_when_announced() -> None:
    """EG-12.2, EG-19.4f: before the holder of a Veto decides."""
    announced = e.SpecialAnnounced(A, "s1-any-four", Announcement("move_caballeros", (line(B, "aragon", "toledo", 2),)))

    assert narrate_to(None, announced) == [
        "Announced: 2 caballeros of Player 2 from Aragón to Toledo",
        "Player 1 uses Machination",
    ]


def test_the_dummy_has_its_own_words() -> None:
    """EG-16.5, EG-16.7: it belongs to no player."""
    assert narrate_to(
        None,
        e.DummyRegionDrawn("toledo", 2),
        e.DummyRegionDrawn("castilla", 0),
        e.DummyPowerTurned(7),
        e.TurnBegun(0, 2),
        seats=2,
    ) == [
        "The dummy places 2 caballeros in Toledo",
        "The dummy draws Castilla and places no caballeros",
        "The dummy plays power card 7",
        "It is the dummy's turn",
    ]


def test_every_action_and_effect_has_words() -> None:
    assert set(DESCRIBE) == set(get_args(a.Action))
    assert set(NARRATE) == set(get_args(e.Effect))
    assert narrate_to(None, e.SourceChosen(A, Hidden((A, "toledo"), (A,))), e.RoundEnded()) == []
