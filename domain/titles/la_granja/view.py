"""The view of a match for a seat or a spectator, built from the visible parts of the state (LG-0.11)."""

from collections.abc import Mapping
from functools import cache

from domain.kernel.rules import Seat
from domain.kernel.values import Value, replace
from domain.titles.la_granja import state as full
from domain.titles.la_granja.adjustments import Number, adjusters
from domain.titles.la_granja.agenda import AnyTask
from domain.titles.la_granja.cards import Card
from domain.titles.la_granja.editions import edition_of
from domain.titles.la_granja.holdings import draw_pile_count, extra_deliveries, hand_limit, pens, selling_price
from domain.titles.la_granja.phases.any_time import buying_price, upgrade_price
from domain.titles.la_granja.phases.deliveries import extra_fee
from domain.titles.la_granja.phases.playing import extension_price
from domain.titles.la_granja.phases.roofs import price_of as roof_price
from domain.titles.la_granja.state import NO_DONKEY, PHASE_OF, State
from domain.titles.la_granja.tables import BOXES, Box, box_of, deck_of
from domain.titles.la_granja.turns import seats_to_act

Deck = Mapping[int, Card]


class Space(Value, frozen=True):
    """A hex of the market; `owner` is the seat of its stall, -2 for the neutral player, None if it is free."""

    q: int
    r: int
    value: int
    is_open: bool
    owner: Seat | None


class Symbol(Value, frozen=True):
    """A symbol of a row or barrow: its good, and whether a marker fills it."""

    good: str
    is_filled: bool


class Row(Value, frozen=True):
    """A row of a craft building and the seat that has taken it."""

    seat: Seat
    symbols: tuple[Symbol, ...]


class CraftBuilding(Value, frozen=True):
    """A craft building; `order_tile` is the number of the tile that blocks it, 0 if it is open."""

    number: int
    name: str
    asks: tuple[str, ...]
    order_tile: int
    rows: tuple[Row, ...]
    completed: tuple[Seat, ...]
    marks: tuple[Seat, ...]


class OpenTile(Value, frozen=True):
    """A roof tile for sale."""

    tile: str
    cost: int
    text: str
    phases: tuple[str, ...]


class Field(Value, frozen=True):
    """A card laid as a field, or the field of a helper, which names no crop while it is empty."""

    card: int
    crop: str
    is_full: bool


class Barrow(Value, frozen=True):
    """A card laid as a market barrow."""

    card: int
    vp: int
    symbols: tuple[Symbol, ...]


class Extension(Value, frozen=True):
    """A card laid as a farm extension, and its bonuses."""

    card: int
    hand_limit: int
    income_silver: int
    pig_pens: int
    extra_deliveries: int


class Helper(Value, frozen=True):
    """A card laid as a helper."""

    card: int
    name: str
    text: str
    mode: str
    is_exhausted: bool
    is_marked: bool
    """Whether a player marker is on the card (LG-12.6)."""
    goods: int
    """Number of goods on the card."""


class Roof(Value, frozen=True):
    """A roof tile of a farm."""

    tile: str
    text: str
    phases: tuple[str, ...]
    is_used: bool


class Craft(Value, frozen=True):
    """A craft marker of a farm; its lasting effect applies once it is flipped."""

    building: int
    name: str
    is_flipped: bool


class Price(Value, frozen=True):
    """Buying, selling and upgrade price of a resource for one farm, adjusted by its helpers."""

    resource: str
    buy: int
    sell: int
    upgrade: int


class Farm(Value, frozen=True):
    """A farm as the reader sees it. Crop counts are of stores; `hand` is empty unless the farm is the reader's own."""

    seat: Seat
    silver: int
    vp: int | None
    """None if the edition keeps VP secret and the farm belongs to another seat (LG-12.3)."""
    has_vp: bool
    """Whether the farm has any VP.

    Visible even when VP are secret, because costs in VP can be paid only with some left (LG-10.9).
    """
    olive: int
    grain: int
    grape: int
    pig: int
    food: int
    wine: int
    meat: int
    trade_commodity: int
    markers: int
    pens: int
    hand_limit: int
    extra_deliveries: int
    prices: tuple[Price, ...]
    roof_prices: tuple[int, ...]
    """Price of each open roof tile for this farm."""
    extension_price: int
    """Number of different goods that the next farm extension costs."""
    delivery_price: int
    """Price of an extra delivery in silver."""
    hand_count: int
    hand: tuple[int, ...]
    aside_count: int
    aside: tuple[int, ...]
    """Drawn cards of which only some will be kept; empty unless they are the reader's own."""
    fields: tuple[Field, ...]
    barrows: tuple[Barrow, ...]
    extensions: tuple[Extension, ...]
    helpers: tuple[Helper, ...]
    roofs: tuple[Roof, ...]
    crafts: tuple[Craft, ...]
    dice: tuple[int, ...]
    has_donkey: bool
    """Whether a donkey tile is chosen for this round, visible or not (LG-5.1.1)."""
    donkey: int | None
    """Donkeys on the chosen tile; None if none is chosen or it is hidden."""
    donkeys_left: tuple[int, ...]
    """Donkey tiles not yet used."""


class View(Value, frozen=True):
    """The match as one seat, or a spectator (`seat` None), sees it."""

    seat: Seat | None
    edition: str
    deck: str
    marker_limit: int
    """Markers per player; 0 means no limit (LG-12.2)."""
    round: int
    phase: str
    step: str
    order: tuple[Seat, ...]
    to_act: tuple[Seat, ...]
    agenda: tuple[AnyTask, ...]
    """Pending tasks, next one last; open information that the legal actions are derived from."""
    board: str
    market: tuple[Space, ...]
    buildings: tuple[CraftBuilding, ...]
    dice: tuple[int, ...]
    reserved: int
    reserver: Seat
    roofs: tuple[OpenTile, ...]
    siesta: tuple[tuple[Seat, ...], ...]
    farms: tuple[Farm, ...]
    draw_pile_count: int
    discard: tuple[int, ...]
    cards_drawn: int
    neutral: int
    """Place of the neutral player in the turn order of the round; 0 outside the solo game."""
    extra_deliveries: str = "one_by_one"
    """Way to buy extra deliveries: `one_by_one` or `at_once` (LG-12.4)."""


@cache
def _printed_prices(deck: str) -> tuple[Price, ...]:
    """Return the prices of the component file, without helpers."""
    box = BOXES[deck]
    return tuple(Price(good, box.buying[good], box.selling[good], box.upgrading[good]) for good in box.buying)


@cache
def _empty_market(deck: str, board: str) -> tuple[Space, ...]:
    """Return the spaces of a board without owners, closed ones included."""
    market = BOXES[deck].markets[board]
    return tuple(
        Space(cell.q, cell.r, cell.value, place in market.open, None) for place, cell in enumerate(market.cells)
    )


@cache
def _tile(deck: str, tile: str) -> OpenTile:
    box = BOXES[deck]
    effect = box.effect_of(tile)
    return OpenTile(tile, box.roof_tiles[tile].cost, effect.text, effect.phases)


def view(state: State, seat: Seat | None) -> View:
    """Return the state as a seat sees it, or a spectator (None).

    Hands, cards set aside and donkey tiles before the reveal are shown to their owner only; VP as the edition says.
    """
    return View(
        seat=seat,
        edition=state.edition,
        deck=state.deck,
        marker_limit=edition_of(state).marker_limit,
        round=state.round,
        phase=PHASE_OF[state.step],
        step=state.step,
        order=state.order,
        to_act=seats_to_act(state),
        agenda=state.agenda,
        board=state.board,
        market=tuple(map(_space, _empty_market(state.deck, state.board), state.stalls)),
        buildings=tuple(_building(state, building) for building in state.buildings),
        dice=state.dice,
        reserved=state.reserved,
        reserver=state.reserver,
        roofs=tuple(_tile(state.deck, tile) for tile in state.roofs),
        siesta=state.siesta,
        farms=tuple(_farm(state, owner, is_own=owner == seat) for owner in map(Seat, range(len(state.farms)))),
        draw_pile_count=draw_pile_count(state),
        discard=state.discard,
        cards_drawn=state.cards_drawn,
        neutral=state.neutral,
        extra_deliveries=state.extra_deliveries,
    )


def _space(empty: Space, owner: Seat) -> Space:
    return empty if owner == full.NOBODY else replace(empty, owner=owner)


def _symbols(goods: tuple[str, ...], filled: tuple[bool, ...]) -> tuple[Symbol, ...]:
    return tuple(map(Symbol, goods, filled))


def _building(state: State, building: full.Building) -> CraftBuilding:
    """Return the view of a craft building, with its printed row and the rows that seats have begun."""
    printed = box_of(state).buildings[building.number]
    return CraftBuilding(
        number=building.number,
        name=printed.name,
        asks=printed.row,
        order_tile=building.order_tile,
        rows=tuple(Row(row.seat, _symbols(printed.row, row.filled)) for row in building.rows),
        completed=building.completed,
        marks=building.marks,
    )


def _barrow(deck: Deck, barrow: full.Barrow) -> Barrow:
    printed = deck[barrow.card].barrow
    return Barrow(barrow.card, printed.vp, _symbols(printed.goods, barrow.filled))


def _extension(deck: Deck, card: int) -> Extension:
    printed = deck[card].extension
    return Extension(card, printed.hand_limit, printed.income_silver, printed.pig_pens, printed.extra_deliveries)


def _helper(deck: Deck, helper: full.HelperCard) -> Helper:
    printed = deck[helper.card].helper
    return Helper(
        helper.card, printed.name, printed.effect, printed.mode, helper.exhausted, helper.marked, helper.goods
    )


def _roof(state: State, roof: full.Roof) -> Roof:
    tile = _tile(state.deck, roof.tile)
    return Roof(tile.tile, tile.text, tile.phases, roof.used)


def _craft(box: Box, craft: full.CraftMarker) -> Craft:
    return Craft(craft.building, box.buildings[craft.building].name, craft.flipped)


@cache
def _price_adjusters(deck: str) -> frozenset[int]:
    """Return the cards whose helpers change a price of LG-2.8."""
    prices = (Number.BUYING_PRICE, Number.SELLING_PRICE, Number.UPGRADE_PRICE)
    return frozenset(card for number in prices for card in adjusters(deck, number))


def _prices(state: State, owner: Seat) -> tuple[Price, ...]:
    """Return the prices of LG-2.8, adjusted by the farm's helpers."""
    price_cards = _price_adjusters(state.deck)
    if all(helper.card not in price_cards for helper in state.farms[owner].helpers):
        return _printed_prices(state.deck)
    return tuple(
        Price(
            price.resource,
            buying_price(state, owner, price.resource),
            selling_price(state, owner, price.resource),
            upgrade_price(state, owner, price.resource),
        )
        for price in _printed_prices(state.deck)
    )


def _farm(state: State, owner: Seat, *, is_own: bool) -> Farm:
    """Return one farm; hand, cards aside and an unrevealed donkey tile are included only for its owner.

    VP of others are None before the end in an edition where they are secret.
    """
    farm, box, deck = state.farms[owner], box_of(state), deck_of(state)
    is_donkey_shown = farm.donkey != NO_DONKEY and (is_own or state.step != "donkeys")
    return Farm(
        seat=owner,
        silver=farm.silver,
        vp=farm.vp if is_own or state.step == "over" or edition_of(state).vp_open else None,
        has_vp=farm.vp > 0,
        olive=farm.olive,
        grain=farm.grain,
        grape=farm.grape,
        pig=farm.pig,
        food=farm.food,
        wine=farm.wine,
        meat=farm.meat,
        trade_commodity=farm.trade_commodity,
        markers=farm.markers,
        pens=pens(state, owner),
        hand_limit=hand_limit(state, owner),
        extra_deliveries=extra_deliveries(state, owner),
        prices=_prices(state, owner),
        roof_prices=tuple(roof_price(state, owner, tile) for tile in state.roofs),
        extension_price=extension_price(state, owner),
        delivery_price=extra_fee(state, owner),
        hand_count=len(farm.hand),
        hand=farm.hand if is_own else (),
        aside_count=len(farm.aside),
        aside=farm.aside if is_own else (),
        fields=tuple(Field(field.card, field.crop, field.full) for field in farm.fields),
        barrows=tuple(_barrow(deck, barrow) for barrow in farm.barrows),
        extensions=tuple(_extension(deck, card) for card in farm.extensions),
        helpers=tuple(_helper(deck, helper) for helper in farm.helpers),
        roofs=tuple(_roof(state, roof) for roof in farm.roofs),
        crafts=tuple(_craft(box, craft) for craft in farm.crafts),
        dice=farm.dice,
        has_donkey=farm.donkey != NO_DONKEY,
        donkey=farm.donkey if is_donkey_shown else None,
        donkeys_left=tuple(tile for tile in box.donkey_tiles if tile not in farm.donkeys_used),
    )
