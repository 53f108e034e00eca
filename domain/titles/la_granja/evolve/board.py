"""Transitions of craft buildings, barrows and market stalls."""

from domain.kernel.bounds import check_bounds
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles.la_granja import effects as e
from domain.titles.la_granja.evolve.cards import SYMBOLS_MAX, remove_barrow
from domain.titles.la_granja.evolve.farm import remove_goods, with_farm
from domain.titles.la_granja.state import NEUTRAL, NOBODY, Barrow, Building, CraftMarker, Farm, Row, State


def _with_building(state: State, building: Building) -> State:
    buildings, index = state.buildings, building.number - 1
    return replace(state, buildings=(*buildings[:index], building, *buildings[index + 1 :]))


def _with_markers(state: State, seat: Seat, change: int) -> State:
    """Return the state with the seat's supply of markers changed; the neutral player has none."""
    if seat == NEUTRAL:
        return state
    farm = state.farms[seat]
    return with_farm(state, seat, replace(farm, markers=farm.markers + change))


def _with_flag(filled: tuple[bool, ...], symbol: int, flag: bool) -> tuple[bool, ...]:
    return (*filled[:symbol], flag, *filled[symbol + 1 :])


def building_blocked(state: State, effect: e.BuildingBlocked) -> State:
    """Put the order tile on the building."""
    building = state.buildings[effect.building - 1]
    return _with_building(state, replace(building, order_tile=effect.tile))


def building_opened(state: State, effect: e.BuildingOpened) -> State:
    """Remove the order tile from the building."""
    return _with_building(state, replace(state.buildings[effect.building - 1], order_tile=0))


def delivered(state: State, effect: e.Delivered) -> State:
    """Move the good to the symbol; a good keeps its marker, silver or VP take one from the supply."""
    farm = remove_goods(state.farms[effect.seat], effect.good, 1, effect.place)
    farm = replace(farm, markers=farm.markers - 1)
    if effect.building:
        changed = with_farm(state, effect.seat, farm)
        return _with_row_symbol(changed, effect.seat, effect.building, effect.symbol, True, effect.symbols)
    return with_farm(state, effect.seat, _with_barrow_symbol(farm, effect.card, effect.symbol, True))


def _with_barrow_symbol(farm: Farm, card: int, symbol: int, flag: bool) -> Farm:
    """Return the farm with a symbol of a barrow filled or (`flag` is False) empty."""
    barrows = tuple(
        Barrow(card, _with_flag(barrow.filled, symbol, flag)) if barrow.card == card else barrow
        for barrow in farm.barrows
    )
    return replace(farm, barrows=barrows)


def _with_row_symbol(state: State, seat: Seat, number: int, symbol: int, flag: bool, symbols: int = 0) -> State:
    """Return the state with a symbol of the seat's row filled or (`flag` is False) empty.

    A row that the seat has not begun starts with `symbols` empty ones.
    """
    building = state.buildings[number - 1]
    rows = building.rows
    if all(row.seat != seat for row in rows):
        rows = (*rows, Row(seat, (False,) * check_bounds("the symbols of a row", symbols, SYMBOLS_MAX)))
    changed = tuple(Row(seat, _with_flag(row.filled, symbol, flag)) if row.seat == seat else row for row in rows)
    return _with_building(state, replace(building, rows=changed))


def building_completed(state: State, effect: e.BuildingCompleted) -> State:
    """Empty the seat's row; one of its markers stays as the mark of completion, the others return to the supply."""
    building, seat = state.buildings[effect.building - 1], effect.seat
    (full_row,) = (row for row in building.rows if row.seat == seat)
    emptied = Row(seat, (False,) * len(full_row.filled))
    changed = replace(
        building,
        rows=tuple(emptied if row is full_row else row for row in building.rows),
        completed=(*building.completed, seat),
        marks=(*building.marks, seat),
    )
    return _with_markers(_with_building(state, changed), seat, sum(full_row.filled) - 1)


def craft_marker_gained(state: State, effect: e.CraftMarkerGained) -> State:
    """Add the craft marker to the farm, instant side up."""
    farm = state.farms[effect.seat]
    new_farm = replace(farm, crafts=(*farm.crafts, CraftMarker(effect.building)))
    return with_farm(state, effect.seat, new_farm)


def craft_markers_flipped(state: State, _: e.CraftMarkersFlipped) -> State:
    """Turn the craft markers of all farms to their lasting side."""
    farms = tuple(
        replace(farm, crafts=tuple(CraftMarker(craft.building, True) for craft in farm.crafts)) for farm in state.farms
    )
    return replace(state, farms=farms)


def barrow_completed(state: State, effect: e.BarrowCompleted) -> State:
    """Discard the barrow's card and return its markers."""
    farm = remove_barrow(state.farms[effect.seat], effect.card)
    return replace(with_farm(state, effect.seat, farm), discard=(*state.discard, effect.card))


def stall_placed(state: State, effect: e.StallPlaced) -> State:
    """Put a marker of the seat on the market space."""
    return _with_markers(_with_stall(state, effect.cell, effect.seat), effect.seat, -1)


def stall_removed(state: State, effect: e.StallRemoved) -> State:
    """Remove the owner's marker from the market space."""
    return _with_markers(_with_stall(state, effect.cell, NOBODY), effect.owner, 1)


def stall_moved(state: State, effect: e.StallMoved) -> State:
    """Move the seat's marker to another market space."""
    return _with_stall(_with_stall(state, effect.cell, NOBODY), effect.to, effect.seat)


def _with_stall(state: State, cell: int, owner: Seat) -> State:
    stalls = state.stalls
    return replace(state, stalls=(*stalls[:cell], owner, *stalls[cell + 1 :]))


def marker_taken_back(state: State, effect: e.MarkerTakenBack) -> State:
    """Return the marker to the seat's supply and drop the good that it marked.

    A mark or stall is removed; a completed building stays completed.
    """
    seat = effect.seat
    match effect.place:
        case "barrow":
            farm = _with_barrow_symbol(state.farms[seat], effect.number, effect.symbol, False)
            return _with_markers(with_farm(state, seat, farm), seat, 1)
        case "row":
            return _with_markers(_with_row_symbol(state, seat, effect.number, effect.symbol, False), seat, 1)
        case "mark":
            building = state.buildings[effect.number - 1]
            marks = tuple(other for other in building.marks if other != seat)
            return _with_markers(_with_building(state, replace(building, marks=marks)), seat, 1)
        case "market":
            return _with_markers(_with_stall(state, effect.number, NOBODY), seat, 1)
        case _:
            return with_farm(state, seat, remove_goods(state.farms[seat], effect.good, 1, effect.place, effect.number))
