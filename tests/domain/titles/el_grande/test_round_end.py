"""Phases 4 and 5: the end of a round, discs, the general scoring, the end of the match."""

from typing import Any

import pytest

from domain.kernel.hidden import Hidden
from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import CASTILLO, PLACE_INDEX, STRIP
from domain.titles.el_grande.decks import KING_CARD
from tests.domain.titles.el_grande.table import A, B, C, D, counts, line, table
from tests.scenario import Outcome, Position

SHORT = {"cards": "2023", "short": "yes"}
REGENCY = {"cards": "2023", "new_regency": "yes"}


def last_turn(*effects: Any, index: int = 2, king: str = "castilla", **laid: Any) -> Position:
    """Return the last turn of the round with this index; seat B has the lowest card."""
    rounds = [e.RoundBegun(number + 1, number) for number in range(1, index + 1)]
    powers = [e.PowerCardPlayed(seat, power, power) for seat, power in ((A, 8), (B, 3), (C, 5), (D, 9))]
    turn = [
        e.ActionCardTurned("s1-militia", from_stack=True),
        e.ActionCardTurned("s4-coup", from_stack=True),
        e.ActionCardTurned(KING_CARD, from_stack=False),
        e.TurnOrderSet((A,)),
        e.TurnBegun(0, A),
        e.ActionCardTaken(A, "s1-militia"),
        e.StepBegun("turn", (A,)),
    ]
    return table(*effects, rounds, powers[: laid.get("seats", 4)], turn, king=king, **laid)


def end_turn(position: Position) -> Outcome:
    return position.when(A, a.EndTurn())


def secret(seat: int, region: str | None) -> e.SecretChosen:
    return e.SecretChosen(seat, Hidden(region, (seat,)))  # type: ignore[arg-type]  # regions of the test


def test_the_lowest_card_takes_the_marker_and_cards_go_away() -> None:
    """EG-8.1, EG-8.2, EG-8.3, EG-8.4: offer and table are cleared; the king card stays for the next round."""
    outcome = end_turn(last_turn(index=0))

    assert outcome.of(e.FirstPlayerSet) == (e.FirstPlayerSet(B),)
    assert outcome.of(e.RoundEnded) == (e.RoundEnded(),)
    state = outcome.state
    assert state.to_act == (B,)
    assert state.powers == (0, 0, 0, 0)
    assert "s4-coup" not in state.offer
    assert KING_CARD in state.offer
    assert el_grande.phase(state) == "2/power/power"


@pytest.mark.parametrize(("index", "scoring"), [(0, False), (1, False), (2, True), (3, False), (5, True), (8, True)])
def test_a_general_scoring_follows_rounds_three_six_and_nine(index: int, scoring: bool) -> None:
    """EG-2.1, EG-8.4: on a lily space."""
    scored = end_turn(last_turn(index=index)).of(e.AreaScored)

    assert (len(scored) == 10) == scoring


def test_the_short_game_scores_after_its_second_round() -> None:
    """EG-15.1: rounds 2, 3, 5, 6, 8, 9; the second has the number 3."""
    assert len(end_turn(last_turn(index=1, chosen=SHORT)).of(e.AreaScored)) == 10
    assert end_turn(last_turn(index=2, chosen=SHORT)).of(e.AreaScored) == ()


def test_only_owners_of_castillo_pieces_set_a_disc() -> None:
    """EG-9.1, EG-9.2, EG-22.4, EG-25.12: all at once; other seats have no choice to make."""
    state = end_turn(last_turn(pieces="castillo 2 0 1 0")).state

    assert state.step == "discs"
    assert state.to_act == (A, C)


def test_a_disc_may_name_any_region_or_be_unclear() -> None:
    """EG-9.1, EG-9.3, EG-22.5: there are ten choices; the first, used on timeout, is unclear."""
    position = end_turn(last_turn(pieces="castillo 2 0 1 0")).position

    assert position.legal(A)[0] == a.SetDisc()
    assert len(position.legal(A)) == 10
    assert a.SetDisc("castilla") in position.legal(A)


def test_the_castillo_is_scored_before_the_discs_are_revealed() -> None:
    """EG-9.4, EG-9.5, EG-9.6, EG-22.3: Castillo, reveal, moves, then every region once in the order of the strip."""
    position = end_turn(last_turn(pieces="castillo 2 0 1 0\ngranada 0 0 2 0")).position

    outcome = position.when(C, a.SetDisc("granada")).when(A, a.SetDisc("toledo"))

    shown = [effect for effect in outcome.effects if not isinstance(effect, e.StepBegun | e.ActionCardTurned)]
    assert shown[:6] == [
        secret(A, "toledo"),
        e.CastilloOpened((2, 0, 1, 0)),
        e.AreaScored("castillo", (5, 0, 3, 0)),
        e.SecretsRevealed((A, C), ("toledo", "granada")),
        e.CaballerosMoved(-1, (line(A, "castillo", "toledo", 2), line(C, "castillo", "granada", 1))),
        e.AreaScored("galicia", (0, 0, 0, 0)),
    ]
    order = [PLACE_INDEX[effect.area] for effect in outcome.of(e.AreaScored)]
    assert order == [CASTILLO, *STRIP]
    assert outcome.state.scores == (5 + 7, 0, 3 + 6, 0)


def test_castillo_caballeros_go_to_one_region_together() -> None:
    """EG-9.1, EG-9.7, EG-24.8: they cannot be split, and the Castillo is empty afterwards."""
    position = end_turn(last_turn(pieces="castillo 4 0 0 0")).position

    outcome = position.when(A, a.SetDisc("toledo"))

    assert counts(outcome.state, "toledo") == (4, 0, 0, 0)
    assert counts(outcome.state, "castillo") == (0, 0, 0, 0)


@pytest.mark.parametrize("disc", [a.SetDisc(), a.SetDisc("castilla")])
def test_an_unclear_disc_and_the_kings_region_lead_to_the_court(disc: a.SetDisc) -> None:
    """EG-9.3, EG-22.5: the player's Castillo caballeros go to the player's Court."""
    position = end_turn(last_turn(pieces="castillo 4 0 0 0")).position

    outcome = position.when(A, disc)

    assert counts(outcome.state, "court")[A] == 4


def test_a_grande_in_the_castillo_goes_with_the_disc() -> None:
    """EG-18.7: also without caballeros; its bonus counts for the Castillo before the move, for the region after it."""
    position = end_turn(last_turn(pieces="castillo 0 2 0 0\ntoledo 1 0 0 0", grandes={A: "castillo"})).position
    assert position.state.to_act == (A, B)

    outcome = position.when(B, a.SetDisc("granada")).when(A, a.SetDisc("toledo"))

    assert outcome.of(e.GrandeMoved) == (e.GrandeMoved(A, "toledo"),)
    points = {effect.area: effect.points for effect in outcome.of(e.AreaScored)}
    assert points["castillo"] == (0, 5, 0, 0)
    assert points["toledo"] == (9, 0, 0, 0)


@pytest.mark.parametrize("disc", [a.SetDisc(), a.SetDisc("castilla")])
def test_a_grande_without_a_clear_disc_stays_in_the_castillo(disc: a.SetDisc) -> None:
    """EG-18.7, EG-22.22: the caballeros go to the Court."""
    position = end_turn(last_turn(pieces="castillo 2 0 0 0", grandes={A: "castillo"})).position

    outcome = position.when(A, disc)

    assert outcome.state.grandes[A] == CASTILLO
    assert counts(outcome.state, "court")[A] == 2


def test_a_castillo_next_to_the_king_keeps_its_contents() -> None:
    """EG-18.8: it is scored with the king's bonus and keeps its contents; no discs are set."""
    outcome = end_turn(last_turn(king="castillo", pieces="castillo 2 1 0 0", chosen=REGENCY))

    assert outcome.of(e.SecretsRevealed) == ()
    assert outcome.of(e.AreaScored)[0] == e.AreaScored("castillo", (7, 3, 0, 0))
    assert counts(outcome.state, "castillo") == (2, 1, 0, 0)
    assert outcome.state.step == "power"


def test_the_match_ends_after_the_third_general_scoring() -> None:
    """EG-14.1: after round nine no seat is to act and every player has a place."""
    outcome = end_turn(last_turn(index=8, pieces="granada 1 0 0 0"))

    state = outcome.state
    assert state.to_act == ()
    assert el_grande.ranking(state) == (1, 2, 2, 2)
    assert el_grande.scores(state) == (6, 0, 0, 0)
    assert el_grande.phase(state) == "9/over/over"


def test_new_regency_cards_are_gone_whether_taken_or_not() -> None:
    """EG-18.1: a new card is turned up every round."""
    outcome = end_turn(last_turn(index=0, chosen=REGENCY))

    offered = [effect.card for effect in outcome.of(e.ActionCardTurned)]
    assert offered[-1].startswith("nr-")
    assert KING_CARD not in offered
