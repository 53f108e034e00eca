"""The solo game with its neutral player (LG-11)."""

from typing import Any, Final

import pytest

from domain.titles import la_granja
from domain.titles.la_granja import actions as a
from domain.titles.la_granja import effects as e
from domain.titles.la_granja import effects_solo as s
from domain.titles.la_granja.agenda import DieDiscard, DieWindow
from domain.titles.la_granja.components import EDITIONS, STANDARD
from domain.titles.la_granja.components_market import MARKETS
from domain.titles.la_granja.state import NEUTRAL, NOBODY, State
from tests.domain.titles.la_granja.table import (
    A,
    check_state,
    first_action,
    give_goods,
    last_of,
    lay_solo_table,
    random_match,
    step,
)
from tests.scenario import Outcome, Position, ScriptedChance

SOLO_EDITIONS: Final = ("original", "deluxe", "bga")
EDITION = pytest.mark.parametrize("edition", SOLO_EDITIONS)


def start_match(number: int, edition: str = "deluxe") -> tuple[State, ScriptedChance]:
    """Return the first state and the chance of a match in which this turn order tile is drawn."""
    chance = ScriptedChance({"start-player": (number,), **{f"building-order/{n}": (n,) for n in (1, 2, 3)}})
    state = None
    for effect in la_granja.start(la_granja.options({"edition": edition}), 1, chance):
        state = la_granja.evolve(state, effect)
    assert state is not None
    return state, chance


@pytest.mark.parametrize(("edition", "least"), [("original", 1), ("deluxe", 1), ("bga", 1), ("yucata", 2)])
def test_the_solo_game_exists_in_three_editions(edition: str, least: int) -> None:
    """LG-12.11: not at Yucata; the maximum is four players everywhere."""
    options = la_granja.options({"edition": edition})

    assert (options.seats_min, options.seats_max) == (least, 4)
    assert (EDITIONS[edition].solo == "none") == (least == 2)


@EDITION
@pytest.mark.parametrize(("number", "other", "place"), [(2, 3, 2), (3, 2, 1)])
def test_the_turn_order_tile_sets_start_player_and_stalls(edition: str, number: int, other: int, place: int) -> None:
    """LG-11.1: tile 2 makes the player start player; each marker is on the centre space of its tile."""
    state, _ = start_match(number, edition)
    market = MARKETS[state.board]

    standing = {market.cells[cell].value: owner for cell, owner in enumerate(state.stalls) if owner != NOBODY}

    assert standing == {number: A, other: NEUTRAL}
    assert state.neutral == la_granja.view(state, A).neutral == place
    assert state.farms[A].markers == 23
    assert state.board == EDITIONS[edition].market["1"]


def test_two_roof_tiles_per_round_one_of_them_for_sale() -> None:
    """LG-11.1, LG-11.2: the player may buy one; the other leaves the game."""
    state, _ = start_match(2)
    assert len(state.roofs) == STANDARD.solo.roof_tiles_per_round == 2

    revealed, bought = list[tuple[str, ...]](), list[str]()
    for _, effects in random_match(1, 3):
        revealed += [effect.tiles for effect in effects if isinstance(effect, e.RoofsRevealed)]
        bought += [effect.tile for effect in effects if isinstance(effect, e.RoofBought)]
        assert len(bought) <= len(revealed)

    assert [len(tiles) for tiles in revealed] == [2] * 6


def test_five_dice_are_rolled() -> None:
    """LG-11.1: two are taken, two discarded, and one is left."""
    rolled = [
        effect.pips for _, effects in random_match(1, 3) for effect in effects if isinstance(effect, e.DiceRolled)
    ]

    assert [len(pips) for pips in rolled] == [5] * 6


REVENUE: Final = (e.DieTaken, s.DieDiscarded, e.DieResolved)


def revenue(place: int, round: int, *choices: int) -> Outcome:
    """Play phase II with the dice 1 2 4 4 6, taking the first option of every space."""
    beginning = last_of("roll", DieWindow(A), round=round)
    position = lay_solo_table(give_goods(A, trade_commodity=1), e.DiceRolled((1, 2, 4, 4, 6)), beginning, place=place)
    state = position.state
    effects = list[Any]()
    choice = iter(choices)
    while state.step != "donkeys":
        legal = la_granja.legal_actions(state, A)
        if isinstance(legal[0], a.TakeDie):
            action: Any = a.TakeDie(next(choice))
            assert action in legal
        else:
            action = next((each for each in legal if isinstance(each, a.TakeOption)), legal[0])
        for effect in la_granja.decide(state, A, action, position.chance):
            state = la_granja.evolve(state, effect)
            effects.append(effect)
    return Outcome(Position(la_granja, state, position.untold, position.chance), tuple(effects))


def dice_events(outcome: Outcome) -> list[str]:
    """Return the dice taken, discarded and resolved, in order."""
    verbs = {"DieTaken": "take", "DieDiscarded": "discard", "DieResolved": "resolve"}
    return [f"{verbs[type(effect).__name__]} {effect.pips}" for effect in outcome.of(*REVENUE)]


def test_the_start_player_s_revenue() -> None:
    """LG-11.3: die, discard, die, discard, last die; in round 1 the lowest dice are discarded (LG-11.5)."""
    assert dice_events(revenue(2, 1, 1, 6)) == [
        *("take 1", "resolve 1", "discard 2"),
        *("take 6", "resolve 6", "discard 4"),
        "resolve 4",
    ]


def test_the_second_player_s_revenue() -> None:
    """LG-11.4: discard, die, discard, die, last die; in round 1 the lowest dice are discarded (LG-11.5)."""
    assert dice_events(revenue(1, 1, 6, 4)) == [
        *("discard 1", "take 6", "resolve 6"),
        *("discard 2", "take 4", "resolve 4"),
        "resolve 4",
    ]


@pytest.mark.parametrize(("round", "discarded"), [(1, 1), (3, 1), (4, 6), (6, 6)])
def test_the_discarded_die(round: int, discarded: int) -> None:
    """LG-11.5: the lowest in rounds 1 to 3, the highest in rounds 4 to 6."""
    dice = e.DiceRolled((1, 2, 4, 4, 6))
    position = lay_solo_table(
        dice, step("first_dice", DieWindow(A), DieDiscard(A), round=round), give_goods(A, trade_commodity=1)
    )

    after = position.when(A, a.Pass())

    after.then(s.DieDiscarded(discarded))
    assert len(after.state.dice) == 4


def effects_at_place(place: int, seed: int = 5) -> list[tuple[int, str, Any]]:
    """Return round, step and effect of a match, for rounds with this place of the neutral player."""
    chosen = list[tuple[int, str, Any]]()
    state: State | None = None
    for _, effects in random_match(1, seed):
        for effect in effects:
            state = la_granja.evolve(state, effect)
            if state.neutral == place:
                chosen.append((state.round, state.step, effect))
    return chosen


@pytest.mark.parametrize(("place", "step"), [(1, "donkeys"), (2, "extra_deliveries")])
def test_the_neutral_placement_comes_before_or_after_phase_iii(place: int, step: str) -> None:
    """LG-11.7: after phase III of a start player, before phase III of a second player; once per round."""
    turned = [
        (round, when)
        for seed in range(4)
        for round, when, effect in effects_at_place(place, seed)
        if isinstance(effect, s.CardTurnedUp)
    ]

    assert turned
    assert {when for _, when in turned} == {step}


def test_the_neutral_player_places_before_a_second_player_chooses_a_donkey() -> None:
    """LG-11.7: the player chooses a donkey tile after the placement."""
    position = lay_solo_table(last_of("last_die", DieWindow(A)), give_goods(A, trade_commodity=1), place=1)

    after = position.when(A, a.Pass())

    assert len(after.of(s.CardTurnedUp)) == 1
    assert after.state.step == "donkeys"
    assert isinstance(after.position.legal(A)[0], a.ChooseDonkey)


def test_neutral_markers_never_score() -> None:
    """LG-11.9: all points belong to the player."""
    for state, _ in random_match(1, 8):
        assert la_granja.scores(state) == (state.farms[A].vp,)


@pytest.mark.parametrize(("space", "place"), [(0, 1), (2, 1), (3, 2), (4, 2)])
@pytest.mark.parametrize("before", [1, 2])
def test_the_siesta_track_sets_the_start_player_of_the_next_round(space: int, place: int, before: int) -> None:
    """LG-11.10, LG-13.22: the player from space 3 on, three steps from the start."""
    evening = last_of("market_scoring", DieWindow(A))
    position = lay_solo_table(e.SiestaAdvanced(A, space), give_goods(A, trade_commodity=1), evening, place=before)

    after = position.when(A, a.Pass())

    assert after.of(s.NeutralSeated) == (s.NeutralSeated(place),)


def test_the_order_does_not_change_within_a_round() -> None:
    """LG-11.10: LG-5.2.3 is skipped; the neutral player's place is set in LG-7.2 only."""
    steps = {
        when for place in (1, 2) for _, when, effect in effects_at_place(place) if isinstance(effect, s.NeutralSeated)
    }

    assert steps <= {"setup", "siesta_scoring"}
    for _, effects in random_match(1, 5):
        later = [effect for effect in effects if isinstance(effect, e.TurnOrderSet)]
        assert not later


@EDITION
def test_the_result_is_the_player_s_points(edition: str) -> None:
    """LG-11.11: the player always has first place."""
    for state, _ in random_match(1, 6, edition=edition):
        check_state(state)
        assert state.step == "over" or la_granja.ranking(state) is None

    assert la_granja.ranking(state) == (1,)
    assert state.farms[A].vp > 0


def test_always_taking_the_first_legal_action_ends_the_match() -> None:
    """Skipping ends every match after few actions."""
    positions = [state for state, _ in random_match(1, 7, first_action)]

    assert positions[-1].step == "over"
    assert len(positions) < 200


def test_no_label_is_drawn_twice() -> None:
    """LG-11.7: cards turned up and cards drawn share one numbering."""
    state, chance = start_match(3)
    while la_granja.seats_to_act(state):
        seat = la_granja.seats_to_act(state)[0]
        for effect in la_granja.decide(state, seat, la_granja.legal_actions(state, seat)[0], chance):
            state = la_granja.evolve(state, effect)

    assert len(chance.asked) == len(set(chance.asked))
