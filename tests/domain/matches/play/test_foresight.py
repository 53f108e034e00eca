"""Predictions for a seat use only its own view: final actions, and choices in advance."""

from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.kernel.chance import SeededChance
from domain.kernel.rules import IllegalAction, Seat
from domain.kernel.values import replace
from domain.matches.aggregate import legal_actions, seats_to_act, take_back_versions
from domain.matches.play.foresight import find_future_choice, list_future_actions, why_final
from domain.titles import el_grande, la_granja
from tests.domain.matches.match_helpers import START, facts, start_match, uuid
from tests.domain.matches.toy import AddPearl, Play

M = uuid(1)


def test_predictions_match_the_actual_effects(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea"))
    cases = set()
    while match.status == "running" and (seats := [seat for seat in seats_to_act(match) if seat >= 0]):
        seat = seats[0]
        action = legal_actions(match, seat)[-1]
        reason = why_final(match, seat, action)
        by = match.seats[seat].actor
        assert by is not None
        version = match.version
        match = sqlite.act(M, seat, by, action, expected_version=version, at=START)
        assert (reason == "chance") == bool(facts(sqlite, M)[version].draws)
        assert (reason is None) == bool(take_back_versions(match, seat) or match.status != "running")
        cases.add((type(action), reason))

    assert (Play, "secret") in cases
    assert {reason for _, reason in cases} == {"chance", "secret", None}


def test_illegal_actions_are_not_tried(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea"))

    with pytest.raises(IllegalAction):
        why_final(match, 0, AddPearl())


def begin(rules: Any, seats: int, **chosen: str) -> Any:
    """Return the initial position of a title."""
    state = None
    for effect in rules.start(rules.options(chosen), seats, SeededChance(bytes(32))):
        state = rules.evolve(state, effect)
    return state


def acts(rules: Any, state: Any, wanted: int = 0) -> Any:
    """Return the position after the first seat to act has acted."""
    seat = rules.seats_to_act(state)[0]
    legal = rules.legal_actions(state, seat)
    for effect in rules.decide(state, seat, legal[wanted], SeededChance(b"acted")):
        state = rules.evolve(state, effect)
    return state


def test_a_power_card_can_be_chosen_ahead_and_what_others_may_play_first_is_among_them() -> None:
    """EG-4.1: the seat certainly plays a power card, although not one with a value that was played before."""
    state = begin(el_grande, 3)
    waits = next(Seat(seat) for seat in range(3) if Seat(seat) not in el_grande.seats_to_act(state))

    ahead = find_future_choice(el_grande, state, waits)

    assert {type(each.action).__name__ for each in ahead} == {"PlayPowerCard"}
    assert len({each.action.power for each in ahead}) == 13
    assert all(el_grande.describe(each.seen, each.action).id for each in ahead)


def test_a_seat_that_owes_a_choice_chooses_nothing_in_advance() -> None:
    state = begin(el_grande, 3)

    assert find_future_choice(el_grande, state, el_grande.seats_to_act(state)[0]) == ()


def test_a_card_of_ones_own_hand_can_be_chosen_ahead_whatever_the_others_draw() -> None:
    """LG-3.1.1: everyone plays a card in turn order; draws by others do not change the seat's hand."""
    state = begin(la_granja, 3)
    last = state.order[-1]

    ahead = find_future_choice(la_granja, state, last)

    hand = set(la_granja.view(state, last).farms[last].hand)
    assert {each.action.card for each in ahead if type(each.action).__name__ == "PlayCard"} == hand


def test_what_dice_decide_is_not_certain_and_what_lies_too_far_ahead_is_not_either() -> None:
    """LG-4.1: a player without a roof tile next chooses after the dice have been rolled."""
    state = begin(la_granja, 3)
    while not la_granja.phase(state).endswith("/roofs"):
        state = acts(la_granja, state)
    first = la_granja.seats_to_act(state)[0]
    state = acts(la_granja, state)

    assert find_future_choice(la_granja, state, first) == ()
    assert find_future_choice(la_granja, begin(la_granja, 3), begin(la_granja, 3).order[-1], actions_max=1) == ()


def test_nothing_is_chosen_in_advance_after_the_end(sqlite: Matches) -> None:
    match = start_match(sqlite, M, ("anna", "bea"))
    assert list_future_actions(match, 0) == ()
    while [seat for seat in seats_to_act(match) if seat >= 0]:
        seat = next(seat for seat in seats_to_act(match) if seat >= 0)
        by = match.seats[seat].actor
        assert by is not None
        match = sqlite.act(M, seat, by, legal_actions(match, seat)[0], expected_version=match.version, at=START)

    assert list_future_actions(match, 0) == ()
    assert list_future_actions(replace(match, status="paused"), 0) == ()
