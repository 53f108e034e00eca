"""The value of a position of La Granja to a seat, in hundredths of a victory point."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from domain.kernel.rules import Seat
from domain.titles.la_granja import agenda as t
from domain.titles.la_granja.actions import Action, Decline, DeliverToBarrow, DeliverToBuilding, Pass
from domain.titles.la_granja.decide import legal_actions
from domain.titles.la_granja.holdings import goods_in
from domain.titles.la_granja.state import (
    NO_DONKEY,
    STEPS,
    Barrow,
    Building,
    CraftMarker,
    Farm,
    HelperCard,
    Roof,
    State,
)
from domain.titles.la_granja.tables import BOXES, Box, box_of
from domain.titles.la_granja.turns import task_of
from workers.bots.evaluation import Weights
from workers.bots.titles.la_granja_helpers import worth_of

VP: Final = 100
SILVER: Final = 31
SILVER_ENOUGH: Final = 8
SILVER_SPARE: Final = 21
SILVER_AT_END: Final = 20
COMMODITY: Final = 95
STALL: Final = 78
"""One scoring of a stall, allowing for its removal."""

ASKED: Final[Mapping[str, int]] = {
    "olive": 66,
    "grain": 66,
    "grape": 84,
    "pig": 100,
    "food": 95,
    "wine": 120,
    "meat": 145,
    "trade_commodity": 100,
}
"""A good that fits an open symbol of the seat."""

UNASKED: Final[Mapping[str, int]] = {
    "olive": 27,
    "grain": 27,
    "grape": 48,
    "pig": 70,
    "food": 45,
    "wine": 58,
    "meat": 72,
    "trade_commodity": COMMODITY,
}
"""A good without an open symbol."""

GOODS: Final = tuple(ASKED)
GOODS_OF: Final[Callable[[Farm], tuple[int, ...]]] = attrgetter(*GOODS)
"""Numbers of each good in stores and pens of a farm."""

REMEMBERED: Final = 16_384
"""Cache size for each part of a value; most parts of a farm do not change between two evaluations."""

FIELD_GROWTH: Final = (58, 52, 44, 34, 24, 16)
"""A growth still to come, for the first field, the second, and so on."""

BARROW_PROMISE: Final = (5, 3, 2)
"""Per cent of the reward for completing barrows without a marker: the best, the second, the third."""

CARD: Final = 30
CARD_BEFORE_DRAWING: Final = 8
INCOME: Final = 24
PEN: Final = 10
HAND_LIMIT: Final = 6
EXTRA_DELIVERY: Final = 26

ROOFS: Final[Mapping[str, int]] = {
    "silver_4": 92,
    "silver_3": 68,
    "silver_2": 45,
    "vp_1": 95,
    "pig": 70,
    "delivery": 130,
    "paid_delivery": 100,
    "upgrade_2": 80,
    "upgrade_1": 40,
    "upgraded_good": 95,
    "two_different_crops": 95,
    "siesta_2": 70,
    "siesta_1": 35,
    "income": 60,
    "double_roof_vp": 80,
    "flip_roof": 60,
    "play_or_draw_card": 25,
    "market_marker": 80,
}
"""An unused tile; tiles not listed are worth `ROOF`, about one crop."""
ROOF: Final = 45

DELIVERY: Final = 135
SIESTA_AHEAD: Final = 7

CHOICES: Final = (
    t.CardDiscard,
    t.CardChoice,
    t.ExtensionPayment,
    t.Replacement,
    t.GoodChoice,
    t.UpgradeChoice,
    t.DeliveryChoice,
    t.StallChoice,
    t.RoofChoice,
    t.RoofPlacement,
    t.DieShift,
    t.DieResolution,
    t.SpaceReservation,
    t.HelperOffer,
    t.HelperDue,
    t.HelperChoice,
    t.RoofPayment,
    t.MarkerShortage,
    t.BoughtDeliveries,
)
"""Tasks during which a position cannot be evaluated, because the effect depends on the choice."""

ANSWERS_BRING_SOMETHING: Final = (t.RoofPlacement, t.DieShift)
"""Tasks in which declining still has an effect, so it is tried like any other answer."""


def follow(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return the choices of a task in progress, else none; for dice and bought deliveries no any-time actions."""
    task = task_of(state, seat)
    if not isinstance(task, CHOICES):
        return ()
    legal = legal_actions(state, seat)
    if isinstance(task, t.DieResolution):
        return tuple(action for action in legal if type(action).__name__ in {"Decline", "TakeOption"})
    if isinstance(task, t.BoughtDeliveries):
        return tuple(action for action in legal if isinstance(action, Pass | DeliverToBuilding | DeliverToBarrow))
    return legal


def closes(state: State, seat: Seat, action: Action) -> bool:
    """Return whether the action only passes or declines without any effect."""
    return isinstance(action, Pass | Decline) and not isinstance(task_of(state, seat), ANSWERS_BRING_SOMETHING)


class Times(NamedTuple):
    """Remaining numbers of rounds, growths, transports and scorings, with flags of the current step."""

    rounds: int
    growths: int
    transports: int
    scorings: int
    is_before_drawing: bool
    is_before_siesta_scoring: bool
    is_choosing_donkeys: bool
    is_over: bool


@cache
def times_of(round: int, step: str, rounds: int) -> Times:
    """Return the events left from this step of this round on; an unknown step counts as the first."""
    step_index, rounds_left = STEPS.index(step) if step in STEPS else 0, rounds - round
    return Times(
        rounds=rounds_left,
        growths=rounds_left + (step_index <= STEPS.index("growth")),
        transports=rounds_left + (step_index <= STEPS.index("extra_deliveries")),
        scorings=rounds_left + (step_index <= STEPS.index("market_scoring")),
        is_before_drawing=step_index == 0,
        is_before_siesta_scoring=step_index <= STEPS.index("siesta_scoring"),
        is_choosing_donkeys=step in {"donkeys", "siesta"},
        is_over=step in {"sale", "over"},
    )


PARTS: Final = (
    "points",
    "silver",
    "goods",
    "barrows",
    "buildings",
    "market",
    "siesta",
    "cards",
    "fields",
    "extensions",
    "helpers",
    "roofs",
)
"""Names of the parts of a value."""


def parts(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the value split by `PARTS`; the parts add up to `worth`."""
    farm, box = state.farms[seat], box_of(state)
    times = times_of(state.round, state.step, box.rounds)
    demand = _open_symbols(state.deck, farm.barrows, state.buildings, seat)
    barrow_bonus = VP * sum([craft.building == 6 and craft.flipped for craft in farm.crafts])
    return (
        VP * farm.vp,
        _silver(farm, times),
        _goods(box, farm, demand, times),
        _barrows(state.deck, farm.barrows, barrow_bonus, times),
        _buildings(state.buildings, seat, farm.crafts, len(farm.barrows), state.round, times),
        _market(state.deck, state.board, state.stalls, len(state.farms), seat, times.scorings),
        _siesta(state, seat, farm, demand, times),
        len(farm.hand) * (CARD_BEFORE_DRAWING if times.is_before_drawing else CARD) * min(times.rounds + 1, 3) // 3,
        *_laid_cards(state.deck, len(farm.fields), farm.extensions, farm.helpers, farm.roofs, times),
    )


def worth(state: State, seat: Seat) -> int:
    """Return the value of everything the seat has, including its potential."""
    return sum(parts(state, seat))


def _silver(farm: Farm, times: Times) -> int:
    if times.is_over or not times.transports:
        return SILVER_AT_END * farm.silver
    return SILVER * min(farm.silver, SILVER_ENOUGH) + SILVER_SPARE * max(0, farm.silver - SILVER_ENOUGH)


@lru_cache(maxsize=REMEMBERED)
def _open_symbols(
    deck: str, barrows: tuple[Barrow, ...], buildings: tuple[Building, ...], seat: Seat
) -> Mapping[str, int]:
    """Count the symbols that the seat can still fill on its barrows and on buildings open to it."""
    box, demand = BOXES[deck], list[str]()
    for barrow in barrows:
        demand += _unfilled_goods(box.cards[barrow.card].barrow.goods, barrow.filled)
    for building in buildings:
        if building.order_tile or seat in building.completed:
            continue
        goods: tuple[str, ...] = box.buildings[building.number].row
        for row in building.rows:
            if row.seat == seat:
                goods = _unfilled_goods(goods, row.filled)
        demand += goods
    return Counter(demand)


@cache
def _unfilled_goods(goods: tuple[str, ...], filled: tuple[bool, ...]) -> tuple[str, ...]:
    return tuple(good for good, is_filled in zip(goods, filled, strict=True) if not is_filled)


def _goods(box: Box, farm: Farm, demand: Mapping[str, int], times: Times) -> int:
    """Return the value of stored and growing goods, more for `demand`; without transports the prices of stored ones."""
    growing = [field.crop for field in farm.fields if field.full]
    total = -4 * len(growing) if times.transports else 0
    for good, stored in zip(GOODS, GOODS_OF(farm), strict=True):
        if not times.transports:
            price = box.commodity.sell_value_at_end if good == "trade_commodity" else box.selling.get(good, 0)
            total += stored * price * SILVER_AT_END
            continue
        count = stored + growing.count(good)
        if count:
            deliverable = min(count, demand.get(good, 0))
            total += deliverable * ASKED[good] + (count - deliverable) * UNASKED[good]
    return total


@lru_cache(maxsize=REMEMBERED)
def _laid_cards(
    deck: str,
    field_count: int,
    extension_cards: tuple[int, ...],
    helper_cards: tuple[HelperCard, ...],
    tiles: tuple[Roof, ...],
    times: Times,
) -> tuple[int, int, int, int]:
    """Return the values of fields, extensions, helpers and unused roof tiles, limited by the remaining time."""
    box, fields, extensions, roofs = BOXES[deck], 0, 0, 0
    for index in range(field_count):
        fields += FIELD_GROWTH[min(index, len(FIELD_GROWTH) - 1)] * times.growths
    for number in extension_cards:
        extension = box.cards[number].extension
        extensions += extension.income_silver * INCOME * times.growths + extension.pig_pens * PEN * times.rounds
        extensions += extension.extra_deliveries * EXTRA_DELIVERY * times.transports
        extensions += extension.hand_limit * HAND_LIMIT * times.rounds
    helpers = sum(worth_of(box.cards[helper.card].helper) * times.rounds for helper in helper_cards)
    if times.transports:
        roofs = sum(ROOFS.get(box.effect_of(roof.tile).id, ROOF) for roof in tiles if not roof.used)
        roofs = roofs * 4 // 5 if times.rounds else roofs * 3 // 5
    return fields, extensions, helpers, roofs


@lru_cache(maxsize=REMEMBERED)
def _barrows(deck: str, barrows: tuple[Barrow, ...], bonus: int, times: Times) -> int:
    """Return a share of the reward for completing each barrow, by its markers.

    Barrows with too few transports left count 0; only the best empty ones count.
    """
    cards, total, empty = BOXES[deck].cards, 0, list[int]()
    for barrow in barrows:
        prize = VP * cards[barrow.card].barrow.vp + COMMODITY + STALL * times.scorings + bonus
        filled, symbols = sum(barrow.filled), len(barrow.filled)
        if symbols - filled > 4 * times.transports:
            continue
        if filled:
            total += prize * (filled * (filled + 1) + filled) * 9 // (10 * (symbols * (symbols + 1) + symbols))
        else:
            empty.append(prize)
    empty.sort(reverse=True)
    shares = BARROW_PROMISE if times.rounds else (0, 0, 0)
    return total + sum(prize * share // 100 for prize, share in zip(empty, shares, strict=False))


@lru_cache(maxsize=REMEMBERED)
def _buildings(
    buildings: tuple[Building, ...],
    seat: Seat,
    crafts: tuple[CraftMarker, ...],
    barrow_count: int,
    round: int,
    times: Times,
) -> int:
    """Return the value of active lasting sides and a share of the reward for each started row.

    Rows with too few transports left, and completed buildings, count 0.
    """
    total = sum(_lasting(craft.building, times.rounds) for craft in crafts)
    for building in buildings:
        row = next((row for row in building.rows if row.seat == seat), None)
        if row is None or seat in building.completed:
            continue
        filled, symbols = sum(row.filled), len(row.filled)
        if not filled or symbols - filled > 4 * times.transports:
            continue
        prize = VP * round + _instant(building.number, barrow_count) + _lasting(building.number, times.rounds)
        if not building.completed:
            prize += 2 * VP
        total += prize * (filled * (filled + 1) + filled) * 9 // (10 * (symbols * (symbols + 1) + symbols))
    return total


def _instant(building: int, barrow_count: int) -> int:
    """Return the value of completing a building, by its number."""
    match building:
        case 1:
            return 3 * SILVER
        case 2:
            return DELIVERY + VP // 2
        case 3:
            return COMMODITY
        case 4:
            return ASKED["pig"]
        case 5:
            return 2 * VP
        case _:
            return VP * barrow_count


def _lasting(building: int, rounds: int) -> int:
    return (0, 3 * INCOME, 130, COMMODITY, ASKED["pig"], 80, 80)[building] * rounds


@lru_cache(maxsize=REMEMBERED)
def _market(deck: str, board: str, stalls: tuple[Seat, ...], seats: int, seat: Seat, scorings: int) -> int:
    """Return the value of the seat's stalls in all scorings to come, less a share for stalls of others.

    Stalls on low values are removed sooner and count less.
    """
    cells, total = BOXES[deck].markets[board].cells, 0
    for cell, owner in zip(cells, stalls, strict=True):
        if owner == seat:
            total += STALL * (90 + 3 * cell.value) // 100 * scorings
        elif owner >= 0:
            total -= STALL * scorings // (4 * (seats - 1))
    return total


def _siesta(state: State, seat: Seat, farm: Farm, demand: Mapping[str, int], times: Times) -> int:
    """Return the value of the siesta space that will score, of being early and of the chosen donkey tile."""
    if not times.is_before_siesta_scoring:
        return 0
    box = box_of(state)
    space = next(space for space, stack in enumerate(state.siesta) if seat in stack)
    expected, total = space, 0
    if times.is_choosing_donkeys and farm.donkey > NO_DONKEY + 1:
        tile = box.donkey_tiles[farm.donkey]
        stored = Counter(good for good, place in goods_in(farm) if place)
        for good in stored:
            stored[good] = getattr(farm, good) + sum(field.full for field in farm.fields if field.crop == good)
        useful = sum(min(count, demand.get(good, 0)) for good, count in stored.items())
        total += DELIVERY * min(tile.donkeys, useful) - 25 * max(0, tile.donkeys - useful)
        if state.step == "donkeys":
            expected = min(box.siesta.last, space + tile.hats)
    return total + VP * box.siesta.vp[expected] * 9 // 10 + SIESTA_AHEAD * expected


WEIGHTS: Final = Weights(worth, follow, closes, None, PARTS, parts)
