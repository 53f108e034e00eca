"""Phase I: cards, growth and newborn pig, roof tiles (LG-3)."""

from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, BreedPig, BuyRoof, GrowCrops, Pass, PlayCard
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import (
    AnyTask,
    Birth,
    CardStep,
    Gain,
    GoodChoice,
    Growth,
    GrowthEnd,
    GrowthStep,
    HandCheck,
    RoofStep,
)
from domain.titles.la_granja.effects import Effect, MomentReached, plan_tasks
from domain.titles.la_granja.holdings import has_free_pen
from domain.titles.la_granja.phases import roofs
from domain.titles.la_granja.phases.gains import gain
from domain.titles.la_granja.phases.playing import play_card, playable_cards
from domain.titles.la_granja.state import CROPS, State

PIGS_TO_BREED: Final = 2


def legal_cards(state: State, task: CardStep) -> tuple[Action, ...]:
    """Return `Pass` and the cards that can be played; playing is optional (LG-3.1.1, LG-13.1)."""
    return (Pass(), *(playable_cards(state, task.seat) if task.plays else ()))


def perform_cards(state: State, task: CardStep, action: Pass | PlayCard) -> tuple[Effect, ...]:
    """Play a card and stay in the step, or end it with the hand check."""
    if isinstance(action, Pass):
        return (plan_tasks(task.seat, HandCheck(task.seat)),)
    return play_card(state, task.seat, action, replace(task, plays=task.plays - 1))


def legal_growth(state: State, task: GrowthStep) -> tuple[Action, ...]:
    """Return `Pass` and, in any order, growth and breeding unless done or without effect (LG-3.3.3)."""
    actions: list[Action] = [Pass()]
    if not task.grown and any(not field.full for field in state.farms[task.seat].fields):
        actions.append(GrowCrops())
    if not task.bred and _can_breed(state, task.seat):
        actions.append(BreedPig())
    return tuple(actions)


def perform_growth(_: State, task: GrowthStep, action: Pass | GrowCrops | BreedPig) -> tuple[Effect, ...]:
    """Grow or breed; `Pass` does both, growth first, if they are left."""
    seat = task.seat
    if isinstance(action, GrowCrops):
        return (plan_tasks(seat, Growth(seat), replace(task, grown=True)),)
    if isinstance(action, BreedPig):
        return (plan_tasks(seat, Birth(seat), replace(task, bred=True)),)
    growth = () if task.grown else (Growth(seat),)
    birth = () if task.bred else (Birth(seat),)
    return (plan_tasks(seat, *growth, *birth),)


def _can_breed(state: State, seat: Seat) -> bool:
    """Return whether the farm has enough pigs and a free pen (LG-3.3.2)."""
    pigs_min = adjust(state, seat, Number.PIGS_TO_BREED, PIGS_TO_BREED)
    return state.farms[seat].pig >= pigs_min and has_free_pen(state, seat)


def run_growth(state: State, task: Growth) -> tuple[Effect, ...]:
    """Grow 1 crop on each empty field (LG-3.3.1); on a helper's field the owner chooses the crop."""
    seat = task.seat
    tasks: list[AnyTask] = [
        Gain(seat, field.crop, 1, "field", "growth", field.card)
        if field.crop
        else GoodChoice(seat, CROPS, 1, "growth", field.card)
        for field in state.farms[seat].fields
        if not field.full
    ]
    return (plan_tasks(seat, *tasks, GrowthEnd(seat)),)


def run_growth_end(_: State, task: GrowthEnd) -> tuple[Effect, ...]:
    """Trigger the helpers that follow growth."""
    return plan_tasks(task.seat), MomentReached(task.seat, "grown")


def run_birth(state: State, task: Birth) -> tuple[Effect, ...]:
    """Add 1 pig if there is a free pen; otherwise none is born or sold (LG-13.5)."""
    gains = (gain(task.seat, "pig", 1, "birth"),) if _can_breed(state, task.seat) else ()
    return (plan_tasks(task.seat, *gains),)


def legal_roof(state: State, task: RoofStep) -> tuple[Action, ...]:
    """Return `Pass` and, unless a tile was bought, the affordable tiles (LG-3.4.1)."""
    return (Pass(), *(() if task.bought else roofs.affordable_roofs(state, task.seat)))


def perform_roof(state: State, task: RoofStep, action: Pass | BuyRoof) -> tuple[Effect, ...]:
    """Buy the roof tile and stay in the step, or end it."""
    if isinstance(action, Pass):
        return (plan_tasks(task.seat),)
    return roofs.buy_roof(state, task.seat, action, replace(task, bought=True))
