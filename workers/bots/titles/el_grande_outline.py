"""Rollouts of El Grande, to the end of the round."""

from collections.abc import Sequence
from typing import Final

from domain.kernel.rules import Seat
from domain.titles.el_grande.actions import Action, CorrectDraft, DropDraft, PlaceCaballeros
from domain.titles.el_grande.decide import legal_actions
from domain.titles.el_grande.phases.turns import placement_left
from domain.titles.el_grande.state import State
from workers.bots.evaluation import Outline

STAGES_MAX: Final = 1
"""Two or three rounds won by as many points in three times the time; fewer at four seats (`docs/develop/bots.md`)."""
GOING_BACK: Final = (CorrectDraft, DropDraft)


def stage(state: State) -> int:
    """Return the round: after it no card of the round is in play and its effects are on the board."""
    return state.round_index


def sketch(state: State, seat: Seat) -> Sequence[Action]:
    """Return the legal actions with only the extremes of calls and placements, and no corrections.

    If nothing but corrections is legal, these.
    """
    legal = legal_actions(state, seat)
    if state.step == "call" and len(legal) > 1:
        return (legal[0], legal[-1])
    if state.step == "turn" and not state.drafting:
        most = placement_left(state, seat)
        return [each for each in legal if not isinstance(each, PlaceCaballeros) or each.count in {1, most}]
    return [each for each in legal if not isinstance(each, GOING_BACK)] or legal


def judged_as_it_stands(_state: State, _seat: Seat) -> tuple[Action, ...]:
    """Return no actions: every position is evaluated as if drafts and announcements had taken effect."""
    return ()


OUTLINE: Final = Outline(stage, sketch, sketch, judged_as_it_stands, stages_max=STAGES_MAX, has_playoff=True)
