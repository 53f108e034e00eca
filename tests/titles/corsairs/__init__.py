"""Corsairs, a small title of the tests: the names the protocol of the rules asks for."""

from domain.kernel.rules import Codec
from tests.titles.corsairs.actions import NAME, Action, SendShip
from tests.titles.corsairs.decide import (
    data_digest,
    decide,
    legal_actions,
    options,
    phase,
    ranking,
    scores,
    seats_to_act,
    start,
)
from tests.titles.corsairs.effects import Effect, ShipsRevealed
from tests.titles.corsairs.evolve import evolve
from tests.titles.corsairs.state import State, View
from tests.titles.corsairs.view import imagine, view
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
