"""Two players with the dummy, and three players (EG-16, EG-17)."""

from typing import Any

import pytest

from domain.titles import el_grande
from domain.titles.el_grande import actions as a
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import PLACE_INDEX, PROVINCE
from domain.titles.el_grande.decks import KING_CARD
from domain.titles.el_grande.options import options
from tests.domain.titles.el_grande.table import A, B, acting, areas, counts, go, line, table
from tests.scenario import Outcome, Position, ScriptedChance, position_after

DUMMY = 2
HOMES: dict[str, tuple[Any, ...]] = {"regions": ("castilla", "galicia", "navarra")}


def begin_with_two(outcomes: dict[str, tuple[Any, ...]] | None = None) -> Outcome:
    """Return a two-player match at its first decision, with all effects before it."""
    chance = ScriptedChance({**HOMES, **(outcomes or {})})
    effects = el_grande.start(options({"cards": "2023", "start_seat": "0"}), 2, chance)
    return Outcome(Position(el_grande, position_after(el_grande, *effects).state, chance=chance), effects)


def ending(*effects: Any, index: int = 0, **laid: Any) -> Outcome:
    """Return the end of a round in which A has the lowest card of the players and the dummy the lowest of all."""
    rounds = [e.RoundBegun(number + 1, number) for number in range(1, index + 1)]
    position = table(
        *effects,
        rounds,
        e.DummyPowerTurned(1),
        e.PowerCardPlayed(A, 4, 4),
        e.PowerCardPlayed(B, 9, 9),
        acting(A, "s1-militia", seats=1),
        seats=2,
        **laid,
    )
    return position.when(A, a.EndTurn())


def test_the_dummy_has_a_supply_and_nothing_else() -> None:
    """EG-16.2, EG-16.4: no Grande, no Court, no disc; it draws from all nine region cards."""
    state = begin_with_two().state

    assert len(state.grandes) == 2
    assert counts(state, "court")[DUMMY] == 0
    assert counts(state, "province")[DUMMY] + sum(row[DUMMY] for row in state.pieces[:9]) == 30


def test_each_round_two_regions_get_two_dummy_caballeros() -> None:
    """EG-16.5: before phase 1; none in the king's region."""
    outcome = begin_with_two({"dummy-regions/1": ("castilla", "toledo")})

    assert outcome.of(e.DummyRegionDrawn) == (e.DummyRegionDrawn("castilla", 0), e.DummyRegionDrawn("toledo", 2))
    kinds = [type(effect) for effect in outcome.effects]
    assert kinds.index(e.DummyRegionDrawn) < kinds.index(e.ActionCardTurned)


def test_the_dummy_places_its_last_caballeros() -> None:
    """EG-16.5, EG-22.17: the rest is placed; with all 30 on the board, Castillo included, no card is drawn."""
    few = ending(pieces="granada 0 0 27")
    none = ending(pieces="granada 0 0 20\ncastillo 0 0 10")

    assert [effect.count for effect in few.of(e.DummyRegionDrawn)] == [2, 1]
    assert none.of(e.DummyRegionDrawn) == ()


def test_region_cards_of_the_dummy_are_not_drawn_twice_before_a_scoring() -> None:
    """EG-16.5, EG-16.6: drawn cards stay discarded until the shuffle after a general scoring."""
    drawn = (e.DummyRegionDrawn("galicia", 2), e.DummyRegionDrawn("navarra", 2))
    between, after = ending(*drawn), ending(*drawn, index=2)

    assert [effect.region for effect in between.of(e.DummyRegionDrawn)] == ["aragon", "cataluna"]
    assert after.of(e.DummyRegionsShuffled) == (e.DummyRegionsShuffled(),)
    assert [effect.region for effect in after.of(e.DummyRegionDrawn)] == ["galicia", "navarra"]


def test_the_value_of_the_dummys_power_card_is_taken() -> None:
    """EG-16.7, EG-4.2: the card is turned up before the first player plays."""
    position = begin_with_two({"dummy-power/1": (9,)}).position

    assert position.state.to_act == (A,)
    assert areas(position.legal(A), a.PlayPowerCard, "power") == set(range(1, 14)) - {9}


def test_the_dummy_takes_the_card_with_the_most_caballeros() -> None:
    """EG-16.8, EG-16.7: the card has no effect, and the king card is gone for the round."""
    position = begin_with_two({"dummy-power/1": (13,)}).position

    outcome = position.when(A, a.PlayPowerCard(5)).when(B, a.PlayPowerCard(4))

    assert outcome.of(e.TurnOrderSet) == (e.TurnOrderSet((DUMMY, A, B)),)
    assert outcome.of(e.ActionCardTaken) == (e.ActionCardTaken(DUMMY, KING_CARD),)
    assert outcome.state.to_act == (A,)
    assert KING_CARD not in outcome.state.offer


def test_the_dummy_never_gets_the_marker() -> None:
    """EG-16.7: the player with the lower card does."""
    assert ending().of(e.FirstPlayerSet) == (e.FirstPlayerSet(A),)


def test_players_move_the_dummys_caballeros_like_an_opponents() -> None:
    """EG-16.9, EG-16.11, EG-0.6: they may move into the Castillo as well."""
    position = table(acting(A, "s1-opponent-three", seats=2), seats=2, pieces="granada 0 0 3")

    outcome = position.when(A, *go(DUMMY, "granada", "castillo", 3), a.CloseDraft())

    assert counts(outcome.state, "castillo") == (0, 0, 3)


def test_castillo_pieces_of_the_dummy_go_back_to_its_supply() -> None:
    """EG-16.11, EG-22.16: they are ranked in the Castillo first."""
    outcome = ending(index=2, pieces="castillo 1 0 3").when(A, a.SetDisc("toledo"))

    assert outcome.of(e.AreaScored)[0] == e.AreaScored("castillo", (3, 0))
    (moved,) = outcome.of(e.CaballerosMoved)
    assert moved.lines == (line(A, "castillo", "toledo"), line(DUMMY, "castillo", "province", 3))


@pytest.mark.parametrize("card", ["s2-withdrawal", "s2-civil-war", "s2-secret-return-two"])
def test_the_dummy_decides_nothing(card: str) -> None:
    """EG-16.10, EG-22.18: it is left out where a card would require its decision."""
    outcome = table(acting(A, card, seats=2), seats=2, pieces="granada 0 2 3").when(A, a.UseSpecial())

    assert counts(outcome.state, "granada") == (0, 0, 3)


def test_coup_and_council_leave_the_dummy_out() -> None:
    """EG-16.10: the dummy has no disc."""
    coup = table(acting(A, "s4-coup", seats=2), seats=2, pieces="granada 0 2 3").when(A, a.NameArea("granada"))
    chosen = {"cards": "2023", "veterans": "all"}
    council = table(acting(A, "vet-secret-scoring", seats=2), seats=2, chosen=chosen).when(A, a.UseSpecial())

    assert coup.state.to_act == (B,)
    assert council.state.to_act == (A, B)


def test_court_cards_do_not_touch_the_dummy_and_arrest_does() -> None:
    """EG-16.10: it has no Court; for Arrest the acting player decides."""
    disgrace = table(acting(A, "s2-court-loss-all", seats=2), seats=2, pieces="court 5 5 0").when(A, a.UseSpecial())
    arrest = table(acting(A, "s2-return-one-each", seats=2), seats=2, pieces="granada 0 0 3")

    assert disgrace.of(e.CaballerosMoved)[0].lines == (line(B, "court", "province", 5),)
    outcome = arrest.when(A, a.ChooseSource(DUMMY, "granada"), a.CloseDraft())
    assert outcome.state.pieces[PROVINCE][DUMMY] == 30 - 2


def test_the_dummy_never_scores() -> None:
    """EG-16.2, EG-16.9: two scores, two places."""
    state = begin_with_two().state

    assert len(el_grande.scores(state)) == 2


def test_three_players_have_no_dummy() -> None:
    """EG-17.1: same board, no third place, no third colour except the players' colours."""
    state = position_after(el_grande, *el_grande.start(options({}), 3, ScriptedChance())).state

    assert state.setting.dummy == -1
    assert not state.setting.third_place_counts
    assert len(state.pieces[PLACE_INDEX["toledo"]]) == 3
