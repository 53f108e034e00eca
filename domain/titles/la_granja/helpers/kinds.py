"""Function types and the record that define a kind of helper, and their shared effects."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action
from domain.titles.la_granja.agenda import AnyTask, Gain, HelperChoice, HelperOffer
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.effects import Effect, GoodGained, plan_tasks
from domain.titles.la_granja.holdings import PLACE_OF
from domain.titles.la_granja.state import State

Offer = Callable[[State, Seat, Card, AnyTask], bool]
"""Predicate: the seat can start the helper in this window."""

Perform = Callable[[State, Seat, Card, Any], tuple[Effect, ...]]
"""Effects of using the helper; the last argument is the window, which stays open, or the offer, which has ended."""

React = Callable[[State, Seat, Card, Any], tuple[Effect, ...]]
"""Reaction of the helper's owner to an effect; the state is the one after the effect."""

Choices = Callable[[State, Seat, Card, HelperChoice], tuple[Action, ...]]
"""Choices of the owner while the helper is in use."""

Chosen = Callable[[State, Seat, Card, HelperChoice, Any], tuple[Effect, ...]]
"""Effects of a choice, which has ended."""

Income = Callable[[State, Seat, Card], tuple[AnyTask, ...]]
"""Tasks that the helper adds to the income of LG-3.2.1."""


Useful = Callable[[State, Seat, Card, Any], bool]
"""Predicate: using the helper would have an effect in this state; the last argument is its offer."""


@dataclass(frozen=True)
class Helper:
    """Rules of a kind of helper; a helper without `useful` is always worth offering."""

    offers: Offer | None = None
    performs: Perform | None = None
    reacts: Mapping[type, React] = field(default_factory=dict)
    choices: Choices | None = None
    chosen: Chosen | None = None
    income: Income | None = None
    useful: Useful | None = None


def offer_helper(seat: Seat, card: Card, **fields: Any) -> tuple[Effect, ...]:
    """Return the effect that offers the helper (LG-10.5)."""
    return (plan_tasks(seat, HelperOffer(seat, card.number, **fields), done=0),)


def start_choice(_state: State, seat: Seat, card: Card, task: AnyTask) -> tuple[Effect, ...]:
    """Return the effect that starts the helper's choice, with number and count of its offer if it was offered."""
    if isinstance(task, HelperOffer):
        return (plan_tasks(seat, HelperChoice(seat, card.number, task.number, task.count), done=0),)
    return (plan_tasks(seat, HelperChoice(seat, card.number), done=0),)


def gain_at_once(seat: Seat, good: str, amount: int) -> tuple[Effect, ...]:
    """Gain silver or VP at once; add a `Gain` task for any good that needs a marker."""
    if PLACE_OF[good]:
        return (plan_tasks(seat, gain(seat, good, amount), done=0),)
    return (GoodGained(seat, good, amount, "", "helper"),)


def gain(seat: Seat, good: str, amount: int) -> Gain:
    """Return the task that gains `amount` of a good at its usual place."""
    return Gain(seat, good, amount, PLACE_OF[good], "helper")
