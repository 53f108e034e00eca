"""Random matches keep the laws of the game, end, and replay from their effects."""

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
from tests.domain.titles.la_granja.table import check, first, random_match

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])
SEEDS = pytest.mark.parametrize("seed", range(4))


@SEATS
@SEEDS
def test_every_position_of_a_random_match_is_sound(seats: int, seed: int) -> None:
    """LG-0.9: 25 markers each at every position; nothing is negative; exactly the seats to act can act."""
    for state, _ in random_match(seats, seed):
        check(state)
        assert all(farm.pig <= pens(state, Seat(seat)) for seat, farm in enumerate(state.farms))

    assert la_granja.ranking(state) is not None
    assert (state.round, state.step) == (6, "over")


@SEATS
def test_always_taking_the_first_legal_action_ends_the_match(seats: int) -> None:
    """Skip ends every match, and soon."""
    positions = [state for state, _ in random_match(seats, 7, first)]

    check(positions[-1])
    assert positions[-1].step == "over"
    assert len(positions) < 130 * seats


@SEATS
@SEEDS
def test_every_position_is_sound_where_markers_are_short(seats: int, seed: int) -> None:
    """LG-0.9: with 6 markers each, markers are taken back all the time, and the match ends."""
    effects = list[Effect]()
    for state, caused in random_match(seats, seed, markers=6):
        check(state, markers=6)
        effects += caused

    assert state.step == "over"
    assert any(isinstance(effect, e.MarkerTakenBack) for effect in effects)


def redacted(effect: Effect, seat: int | None) -> Effect:
    """The effect as a reader gets it who may not see every hidden value of it."""
    changes: dict[str, Any] = {
        name: Hidden(MISSING, value.audience, "00")
        for name in effect.__struct_fields__
        if isinstance(value := getattr(effect, name), Hidden) and seat not in value.audience
    }
    return replace(effect, **changes) if changes else effect


@SEATS
@pytest.mark.parametrize("reader", [None, 0, 1])
def test_a_redacted_log_folds_to_the_view_of_its_reader(seats: int, reader: int | None) -> None:
    """LG-0.11: what a reader may not see is not needed to know what the reader does see."""
    folded: State | None = None
    for state, effects in random_match(seats, 11):
        for effect in effects:
            folded = la_granja.evolve(folded, redacted(effect, reader))
        assert folded is not None
        seat = None if reader is None else Seat(reader)
        assert la_granja.view(folded, seat) == la_granja.view(state, seat)
        assert la_granja.seats_to_act(folded) == la_granja.seats_to_act(state)


def test_what_is_hidden_from_others_is_cards_drawn_and_donkeys_chosen() -> None:
    """LG-0.11: everything else is open; silver and VP are open."""
    hiding = {
        type(effect)
        for _, effects in random_match(4, 3)
        for effect in effects
        if any(isinstance(getattr(effect, name), Hidden) for name in effect.__struct_fields__)
    }

    assert hiding == {e.CardsDrawn, e.DonkeyChosen}


def test_every_effect_can_be_evolved() -> None:
    """The table of `evolve` has exactly the effects there are; `MatchBegun` makes the first state."""
    assert {*EVOLVE, e.MatchBegun} == set(e.Effect.__args__)


def test_the_same_seed_plays_the_same_match() -> None:
    """Rules are functions: no other luck, no clock."""
    once, again = (tuple(effects for _, effects in random_match(3, 5)) for _ in range(2))

    assert once == again
