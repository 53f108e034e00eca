"""The immutable state of a La Granja match.

The draw pile is not stored: it consists of all cards that are nowhere else. Cards hidden from a reader are `UNKNOWN`,
so that redacted logs can be folded too.
"""

from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import Value
from domain.titles.la_granja.agenda import AnyTask

UNKNOWN: Final = 0
"""A card or chosen donkey tile that exists but is hidden from the reader."""

NO_DONKEY: Final = -1
"""No donkey tile is chosen."""

NOBODY: Final = Seat(-1)
"""The owner of a market space without a stall."""

NEUTRAL: Final = Seat(-2)
"""The owner of a neutral stall in the solo game (LG-11)."""

CROPS: Final = ("olive", "grain", "grape")
RESOURCES: Final = ("olive", "grain", "grape", "pig")
UPGRADED: Final = ("food", "wine", "meat")
FARM_GOODS: Final = ("silver", "vp", "olive", "grain", "grape", "pig", "food", "wine", "meat")
"""The nine kinds of farm goods in the order of LG-0.4."""

COMMODITY: Final = "trade_commodity"
STEPS: Final = (
    "cards",
    "income",
    "growth",
    "roofs",
    "roll",
    "first_dice",
    "second_dice",
    "last_die",
    "donkeys",
    "siesta",
    "free_deliveries",
    "extra_deliveries",
    "market_scoring",
    "siesta_scoring",
    "siesta_return",
    "turning",
    "sale",
    "over",
)
"""Steps of a round in order; `setup` precedes the first, and `sale` and `over` follow only round 6."""

PHASE_OF: Final = {
    "setup": "0",
    **dict.fromkeys(STEPS[:4], "I"),
    **dict.fromkeys(STEPS[4:8], "II"),
    **dict.fromkeys(STEPS[8:12], "III"),
    **dict.fromkeys(STEPS[12:], "IV"),
}


class Field(Value, frozen=True, array_like=True):
    """A card laid as a field; `full` with a crop on it. A helper's field names a crop only while it is full."""

    card: int
    crop: str
    full: bool = False


class Barrow(Value, frozen=True, array_like=True):
    """A card laid as a market barrow, with a flag for each symbol."""

    card: int
    filled: tuple[bool, ...]


class HelperCard(Value, frozen=True, array_like=True):
    """A card laid as a helper.

    `exhausted` after a once-per-round use until phase IV; `marked` if a player marker shows this. `goods` is the
    number of goods stored on the card, of the kind named by the card.
    """

    card: int
    exhausted: bool = False
    marked: bool = False
    goods: int = 0


class Roof(Value, frozen=True, array_like=True):
    """A roof tile of a farm; face down if `used`."""

    tile: str
    used: bool = False


class CraftMarker(Value, frozen=True, array_like=True):
    """A craft marker of a farm; `flipped` to its lasting side (LG-6.2.5)."""

    building: int
    flipped: bool = False


class Farm(Value, frozen=True):
    """Everything a player owns. Goods are named as in LG-0.4; crop counts are of stores, `pig` of pens."""

    silver: int = 0
    vp: int = 0
    olive: int = 0
    grain: int = 0
    grape: int = 0
    pig: int = 0
    food: int = 0
    wine: int = 0
    meat: int = 0
    trade_commodity: int = 0
    markers: int = 25
    """Markers in the supply; markers in use are counted from the things they mark (LG-0.9)."""
    hand: tuple[int, ...] = ()
    """Card numbers, sorted; `UNKNOWN` for cards hidden from the reader."""
    aside: tuple[int, ...] = ()
    """Drawn cards of which only some will be kept; hidden like the hand."""
    fields: tuple[Field, ...] = ()
    barrows: tuple[Barrow, ...] = ()
    extensions: tuple[int, ...] = ()
    helpers: tuple[HelperCard, ...] = ()
    roofs: tuple[Roof, ...] = ()
    crafts: tuple[CraftMarker, ...] = ()
    dice: tuple[int, ...] = ()
    """Dice taken this round."""
    donkey: int = NO_DONKEY
    """Donkeys on the tile chosen this round (1 to 4); `UNKNOWN` if hidden from the reader."""
    donkeys_used: tuple[int, ...] = ()


class Row(Value, frozen=True, array_like=True):
    """A seat's row of a craft building, with a flag for each symbol."""

    seat: Seat
    filled: tuple[bool, ...]


class Building(Value, frozen=True):
    """A craft building."""

    number: int
    order_tile: int = 0
    """Number of the building order tile that blocks the building; 0 if open."""
    rows: tuple[Row, ...] = ()
    completed: tuple[Seat, ...] = ()
    """Seats that completed the building, in order; all other players still have a craft marker here."""
    marks: tuple[Seat, ...] = ()
    """Seats whose completed-building mark is still here (LG-0.9)."""


class State(Value, frozen=True):
    """The state of a match without undecided chance."""

    edition: str
    deck: str
    board: str
    """The market board: `small`, `large` or `large_closed`."""
    round: int
    step: str
    order: tuple[Seat, ...]
    farms: tuple[Farm, ...]
    agenda: tuple[AnyTask, ...]
    buildings: tuple[Building, ...]
    """Indexed by number - 1."""
    stalls: tuple[Seat, ...]
    """Owner of each market space in the order of the component table, or `NOBODY`."""
    siesta: tuple[tuple[Seat, ...], ...]
    """Stacks on spaces 0 to 4, top first."""
    dice: tuple[int, ...] = ()
    """Revenue dice not yet taken, sorted."""
    reserved: int = 0
    """Revenue space marked by the Village Elder, or 0."""
    reserver: Seat = NOBODY
    roofs: tuple[str, ...] = ()
    """Open roof tiles of the round."""
    discard: tuple[int, ...] = ()
    """Discard pile, face up, oldest card first."""
    cards_drawn: int = 0
    """Number of cards drawn so far; part of the name of each draw."""
    extra_deliveries: str = "one_by_one"
    """Way to buy extra deliveries: `one_by_one` or `at_once` (LG-12.4)."""
    neutral: int = 0
    """Place of the neutral player in the turn order of the round, 1 or 2; 0 outside the solo game."""
