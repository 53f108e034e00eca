"""The laws of every title and the invariants of EG-24, at every node of random matches over all variants."""

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Final

import pytest

from domain import el_grande
from domain.el_grande import effects as e
from domain.el_grande.cards import GREY_FIRST
from domain.el_grande.components import AREAS, CASTILLO, COURT, PLACE_INDEX, PROVINCE
from domain.el_grande.scoring import prices
from domain.el_grande.state import State, king_region
from domain.el_grande.view import View
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.match.registry import Game
from ops import laws

VARIANTS: Final = {
    "2006": {},
    "2023": {"cards": "2023"},
    "everything": {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes"},
    "regency-2006": {"new_regency": "yes", "short": "yes", "castillo": "open"},
    "shift-2006": {"shift_of_power": "yes"},
    "two-vetoes": {"cards": "2023", "veterans": "vet-veto-1,vet-veto-2", "short": "yes", "shift_of_power": "yes"},
}
TABLES: Final = [(seats, variant) for variant in VARIANTS for seats in (2, 3, 4, 5)]
MERGED: Final = {"merged_stacks": "yes", "cards": "2023", "veterans": "all"}


def game(chosen: dict[str, str]) -> Game:
    """El Grande as a table with these options plays it."""
    names = {name: getattr(el_grande, name) for name in el_grande.__all__}
    return Game(SimpleNamespace(**{**names, "options": lambda _: el_grande.options(chosen)}), el_grande.CODEC)


def before(step: laws.Step) -> list[State]:
    """The states between the effects of a step, the first and the last included."""
    states = [step.state]
    for effect in step.effects:
        states.append(el_grande.evolve(states[-1], effect))
    return states


def thirty_of_each_colour(_: Game, step: laws.Step) -> None:
    """EG-24.1: Province, Court, regions and Castillo hold 30."""
    for state in before(step):
        laws.demand(all(sum(column) == 30 for column in zip(*state.pieces, strict=True)), "not 30 of a colour")
        laws.demand(min(min(row) for row in state.pieces) >= 0, "fewer than none")


def the_kings_region_is_taboo(_: Game, step: laws.Step) -> None:
    """EG-24.2: but for Escort, Infiltration and Viceroy nothing of the region changes in which the king stays."""
    states = before(step)
    for (earlier, later), effect in zip(pairwise(states), step.effects, strict=True):
        area = king_region(earlier)
        exempt = earlier.infiltrating or area != king_region(later) or area < 0
        escort = isinstance(effect, e.CaballerosMoved) and earlier.announced and earlier.announced.place
        viceroy = (
            isinstance(effect, e.GrandeMoved) and earlier.announced and earlier.announced.kind == "swap_king_grande"
        )
        if exempt or escort or viceroy or isinstance(effect, e.HomeTaken):
            continue
        laws.demand(earlier.pieces[area] == later.pieces[area], f"{AREAS[area]} changes under the king: {effect}")
        laws.demand((area in earlier.boards) == (area in later.boards), "a scoreboard changes under the king")
        homes = [(was == area) == (is_ == area) for was, is_ in zip(earlier.grandes, later.grandes, strict=True)]
        laws.demand(all(homes), "a Grande changes under the king")


def scoreboards_stay_on_the_board(_: Game, step: laws.Step) -> None:
    """EG-24.3: at most one at an area, and once on the board never off it."""
    lying = [area for area in step.after.boards if area >= 0]
    laws.demand(len(set(lying)) == len(lying), "two scoreboards at an area")
    gone = [was >= 0 > is_ for was, is_ in zip(step.state.boards, step.after.boards, strict=True)]
    laws.demand(not any(gone), "a scoreboard has left the board")


def results_on_the_table_differ(_: Game, step: laws.Step) -> None:
    """EG-24.4: pairwise."""
    played = [result for result in step.after.results if result]
    laws.demand(len(set(played)) == len(played), f"equal results: {played}")


def hands_shrink_by_one_a_round(_: Game, step: laws.Step) -> None:
    """EG-24.5: what was dealt, less what was played, and what was taken back again."""
    state = step.after
    dealt = 16 if state.setting.shift_of_power else 13
    for seat, hand in enumerate(state.hands):
        laws.demand(len(hand) == dealt - len(state.shown[seat]) + len(state.recoveries[seat]), f"hand of {seat}")
        played = sum(card < GREY_FIRST for card in state.shown[seat])
        is_counted = state.powers[seat] > 0 or state.step in {"discs", "over"}
        rounds = state.round_index + (1 if is_counted else 0)
        if state.step != "pass_grey":
            laws.demand(played == rounds, f"seat {seat} has played {played} cards in {rounds} rounds")


def scores_never_fall(_: Game, step: laws.Step) -> None:
    """EG-24.6: in no step."""
    rises = [is_ >= was for was, is_ in zip(step.state.scores, step.after.scores, strict=True)]
    laws.demand(all(rises), "a score falls")


def one_area_gives_so_much(_: Game, step: laws.Step) -> None:
    """EG-24.7: at most the first value and 4; at most one player gets the first value or more."""
    for state, effect in zip(before(step), step.effects, strict=False):
        if isinstance(effect, e.AreaScored):
            first, second, _third = prices(state, PLACE_INDEX[effect.area])
            laws.demand(max(effect.points) <= first + 4, f"{effect.points} for {effect.area}")
            laws.demand(sum(points > second for points in effect.points) <= 1, f"{effect.points} for {effect.area}")


def a_general_scoring_empties_the_castillo(_: Game, step: laws.Step) -> None:
    """EG-24.8: unless the king stands beside it; a Grande may stay."""
    for state, effect in zip(before(step)[1:], step.effects, strict=True):
        if isinstance(effect, e.StepBegun) and effect.step == "regions" and state.king != CASTILLO:
            laws.demand(sum(state.pieces[CASTILLO]) == 0, "the Castillo is not empty")


def views_differ_in_what_is_hidden_only(game: Game, step: laws.Step) -> None:
    """EG-24.9: with the reader's own items left out, every view is the spectator's."""
    public = game.rules.view(step.after, None)
    for reader in range(step.after.setting.seats):
        laws.same(without_own(game.rules.view(step.after, Seat(reader))), public, f"view of {reader}")


def without_own(view: View) -> View:
    """The view less the items of EG-21.3."""
    players = tuple(replace(player, hand=None, passed=None, choice=None) for player in view.players)
    return replace(view, seat=None, players=players, draft=None, chosen_card=None)


INVARIANTS: Final = (
    thirty_of_each_colour,
    the_kings_region_is_taboo,
    scoreboards_stay_on_the_board,
    results_on_the_table_differ,
    hands_shrink_by_one_a_round,
    scores_never_fall,
    one_area_gives_so_much,
    a_general_scoring_empties_the_castillo,
    views_differ_in_what_is_hidden_only,
)


@pytest.mark.parametrize(("seats", "variant"), TABLES, ids=str)
def test_the_laws_hold_at_every_node(seats: int, variant: str) -> None:
    """EG-24.1 to EG-24.9 and the laws of every title: EG-24.2 EG-24.3 EG-24.4 EG-24.5 EG-24.6 EG-24.7 EG-24.8.

    EG-21.1, EG-21.2, EG-21.3: what a reader may not see makes no difference to what the reader sees.
    """
    nodes = laws.check_match(game(VARIANTS[variant]), seats, f"{variant}", (*laws.EVERY, *INVARIANTS))

    assert nodes > 50


@pytest.mark.parametrize("seats", [2, 3])
def test_the_laws_hold_with_merged_stacks(seats: int) -> None:
    """EG-17.2, EG-19.2: two stacks shuffled together, veteran cards exchanged before."""
    assert laws.check_match(game(MERGED), seats, "merged", (*laws.EVERY, *INVARIANTS)) > 50


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_everyone_takes_one_card_a_round(variant: str) -> None:
    """EG-2.2, EG-24.5: over a whole match, the dummy of two players included."""
    taken: Counter[int] = Counter()
    played: Counter[int] = Counter()
    rounds = 0
    for step in laws.walk(game(VARIANTS[variant]), 2, "cards", is_read=False):
        rounds = len(step.after.setting.rounds)
        taken.update(effect.seat for effect in step.effects if isinstance(effect, e.ActionCardTaken))
        played.update(effect.seat for effect in step.effects if isinstance(effect, e.PowerCardPlayed))

    assert taken == {0: rounds, 1: rounds, 2: rounds}
    assert played == {0: rounds, 1: rounds}


def test_states_of_seats_hold_no_pieces_outside_places() -> None:
    """EG-0.3: Court and Province are the last two rows of the counts."""
    assert (PLACE_INDEX["court"], PLACE_INDEX["province"]) == (COURT, PROVINCE)


def test_any_state_is_shown_to_its_spectator() -> None:
    """EG-21.1: everything public has a place in the view."""
    steps = laws.walk(game(VARIANTS["everything"]), 4, "view", is_read=False)
    shown = [el_grande.view(step.after, None) for step in steps]

    assert {view.step for view in shown} >= {"power", "take", "turn"}
