"""Action cards of stacks 4 and 5: scoreboards, power cards, Grandes, the king. A test for each card, named after it."""

import pytest

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.cards import GREY_NUMBER
from domain.titles.el_grande.components import PLACE_INDEX
from domain.titles.el_grande.decks import KING_CARD
from tests.domain.titles.el_grande.table import A, B, acting, areas, calling, counts, line, table

REGENCY = {"cards": "2023", "new_regency": "yes"}


def test_decree() -> None:
    """EG-12.14, EG-11.1: a scoreboard of the supply goes to any area but the king's region; the Castillo is allowed."""
    position = table(acting(A, "s4-decree-1"))
    offered = areas(position.legal(A), a.PlaceScoreboard, "area")
    assert len(offered) == 9
    assert "castilla" not in offered

    outcome = position.when(A, a.PlaceScoreboard("board-8", "castillo"))

    outcome.then(e.ScoreboardPlaced("board-8", "castillo"))
    assert outcome.state.boards == (-1, PLACE_INDEX["castillo"])


def test_decree_moves_a_scoreboard_on_the_board() -> None:
    """EG-12.14, EG-11.2, EG-24.3: it goes to another area without a scoreboard and is never just removed."""
    laid = (e.ScoreboardPlaced("board-4", "toledo"), e.ScoreboardPlaced("board-8", "granada"))
    position = table(*laid, acting(A, "s4-decree-2"))

    offered = areas(position.legal(A), a.PlaceScoreboard, "area")
    assert not offered & {"toledo", "granada", "castilla"}
    position.when(A, a.PlaceScoreboard("board-4", "galicia")).then(e.ScoreboardPlaced("board-4", "galicia"))


@pytest.mark.parametrize("king", ["castilla", "galicia"])
def test_decree_leaves_the_kings_scoreboard(king: str) -> None:
    """EG-6.1, EG-12.14: nothing is taken out of the king's region."""
    lying = e.ScoreboardPlaced("board-4", king)  # type: ignore[arg-type]  # regions of the test
    position = table(lying, acting(A, "s4-decree-3"), king=king)

    assert areas(position.legal(A), a.PlaceScoreboard, "board") == {"board-8"}


def test_empowerment() -> None:
    """EG-12.15, EG-21.3: the card just played or any other of the pile, unseen by others; the turn order stays."""
    played = (
        e.PowerCardPlayed(A, 5, 5),
        e.RoundEnded(),
        e.PowerCardPlayed(A, 9, 9),
        e.PowerCardPlayed(B, 3, 3),
    )
    position = table(*played, acting(A, "s4-empowerment-1"))
    assert position.legal(A, a.TakeBackCard) == (a.TakeBackCard(5), a.TakeBackCard(9))

    outcome = position.when(A, a.TakeBackCard(9))

    outcome.then(e.CardTakenBack(A, Hidden(9, (A,))))
    assert 9 in outcome.state.hands[A]
    assert outcome.state.results[A] == 9


def test_empowerment_of_a_card_in_hand_is_refused() -> None:
    """EG-12.15: only played cards can be taken back."""
    position = table(e.PowerCardPlayed(A, 5, 5), acting(A, "s4-empowerment-2"))

    position.refuses(A, a.TakeBackCard(6), IllegalAction)


SHIFT = {"cards": "2023", "shift_of_power": "yes"}
DEALT = e.GreyCardsDealt(A, Hidden(("grey-1-muster", "grey-2-own", "grey-3-opp"), (A,)))


def test_empowerment_of_the_grey_card_of_this_round() -> None:
    """EG-20.7: it can be taken back instead of a power card."""
    position = table(DEALT, calling(A, 5, grey="grey-2-own"), acting(A, "s4-empowerment-1"), chosen=SHIFT)

    outcome = position.when(A, a.TakeBackCard("grey-2-own"))

    outcome.then(e.CardTakenBack(A, Hidden("grey-2-own", (A,))))
    assert len(outcome.state.hands[A]) == 15


def test_empowerment_of_a_grey_card_of_an_earlier_round() -> None:
    """EG-20.7: grey cards on the player's pile count as power cards; cards in a hand cannot be taken back."""
    earlier = [e.PowerCardPlayed(A, 5, 7, "grey-2-own"), e.RoundEnded(), e.RoundBegun(2, 1)]
    position = table(DEALT, earlier, calling(A, 8, grey="grey-3-opp"), acting(A, "s4-empowerment-1"), chosen=SHIFT)
    offered = areas(position.legal(A), a.TakeBackCard, "card")

    outcome = position.when(A, a.TakeBackCard("grey-2-own"))

    assert offered == {5, 8, "grey-2-own", "grey-3-opp"}
    outcome.then(e.CardTakenBack(A, Hidden("grey-2-own", (A,))))
    assert GREY_NUMBER["grey-2-own"] in outcome.state.hands[A]


def test_empowerment_of_a_grey_card_taken_back_is_refused() -> None:
    """EG-20.7: a card in hand is on no pile until played again."""
    played = e.PowerCardPlayed(A, 5, 7, "grey-2-own")
    back = e.CardTakenBack(A, Hidden("grey-2-own", (A,)))
    again = [e.RoundEnded(), e.RoundBegun(2, 1), e.PowerCardPlayed(A, 8, 10, "grey-2-own")]
    held = table(DEALT, played, back, acting(A, "s4-empowerment-2"), chosen=SHIFT)
    twice = table(DEALT, played, back, again, acting(A, "s4-empowerment-2"), chosen=SHIFT)

    held.refuses(A, a.TakeBackCard("grey-2-own"), IllegalAction)
    assert twice.legal(A).count(a.TakeBackCard("grey-2-own")) == 1


def test_new_home() -> None:
    """EG-12.16: to any other region but the king's; Grandes may share a region; never the Castillo."""
    position = table(acting(A, "s4-new-home-1"), grandes={A: "granada", B: "toledo"})
    offered = areas(position.legal(A), a.MoveGrande, "region")
    assert len(offered) == 7
    assert not offered & {"granada", "castilla"}

    position.when(A, a.MoveGrande("toledo")).then(e.GrandeMoved(A, "toledo"))


@pytest.mark.parametrize("home", ["castilla", "castillo"])
def test_new_home_cannot_leave_a_closed_area(home: str) -> None:
    """EG-6.1, EG-7.3, EG-12.20: a Grande in the king's region or the Castillo stays; the card may still be used."""
    position = table(acting(A, "s4-new-home-2"), grandes={A: home})

    position.when(A, a.UseSpecial()).then()


def test_royal_adviser() -> None:
    """EG-12.19: the king to a region next to him."""
    position = table(acting(A, "s4-royal-adviser"), king="sevilla")
    assert areas(position.legal(A), a.MoveKing, "place") == {"granada", "toledo"}

    position.when(A, a.MoveKing("granada")).then(e.KingMoved("granada"))


@pytest.mark.parametrize(("king", "count"), [("france", 3), ("portugal", 4), ("castillo", 9)])
def test_royal_adviser_from_outside_the_regions(king: str, count: int) -> None:
    """EG-12.19, EG-22.14: bordering regions; next to the Castillo, all of them."""
    position = table(acting(A, "s4-royal-adviser"), king=king)

    assert len(position.legal(A, a.MoveKing)) == count


def test_your_majesty() -> None:
    """EG-12.19, EG-6.4: the king to any other region, never the Castillo, France or Portugal."""
    position = table(acting(A, KING_CARD))
    offered = areas(position.legal(A), a.MoveKing, "place")
    assert len(offered) == 8
    assert not offered & {"castilla", "castillo", "france", "portugal"}

    position.when(A, a.MoveKing("granada")).then(e.KingMoved("granada"))


def test_exile() -> None:
    """EG-18.4, EG-22.20, EG-0.4: France or Portugal; then nothing is taboo and there is no king's bonus."""
    position = table(acting(A, "nr-exile"), chosen=REGENCY, pieces="castilla 2 0 0 0\ncourt 3 0 0 0")
    assert position.legal(A, a.MoveKing) == (a.MoveKing("france"), a.MoveKing("portugal"))

    outcome = position.when(A, a.MoveKing("portugal"))

    outcome.then(e.KingMoved("portugal"))
    assert areas(outcome.position.legal(A), a.PlaceCaballeros, "area") == {
        "galicia",
        "castilla",
        "toledo",
        "sevilla",
        "castillo",
    }


def test_exile_lifts_the_taboo() -> None:
    """EG-18.4: no region is the king's."""
    position = table(acting(A, "s1-any-four"), king="france", pieces="castilla 2 0 0 0")

    position = position.when(A, a.ChooseSource(A, "castilla")).position

    assert len(areas(position.legal(A), a.SendCaballeros, "target")) == 9


def test_exile_from_exile_goes_to_the_other_country() -> None:
    """EG-12.19: the king must move to another place."""
    position = table(acting(A, "nr-exile"), chosen=REGENCY, king="france")

    assert position.legal(A, a.MoveKing) == (a.MoveKing("portugal"),)


def test_escort() -> None:
    """EG-18.5: 2 caballeros chosen by the acting player follow him in spite of the taboo."""
    position = table(acting(A, "nr-escort"), chosen=REGENCY, pieces="castilla 1 3 1 0")
    position = position.when(A, a.ChooseSource(B, "castilla"), a.ChooseSource(2, "castilla")).position
    assert position.legal(A)[0] == a.DropDraft()

    outcome = position.when(A, a.MoveKing("granada"))

    outcome.then(
        e.KingMoved("granada"),
        e.CaballerosMoved(A, (line(B, "castilla", "granada"), line(2, "castilla", "granada"))),
    )


@pytest.mark.parametrize(
    ("king", "row", "coming"),
    [
        ("castilla", "castilla 1 1 0 0", (1, 1, 0, 0)),
        ("castilla", "castilla 0 1 0 0", (0, 1, 0, 0)),
        ("castilla", "castilla 0 5 0 0", (0, 2, 0, 0)),
        ("castilla", "castilla 0 0 0 0", (0, 0, 0, 0)),
        ("france", "castilla 3 0 0 0", (0, 0, 0, 0)),
        ("castillo", "castillo 3 2 1 0", (0, 0, 0, 0)),
    ],
)
def test_escort_without_a_choice(king: str, row: str, coming: tuple[int, ...]) -> None:
    """EG-18.5, EG-22.21: only as many as are in the region; from outside the regions, none."""
    position = table(acting(A, "nr-escort"), chosen=REGENCY, king=king, pieces=row)

    outcome = position.when(A, a.MoveKing("granada"))

    assert counts(outcome.state, "granada") == coming


def test_joust() -> None:
    """EG-18.6, EG-22.22: the player's Grande goes into the Castillo."""
    position = table(acting(A, "nr-joust"), chosen=REGENCY, grandes={A: "granada"})

    position.when(A, a.UseSpecial()).then(e.GrandeMoved(A, "castillo"))


@pytest.mark.parametrize(("king", "home"), [("granada", "granada"), ("castillo", "granada"), ("castilla", "castillo")])
def test_joust_respects_the_taboo(king: str, home: str) -> None:
    """EG-18.6, EG-18.8, EG-6.1: not from the king's region, and not into the Castillo if it is the king's."""
    position = table(acting(A, "nr-joust"), chosen=REGENCY, king=king, grandes={A: home})

    position.when(A, a.UseSpecial()).then()


def test_summer_residence() -> None:
    """EG-18.11, EG-22.24: among the regions with the fewest, but at least one; the acting player chooses among ties."""
    pieces = "granada 2 0 0 0\naragon 1 0 0 0\nsevilla 0 1 0 0"
    position = table(acting(A, "nr-summer-residence"), chosen=REGENCY, pieces=pieces)
    assert areas(position.legal(A), a.MoveKing, "place") == {"aragon", "sevilla"}

    position.when(A, a.MoveKing("sevilla")).then(e.KingMoved("sevilla"))


def test_summer_residence_may_be_the_kings_region() -> None:
    """EG-18.11: if the king's region is the only one, he stays."""
    position = table(acting(A, "nr-summer-residence"), chosen=REGENCY, pieces="castilla 1 0 0 0\naragon 2 0 0 0")

    position.when(A, a.UseSpecial()).then()


def test_revolt() -> None:
    """EG-18.8: the Castillo becomes the king's region; all regions are next to him, nothing goes in or out."""
    position = table(acting(A, "nr-revolt"), chosen=REGENCY, pieces="court 3 0 0 0")

    outcome = position.when(A, a.UseSpecial())

    outcome.then(e.KingMoved("castillo"))
    placed = areas(outcome.position.legal(A), a.PlaceCaballeros, "area")
    assert len(placed) == 9
    assert "castillo" not in placed


def test_revolt_keeps_moves_and_scoreboards_out() -> None:
    """EG-18.8: nothing is put into the Castillo, no scoreboard put there or taken away."""
    move = table(acting(A, "s1-any-four"), king="castillo", pieces="granada 2 0 0 0")
    move = move.when(A, a.ChooseSource(A, "granada")).position
    decree = table(e.ScoreboardPlaced("board-8", "castillo"), acting(A, "s4-decree-1"), king="castillo")

    assert "castillo" not in areas(move.legal(A), a.SendCaballeros, "target")
    assert areas(decree.legal(A), a.PlaceScoreboard, "board") == {"board-4"}


def test_infiltration() -> None:
    """EG-18.9, EG-6.3: in this turn only, the placement may use the king's region."""
    position = table(acting(A, "nr-infiltration"), chosen=REGENCY, pieces="court 5 0 0 0")

    outcome = position.when(A, a.UseSpecial())

    outcome.then(e.InfiltrationAllowed(A))
    assert "castilla" in areas(outcome.position.legal(A), a.PlaceCaballeros, "area")
    outcome = outcome.when(A, a.PlaceCaballeros("castilla", 5))
    assert counts(outcome.state, "castilla") == (5, 0, 0, 0)
    assert not outcome.state.infiltrating


def test_infiltration_of_the_castillo() -> None:
    """EG-18.9: while the Castillo is the king's region, it means the Castillo."""
    position = table(acting(A, "nr-infiltration"), chosen=REGENCY, king="castillo", pieces="court 5 0 0 0")
    position = position.when(A, a.UseSpecial()).position

    assert "castillo" in areas(position.legal(A), a.PlaceCaballeros, "area")


def test_viceroy() -> None:
    """EG-18.10, EG-22.23, EG-6.3: the king and the player's Grande swap places."""
    position = table(acting(A, "nr-viceroy"), chosen=REGENCY, grandes={A: "granada"})

    position.when(A, a.UseSpecial()).then(e.KingMoved("granada"), e.GrandeMoved(A, "castilla"))


@pytest.mark.parametrize(("king", "home"), [("france", "granada"), ("castilla", "castillo"), ("granada", "granada")])
def test_viceroy_needs_two_regions(king: str, home: str) -> None:
    """EG-18.10: only if both are in regions."""
    position = table(acting(A, "nr-viceroy"), chosen=REGENCY, king=king, grandes={A: home})

    position.when(A, a.UseSpecial()).then()


def test_royal_progress() -> None:
    """EG-18.12: the king to an adjacent region."""
    position = table(acting(A, "nr-x1"), chosen=REGENCY, king="galicia")

    assert areas(position.legal(A), a.MoveKing, "place") == {"castilla", "navarra"}


def test_audience() -> None:
    """EG-18.12: the king goes to the region of the player's Grande."""
    position = table(acting(A, "nr-x2"), chosen=REGENCY, grandes={A: "granada"})

    position.when(A, a.MoveKing("granada")).then(e.KingMoved("granada"))


@pytest.mark.parametrize("home", ["castilla", "castillo"])
def test_audience_without_effect(home: str) -> None:
    """EG-18.12: no effect if the Grande is not in a region or the king is already there."""
    position = table(acting(A, "nr-x2"), chosen=REGENCY, grandes={A: home})

    position.when(A, a.UseSpecial()).then()


def test_summons() -> None:
    """EG-18.12: the king to any region."""
    position = table(acting(A, "nr-x3"), chosen=REGENCY)

    assert len(position.legal(A, a.MoveKing)) == 8
