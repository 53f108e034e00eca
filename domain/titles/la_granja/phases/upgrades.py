"""Upgrades of resources: paid in a window, free of charge from dice, commodities and roof tiles (LG-2.6)."""

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import Action, Pass, UpgradeResource
from domain.titles.la_granja.agenda import UpgradeChoice
from domain.titles.la_granja.effects import Effect, ResourceUpgraded, plan_tasks
from domain.titles.la_granja.holdings import resources_in
from domain.titles.la_granja.state import State
from domain.titles.la_granja.tables import box_of


def upgrade(state: State, seat: Seat, action: UpgradeResource, price: int) -> Effect:
    """Return the effect that upgrades the resource at its place for `price` silver."""
    return ResourceUpgraded(seat, action.resource, action.place, box_of(state).upgrades_to[action.resource], price)


def legal_choice(state: State, task: UpgradeChoice) -> tuple[Action, ...]:
    """Return the possible upgrades and `Pass` (LG-13.17, LG-13.29).

    Upgrades that a helper grants are limited to its resources and cannot be passed.
    """
    upgradable = resources_in(state.farms[task.seat])
    if task.resources:
        return tuple(UpgradeResource(resource, place) for resource, place in upgradable if resource in task.resources)
    return (Pass(), *(UpgradeResource(resource, place) for resource, place in upgradable))


def perform_choice(state: State, task: UpgradeChoice, action: Pass | UpgradeResource) -> tuple[Effect, ...]:
    """Upgrade one resource free of charge and continue with the rest, or end."""
    seat = task.seat
    if isinstance(action, Pass):
        return (plan_tasks(seat),)
    remaining = (replace(task, left=task.left - 1),) if task.left > 1 else ()
    return plan_tasks(seat, *remaining), upgrade(state, seat, action, 0)
