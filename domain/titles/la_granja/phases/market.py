"""The market: place stalls, and replace or remove opponents' stalls (LG-6.4)."""

from domain.kernel.rules import Seat
from domain.titles.la_granja.actions import Action, PlaceStall
from domain.titles.la_granja.adjustments import Number, adjust
from domain.titles.la_granja.agenda import Gain, StallChoice
from domain.titles.la_granja.editions import edition_of
from domain.titles.la_granja.effects import Effect, GoodGained, StallRemoved, StallSettled, plan_tasks
from domain.titles.la_granja.state import NEUTRAL, NOBODY, State
from domain.titles.la_granja.tables import market_of_state


def has_free_cell(state: State) -> bool:
    """Return whether an open space of the market is free."""
    return any(state.stalls[cell] == NOBODY for cell in market_of_state(state).open)


def legal_stall(state: State, task: StallChoice) -> tuple[Action, ...]:
    """Return free spaces of the value (0: any free space), else opponents' (LG-6.4.3), else none (LG-6.4.4).

    Instead of none, own spaces are returned in an edition with `replace_own_marker` (LG-12.5).
    """
    market, stalls = market_of_state(state), state.stalls
    cells = market.by_value.get(task.value, ()) if task.value else market.open
    free_actions = tuple(PlaceStall(cell) for cell in cells if stalls[cell] == NOBODY)
    if free_actions or not task.value:
        return free_actions
    opposing_actions = tuple(PlaceStall(cell) for cell in cells if stalls[cell] != task.seat)
    if opposing_actions or not edition_of(state).replace_own_marker:
        return opposing_actions
    return tuple(map(PlaceStall, cells))


def perform_stall(state: State, task: StallChoice, action: PlaceStall) -> tuple[Effect, ...]:
    """Place the stall; a marker on the space is removed first for 1 VP (LG-6.4.3, LG-12.5)."""
    seat, owner = task.seat, state.stalls[action.cell]
    cause = "barrow" if task.value else "roof"
    if owner == NOBODY:
        return (plan_tasks(seat, Gain(seat, "stall", 1, "market", cause, action.cell)),)
    # Removing an own marker brings its VP but does not trigger helpers that reward removing an opponent's.
    cause = "replacing" if owner != seat else cause
    placement = plan_tasks(seat, Gain(seat, "stall", 1, "market", cause, action.cell))
    return placement, StallRemoved(seat, action.cell, owner), GoodGained(seat, "vp", 1, "", "market")


def sweep(state: State, task: Gain) -> tuple[Effect, ...]:
    """Remove opponents' markers from adjacent lower spaces, 1 VP each (LG-6.4.2); not for the market roof tile.

    `StallSettled` follows, with the number removed.
    """
    if task.cause == "roof":
        return ()
    seat, effects = task.seat, list[Effect]()
    for cell in spaces_to_sweep(state, seat, task.number):
        effects += [StallRemoved(seat, cell, state.stalls[cell]), GoodGained(seat, "vp", 1, "", "market")]
    removed = len(effects) // 2 + (task.cause == "replacing")
    return (*effects, StallSettled(seat, task.number, removed))


def _is_safe(state: State, owner: Seat, cell: int) -> bool:
    """Return whether a helper protects the marker from removal by an adjacent stall."""
    if owner < 0:
        return False
    return adjust(state, owner, Number.MARKET_SAFETY, 0, market_of_state(state).cells[cell].value) > 0


def spaces_to_sweep(state: State, seat: Seat, placed: int) -> tuple[int, ...]:
    """Return the lower neighbours with unprotected markers of others, by owner in turn order (LG-6.4.2, LG-10.6)."""
    market = market_of_state(state)
    value = market.cells[placed].value
    lower = [cell for cell in market.neighbours[placed] if market.cells[cell].value < value]
    return tuple(
        cell
        for owner in (*state.order, NEUTRAL)
        for cell in lower
        if owner != seat and state.stalls[cell] == owner and not _is_safe(state, owner, cell)
    )


def stall_count(state: State, seat: Seat) -> int:
    """Return the number of the seat's markers on the market (LG-7.1)."""
    return state.stalls.count(seat)
