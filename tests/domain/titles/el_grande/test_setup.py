"""The setup before the first round, and the options of a match."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from domain.kernel.rules import UnknownOption
from domain.matches.apply import fold
from domain.matches.facts import Table
from domain.matches.log.log_files import read_log
from domain.matches.seats.opening import open_match
from domain.titles import TITLES, el_grande
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.components import CASTILLO, COURT, PLACE_INDEX, PROVINCE
from domain.titles.el_grande.decks import CARDS, stacks_of
from domain.titles.el_grande.options import options, setting_of
from domain.titles.el_grande.state import State
from domain.titles.el_grande.title import EL_GRANDE
from tests.scenario import ScriptedChance

GOLDEN: Final = Path(__file__).parents[3] / "golden"


def begin(seats: int, chosen: Mapping[str, str] | None = None, chance: ScriptedChance | None = None) -> State:
    state: State | None = None
    for effect in el_grande.start(options(chosen or {}), seats, chance or ScriptedChance()):
        state = el_grande.evolve(state, effect)
    assert state is not None
    return state


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_to_five_players_have_their_pieces(seats: int) -> None:
    """EG-1.1, EG-1.5, EG-1.7, EG-1.8, EG-0.3: Grande and 2 at home, 7 in the Court, 21 in the Province, 13 cards."""
    state = begin(seats)

    for seat in range(seats):
        assert state.pieces[COURT][seat] == 7
        assert state.pieces[PROVINCE][seat] == 21
        assert state.pieces[state.grandes[seat]][seat] == 2
        assert state.hands[seat] == tuple(range(1, 14))
    assert sum(state.pieces[CASTILLO]) == 0


def test_the_first_region_card_is_the_kings_and_no_home_is_shared() -> None:
    """EG-1.6, EG-1.7, EG-22.2, EG-1.10: king first, then clockwise from seat 0; no card is put back."""
    chance = ScriptedChance({"regions": ("toledo", "granada", "sevilla", "aragon", "navarra")})
    state = begin(4, chance=chance)

    assert state.king == PLACE_INDEX["toledo"]
    assert state.grandes == tuple(PLACE_INDEX[name] for name in ("granada", "sevilla", "aragon", "navarra"))
    assert chance.asked[:2] == ["regions", "start-player"]


def test_a_match_begins_without_scoreboards_and_points() -> None:
    """EG-1.3, EG-1.4: round 1, score 0, both scoreboards in the supply."""
    state = begin(3)

    assert state.boards == (-1, -1)
    assert state.scores == (0, 0, 0)
    assert el_grande.phase(state) == "1/power/power"


def test_the_starting_player_is_chosen_or_drawn() -> None:
    """EG-1.9, EG-22.1: the requested seat, or else a random one."""
    assert begin(4, {"start_seat": "2"}).first == 2
    assert begin(4, chance=ScriptedChance({"start-player": (3,)})).first == 3


def test_the_starting_seat_raises_the_number_of_players() -> None:
    """EG-1.9: seat 4 exists with five players only."""
    assert options({"start_seat": "4"}).seats_min == 5


def test_stacks_of_the_2023_set_hold_ten_cards_each() -> None:
    """EG-1.2, EG-26.2: the default has 40 base cards, without New Regency and veteran cards."""
    stacks = stacks_of(setting_of(options({}), 4))

    assert [len(stack.cards) for stack in stacks] == [10, 10, 10, 10]
    assert {CARDS["2023"][card].set for stack in stacks for card in stack.cards} == {"base"}


def test_stacks_of_the_2006_set_hold_eleven_cards_each() -> None:
    """EG-26.1: 11, 11, 11, 11 and the king card, with the Vetoes, Double Game and Secret Council."""
    stacks = stacks_of(setting_of(options({"cards": "2006"}), 4))

    assert [len(stack.cards) for stack in stacks] == [11, 11, 11, 11]
    assert {"vet-veto-1", "vet-veto-2"} <= set(stacks[1].cards)
    assert "s2-choose-region-4" in stacks[2].cards
    assert CARDS["2006"]["s2-choose-region-4"].caballeros == 3


def test_veteran_cards_take_the_place_of_random_ones() -> None:
    """EG-19.1, EG-19.2, EG-19.3, EG-22.27: stacks keep 10 cards; cards are exchanged before stacks are merged."""
    stacks = stacks_of(setting_of(options({"cards": "2023", "veterans": "all"}), 4))
    merged = stacks_of(setting_of(options({"cards": "2023", "veterans": "vet-veto-1"}), 2))

    assert [len(stack.cards) + stack.kept for stack in stacks] == [10, 10, 10, 10]
    assert stacks[1].cards == ("vet-veto-1", "vet-veto-2")
    assert [len(stack.cards) + stack.kept for stack in merged] == [10, 20, 10]


def test_new_regency_replaces_the_king_card() -> None:
    """EG-18.1, EG-18.2, EG-18.3, EG-22.19: ten cards of 5 caballeros, with either card set."""
    for cards in ("2006", "2023"):
        stacks = stacks_of(setting_of(options({"cards": cards, "new_regency": "yes"}), 3))
        assert len(stacks[-1].cards) == 10
        assert {CARDS[cards][card].caballeros for card in stacks[-1].cards} == {5}


@pytest.mark.parametrize(
    ("chosen", "named"),
    [
        ({"colour": "red"}, "colour"),
        ({"cards": "1995"}, "1995"),
        ({"cards": "2006", "veterans": "all"}, "veterans='all'"),
        ({"cards": "2006", "veterans": "vet-veto-1"}, "2006"),
        ({"cards": "2023", "veterans": "vet-veto-3"}, "vet-veto-3"),
        ({"cards": "2023", "veterans": "vet-veto-1,vet-veto-1"}, "vet-veto-1"),
        ({"short": "perhaps"}, "perhaps"),
        ({"start_seat": "5"}, "start_seat='5'"),
        ({"start_seat": "4", "merged_stacks": "yes"}, "start_seat='4'"),
    ],
)
def test_invalid_options_are_named_in_the_error(chosen: dict[str, str], named: str) -> None:
    """EG-26.3: the 2006 set contains the veteran cards; the message names the bad value."""
    with pytest.raises(UnknownOption, match=named):
        options(chosen)


def test_merged_stacks_refuse_a_fourth_player() -> None:
    """EG-17.2: merged stacks are for two or three players."""
    merged = options({"merged_stacks": "yes"})
    assert (merged.seats_min, merged.seats_max) == (2, 3)

    with pytest.raises(UnknownOption, match="4 players"):
        el_grande.start(merged, 4, ScriptedChance())


def test_a_sixth_player_is_refused() -> None:
    """EG-1.1: two to five players."""
    with pytest.raises(UnknownOption, match="6 players"):
        el_grande.start(options({}), 6, ScriptedChance())


def test_defaults_are_filled_in() -> None:
    """EG-26.2, EG-17.2: 2023 cards, closed Castillo, no variant, separate stacks."""
    assert options({}).chosen == {
        "cards": "2023",
        "castillo": "remembered",
        "merged_stacks": "no",
        "new_regency": "no",
        "shift_of_power": "no",
        "short": "no",
        "start_seat": "random",
        "veterans": "none",
    }


def test_a_match_states_its_options_and_keeps_them() -> None:
    """EG-26.1, EG-26.2: every opening states all options; older logs default to the cards of 2006."""
    opened = open_match(EL_GRANDE, seats=2, options={}, table=Table(), by="ann", seed=bytes(32))
    stored = fold(TITLES, read_log(GOLDEN / "el_grande-2-eager-0.jsonl").entries)

    assert opened.options == options({}).chosen
    assert (stored.options["cards"], stored.state.setting.cards) == ("2006", "2006")


def test_the_data_digest_is_the_component_tables() -> None:
    assert len(el_grande.data_digest(options({}))) == 64


def test_the_rounds_of_both_lengths() -> None:
    """EG-2.1, EG-15.1: nine rounds; the short game starts at 2 and skips 4 and 7."""
    assert setting_of(options({}), 4).rounds == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert setting_of(options({"short": "yes"}), 4).rounds == (2, 3, 5, 6, 8, 9)


def test_regions_and_other_places() -> None:
    """EG-0.1, EG-0.8, EG-7.1: nine regions; the Castillo is an area, Court and Province are not."""
    state = begin(4)

    assert len([area for area in el_grande.view(state, None).areas if area.id != "castillo"]) == 9
    assert PLACE_INDEX["castillo"] == 9


def test_effects_of_the_setup_are_narrated_in_order() -> None:
    """EG-1.6, EG-1.7, EG-1.9, EG-3.1: king, homes, starting player, round, cards on offer."""
    effects = el_grande.start(options({}), 2, ScriptedChance())
    kinds = [type(effect) for effect in effects]

    assert kinds[:5] == [e.BoardLaid, e.KingStood, e.HomeTaken, e.HomeTaken, e.FirstPlayerSet]
    assert kinds[-1] == e.StepBegun
