"""The components except the action cards: regions, scoring tables, scoreboards, power cards and numbers."""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from domain.kernel.component_data import demand
from domain.titles.el_grande import data

Region = Literal["galicia", "navarra", "aragon", "cataluna", "castilla", "toledo", "valencia", "sevilla", "granada"]
Area = Literal[
    "galicia", "navarra", "aragon", "cataluna", "castilla", "toledo", "valencia", "sevilla", "granada", "castillo"
]
"""An area: it is scored and may carry a scoreboard (EG-0.8)."""
Place = Literal[
    "galicia",
    "navarra",
    "aragon",
    "cataluna",
    "castilla",
    "toledo",
    "valencia",
    "sevilla",
    "granada",
    "castillo",
    "court",
    "province",
]
"""The location of a caballero (EG-0.3)."""
KingPlace = Literal[
    "galicia",
    "navarra",
    "aragon",
    "cataluna",
    "castilla",
    "toledo",
    "valencia",
    "sevilla",
    "granada",
    "castillo",
    "france",
    "portugal",
]
"""The possible locations of the king (EG-0.4, EG-6.4)."""
Board = Literal["board-4", "board-8"]

REGIONS: Final[tuple[Region, ...]] = get_args(Region)
AREAS: Final[tuple[Area, ...]] = get_args(Area)
PLACES: Final[tuple[Place, ...]] = get_args(Place)
KING_PLACES: Final[tuple[KingPlace, ...]] = get_args(KingPlace)
BOARDS: Final[tuple[Board, ...]] = get_args(Board)

REGION_COUNT: Final = len(REGIONS)
CASTILLO: Final = 9
COURT: Final = 10
PROVINCE: Final = 11
FRANCE: Final = 10
PORTUGAL: Final = 11
NOWHERE: Final = -1

PLACE_INDEX: Final[Mapping[str, int]] = {place: index for index, place in enumerate(PLACES)}
"""The row of a place in `State.pieces`."""
assert (PLACES[CASTILLO], PLACES[COURT], PLACES[PROVINCE]) == ("castillo", "court", "province")
KING_INDEX: Final[Mapping[str, int]] = {place: index for index, place in enumerate(KING_PLACES)}

FILE: Final = data.COMPONENTS_FILE
TABLE: Final = data.read_table(FILE)

Prices = tuple[int, int, int]


class RegionRow(data.Record, frozen=True):
    """A region of the board: its printed table and its neighbours."""

    id: Region
    name: str
    aliases: tuple[str, ...]
    score: Prices
    neighbors: tuple[Region, ...]
    borders_france: bool
    borders_portugal: bool


class ExilePlace(data.Record, frozen=True):
    """France or Portugal (EG-18.4)."""

    id: Literal["france", "portugal"]
    name: str
    neighbors: tuple[Region, ...]


class CastilloRow(data.Record, frozen=True):
    """The Castillo (EG-7)."""

    id: Literal["castillo"]
    name: str
    score: Prices
    is_region: bool


class Scoreboard(data.Record, frozen=True):
    """An alternative scoreboard (EG-11)."""

    id: Board
    score: Prices


class PowerCard(data.Record, frozen=True):
    """A power card: its value for the turn order and the number of caballeros it calls (EG-4.4)."""

    value: int
    caballeros: int


class Setup(data.Record, frozen=True):
    """The numbers of EG-1, EG-2 and EG-15."""

    rounds: int
    scoring_after_rounds: tuple[int, ...]
    short_game_rounds: tuple[int, ...]
    caballeros_per_player: int
    start_court: int
    start_in_home_region: int
    start_province: int
    grandes_per_player: int
    max_players: int
    colors: int
    region_cards: int
    secret_discs: int


class Bonuses(data.Record, frozen=True):
    """The bonuses of king and Grande for the sole first (EG-10.5, EG-10.6)."""

    king: int
    grande: int
    needs_sole_first: bool


class Strip(data.Record, frozen=True):
    """The order in which a general scoring scores the regions (EG-9.6)."""

    order: tuple[Region, ...]
    castillo_first: bool


class Meta(data.Record, frozen=True):
    """The metadata of the component file."""

    game: str
    edition: str
    schema: int
    players: tuple[int, int]
    rules: str
    base_action_cards: int
    king_cards: int
    new_regency_cards: int
    veteran_cards: int
    action_cards_total: int


class BoardTable(data.Record, frozen=True):
    """The nine regions, the places next to them and the scoreboards, checked for consistency."""

    regions: tuple[RegionRow, ...]
    exile: tuple[ExilePlace, ...]
    castillo: CastilloRow
    scoreboards: tuple[Scoreboard, ...]
    strip: Strip


def load_board(table: Mapping[str, Any], file: str) -> BoardTable:
    """Load the board of a parsed file; raise `DataFault` unless regions and scoreboards are the expected ones.

    Neighbours must be mutual and agree with France and Portugal, and every region must be scored once.
    """
    regions = data.records(RegionRow, table, "region", file)
    exile = data.records(ExilePlace, table, "exile_place", file)
    boards = data.records(Scoreboard, table, "scoreboard", file)
    castillo = data.record(CastilloRow, data.part(table, "castillo", file), f"{file}, castillo")
    strip = data.record(Strip, data.part(table, "scoring_strip", file), f"{file}, scoring_strip")
    region_ids = tuple(row.id for row in regions)
    fault = f"key `region`: expected {list(REGIONS)} in this order, found {list(region_ids)}"
    demand(region_ids == REGIONS, file, fault)
    borders = {row.id: row.neighbors for row in regions}
    for row in regions:
        location = f"{file}, region {row.id}"
        for other in row.neighbors:
            demand(row.id in borders[other], location, f"key `neighbors`: `{other}` does not list `{row.id}`")
        for place in exile:
            is_border = row.borders_france if place.id == "france" else row.borders_portugal
            is_mutual = is_border == (row.id in place.neighbors)
            fault = f"key `borders_{place.id}`: {is_border} contradicts the neighbors of `{place.id}`"
            demand(is_mutual, location, fault)
    is_complete = sorted(strip.order) == sorted(REGIONS)
    fault = f"key `order`: expected every region once, found {list(strip.order)}"
    demand(is_complete, f"{file}, scoring_strip", fault)
    board_ids = tuple(board.id for board in boards)
    fault = f"key `scoreboard`: expected {list(BOARDS)} in this order, found {list(board_ids)}"
    demand(board_ids == BOARDS, file, fault)
    return BoardTable(regions=regions, exile=exile, castillo=castillo, scoreboards=boards, strip=strip, prov={})


def load_power_cards(table: Mapping[str, Any], file: str) -> tuple[int, ...]:
    """Return the number of caballeros called by each power card, indexed by value; index 0 is unused.

    Raise `DataFault` unless the values are 1 to 13 in order and no number is negative.
    """
    cards = data.records(PowerCard, table, "power_card", file, "value")
    values = [card.value for card in cards]
    demand(values == list(range(1, 14)), file, f"key `power_card`: expected 1 to 13 in this order, found {values}")
    for card in cards:
        location = f"{file}, power_card {card.value}"
        demand(card.caballeros >= 0, location, f"key `caballeros`: {card.caballeros} is below 0")
    return (0, *(card.caballeros for card in cards))


def load_setup(table: Mapping[str, Any], file: str) -> Setup:
    """Load the setup numbers; raise `DataFault` unless a player's initial pieces add up to all of a colour."""
    setup = data.record(Setup, data.part(table, "setup", file), f"{file}, setup")
    total = setup.start_court + setup.start_in_home_region + setup.start_province
    adds_up = total == setup.caballeros_per_player
    fault = f"court, home region and Province add up to {total}, not {setup.caballeros_per_player}"
    demand(adds_up, f"{file}, setup", f"key `caballeros_per_player`: {fault}")
    return setup


META: Final = data.record(Meta, data.part(TABLE, "meta", FILE), f"{FILE}, meta")
SETUP: Final = load_setup(TABLE, FILE)
BONUSES: Final = data.record(Bonuses, data.part(TABLE, "bonuses", FILE), f"{FILE}, bonuses")
BOARD_TABLE: Final = load_board(TABLE, FILE)
CALLS: Final = load_power_cards(TABLE, FILE)
POWERS: Final = tuple(range(1, len(CALLS)))

CABALLEROS: Final = SETUP.caballeros_per_player
PRINTED: Final[tuple[Prices, ...]] = (*(row.score for row in BOARD_TABLE.regions), BOARD_TABLE.castillo.score)
"""The printed table of every area, by its index."""
BOARD_PRICES: Final[tuple[Prices, ...]] = tuple(board.score for board in BOARD_TABLE.scoreboards)
STRIP: Final = tuple(PLACE_INDEX[region] for region in BOARD_TABLE.strip.order)
NEIGHBOURS: Final[tuple[tuple[int, ...], ...]] = (
    *(tuple(sorted(PLACE_INDEX[other] for other in row.neighbors)) for row in BOARD_TABLE.regions),
    tuple(range(REGION_COUNT)),
    *(tuple(sorted(PLACE_INDEX[other] for other in place.neighbors)) for place in BOARD_TABLE.exile),
)
"""The regions next to the king by his location; next to the Castillo, all of them (EG-0.5, EG-18.4, EG-18.8)."""
ROUNDS: Final = tuple(range(1, SETUP.rounds + 1))
SHORT_ROUNDS: Final = SETUP.short_game_rounds
SCORING_ROUNDS: Final = frozenset(SETUP.scoring_after_rounds)
AREA_NAMES: Final[Mapping[str, str]] = {
    **{row.id: row.name for row in BOARD_TABLE.regions},
    **{place.id: place.name for place in BOARD_TABLE.exile},
    "castillo": BOARD_TABLE.castillo.name,
    "court": "Court",
    "province": "Province",
}
