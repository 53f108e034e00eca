"""The table of special actions by kind (EG-12, EG-18, EG-19)."""

from collections.abc import Mapping
from typing import Any, Final

from domain.titles.el_grande.action_cards import moves, pieces, returns, scorings
from domain.titles.el_grande.action_cards.kinds import Special
from domain.titles.el_grande.actions import Action
from domain.titles.el_grande.cards import ChooseOne
from domain.titles.el_grande.effects import Effect
from domain.titles.el_grande.state import Announcement, State


def either(state: State, seat: int, params: ChooseOne) -> tuple[Action, ...]:
    """Return the offers of both alternatives; the first choice decides between them (EG-19.5)."""
    return tuple(
        action for option in params.options for action in SPECIALS[option.kind].offers(state, seat, option.params)
    )


def neither(_state: State, _seat: int, _params: ChooseOne, _announced: Announcement) -> tuple[Effect, ...]:
    """Return no effects: neither alternative can change anything (EG-12.20). A chosen one runs under its own kind."""
    return ()


SPECIALS: Final[Mapping[str, Special]] = {
    "move_caballeros": moves.MOVE_CABALLEROS,
    "move_all_from_region": moves.MOVE_ALL_FROM_REGION,
    "place_from_court": moves.PLACE_FROM_COURT,
    "muster": moves.MUSTER,
    "opponents_return": returns.OPPONENTS_RETURN,
    "return_one_each": returns.RETURN_ONE_EACH,
    "secret_return": returns.SECRET_RETURN,
    "coup": returns.COUP,
    "secret_unique_scoring": returns.SECRET_UNIQUE_SCORING,
    "score_chosen_region": scorings.SCORE_CHOSEN_REGION,
    "score_by_value": scorings.SCORE_BY_VALUE,
    "score_castillo": scorings.SCORE_CASTILLO,
    "score_all_first_only": scorings.SCORE_ALL_FIRST_ONLY,
    "score_extreme": scorings.SCORE_EXTREME,
    "place_scoreboard": pieces.PLACE_SCOREBOARD,
    "recover_power_card": pieces.RECOVER_POWER_CARD,
    "move_grande": pieces.MOVE_GRANDE,
    "move_king": pieces.MOVE_KING_KIND,
    "king_to_castillo": pieces.KING_TO_CASTILLO,
    "grande_to_castillo": pieces.GRANDE_TO_CASTILLO,
    "swap_king_grande": pieces.SWAP_KING_GRANDE,
    "place_in_king_region": pieces.PLACE_IN_KING_REGION,
    "veto": pieces.VETO,
    "choose_one": Special(either, neither),
}


def chosen_option(state: State, params: ChooseOne) -> tuple[str, Any]:
    """Return (kind, params) of the alternative that the draft started.

    A line from the Court means the alternative that places from it (EG-19.5).
    """
    from_court = state.picked is None and state.draft[0].source == "court"
    option = next(each for each in params.options if (each.kind == "place_from_court") == from_court)
    return option.kind, option.params
