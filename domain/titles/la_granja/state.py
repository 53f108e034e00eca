"""The state of a La Granja match: immutable, flat where play changes it often, and without anything nobody knows yet.

The order of the draw pile is not here: the pile is whatever card is seen nowhere else. A card a reader may not see is
`UNKNOWN`, so that a redacted log folds too.
"""

from typing import Final

from domain.kernel.rules import Seat
from domain.kernel.values import Value
from domain.titles.la_granja.agenda import AnyTask

UNKNOWN: Final = 0
"""A card, or a chosen donkey tile, that exists but that this reader may not see."""

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
"""The nine kinds of LG-0.4, in its order."""

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
"""The steps of a round in order; `setup` comes before the first, `sale` and `over` after round 6 only."""

PHASE_OF: Final = {
    "setup": "0",
    **dict.fromkeys(STEPS[:4], "I"),
    **dict.fromkeys(STEPS[4:8], "II"),
    **dict.fromkeys(STEPS[8:12], "III"),
    **dict.fromkeys(STEPS[12:], "IV"),
}


class Field(Value, frozen=True, array_like=True):
    """A card laid as a field, with or without a crop on it; a helper's field names a crop only while one is there."""

    card: int
    crop: str
    full: bool = False


class Barrow(Value, frozen=True, array_like=True):
    """A card laid as a market barrow; one flag for each of its symbols."""

    card: int
    filled: tuple[bool, ...]


class HelperCard(Value, frozen=True, array_like=True):
    """A card laid as a helper; `exhausted` until phase IV after a use once per round, `marked` by a player marker.

    `goods` lie on the card of a helper that stores some; which kind is on the card.
    """

    card: int
    exhausted: bool = False
    marked: bool = False
    goods: int = 0


class Roof(Value, frozen=True, array_like=True):
    """A roof tile of a farm; `used` is face down."""

    tile: str
    used: bool = False


class CraftMarker(Value, frozen=True, array_like=True):
    """A craft marker of a farm; `flipped` once it shows its lasting side (LG-6.2.5)."""

    building: int
    flipped: bool = False


class Farm(Value, frozen=True):
    """All that one player owns. Goods are named as in LG-0.4; crops here lie in stores, `pig` in pens."""

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
    """Markers left in the supply; those in use are counted by what they mark (LG-0.9)."""
    hand: tuple[int, ...] = ()
    """Card numbers, sorted; `UNKNOWN` for those this reader may not see."""
    aside: tuple[int, ...] = ()
    """Cards drawn of which not all will be kept; hidden as the hand is."""
    fields: tuple[Field, ...] = ()
    barrows: tuple[Barrow, ...] = ()
    extensions: tuple[int, ...] = ()
    helpers: tuple[HelperCard, ...] = ()
    roofs: tuple[Roof, ...] = ()
    crafts: tuple[CraftMarker, ...] = ()
    dice: tuple[int, ...] = ()
    """The dice taken this round."""
    donkey: int = NO_DONKEY
    """The tile chosen this round, named by its donkeys (1 to 4); `UNKNOWN` when chosen but not seen."""
    donkeys_used: tuple[int, ...] = ()


class Row(Value, frozen=True, array_like=True):
    """A row of a craft building taken by a seat; one flag for each symbol."""

    seat: Seat
    filled: tuple[bool, ...]


class Building(Value, frozen=True):
    """A craft building."""

    number: int
    order_tile: int = 0
    """The building order tile that blocks it, 0 when open."""
    rows: tuple[Row, ...] = ()
    completed: tuple[Seat, ...] = ()
    """Who completed it, in order; the craft markers left are the players less these."""
    marks: tuple[Seat, ...] = ()
    """Whose completed-building marks lie there: those of `completed` not taken back (LG-0.9)."""


class State(Value, frozen=True):
    """The whole match, less what nobody knows yet."""

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
    """By number - 1."""
    stalls: tuple[Seat, ...]
    """The owner of each market space, in the order of the component table; `NOBODY` where none stands."""
    siesta: tuple[tuple[Seat, ...], ...]
    """The stacks on spaces 0 to 4, top first."""
    dice: tuple[int, ...] = ()
    """The revenue dice not yet taken, sorted."""
    reserved: int = 0
    """The revenue space marked by the Village Elder, 0 for none."""
    reserver: Seat = NOBODY
    roofs: tuple[str, ...] = ()
    """The open roof tiles of the round."""
    discard: tuple[int, ...] = ()
    """The discard pile, face up, oldest first."""
    cards_drawn: int = 0
    """Cards drawn so far in this line; it numbers the draws."""
    extra_deliveries: str = "one_by_one"
    """How extra deliveries are bought: `one_by_one` or `at_once` (LG-12.4)."""
    neutral: int = 0
    """The place of the solo game's neutral player in the order of the round, 1 or 2; 0 where there is none."""
