"""The helper cards: what each changes, and how the rules ask them. A card not in the table has no effect yet."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.rules import Seat
from domain.la_granja.actions import Action, UseHelper
from domain.la_granja.agenda import AnyTask
from domain.la_granja.effects import Effect
from domain.la_granja.helpers.cards import FARM_WORKER
from domain.la_granja.helpers.deliveries import BARTER_TRADER
from domain.la_granja.helpers.kinds import Adjust, Helper, Number, React
from domain.la_granja.helpers.market import NEGOTIATOR
from domain.la_granja.helpers.revenue import MERCHANT, PORTER, VILLAGE_ELDER
from domain.la_granja.helpers.trade import CHEF, FIELD_HAND
from domain.la_granja.state import State

HELPERS: Final[Mapping[int, Helper]] = {
    1: CHEF,
    2: NEGOTIATOR,
    3: PORTER,
    4: FARM_WORKER,
    5: VILLAGE_ELDER,
    6: MERCHANT,
    35: FIELD_HAND,
    63: BARTER_TRADER,
}

REACTIONS: Final[Mapping[type, tuple[React, ...]]] = {
    kind: tuple(helper.reacts[kind] for helper in HELPERS.values() if kind in helper.reacts)
    for kind in sorted({kind for helper in HELPERS.values() for kind in helper.reacts}, key=lambda kind: kind.__name__)
}
"""Per type of effect the helpers that answer it."""

ADJUSTMENTS: Final[Mapping[Number, Mapping[int, Adjust]]] = {
    number: {card: helper.adjusts[number] for card, helper in HELPERS.items() if number in helper.adjusts}
    for number in Number
}
"""Per number the helpers that change it."""


def helper_has_effect(number: int) -> bool:
    """Whether the helper on this card does something yet; the others only occupy their slot."""
    return number in HELPERS


def adjusted(state: State, seat: Seat, number: Number, base: int) -> int:
    """A number of the rules as this seat's helpers make it; several add up (LG-10.7)."""
    helpers = state.farms[seat].helpers
    if not helpers:
        return base
    adjusts = ADJUSTMENTS[number]
    for helper in helpers:
        if helper.card in adjusts:
            base = adjusts[helper.card](state, seat, base)
    return base


def offered(state: State, seat: Seat, task: AnyTask) -> tuple[Action, ...]:
    """The helpers the seat may start in this window."""
    actions = list[Action]()
    for lying in state.farms[seat].helpers:
        helper = HELPERS.get(lying.card)
        if helper is not None and helper.offers and not lying.exhausted and helper.offers(state, seat, task):
            actions.append(UseHelper(lying.card))
    return tuple(actions)


def used(state: State, seat: Seat, card: int, task: AnyTask) -> tuple[Effect, ...]:
    """What using the helper brings about."""
    performs = HELPERS[card].performs
    assert performs is not None, f"helper {card} is not one that is used"
    return performs(state, seat, task)


def reactions(state: State, effect: Effect) -> tuple[Effect, ...]:
    """What helpers add to an effect."""
    answers = REACTIONS.get(type(effect))
    if answers is None:
        return ()
    return tuple(answer for react in answers for answer in react(state, effect))
