"""What a kind of helper does beside changing numbers: the shapes of its functions and of a table row."""

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
"""May this seat start the helper in this window?"""

Perform = Callable[[State, Seat, Card, Any], tuple[Effect, ...]]
"""What using the helper brings about; the task is the window that stays open, or the offer, which is over."""

React = Callable[[State, Seat, Card, Any], tuple[Effect, ...]]
"""What follows from this effect for the seat the helper lies with? The state is the one after it."""

Choices = Callable[[State, Seat, Card, HelperChoice], tuple[Action, ...]]
"""What the helper lets its owner choose among, once it is in use."""

Chosen = Callable[[State, Seat, Card, HelperChoice, Any], tuple[Effect, ...]]
"""What a choice brings about; the choice is over."""

Income = Callable[[State, Seat, Card], tuple[AnyTask, ...]]
"""What the helper adds to the income of LG-3.2.1."""


Useful = Callable[[State, Seat, Card, Any], bool]
"""Would using the helper bring anything as things stand? The last argument is its offer. Without this it would."""


@dataclass(frozen=True)
class Helper:
    """What one kind of helper does."""

    offers: Offer | None = None
    performs: Perform | None = None
    reacts: Mapping[type, React] = field(default_factory=dict)
    choices: Choices | None = None
    chosen: Chosen | None = None
    income: Income | None = None
    useful: Useful | None = None


def offering(seat: Seat, card: Card, **about: Any) -> tuple[Effect, ...]:
    """The helper is offered (LG-10.5)."""
    return (plan_tasks(seat, HelperOffer(seat, card.number, **about), done=0),)


def asking(_state: State, seat: Seat, card: Card, task: AnyTask) -> tuple[Effect, ...]:
    """The helper asks its owner; it hands on what its offer said."""
    if isinstance(task, HelperOffer):
        return (plan_tasks(seat, HelperChoice(seat, card.number, task.number, task.count), done=0),)
    return (plan_tasks(seat, HelperChoice(seat, card.number), done=0),)


def gain_at_once(seat: Seat, good: str, amount: int) -> tuple[Effect, ...]:
    """Silver or VP at once; whatever needs a marker comes as a task of its own."""
    if PLACE_OF[good]:
        return (plan_tasks(seat, gain(seat, good, amount), done=0),)
    return (GoodGained(seat, good, amount, "", "helper"),)


def gain(seat: Seat, good: str, amount: int) -> Gain:
    """So much of a good comes to its usual place."""
    return Gain(seat, good, amount, PLACE_OF[good], "helper")
