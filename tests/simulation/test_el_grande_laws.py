"""The laws of every title and the invariants of EG-24, at every node of random matches over all variants."""

from collections import Counter
from typing import Final

import pytest

from domain.titles import TITLES, el_grande
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import COURT, PLACE_INDEX, PROVINCE
from domain.titles.el_grande.options import ALLOWED
from ops.dev.laws.check import audit_is_clean, check_match
from ops.dev.laws.tables import tables
from ops.dev.laws.walk import Chosen, walk
from ops.dev.titles.el_grande.laws import OPTIONS
from tests.seeding import SEED, example_count

GAME: Final = TITLES["el_grande"]
TABLES: Final = tables(GAME)
EVERYTHING: Final = OPTIONS[1]
MATCHES: Final = example_count(12, 50)


@pytest.mark.parametrize("number", range(MATCHES))
def test_the_laws_hold_at_every_node(number: int) -> None:
    """EG-24.1 to EG-24.9 and the laws of every title: EG-24.2 EG-24.3 EG-24.4 EG-24.5 EG-24.6 EG-24.7 EG-24.8.

    EG-17.2, EG-19.2, EG-21.1, EG-21.2, EG-21.3: hidden information never affects a reader's view.
    """
    seats, options = TABLES[number % len(TABLES)]

    assert check_match(GAME, seats, f"{SEED}/{number}", options) > 50


def test_the_laws_cover_every_number_of_players_and_option() -> None:
    """EG-1.1, EG-18.3: every number of players and every option except for the starting seat."""
    covered = {pair for _, options in TABLES for pair in el_grande.options(options).chosen.items()}

    assert {seats for seats, _ in TABLES} == {2, 3, 4, 5}
    for name, values in ALLOWED.items():
        assert name == "start_seat" or {(name, value) for value in values} <= covered


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_random_match_is_audited_clean(seats: int) -> None:
    assert audit_is_clean(GAME, seats, SEED, EVERYTHING) > 50


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_everyone_takes_one_card_a_round(options: Chosen) -> None:
    """EG-2.2, EG-24.5: over a whole match, the dummy of two players included."""
    cards_taken: Counter[int] = Counter()
    cards_played: Counter[int] = Counter()
    rounds = 0
    for step in walk(GAME, 2, "cards", options, is_read=False):
        rounds = len(step.after.setting.rounds)
        cards_taken.update(effect.seat for effect in step.effects if isinstance(effect, e.ActionCardTaken))
        cards_played.update(effect.seat for effect in step.effects if isinstance(effect, e.PowerCardPlayed))

    assert cards_taken == {0: rounds, 1: rounds, 2: rounds}
    assert cards_played == {0: rounds, 1: rounds}


def test_states_of_seats_hold_no_pieces_outside_places() -> None:
    """EG-0.3: Court and Province are the last two rows of the counts."""
    assert (PLACE_INDEX["court"], PLACE_INDEX["province"]) == (COURT, PROVINCE)


def test_any_state_is_shown_to_its_spectator() -> None:
    """EG-21.1: everything public has a place in the view."""
    steps = walk(GAME, 4, "view", EVERYTHING, is_read=False)
    views = [el_grande.view(step.after, None) for step in steps]

    assert {view.step for view in views} >= {"power", "take", "turn"}
