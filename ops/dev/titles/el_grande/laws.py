"""The invariants of El Grande (EG-24) and of its drafts (EG-12.2)."""

from itertools import pairwise
from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.titles import el_grande
from domain.titles.el_grande import effects as e
from domain.titles.el_grande.actions import CorrectDraft, DropDraft
from domain.titles.el_grande.cards import GREY_FIRST
from domain.titles.el_grande.components import AREAS, CASTILLO, PLACE_INDEX
from domain.titles.el_grande.scoring import prices
from domain.titles.el_grande.state import CORRECTIONS_MAX, State, king_region
from domain.titles.el_grande.view import View
from ops.dev.laws.walk import Chosen, Law, WalkStep, demand, same


def before(step: WalkStep) -> list[State]:
    """Return the states before and after each effect of a step."""
    states = [step.state]
    for effect in step.effects:
        states.append(el_grande.evolve(states[-1], effect))
    return states


def thirty_of_each_colour(_: AnyTitle, step: WalkStep) -> None:
    """Check that Province, Court, regions and Castillo hold 30 caballeros of each colour (EG-24.1)."""
    for state in before(step):
        demand(all(sum(column) == 30 for column in zip(*state.pieces, strict=True)), "not 30 of a colour")
        demand(min(min(row) for row in state.pieces) >= 0, "fewer than none")


def the_kings_region_is_taboo(_: AnyTitle, step: WalkStep) -> None:
    """Check that the king's region changes only by Escort, Infiltration, Viceroy or the king's move (EG-24.2).

    The choice of a home is exempt.
    """
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
        demand(earlier.pieces[area] == later.pieces[area], f"{AREAS[area]} changes under the king: {effect}")
        demand((area in earlier.boards) == (area in later.boards), "a scoreboard changes under the king")
        are_kept = [(old == area) == (new == area) for old, new in zip(earlier.grandes, later.grandes, strict=True)]
        demand(all(are_kept), "a Grande changes under the king")


def scoreboards_stay_on_the_board(_: AnyTitle, step: WalkStep) -> None:
    """Check that areas have at most one scoreboard and that none leaves the board (EG-24.3)."""
    areas = [area for area in step.after.boards if area >= 0]
    demand(len(set(areas)) == len(areas), "two scoreboards at an area")
    have_left = [old >= 0 > new for old, new in zip(step.state.boards, step.after.boards, strict=True)]
    demand(not any(have_left), "a scoreboard has left the board")


def results_on_the_table_differ(_: AnyTitle, step: WalkStep) -> None:
    """Check that the results on the table are pairwise different (EG-24.4)."""
    results = [result for result in step.after.results if result]
    demand(len(set(results)) == len(results), f"equal results: {results}")


def hands_shrink_by_one_a_round(_: AnyTitle, step: WalkStep) -> None:
    """Check that a hand holds the dealt cards, minus those played, plus those taken back (EG-24.5).

    Each seat has played one power card a round.
    """
    state = step.after
    hand_size = 16 if state.setting.shift_of_power else 13
    for seat, hand in enumerate(state.hands):
        demand(len(hand) == hand_size - len(state.shown[seat]) + len(state.recoveries[seat]), f"hand of {seat}")
        played_count = sum(card < GREY_FIRST for card in state.shown[seat])
        is_counted = state.powers[seat] > 0 or state.step in {"discs", "over"}
        rounds = state.round_index + (1 if is_counted else 0)
        if state.step != "pass_grey":
            demand(played_count == rounds, f"seat {seat} has played {played_count} cards in {rounds} rounds")


def scores_never_fall(_: AnyTitle, step: WalkStep) -> None:
    """Check that no step reduces a score (EG-24.6)."""
    are_kept = [new >= old for old, new in zip(step.state.scores, step.after.scores, strict=True)]
    demand(all(are_kept), "a score falls")


def one_area_gives_so_much(_: AnyTitle, step: WalkStep) -> None:
    """Check that an area gives at most its first value plus 4, and the first value to one player only (EG-24.7)."""
    for state, effect in zip(before(step), step.effects, strict=False):
        if isinstance(effect, e.AreaScored):
            first, second, _third = prices(state, PLACE_INDEX[effect.area])
            demand(max(effect.points) <= first + 4, f"{effect.points} for {effect.area}")
            demand(sum(points > second for points in effect.points) <= 1, f"{effect.points} for {effect.area}")


def a_general_scoring_empties_the_castillo(_: AnyTitle, step: WalkStep) -> None:
    """Check that a general scoring empties the Castillo unless the king is next to it (EG-24.8).

    A Grande may stay.
    """
    for state, effect in zip(before(step)[1:], step.effects, strict=True):
        if isinstance(effect, e.StepBegun) and effect.step == "regions" and state.king != CASTILLO:
            demand(sum(state.pieces[CASTILLO]) == 0, "the Castillo is not empty")


def views_differ_in_what_is_hidden_only(title: AnyTitle, step: WalkStep) -> None:
    """Check that every view without the reader's own items equals the spectator's (EG-24.9)."""
    public = title.rules.view(step.after, None)
    for reader in range(step.after.setting.seats):
        same(without_own(title.rules.view(step.after, Seat(reader))), public, f"view of {reader}")


def without_own(view: View) -> View:
    """Return the view without the items of EG-21.3."""
    players = tuple(replace(player, hand=None, passed=None, choice=None) for player in view.players)
    return replace(view, seat=None, players=players, draft=None, corrections=0, chosen_card=None)


def a_correction_changes_the_draft_alone(_: AnyTitle, step: WalkStep) -> None:
    """Check that a correction changes only the draft and that corrections are limited (EG-12.2).

    The correction after the last one gives up the special action (EG-5.8).
    """
    demand(step.after.corrections <= CORRECTIONS_MAX + 1, f"{step.after.corrections} corrections in a turn")
    is_last = step.state.corrections >= CORRECTIONS_MAX
    if isinstance(step.action, CorrectDraft | DropDraft) and not is_last:
        before, after = (
            replace(state, drafting=False, picked=None, draft=(), corrections=0) for state in (step.state, step.after)
        )
        same(after, before, "a correction changes more than the draft")


LAWS: Final[tuple[Law, ...]] = (
    thirty_of_each_colour,
    the_kings_region_is_taboo,
    scoreboards_stay_on_the_board,
    results_on_the_table_differ,
    hands_shrink_by_one_a_round,
    scores_never_fall,
    one_area_gives_so_much,
    a_general_scoring_empties_the_castillo,
    views_differ_in_what_is_hidden_only,
    a_correction_changes_the_draft_alone,
)

OPTIONS: Final[tuple[Chosen, ...]] = (
    {},
    {"veterans": "all", "new_regency": "yes", "shift_of_power": "yes"},
    {"cards": "2006"},
    {"cards": "2006", "new_regency": "yes", "short": "yes", "castillo": "open"},
    {"cards": "2006", "shift_of_power": "yes", "start_seat": "1"},
    {"veterans": "vet-veto-1,vet-veto-2", "short": "yes", "shift_of_power": "yes"},
    {"veterans": "all", "merged_stacks": "yes", "new_regency": "yes"},
)
"""The options with which the laws are checked."""
