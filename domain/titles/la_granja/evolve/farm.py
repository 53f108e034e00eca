"""Transitions of a farm's goods, silver, VP and roof tiles."""

from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.state import COMMODITY, Farm, Field, Roof, State


def with_farm(state: State, seat: Seat, farm: Farm) -> State:
    """Return the state with the seat's farm replaced."""
    farms = state.farms
    return replace(state, farms=(*farms[:seat], farm, *farms[seat + 1 :]))


def remove_goods(farm: Farm, good: str, amount: int, place: str, number: int = 0) -> Farm:
    """Return the farm without `amount` of a good from a place, its markers back in the supply.

    `number` is the helper's card for place `helper`; 0 takes the first helper with goods.
    """
    if place == "":
        return replace(farm, **{good: getattr(farm, good) - amount})
    markers = farm.markers + amount
    if place in ("field", "helper_field"):
        return replace(farm, fields=_take_crops(farm, good, amount, place), markers=markers)
    if place == "helper":
        card = number or next(helper.card for helper in farm.helpers if helper.goods)
        return replace(_store_goods(farm, card, -amount), markers=markers)
    return replace(farm, **{good: getattr(farm, good) - amount, "markers": markers})


def _take_crops(farm: Farm, crop: str, amount: int, place: str) -> tuple[Field, ...]:
    """Return the fields without `amount` crops of this kind.

    Ordinary fields are emptied before helper fields; `helper_field` reverses this. An emptied helper field may grow
    another crop next.
    """
    helper_numbers = {helper.card for helper in farm.helpers}
    bearing_fields = [field for field in farm.fields if field.full and field.crop == crop]
    chosen = sorted(bearing_fields, key=lambda field: field.card in helper_numbers, reverse=place == "helper_field")[
        :amount
    ]
    return tuple(
        Field(field.card, "" if field.card in helper_numbers else crop) if field in chosen else field
        for field in farm.fields
    )


def _store_goods(farm: Farm, card: int, amount: int) -> Farm:
    """Return the farm with `amount` more goods on a helper card."""
    helpers = tuple(
        replace(helper, goods=helper.goods + amount) if helper.card == card else helper for helper in farm.helpers
    )
    return replace(farm, helpers=helpers)


def good_gained(state: State, effect: e.GoodGained) -> State:
    """Add the goods at their place and take a marker for each; silver and VP need none."""
    farm, good = state.farms[effect.seat], effect.good
    if effect.place == "":
        return with_farm(state, effect.seat, replace(farm, **{good: getattr(farm, good) + effect.amount}))
    markers = farm.markers - effect.amount
    if effect.place == "field":
        fields = tuple(Field(field.card, good, True) if field.card == effect.number else field for field in farm.fields)
        return with_farm(state, effect.seat, replace(farm, fields=fields, markers=markers))
    if effect.place == "helper":
        return with_farm(state, effect.seat, replace(_store_goods(farm, effect.number, effect.amount), markers=markers))
    new_farm = replace(farm, **{good: getattr(farm, good) + effect.amount, "markers": markers})
    return with_farm(state, effect.seat, new_farm)


def good_paid(state: State, effect: e.GoodPaid) -> State:
    """Remove the paid goods from their place."""
    farm = remove_goods(state.farms[effect.seat], effect.good, effect.amount, effect.place)
    return with_farm(state, effect.seat, farm)


def resource_sold(state: State, effect: e.ResourceSold) -> State:
    """Exchange the resources for silver."""
    farm = remove_goods(state.farms[effect.seat], effect.resource, effect.amount, effect.place)
    return with_farm(state, effect.seat, replace(farm, silver=farm.silver + effect.silver))


def pig_unhoused(state: State, effect: e.PigUnhoused) -> State:
    """Add the silver for a pig that has no pen."""
    farm = state.farms[effect.seat]
    return with_farm(state, effect.seat, replace(farm, silver=farm.silver + effect.silver))


def resource_upgraded(state: State, effect: e.ResourceUpgraded) -> State:
    """Replace one resource by its upgraded good and pay the silver; a new marker replaces the old one."""
    farm = remove_goods(state.farms[effect.seat], effect.resource, 1, effect.place)
    changed = {
        effect.good: getattr(farm, effect.good) + 1,
        "markers": farm.markers - 1,
        "silver": farm.silver - effect.silver,
    }
    return with_farm(state, effect.seat, replace(farm, **changed))


def roof_bought(state: State, effect: e.RoofBought) -> State:
    """Pay for the roof tile and move it from the open tiles to the farm."""
    farm = state.farms[effect.seat]
    new_farm = replace(farm, silver=farm.silver - effect.silver, roofs=(*farm.roofs, Roof(effect.tile)))
    roofs = tuple(tile for tile in state.roofs if tile != effect.tile)
    return replace(with_farm(state, effect.seat, new_farm), roofs=roofs)


def roof_used(state: State, effect: e.RoofUsed) -> State:
    """Turn the roof tile face down."""
    return _replace_roof(state, effect.seat, Roof(effect.tile, True))


def roof_turned(state: State, effect: e.RoofTurned) -> State:
    """Turn the roof tile face up."""
    return _replace_roof(state, effect.seat, Roof(effect.tile, False))


def _replace_roof(state: State, seat: Seat, roof: Roof) -> State:
    farm = state.farms[seat]
    roofs = tuple(roof if other.tile == roof.tile else other for other in farm.roofs)
    return with_farm(state, seat, replace(farm, roofs=roofs))


def silver_exchanged(state: State, effect: e.SilverExchanged) -> State:
    """Exchange silver for VP."""
    farm = state.farms[effect.seat]
    changed = replace(farm, silver=farm.silver - effect.silver, vp=farm.vp + effect.vp)
    return with_farm(state, effect.seat, changed)


assert COMMODITY in Farm.__struct_fields__, "goods and commodities are fields of a farm, by their names"
