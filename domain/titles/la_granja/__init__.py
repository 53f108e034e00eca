"""La Granja as the rules protocol requires it, and the types that are sent over the wire."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.rules import Codec, Options, UnknownOption
from domain.titles.la_granja import decide as _decide
from domain.titles.la_granja.actions import Action, ChooseDonkey
from domain.titles.la_granja.boxes import COMPONENT_REGISTRY, DECK_REGISTRY, box_name, digest_of_box
from domain.titles.la_granja.components import DEFAULT_EDITION, EDITIONS
from domain.titles.la_granja.decide import decide, legal_actions
from domain.titles.la_granja.editions import EDITION_RULES, EXTRA_DELIVERIES, ONE_BY_ONE
from domain.titles.la_granja.effects import DonkeysRevealed, Effect
from domain.titles.la_granja.evolve import evolve
from domain.titles.la_granja.imagine import imagine
from domain.titles.la_granja.refusals import why_not
from domain.titles.la_granja.scoring import open_scores, ranking, scores
from domain.titles.la_granja.state import PHASE_OF, State
from domain.titles.la_granja.turns import seats_to_act
from domain.titles.la_granja.view import View, view
from domain.titles.la_granja.words import describe
from domain.titles.la_granja.words_effects import narrate

__all__ = [
    "CODEC",
    "RULES_VERSION",
    "TITLE",
    "Action",
    "Effect",
    "State",
    "View",
    "choices",
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

TITLE: Final = "la_granja"
RULES_VERSION: Final = 1
CODEC: Final = Codec(Action, Effect, View, State, frozenset({ChooseDonkey}), frozenset({DonkeysRevealed}))

EDITION_CHOICES: Final = (DEFAULT_EDITION, *(edition for edition in EDITIONS if edition != DEFAULT_EDITION))


def choices() -> Mapping[str, tuple[str, ...]]:
    """Return the values of each option, default first; decks and component files include those loaded at run time."""
    return {
        "components": COMPONENT_REGISTRY.names,
        "deck": DECK_REGISTRY.names,
        "edition": EDITION_CHOICES,
        "extra_deliveries": EXTRA_DELIVERIES,
    }


def options(chosen: Mapping[str, str]) -> Options:
    """Return the chosen options completed with defaults, and the limits of seats.

    Raise `UnknownOption` for an unknown option or a value that the edition does not allow, `MissingComponents` for a
    deck or components that are not loaded. `extra_deliveries` is left out when it has its default, because logs written
    before the option existed lack it.
    """
    values = choices()
    for name in chosen:
        if name not in values:
            raise UnknownOption(f"la_granja has no option {name!r}; it has {', '.join(values)}")
    filled = {name: chosen.get(name, known[0]) for name, known in values.items()}
    DECK_REGISTRY.get(filled["deck"])
    components, _ = COMPONENT_REGISTRY.get(filled["components"]).value
    if filled["edition"] not in EDITION_CHOICES:
        allowed = ", ".join(EDITION_CHOICES)
        raise UnknownOption(f"option 'edition' of la_granja cannot be {filled['edition']!r}; it can be {allowed}")
    methods, method = EDITION_RULES[filled["edition"]].extra_deliveries, filled["extra_deliveries"]
    if method not in methods:
        raise UnknownOption(
            f"option 'extra_deliveries' of la_granja cannot be {method!r} in the edition {filled['edition']!r}; "
            f"it can be {', '.join(methods)}"
        )
    if method == ONE_BY_ONE:
        del filled["extra_deliveries"]
    seats_min, seats_max = components.editions[filled["edition"]].players
    return Options(filled, seats_min, seats_max)


def data_digest(options: Options) -> str:
    """Return the digest of the cards and components that these options select."""
    return digest_of_box(options.chosen["deck"], options.chosen["components"])


def start(options: Options, seats: int, chance: Chance) -> tuple[Effect, ...]:
    """Return the effects of setup (LG-1) up to the first decision."""
    assert options.seats_min <= seats <= options.seats_max, f"{seats} seats are not within the options"
    box = box_name(options.chosen["deck"], options.chosen["components"])
    extra_deliveries = options.chosen.get("extra_deliveries", ONE_BY_ONE)
    return _decide.start(options.chosen["edition"], box, extra_deliveries, seats, chance)


def phase(state: State) -> str:
    """Return round, phase and step, such as `3/II/first_dice`."""
    return f"{state.round}/{PHASE_OF[state.step]}/{state.step}"
