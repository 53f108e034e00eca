"""La Granja: exactly the names the rules protocol asks for, and the types of its wire."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Codec, Options, UnknownOption
from domain.la_granja import decide as _decide
from domain.la_granja.actions import Action, ChooseDonkey
from domain.la_granja.cards import DATA_DIGEST
from domain.la_granja.components import DEFAULT_EDITION, EDITIONS
from domain.la_granja.decide import decide, legal_actions
from domain.la_granja.effects import Effect
from domain.la_granja.evolve import evolve
from domain.la_granja.helpers import helper_has_effect
from domain.la_granja.imagine import imagine
from domain.la_granja.scoring import open_scores, ranking, scores
from domain.la_granja.state import PHASE_OF, State
from domain.la_granja.tables import DEFAULT_DECK
from domain.la_granja.turns import seats_to_act
from domain.la_granja.view import View, view
from domain.la_granja.words import describe
from domain.la_granja.words_effects import narrate

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
    "helper_has_effect",
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
]

TITLE: Final = "la_granja"
RULES_VERSION: Final = 0
CODEC: Final = Codec(Action, Effect, View, State, frozenset({ChooseDonkey}))

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "deck": (DEFAULT_DECK,),
    "edition": (DEFAULT_EDITION, *(edition for edition in EDITIONS if edition != DEFAULT_EDITION)),
}
"""What a table can choose, the default first."""


def options(chosen: Mapping[str, str]) -> Options:
    """The options with defaults filled in; an unknown one is refused by name."""
    for name, value in chosen.items():
        if name not in CHOICES:
            raise UnknownOption(f"la_granja has no option {name!r}; it has {', '.join(CHOICES)}")
        if value not in CHOICES[name]:
            allowed = ", ".join(CHOICES[name])
            raise UnknownOption(f"option {name!r} of la_granja cannot be {value!r}; it can be {allowed}")
    filled = {name: chosen.get(name, values[0]) for name, values in CHOICES.items()}
    seats_min, seats_max = EDITIONS[filled["edition"]].players
    return Options(filled, seats_min, seats_max)


def data_digest(_options: Options) -> str:
    """The digest of the component data; it holds every edition, and there is one deck so far."""
    return DATA_DIGEST


def start(options: Options, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Setup (LG-1), and on to the first decision."""
    assert options.seats_min <= seats <= options.seats_max, f"{seats} seats are not within the options"
    return _decide.start(options.chosen["edition"], options.chosen["deck"], seats, chance)


def phase(state: State) -> str:
    """Round, phase and step, such as `3/II/first_dice`."""
    return f"{state.round}/{PHASE_OF[state.step]}/{state.step}"
