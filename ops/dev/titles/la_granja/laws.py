"""Invariants of La Granja: conservation (LG-0) and independence of order in step III.1 (LG-2.1.1)."""

from itertools import takewhile
from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.title import AnyTitle
from domain.titles.la_granja import state as la_granja
from domain.titles.la_granja.agenda import MarkerShortage
from domain.titles.la_granja.editions import edition_of, marker_supply
from domain.titles.la_granja.effects import CardsDrawn, Delivered, StallPlaced, StepBegun
from domain.titles.la_granja.holdings import cards_in_play, pens
from domain.titles.la_granja.tables import market_of_state
from domain.titles.la_granja.turns import active, is_alone
from ops.dev.laws.walk import Chosen, Law, WalkStep, demand


def markers_are_conserved(_: AnyTitle, step: WalkStep) -> None:
    """Check that every marker of a seat is in its supply or in use (LG-0.9)."""
    state: la_granja.State = step.after
    for seat, farm in enumerate(state.farms):
        used_count = markers_in_use(state, Seat(seat))
        supply = marker_supply(edition_of(state))
        demand(
            farm.markers + used_count == supply, f"seat {seat} has {farm.markers} markers left and {used_count} in use"
        )
        demand(farm.markers >= 0, f"seat {seat} has {farm.markers} markers left")


def markers_in_use(state: la_granja.State, seat: Seat) -> int:
    """Return the number of a seat's markers in use, counted from farm and board."""
    farm = state.farms[seat]
    goods = farm.olive + farm.grain + farm.grape + farm.pig + farm.food + farm.wine + farm.meat + farm.trade_commodity
    stored = sum(helper.goods + helper.marked for helper in farm.helpers)
    fields = sum(field.full for field in farm.fields)
    barrows = sum(sum(barrow.filled) for barrow in farm.barrows)
    rows = sum(sum(row.filled) for building in state.buildings for row in building.rows if row.seat == seat)
    marks = sum(building.marks.count(seat) for building in state.buildings)
    return goods + stored + fields + barrows + rows + marks + state.stalls.count(seat)


def nothing_is_negative(_: AnyTitle, step: WalkStep) -> None:
    """Check that no good of a farm is negative, silver, VP and trade commodities included."""
    state: la_granja.State = step.after
    for seat, farm in enumerate(state.farms):
        for good in (*la_granja.FARM_GOODS, la_granja.COMMODITY):
            demand(getattr(farm, good) >= 0, f"seat {seat} has {getattr(farm, good)} {good}")


def places_are_consistent(_: AnyTitle, step: WalkStep) -> None:
    """Check for cards in two places, overfull pens and stalls on closed spaces (LG-0.7, LG-1.1, LG-1.3)."""
    state: la_granja.State = step.after
    cards = [card for card in cards_in_play(state) if card != la_granja.UNKNOWN]
    demand(len(set(cards)) == len(cards), f"a card is in two places: {sorted(cards)}")
    for seat, farm in enumerate(state.farms):
        demand(farm.pig <= pens(state, Seat(seat)), f"seat {seat} has {farm.pig} pigs and fewer pens")
    board = market_of_state(state)
    stalls = [cell for cell, owner in enumerate(state.stalls) if owner != la_granja.NOBODY]
    demand(set(stalls) <= set(board.open), f"stalls stand on {stalls}, of which some are closed")


def shortages_have_no_markers_left(_: AnyTitle, step: WalkStep) -> None:
    """Check that a `MarkerShortage` arises only for seats without markers (LG-0.9)."""
    state: la_granja.State = step.after
    for task in active(state):
        if isinstance(task, MarkerShortage):
            demand(state.farms[task.seat].markers == 0, f"seat {task.seat} is asked and has a marker")


def simultaneous_choices_are_independent(title: AnyTitle, step: WalkStep) -> None:
    """Check that in step III.1 no action affects the legal actions of another seat (LG-2.1.1).

    Deliveries, stalls and drawn cards would do so.
    """
    old_state, new_state = step.state, step.after
    if is_alone(old_state):
        return
    for effect in takewhile(lambda each: not isinstance(each, StepBegun), step.effects):
        demand(not isinstance(effect, Delivered | StallPlaced | CardsDrawn), f"{effect!r} happens in step III.1")
    if is_alone(new_state):
        return
    for seat in title.rules.seats_to_act(old_state):
        lost_actions = (
            set(step.legal[seat]) - set(title.rules.legal_actions(new_state, seat)) if seat != step.seat else set()
        )
        demand(not lost_actions, f"seat {seat} can no longer do {lost_actions}")


LAWS: Final[tuple[Law, ...]] = (
    markers_are_conserved,
    nothing_is_negative,
    places_are_consistent,
    shortages_have_no_markers_left,
    simultaneous_choices_are_independent,
)

OPTIONS: Final[tuple[Chosen, ...]] = (
    {},
    {"edition": "original"},
    {"edition": "yucata"},
    {"edition": "bga"},
    {"edition": "original", "extra_deliveries": "at_once"},
)
"""Options with which the invariants are checked."""
