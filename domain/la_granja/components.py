"""Everything that comes in the box except the farm cards: prices, market, buildings, roof tiles, tracks, editions."""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import msgspec

from domain.la_granja import data

Crop = Literal["olive", "grain", "grape"]
Resource = Literal["olive", "grain", "grape", "pig"]
Upgraded = Literal["food", "wine", "meat"]
Good = Literal["olive", "grain", "grape", "pig", "food", "wine", "meat"]
FarmGood = Literal["silver", "vp", "olive", "grain", "grape", "pig", "food", "wine", "meat"]
Deliverable = Literal["silver", "vp", "olive", "grain", "grape", "pig", "food", "wine", "meat", "trade_commodity"]
Phase = Literal["any", "I", "II", "III", "IV"]

CROPS: Final[tuple[Crop, ...]] = get_args(Crop)
RESOURCES: Final[tuple[Resource, ...]] = get_args(Resource)
UPGRADED: Final[tuple[Upgraded, ...]] = get_args(Upgraded)
GOODS: Final[tuple[Good, ...]] = get_args(Good)
FARM_GOODS: Final[tuple[FarmGood, ...]] = get_args(FarmGood)
"""The nine kinds, in the order in which a farm extension is paid (LG-0.4, LG-3.1.4)."""
DELIVERABLES: Final[tuple[Deliverable, ...]] = get_args(Deliverable)
TRADE_COMMODITY: Final = "trade_commodity"


class Setup(data.Record, frozen=True):
    """What stands ready before round 1 (LG-1); dice and start stalls by number of players."""

    hand_cards: int
    victory_points: int
    silver: int
    trade_commodities: int
    donkey_tiles: int
    player_markers: int
    building_first_vp: int
    building_order_tiles: int
    building_order_vp: int
    craft_markers_per_building: str
    roof_tiles_per_round: str
    dice: Mapping[int, int]
    start_stalls: Mapping[int, tuple[int, ...]]


class PlayerBoard(data.Record, frozen=True):
    """What every farm has before any card lies at it."""

    pig_pens: int
    hand_limit: int
    extra_deliveries: int
    barrow_slots: int
    helper_slots: int
    fields: str
    extensions: str
    craft_marker_spaces: int
    dice_spaces: int
    roof_spaces: int
    roof_vp: tuple[int, ...]
    extension_cost: str
    extension_cost_table: tuple[int, ...]
    extension_good_kinds: int
    silver_per_vp_at_end: int
    extra_delivery_silver: int


class TradeCommodity(data.Record, frozen=True):
    """What a trade commodity is good for (LG-2.3, LG-8.2)."""

    options: tuple[str, ...]
    silver: int
    deliverable: bool
    sell_value_at_end: int


class SiestaTrack(data.Record, frozen=True):
    """The track that sets the turn order and scores in phase IV (LG-5.2, LG-7.2)."""

    spaces: int
    start: int
    last: int
    vp: tuple[int, ...]
    vp_values: tuple[int, ...]
    solo_start_player_from: int


class Price(data.Record, frozen=True):
    """What a resource costs, brings and becomes (LG-2.8)."""

    id: Resource
    buy: int
    sell: int
    upgrade: int
    upgrades_to: Upgraded


class DonkeyTile(data.Record, frozen=True):
    """One of the four tiles of a player: deliveries and steps on the siesta track."""

    donkeys: int
    hats: int


class RevenueSpace(data.Record, frozen=True):
    """What a revenue die brings."""

    die: int
    id: str
    options: tuple[str, ...]


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a craft marker brings, on its instant or on its lasting side."""

    kind: str
    amount: int = 0
    maximum: int = 0
    deliveries: int = 0
    siesta_steps: int = 0


class Building(data.Record, frozen=True):
    """A craft building: what a row asks for and what completing one brings."""

    number: int
    id: str
    name: str
    other_names: tuple[str, ...]
    row: tuple[Deliverable, ...]
    rows_large: int
    rows_small: int
    phases: tuple[Phase, ...]
    instant: Bonus
    permanent: Bonus
    permanent_when: str


class RoofParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of a roof effect; which of them count depends on its kind."""

    amount: int = 0
    choice: tuple[Good, ...] = ()
    count: int = 0
    silver_cost: int = 0
    steps: int = 0
    minimum: int = 0
    maximum: int = 0
    vp: int = 0
    removes: bool = False
    factor: int = 1


class RoofEffect(data.Record, frozen=True):
    """What a roof tile does, once."""

    id: str
    kind: str
    params: RoofParams
    phases: tuple[Phase, ...]
    text: str
    editions: tuple[str, ...]


class RoofTile(data.Record, frozen=True):
    """One roof tile: the round it is sold in and its effect."""

    id: str
    edition: str
    round: int
    cost: int
    effect: str


class Edition(data.Record, frozen=True):
    """What an edition does differently (LG-12); a marker limit of 0 is none."""

    players: tuple[int, int]
    market: Mapping[str, str]
    roof_set: str
    marker_limit: int
    extra_delivery_purchase: str
    replace_own_marker: bool
    solo: str
    year: int = 0
    vp_open: bool = True
    vp_tokens: int = 0
    vp_token_values: tuple[int, ...] = ()
    silver_tokens: int = 0
    silver_token_values: tuple[int, ...] = ()
    exhaustion_tokens: int = 0
    market_overlay_tiles: int = 0
    extra_delivery_limit_fixed_at_step_start: bool = True
    solo_automa: str = "none"


class Solo(data.Record, frozen=True):
    """The numbers of the solo game (LG-11)."""

    dice: int
    turn_order_markers: tuple[int, ...]
    neutral_player: bool
    roof_tiles_per_round: int
    discard_rounds_low: tuple[int, ...]
    discard_rounds_high: tuple[int, ...]
    vp_per_neutral_marker_removed: int
    start_player_from_siesta: int
    market: str


FILE: Final = data.COMPONENTS_FILE
TABLE: Final = data.read_table(FILE)


def _list(
    type_: Any, name: str, follows: Mapping[str, str], *, key: str = "id", table: Mapping[str, Any] = TABLE
) -> Any:
    rows = data.records(type_, data.part(table, name, FILE), f"{FILE}, {name}", key, follows)
    data.unique((getattr(row, key) for row in rows), f"{FILE}, {name}")
    return rows


def _table(type_: Any, name: str) -> Any:
    raw = dict(data.part(TABLE, name, FILE))
    if name == "setup":
        raw |= {key: _by_players(raw[key]) for key in ("dice", "start_stalls")}
    return data.record(type_, raw, f"{FILE}, {name}")


def _by_players(raw: Mapping[str, Any]) -> dict[int, Any]:
    return {int(players): value for players, value in raw.items() if players.isdecimal()}


_BUILDING_FOLLOWS: Final = {
    "id": "name",
    "other_names": "name",
    "permanent_when": "permanent",
}
_TILE_FOLLOWS: Final = {"id": "round", "edition": "effect_in_game", "effect": "effect_in_game"}
_EFFECT_FOLLOWS: Final = dict.fromkeys(("id", "kind", "params", "text", "editions"), "effect")

ROUNDS: Final = int(TABLE["meta"]["rounds"])
SETUP: Final[Setup] = _table(Setup, "setup")
PLAYER_BOARD: Final[PlayerBoard] = _table(PlayerBoard, "player_board")
COMMODITY: Final[TradeCommodity] = _table(TradeCommodity, "trade_commodity")
SIESTA: Final[SiestaTrack] = _table(SiestaTrack, "siesta_track")
SOLO: Final[Solo] = _table(Solo, "solo")
DONKEY_RESET_ROUND: Final = int(TABLE["donkey_rules"]["reset_round"])
FIRST_COMPLETION_VP: Final = int(TABLE["craft_rules"]["first_completion_vp"])
UNLOCK_VP: Final = int(TABLE["craft_rules"]["unlock_vp"])
PRICES: Final[Mapping[str, Price]] = {row.id: row for row in _list(Price, "resources", {})}
DONKEY_TILES: Final[Mapping[int, DonkeyTile]] = {
    row.donkeys: row for row in _list(DonkeyTile, "donkey_tiles", {}, key="donkeys")
}
REVENUE_SPACES: Final[Mapping[int, RevenueSpace]] = {
    row.die: row for row in _list(RevenueSpace, "revenue_spaces", {}, key="die")
}
BUILDINGS: Final[Mapping[int, Building]] = {
    row.number: row for row in _list(Building, "craft_buildings", _BUILDING_FOLLOWS, key="number")
}
ROOF_EFFECTS: Final[Mapping[str, RoofEffect]] = {
    row.id: row for row in _list(RoofEffect, "roof_effects", _EFFECT_FOLLOWS)
}
ROOF_TILES: Final[Mapping[str, RoofTile]] = {row.id: row for row in _list(RoofTile, "roof_tiles", _TILE_FOLLOWS)}
EDITIONS: Final[Mapping[str, Edition]] = {
    name: data.record(Edition, raw, f"{FILE}, edition {name}") for name, raw in TABLE["editions"].items()
}
DEFAULT_EDITION: Final = str(TABLE["meta"]["default_edition"])


def effect_of(tile: str) -> RoofEffect:
    """The effect of a roof tile."""
    return ROOF_EFFECTS[ROOF_TILES[tile].effect]


def roof_tiles_of(round: int, edition: str = DEFAULT_EDITION) -> tuple[str, ...]:
    """The ids of the four tiles of a round, sorted."""
    roof_set = EDITIONS[edition].roof_set
    return tuple(sorted(tile.id for tile in ROOF_TILES.values() if (tile.edition, tile.round) == (roof_set, round)))
