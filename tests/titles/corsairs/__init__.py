"""Corsairs, a small title for tests: the names that the rules protocol requires."""

from domain.kernel.rules import Codec
from tests.titles.corsairs.model import NAME, Action, Effect, SendShip, ShipsRevealed, State, View
from tests.titles.corsairs.rules import (
    data_digest,
    decide,
    evolve,
    imagine,
    legal_actions,
    options,
    phase,
    ranking,
    scores,
    seats_to_act,
    start,
    view,
)
from tests.titles.corsairs.words import describe, narrate, why_not

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

TITLE = NAME
RULES_VERSION = 0
CODEC = Codec(Action, Effect, View, State, frozenset({SendShip}), frozenset({ShipsRevealed}))

open_scores = scores
