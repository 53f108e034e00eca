"""Positions of La Granja made from effects, random matches, and the checks that every position must pass."""

from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from typing import Any, Final

from domain.kernel.chance import SeededChance, numbers
from domain.kernel.hidden import Hidden
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.values import replace
from domain.titles import la_granja
from domain.titles.la_granja import effects as e
from domain.titles.la_granja import effects_solo as s
from domain.titles.la_granja.actions import Action
from domain.titles.la_granja.agenda import AnyTask, SaleOwed
from domain.titles.la_granja.boxes import DECK_REGISTRY
from domain.titles.la_granja.cards import CARDS
from domain.titles.la_granja.components import EDITIONS
from domain.titles.la_granja.components_market import MARKETS, market_of
from domain.titles.la_granja.editions import marker_supply
from domain.titles.la_granja.effects import Effect, MatchBegun
from domain.titles.la_granja.holdings import PLACE_OF, cards_in_play
from domain.titles.la_granja.state import COMMODITY, RESOURCES, UPGRADED, Farm, State
from tests.scenario import Position, position_after

A: Final = Seat(0)
B: Final = Seat(1)
C: Final = Seat(2)
D: Final = Seat(3)

BOOKKEEPING: Final = (e.Planned, e.StepBegun, e.MomentReached, e.StallSettled)


def lay_table(
    *effects: Any,
    seats: int = 2,
    order: tuple[int, ...] = (),
    edition: str = "deluxe",
    deck: str = "standard",
    extra_deliveries: str = "one_by_one",
) -> Position:
    """Return a position with empty farms, followed by the effects; lists of effects are flattened."""
    board, markers = EDITIONS[edition].market[str(seats)], marker_supply(EDITIONS[edition])
    turn_order = tuple(Seat(seat) for seat in order or range(seats))
    begun = e.MatchBegun(edition, deck, seats, board, len(MARKETS[board].cells), markers, extra_deliveries)
    flat = [each for effect in effects for each in (effect if isinstance(effect, list) else [effect])]
    return position_after(la_granja, begun, e.TurnOrderSet(turn_order), e.SiestaReturned(), *flat, untold=BOOKKEEPING)


def deck_with(*changes: tuple[str, str]) -> str:
    """Add a deck in which the first occurrence of each text is replaced, and return its name."""
    text = (resources.files("domain.titles.la_granja.data") / "farm_cards.toml").read_text(encoding="utf-8")
    text = text[text.index("[[cards]]") :]
    for old, new in changes:
        assert old in text, f"no card says {old}"
        text = text.replace(old, new, 1)
    return DECK_REGISTRY.add(text, "changed.toml")


def lay_solo_table(*effects: Any, place: int = 1, edition: str = "deluxe") -> Position:
    """Return a solo position with an empty farm and the neutral player in this place."""
    return lay_table(s.NeutralSeated(place), *effects, seats=1, edition=edition)


def step(name: str, *tasks: AnyTask, round: int = 1) -> e.StepBegun:
    """Return a step with these tasks in order of play; a final sale task below them stops play afterwards."""
    return e.StepBegun(round, name, (SaleOwed(SERVICE_SEAT), *reversed(tasks)))


def last_of(name: str, *tasks: AnyTask, round: int = 1) -> e.StepBegun:
    """Return a step with these tasks in order of play; the next step begins when they are done."""
    return e.StepBegun(round, name, tuple(reversed(tasks)))


def give_goods(seat: Seat, **goods: int) -> list[Any]:
    """Return effects that give the seat goods in stores, pens and the commodity space."""
    return [e.GoodGained(seat, good, amount, PLACE_OF[good], "test") for good, amount in goods.items()]


def deal_cards(seat: Seat, *cards: int) -> e.CardsDrawn:
    """Return the effect that deals these cards to the seat."""
    return e.CardsDrawn(seat, len(cards), Hidden(cards, (seat,)))


def lay_cards(seat: Seat, side: str, *cards: int, full: bool = False) -> list[Any]:
    """Return effects that play these cards on a side; `full` fields have their crop."""
    effects = list[Any]()
    for number in cards:
        effects += [deal_cards(seat, number), play_effect(seat, number, side)]
        if full:
            effects.append(e.GoodGained(seat, CARDS[number].crop, 1, "field", "test", number))
    return effects


def play_effect(seat: Seat, number: int, side: str) -> e.CardPlayed:
    """Return the effect of playing the card."""
    card = CARDS[number]
    crop = card.crop if side == "field" else card.helper.params.get("crop", "") if side == "helper" else ""
    symbols = len(card.barrow.goods) if side == "barrow" else 0
    return e.CardPlayed(seat, number, side, crop, symbols)


def load_barrow(seat: Seat, card: int, *goods: str) -> list[Any]:
    """Return effects that deliver goods to a barrow of the seat."""
    symbols = CARDS[card].barrow.goods
    left = list(range(len(symbols)))
    effects = list[Any]()
    for good in goods:
        symbol = next(index for index in left if symbols[index] == good)
        left.remove(symbol)
        effects += give_goods(seat, **{good: 1})
        effects.append(e.Delivered(seat, good, PLACE_OF[good], 0, card, symbol, len(symbols)))
    return effects


def fill_row(seat: Seat, building: int, row: tuple[str, ...], *symbols: int) -> list[Any]:
    """Return effects that fill symbols of the seat's row of a building."""
    effects = list[Any]()
    for symbol in symbols:
        good = row[symbol]
        effects += give_goods(seat, **{good: 1})
        effects.append(e.Delivered(seat, good, PLACE_OF[good], building, 0, symbol, len(row)))
    return effects


def give_craft_markers(seat: Seat, *buildings: int) -> list[Any]:
    """Return effects that give the seat flipped craft markers of these buildings."""
    return [*(e.CraftMarkerGained(seat, building) for building in buildings), e.CraftMarkersFlipped()]


def cell_at(seats: int, q: int, r: int, edition: str = "deluxe") -> int:
    """Return the index of the market space at these coordinates."""
    return next(index for index, cell in enumerate(market_of(seats, edition).cells) if (cell.q, cell.r) == (q, r))


def opening(seats: int, seed: int = 1, edition: str = "deluxe") -> tuple[State, tuple[Any, ...]]:
    """Return the state of a real match at its first decision, and the effects of its start."""
    effects = la_granja.start(la_granja.options({"edition": edition}), seats, SeededChance(seed.to_bytes(32, "big")))
    state = None
    for effect in effects:
        state = la_granja.evolve(state, effect)
    assert state is not None
    return state, effects


Choice = Callable[[State, Seat, tuple[Action, ...]], Action]


def random_choices(seed: int) -> tuple[Callable[[State], Seat], Choice]:
    """Return functions that pick a seat and an action at random, deterministic by seed."""
    stream = numbers(seed.to_bytes(32, "big"), "play")

    def pick(items: tuple[Any, ...]) -> Any:
        nonlocal stream
        number = next(stream, None)
        if number is None:
            stream = numbers(seed.to_bytes(32, "big"), repr(items))
            number = next(stream)
        return items[number % len(items)]

    return lambda state: pick(la_granja.seats_to_act(state)), lambda _state, _seat, actions: pick(actions)


def first_action(_state: State, _seat: Seat, actions: tuple[Action, ...]) -> Action:
    """Return the first legal action, as skipping does."""
    return actions[0]


def random_match(
    seats: int,
    seed: int,
    choose: Choice | None = None,
    markers: int | None = None,
    edition: str = "deluxe",
    options: Mapping[str, str] | None = None,
) -> Iterator[tuple[State, tuple[Effect, ...]]]:
    """Yield every state of a match with the effects that led to it; actions are random unless `choose` is given."""
    chance = SeededChance(seed.to_bytes(32, "big"))
    pick_seat, pick_action = random_choices(seed)
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
    """Return the number of a seat's markers in use (LG-0.9), counted from farm and board."""
    farm = state.farms[seat]
    goods: int = sum(getattr(farm, good) for good in (*RESOURCES, *UPGRADED, COMMODITY))
    fields = sum(field.full for field in farm.fields)
    barrows = sum(sum(barrow.filled) for barrow in farm.barrows)
    rows = sum(sum(row.filled) for building in state.buildings for row in building.rows if row.seat == seat)
    helpers = sum(helper.marked for helper in farm.helpers)
    marks = sum(seat in building.marks for building in state.buildings)
    stored = sum(helper.goods for helper in farm.helpers)
    return stored + goods + fields + helpers + barrows + rows + marks + state.stalls.count(seat)


def check_state(state: State, markers: int = 25) -> None:
    """Check the invariants of every position."""
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
    """Check that no quantity is negative and no slot is overfull."""
    assert all(getattr(farm, good) >= 0 for good in ("silver", "vp", COMMODITY, *RESOURCES, *UPGRADED))
    assert farm.markers >= 0
    assert len(farm.barrows) <= 3
    assert len(farm.helpers) <= 3
    assert len(farm.roofs) <= 6
    assert len(farm.donkeys_used) <= 3
    assert len(farm.crafts) == len({craft.building for craft in farm.crafts})
