"""Veto: the decision before a special action takes effect (EG-19.4)."""

from typing import Any

from domain.kernel.hidden import Hidden
from domain.kernel.rules import IllegalAction
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import PLACE_INDEX
from domain.titles.el_grande.decks import KING_CARD
from tests.domain.titles.el_grande.table import A, B, C, D, acting, areas, counts, go, line, table

VETERANS = {"cards": "2023", "veterans": "all"}


def lay_veto(seat: int, card: str = "vet-veto-1", until: int = 1) -> e.VetoLaid:
    return e.VetoLaid(seat, card, until)


def test_veto() -> None:
    """EG-19.4: the special action lays the card open before the player for this round and the next."""
    position = table(acting(A, "vet-veto-1"), chosen=VETERANS)

    position.when(A, a.UseSpecial()).then(lay_veto(A))


def test_the_holder_decides_before_anything_happens() -> None:
    """EG-19.4a, EG-19.4c, EG-25.9: the action is announced with its main choice, and the holder decides at once."""
    position = table(lay_veto(B), acting(A, KING_CARD), chosen=VETERANS)

    outcome = position.when(A, a.MoveKing("granada"))

    outcome.then()
    assert outcome.state.to_act == (B,)
    assert outcome.state.king == PLACE_INDEX["castilla"]
    assert outcome.position.legal(B) == (a.AllowSpecial(), a.UseVeto())
    assert outcome.of(e.SpecialAnnounced)[0].announcement.place == "granada"


def test_a_special_action_that_is_allowed_takes_place() -> None:
    """EG-19.4: the Veto stays on the table."""
    position = table(lay_veto(B), acting(A, KING_CARD), chosen=VETERANS).when(A, a.MoveKing("granada")).position

    outcome = position.when(B, a.AllowSpecial())

    outcome.then(e.KingMoved("granada"))
    assert len(outcome.state.vetoes) == 1


def test_a_veto_cancels_the_special_action_and_not_the_placement() -> None:
    """EG-19.4b, EG-19.4d: the Veto is discarded; the placement continues without another special action."""
    position = table(lay_veto(B), acting(A, KING_CARD), chosen=VETERANS, pieces="court 5 0 0 0")
    position = position.when(A, a.MoveKing("granada")).position

    outcome = position.when(B, a.UseVeto())

    outcome.then(e.SpecialVetoed(A, B, "vet-veto-1"))
    assert outcome.state.vetoes == ()
    assert outcome.state.to_act == (A,)
    assert outcome.position.legal(A, a.MoveKing) == ()
    assert areas(outcome.position.legal(A), a.PlaceCaballeros, "area") == {
        "galicia",
        "navarra",
        "aragon",
        "toledo",
        "castillo",
    }


def test_caballeros_placed_before_a_veto_stay() -> None:
    """EG-19.4c: nothing already carried out is undone; the turn is then over."""
    position = table(lay_veto(B), acting(A, KING_CARD), chosen=VETERANS, pieces="court 5 0 0 0")
    position = position.when(A, a.PlaceCaballeros("toledo", 2), a.MoveKing("granada")).position

    outcome = position.when(B, a.UseVeto())

    assert counts(outcome.state, "toledo")[A] == 2
    assert outcome.of(e.TurnEnded) == (e.TurnEnded(A),)


def test_veto_holders_decide_clockwise_until_the_first_veto() -> None:
    """EG-19.4e, EG-22.25: from the acting player's left; a holder of two decides once."""
    both = table(lay_veto(D), lay_veto(B, "vet-veto-2"), acting(C, KING_CARD), chosen=VETERANS)
    position = both.when(C, a.MoveKing("granada")).position
    assert position.state.to_act == (D,)
    pending = position.when(D, a.AllowSpecial())
    assert pending.state.to_act == (B,)
    assert pending.when(B, a.AllowSpecial()).of(e.KingMoved) == (e.KingMoved("granada"),)

    assert position.when(D, a.UseVeto()).state.to_act != (B,)


def test_a_veto_can_be_vetoed() -> None:
    """EG-19.4e, EG-22.25: the taken card is then discarded unused."""
    position = table(lay_veto(B), acting(A, "vet-veto-2"), chosen=VETERANS).when(A, a.UseSpecial()).position

    outcome = position.when(B, a.UseVeto())

    assert outcome.state.vetoes == ()


def test_a_player_cannot_veto_their_own_action() -> None:
    """EG-19.4e: holders do not decide on their own special actions."""
    position = table(lay_veto(A), acting(A, KING_CARD), chosen=VETERANS)

    position.when(A, a.MoveKing("granada")).then(e.KingMoved("granada"))


def test_a_veto_without_the_card_is_refused() -> None:
    """EG-19.4: only players with an open Veto decide."""
    position = table(lay_veto(B), acting(A, KING_CARD), chosen=VETERANS).when(A, a.MoveKing("granada")).position

    position.refuses(C, a.UseVeto(), IllegalAction)
    table(acting(A, KING_CARD)).refuses(B, a.UseVeto(), IllegalAction)


def test_an_unused_veto_leaves_at_the_end_of_the_next_round() -> None:
    """EG-19.4d: not at the end of the round in which it was laid."""
    ending: list[Any] = [e.TurnOrderSet((A,)), e.TurnBegun(0, A), e.StepBegun("turn", (A,))]
    effects = [e.ActionCardTurned("s1-militia", from_stack=True), e.ActionCardTaken(A, "s1-militia")]
    fresh = table(lay_veto(B, until=1), effects, ending, chosen=VETERANS)
    old = table(lay_veto(B, until=0), effects, ending, chosen=VETERANS)

    assert fresh.when(A, a.EndTurn()).of(e.VetoDiscarded) == ()
    assert old.when(A, a.EndTurn()).of(e.VetoDiscarded) == (e.VetoDiscarded(B, "vet-veto-1"),)


def test_the_announcement_contains_the_whole_draft() -> None:
    """EG-19.4f, EG-12.2: all lines are announced before the holder decides; after a veto none is carried out."""
    position = table(lay_veto(B), acting(A, "s1-any-four"), pieces="granada 2 2 0 0", chosen=VETERANS)

    outcome = position.when(A, *go(A, "granada", "toledo"), *go(B, "granada", "toledo"), a.CloseDraft())

    (announced,) = outcome.of(e.SpecialAnnounced)
    assert announced.announcement.lines == (line(A, "granada", "toledo"), line(B, "granada", "toledo"))
    assert counts(outcome.when(B, a.UseVeto()).state, "granada") == (2, 2, 0, 0)


def test_a_veto_precedes_the_choices_of_others() -> None:
    """EG-19.4c: a vetoed Civil War needs no secret choices."""
    position = table(lay_veto(D), acting(A, "s2-civil-war"), pieces="granada 0 1 0 0\naragon 0 1 0 0", chosen=VETERANS)
    position = position.when(A, a.UseSpecial()).position
    assert position.state.to_act == (D,)

    outcome = position.when(D, a.UseVeto())

    assert outcome.of(e.SecretsRevealed) == ()
    assert position.when(D, a.AllowSpecial()).state.to_act == (B,)


def test_empowerment_is_announced_without_its_card() -> None:
    """EG-12.15, EG-19.4: the holder decides without seeing the card."""
    position = table(lay_veto(B), e.PowerCardPlayed(A, 9, 9), acting(A, "s4-empowerment-1"), chosen=VETERANS)

    outcome = position.when(A, a.TakeBackCard(9))

    (announced,) = outcome.of(e.SpecialAnnounced)
    assert announced.taken_back == Hidden(9, (A,))
    outcome.when(B, a.AllowSpecial()).then(e.CardTakenBack(A, Hidden(9, (A,))))
