"""Any-time actions of an open window (LG-2)."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja.actions import (
    Action,
    BuyResource,
    SellResource,
    SpendCommodity,
    UpgradeResource,
    UseHelper,
    UseRoof,
)
from domain.titles.la_granja.adjustments import Number, adjust, adjust_each
from domain.titles.la_granja.agenda import AnyTask, AnyWindow, CardChoice, GoodChoice, UpgradeChoice
from domain.titles.la_granja.effects import Effect, GoodPaid, ResourceSold, plan_tasks
from domain.titles.la_granja.helpers import offered_helpers, use_helper
from domain.titles.la_granja.holdings import (
    PLACE_OF,
    can_draw,
    crops_on_fields,
    has_free_pen,
    has_upgradeable,
    resources_in,
    selling_price,
)
from domain.titles.la_granja.phases import roofs
from domain.titles.la_granja.phases.gains import gain
from domain.titles.la_granja.phases.upgrades import upgrade
from domain.titles.la_granja.state import COMMODITY, CROPS, RESOURCES, State
from domain.titles.la_granja.tables import box_of
from domain.titles.la_granja.turns import is_alone

PURCHASES_MAX: Final = 12
"""Purchases allowed in one window (LG-2.4); with helpers 30 and 31 they could continue without end."""

SALES: Final = {resource: SellResource(resource, PLACE_OF[resource]) for resource in RESOURCES}
PURCHASES: Final = {resource: BuyResource(resource) for resource in RESOURCES}
ANY_TIME: Final = frozenset((SpendCommodity, BuyResource, SellResource, UpgradeResource, UseRoof, UseHelper))


def actions(state: State, task: AnyWindow) -> Iterator[Action]:
    """Yield the any-time actions that would have an effect.

    Lazy, because finding out whether a window can close automatically needs only the first one.
    """
    seat = task.seat
    if state.farms[seat].trade_commodity:
        for option in box_of(state).commodity.options:
            if _can_spend(state, seat, option):
                yield SpendCommodity(option)
    yield from _sales(state, seat)
    if task.purchases < PURCHASES_MAX:
        yield from _purchases(state, seat)
    yield from _upgrades(state, seat)
    yield from roofs.usable_roofs(state, task)
    yield from offered_helpers(state, seat, task)


def _can_spend(state: State, seat: Seat, option: str) -> bool:
    """Return whether the option of a trade commodity has an effect.

    A pig needs a free pen (LG-13.4), and no card can be drawn in step III.1 (LG-2.1.1).
    """
    farm = state.farms[seat]
    match option:
        case "play_or_draw_card":
            return bool(farm.hand) or (is_alone(state) and can_draw(state))
        case "pig_1":
            return has_free_pen(state, seat)
        case "upgrade_2":
            return has_upgradeable(farm)
        case _:
            return True


def _sales(state: State, seat: Seat) -> Sequence[Action]:
    """Return sales from stores and pens (LG-2.5); from fields only with the Field Hand."""
    farm = state.farms[seat]
    sales: list[Action] = [sale for resource, sale in SALES.items() if getattr(farm, resource)]
    if adjust(state, seat, Number.FIELD_SALES, 0):
        sales += [SellResource(crop, place) for crop, place in crops_on_fields(farm)]
    return sales


def _purchases(state: State, seat: Seat) -> Sequence[Action]:
    """Return the affordable purchases; a pig needs a free pen (LG-2.4)."""
    silver, prices = state.farms[seat].silver, adjust_each(state, seat, Number.BUYING_PRICE, box_of(state).buying)
    return [
        purchase
        for resource, purchase in PURCHASES.items()
        if prices[resource] <= silver and (resource != "pig" or has_free_pen(state, seat))
    ]


def _upgrades(state: State, seat: Seat) -> Sequence[Action]:
    """Return the affordable upgrades from fields, stores and pens (LG-2.6)."""
    farm = state.farms[seat]
    resources = resources_in(farm)
    if not resources:
        return ()
    silver, prices = farm.silver, adjust_each(state, seat, Number.UPGRADE_PRICE, box_of(state).upgrading)
    return [UpgradeResource(resource, place) for resource, place in resources if prices[resource] <= silver]


def upgrade_price(state: State, seat: Seat, resource: str) -> int:
    """Return the upgrade price of LG-2.8 less the discounts of helpers."""
    return adjust(state, seat, Number.UPGRADE_PRICE, box_of(state).upgrading[resource], resource)


def buying_price(state: State, seat: Seat, resource: str) -> int:
    """Return the buying price of LG-2.8 less the discounts of helpers."""
    return adjust(state, seat, Number.BUYING_PRICE, box_of(state).buying[resource], resource)


def perform(state: State, task: AnyWindow, action: Action) -> tuple[Effect, ...]:
    """Return the effects of an any-time action; the window stays open below its tasks (LG-2.1)."""
    seat = task.seat
    match action:
        case SpendCommodity(option=option):
            payment = GoodPaid(seat, COMMODITY, 1, PLACE_OF[COMMODITY], "spent")
            return plan_tasks(seat, *_option_tasks(state, seat, option), done=0), payment
        case BuyResource(resource=resource):
            counted_task = replace(task, purchases=task.purchases + 1)
            price = GoodPaid(seat, "silver", buying_price(state, seat, resource), "", "buying")
            return plan_tasks(seat, gain(seat, resource, 1, "buying"), counted_task), price
        case SellResource(resource=resource, place=place):
            return (ResourceSold(seat, resource, place, 1, selling_price(state, seat, resource)),)
        case UpgradeResource():
            return (upgrade(state, seat, action, upgrade_price(state, seat, action.resource)),)
        case UseRoof(tile=tile):
            return roofs.use_roof(state, seat, tile)
        case UseHelper(card=card):
            return use_helper(state, seat, card, task)
        case _:
            raise AssertionError(f"{action!r} is not an any-time action")


def _option_tasks(state: State, seat: Seat, option: str) -> tuple[AnyTask, ...]:
    """Return the tasks of a trade commodity's option (LG-2.3)."""
    match option:
        case "silver_4":
            return (gain(seat, "silver", box_of(state).commodity.silver, "commodity"),)
        case "two_different_crops":
            return (GoodChoice(seat, CROPS, 2, "commodity"),)
        case "play_or_draw_card":
            return (CardChoice(seat, may_draw=is_alone(state)),)
        case "pig_1":
            return (gain(seat, "pig", 1, "commodity"),)
        case "upgrade_2":
            return (UpgradeChoice(seat, 2),)
        case _:
            raise AssertionError(f"a trade commodity has no option {option}")
