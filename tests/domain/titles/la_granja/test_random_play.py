"""Random matches: invariants, termination, and replay from effects."""

from typing import Any

import pytest

from domain.kernel.hidden import MISSING, Hidden
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles import la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.effects import Effect
from domain.titles.la_granja.evolve import EVOLVE
from domain.titles.la_granja.holdings import pens
from domain.titles.la_granja.state import State
from tests.domain.titles.la_granja.table import check_state, first_action, random_match

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", range(4))


@SEATS
@SEEDS
def test_invariants_hold_in_random_matches(seats: int, seed: int) -> None:
    """LG-0.9: 25 markers each, nothing negative, and exactly the seats to act have legal actions."""
    for state, _ in random_match(seats, seed):
        check_state(state)
        assert all(farm.pig <= pens(state, Seat(seat)) for seat, farm in enumerate(state.farms))

    assert la_granja.ranking(state) is not None
    assert (state.round, state.step) == (6, "over")


@SEATS
def test_always_taking_the_first_legal_action_ends_the_match(seats: int) -> None:
    """Skipping ends every match after few actions."""
    positions = [state for state, _ in random_match(seats, 7, first_action)]

    check_state(positions[-1])
    assert positions[-1].step == "over"
    assert len(positions) < 130 * seats


@SEATS
@SEEDS
def test_invariants_hold_with_few_markers(seats: int, seed: int) -> None:
    """LG-0.9: with 6 markers each, markers are taken back often, and the match still ends."""
    effects = list[Effect]()
    for state, caused in random_match(seats, seed, markers=6):
        check_state(state, markers=6)
        effects += caused

    assert state.step == "over"
    assert any(isinstance(effect, e.MarkerTakenBack) for effect in effects)


def redact(effect: Effect, seat: int | None) -> Effect:
    """Return the effect as the reader gets it, without values hidden from the seat."""
    changes: dict[str, Any] = {
        name: Hidden(MISSING, value.audience, "00")
        for name in effect.__struct_fields__
        if isinstance(value := getattr(effect, name), Hidden) and seat not in value.audience
    }
    return replace(effect, **changes) if changes else effect


@SEATS
@pytest.mark.parametrize("reader", [None, 0, 1])
def test_a_redacted_log_folds_to_the_reader_s_view(seats: int, reader: int | None) -> None:
    """LG-0.11: hidden values are not needed for the view."""
    folded: State | None = None
    for state, effects in random_match(seats, 11):
        for effect in effects:
            folded = la_granja.evolve(folded, redact(effect, reader))
        assert folded is not None
        seat = None if reader is None else Seat(reader)
        assert la_granja.view(folded, seat) == la_granja.view(state, seat)
        assert la_granja.seats_to_act(folded) == la_granja.seats_to_act(state)


def test_only_drawn_cards_and_chosen_donkeys_are_hidden() -> None:
    """LG-0.11: everything else is open, including silver and VP."""
    hiding = {
        type(effect)
        for _, effects in random_match(4, 3)
        for effect in effects
        if any(isinstance(getattr(effect, name), Hidden) for name in effect.__struct_fields__)
    }

    assert hiding == {e.CardsDrawn, e.DonkeyChosen}


def test_every_effect_has_a_transition() -> None:
    """`MatchBegun` alone has none, because it creates the first state."""
    assert {*EVOLVE, e.MatchBegun} == set(e.Effect.__args__)


def test_the_same_seed_plays_the_same_match() -> None:
    """Rules depend on the given chance only."""
    once, again = (tuple(effects for _, effects in random_match(3, 5)) for _ in range(2))

    assert once == again
