"""The rules of El Grande: the names that the rules protocol requires, and the types encoded on the wire."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Codec
from domain.titles.el_grande.actions import SECRET_ACTIONS, Action
from domain.titles.el_grande.decide import decide, legal_actions, seats_to_act, start
from domain.titles.el_grande.effects import Effect, SecretsRevealed
from domain.titles.el_grande.evolve import evolve
from domain.titles.el_grande.imagine import imagine
from domain.titles.el_grande.options import data_digest, options
from domain.titles.el_grande.refusals import why_not
from domain.titles.el_grande.scoring import open_scores, ranking, scores
from domain.titles.el_grande.state import State, Step, round_number
from domain.titles.el_grande.view import View, view
from domain.titles.el_grande.words import describe
from domain.titles.el_grande.words_effects import narrate

__all__ = [
    "CODEC",
    "RULES_VERSION",
    "TITLE",
    "Action",
    "Effect",
    "State",
    "View",
    "data_digest",
    "decide",
    "describe",
    "evolve",
    "imagine",
    "legal_actions",
    "narrate",
    "open_scores",
    "options",
    "phase",
    "ranking",
    "scores",
    "seats_to_act",
    "start",
    "view",
    "why_not",
]

TITLE: Final = "el_grande"
RULES_VERSION: Final = 1
CODEC: Final = Codec(Action, Effect, View, State, SECRET_ACTIONS, frozenset({SecretsRevealed}))

PHASE_OF: Final[Mapping[Step, str]] = {
    "pass_grey": "setup",
    "power": "power",
    "discs": "scoring",
    "over": "over",
}


def phase(state: State) -> str:
    """Return round, phase and step, such as `3/turns/take`; the round is 0 before the first round begins."""
    number = round_number(state) if state.round_index >= 0 else 0
    return f"{number}/{PHASE_OF.get(state.step, 'turns')}/{state.step}"
