"""Random play for tests: legal actions by a small generator of numbers, and what must hold at every position."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from domain.kernel.chance import SeededChance, numbers
from domain.kernel.rules import Seat
from domain.kernel.values import replace
from domain.titles import la_granja
from domain.titles.la_granja.actions import Action
from domain.titles.la_granja.effects import Effect, MatchBegun
from domain.titles.la_granja.holdings import cards_in_play
from domain.titles.la_granja.state import COMMODITY, RESOURCES, UPGRADED, Farm, State

Choice = Callable[[State, Seat, tuple[Action, ...]], Action]


def choosing(seed: int) -> tuple[Callable[[State], Seat], Choice]:
    """A seat and an action at random, the same for the same seed."""
    stream = numbers(seed.to_bytes(32, "big"), "play")

    def pick(items: tuple[Any, ...]) -> Any:
        nonlocal stream
        number = next(stream, None)
        if number is None:
            stream = numbers(seed.to_bytes(32, "big"), repr(items))
            number = next(stream)
        return items[number % len(items)]

    return lambda state: pick(la_granja.seats_to_act(state)), lambda _state, _seat, actions: pick(actions)


def first(_state: State, _seat: Seat, actions: tuple[Action, ...]) -> Action:
    """Skip: the first legal action."""
    return actions[0]


def played(
    seats: int,
    seed: int,
    choose: Choice | None = None,
    markers: int | None = None,
    edition: str = "deluxe",
    options: Mapping[str, str] | None = None,
) -> Iterator[tuple[State, tuple[Effect, ...]]]:
    """Every position of a match with the effects that led to it; by random actions unless told otherwise."""
    chance = SeededChance(seed.to_bytes(32, "big"))
    pick_seat, pick_action = choosing(seed)
    begun, *others = la_granja.start(la_granja.options(options or {"edition": edition}), seats, chance)
    assert isinstance(begun, MatchBegun)
    effects: tuple[Effect, ...] = (replace(begun, markers=markers or begun.markers), *others)
    state: State | None = None
    while True:
        for effect in effects:
            state = la_granja.evolve(state, effect)
        assert state is not None
        yield state, effects
        if not la_granja.seats_to_act(state):
            return
        seat = pick_seat(state)
        actions = la_granja.legal_actions(state, seat)
        assert actions, f"seat {seat} is to act and has no legal action"
        action = (choose or pick_action)(state, seat, actions)
        effects = la_granja.decide(state, seat, action, chance)


def markers_used(state: State, seat: Seat) -> int:
    """What LG-0.9 counts, from what lies there."""
    farm = state.farms[seat]
    goods: int = sum(getattr(farm, good) for good in (*RESOURCES, *UPGRADED, COMMODITY))
    fields = sum(field.full for field in farm.fields)
    barrows = sum(sum(barrow.filled) for barrow in farm.barrows)
    rows = sum(sum(row.filled) for building in state.buildings for row in building.rows if row.seat == seat)
    helpers = sum(helper.marked for helper in farm.helpers)
    marks = sum(seat in building.marks for building in state.buildings)
    stored = sum(helper.goods for helper in farm.helpers)
    return stored + goods + fields + helpers + barrows + rows + marks + state.stalls.count(seat)


def check(state: State, markers: int = 25) -> None:
    """What holds at every position, whatever was played."""
    for index, farm in enumerate(state.farms):
        assert farm.markers + markers_used(state, Seat(index)) == markers
        check_farm(farm)
    cards = [card for card in cards_in_play(state) if card]
    assert len(cards) == len(set(cards)), "a card lies in two places"
    stacked = [seat for stack in state.siesta for seat in stack]
    assert sorted(stacked) == sorted(state.order) == list(range(len(state.farms)))
    acting = la_granja.seats_to_act(state)
    assert acting == tuple(sorted(set(acting)))
    for seat in (-1, *range(len(state.farms))):
        assert bool(la_granja.legal_actions(state, Seat(seat))) == (seat in acting)


def check_farm(farm: Farm) -> None:
    """No farm owes anything, and no slot holds more than it may."""
    assert all(getattr(farm, good) >= 0 for good in ("silver", "vp", COMMODITY, *RESOURCES, *UPGRADED))
    assert farm.markers >= 0
    assert len(farm.barrows) <= 3
    assert len(farm.helpers) <= 3
    assert len(farm.roofs) <= 6
    assert len(farm.donkeys_used) <= 3
    assert len(farm.crafts) == len({craft.building for craft in farm.crafts})
