"""Records and loader of the component file: prices, market, buildings, roof tiles, tracks and editions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from domain.kernel.component_data import convert_value, require_unique
from domain.titles.la_granja import data

Crop = Literal["olive", "grain", "grape"]
Resource = Literal["olive", "grain", "grape", "pig"]
Upgraded = Literal["food", "wine", "meat"]
Good = Literal["olive", "grain", "grape", "pig", "food", "wine", "meat"]
Deliverable = Literal["silver", "vp", "olive", "grain", "grape", "pig", "food", "wine", "meat", "trade_commodity"]
Phase = Literal["any", "I", "II", "III", "IV"]


class Setup(data.Record, frozen=True):
    """Quantities before round 1 (LG-1); dice and start stalls are given by number of players."""

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
    """The capacity and prices of a farm without cards."""

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
    """The uses of a trade commodity (LG-2.3, LG-8.2)."""

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
    """Buying, selling and upgrade price of a resource, and its upgraded good (LG-2.8)."""

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
    """The options of a revenue space, by the number of its die."""

    die: int
    id: str
    options: tuple[str, ...]


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus of a craft marker, for its instant or lasting side."""

    kind: str
    amount: int = 0
    maximum: int = 0
    deliveries: int = 0
    siesta_steps: int = 0


class Building(data.Record, frozen=True):
    """A craft building: the goods of a row and the bonuses for completing one."""

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
    """Parameters of a roof effect; each kind uses only some of them."""

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
    """The one-time effect of a roof tile."""

    id: str
    kind: str
    params: RoofParams
    phases: tuple[Phase, ...]
    text: str
    editions: tuple[str, ...]


class RoofTile(data.Record, frozen=True):
    """A roof tile: the round it is sold in, its price and its effect."""

    id: str
    edition: str
    round: int
    cost: int
    effect: str


class Edition(data.Record, frozen=True):
    """Differences of an edition (LG-12); a marker limit of 0 means no limit."""

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
    """Numbers of the solo game (LG-11)."""

    dice: int
    turn_order_markers: tuple[int, ...]
    neutral_player: bool
    roof_tiles_per_round: int
    discard_rounds_low: tuple[int, ...]
    discard_rounds_high: tuple[int, ...]
    vp_per_neutral_marker_removed: int
    start_player_from_siesta: int
    market: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Components:
    """The content of a component file in the form used by the rules."""

    rounds: int
    setup: Setup
    player_board: PlayerBoard
    commodity: TradeCommodity
    siesta: SiestaTrack
    solo: Solo
    donkey_reset_round: int
    first_completion_vp: int
    unlock_vp: int
    prices: Mapping[str, Price]
    donkey_tiles: Mapping[int, DonkeyTile]
    revenue_spaces: Mapping[int, RevenueSpace]
    buildings: Mapping[int, Building]
    roof_effects: Mapping[str, RoofEffect]
    roof_tiles: Mapping[str, RoofTile]
    editions: Mapping[str, Edition]

    def effect_of(self, tile: str) -> RoofEffect:
        """Return the effect of a roof tile."""
        return self.roof_effects[self.roof_tiles[tile].effect]

    def roof_tiles_of(self, round: int, edition: str) -> tuple[str, ...]:
        """Return the sorted ids of all tiles of a round in the edition's set."""
        roof_set = self.editions[edition].roof_set
        tiles = self.roof_tiles.values()
        return tuple(sorted(tile.id for tile in tiles if (tile.edition, tile.round) == (roof_set, round)))


_BUILDING_FOLLOWS: Final = {
    "id": "name",
    "other_names": "name",
    "permanent_when": "permanent",
}
_TILE_FOLLOWS: Final = {"id": "round", "edition": "effect_in_game", "effect": "effect_in_game"}
_EFFECT_FOLLOWS: Final = dict.fromkeys(("id", "kind", "params", "text", "editions"), "effect")


def load_components(table: Mapping[str, Any], file: str) -> Components:
    """Return the components of a parsed file; raise `DataFault` for unknown, missing, repeated or invalid values."""

    def rows(type_: Any, name: str, follows: Mapping[str, str], key: str = "id") -> dict[Any, Any]:
        records = data.records(type_, data.part(table, name, file), f"{file}, {name}", key, follows)
        require_unique((getattr(row, key) for row in records), f"{file}, {name}")
        return {getattr(row, key): row for row in records}

    def one(type_: Any, name: str) -> Any:
        return data.record(type_, data.part(table, name, file), f"{file}, {name}")

    def number(name: str, key: str) -> int:
        location = f"{file}, {name}"
        return convert_value(int, data.part(data.part(table, name, file), key, location), location, key)

    return Components(
        rounds=number("meta", "rounds"),
        setup=data.record(Setup, _by_players(data.part(table, "setup", file)), f"{file}, setup"),
        player_board=one(PlayerBoard, "player_board"),
        commodity=one(TradeCommodity, "trade_commodity"),
        siesta=one(SiestaTrack, "siesta_track"),
        solo=one(Solo, "solo"),
        donkey_reset_round=number("donkey_rules", "reset_round"),
        first_completion_vp=number("craft_rules", "first_completion_vp"),
        unlock_vp=number("craft_rules", "unlock_vp"),
        prices=rows(Price, "resources", {}),
        donkey_tiles=rows(DonkeyTile, "donkey_tiles", {}, "donkeys"),
        revenue_spaces=rows(RevenueSpace, "revenue_spaces", {}, "die"),
        buildings=rows(Building, "craft_buildings", _BUILDING_FOLLOWS, "number"),
        roof_effects=rows(RoofEffect, "roof_effects", _EFFECT_FOLLOWS),
        roof_tiles=rows(RoofTile, "roof_tiles", _TILE_FOLLOWS),
        editions={
            name: data.record(Edition, raw, f"{file}, edition {name}")
            for name, raw in data.part(table, "editions", file).items()
        },
    )


def _by_players(raw: object) -> Any:
    """Return the setup table with numbers of players as integer keys, without the remarks among them.

    Anything but a table is returned unchanged.
    """
    if not isinstance(raw, Mapping):
        return raw
    return {key: _number_cards(value) if key in ("dice", "start_stalls") else value for key, value in raw.items()}


def _number_cards(raw: object) -> Any:
    if not isinstance(raw, Mapping):
        return raw
    return {int(players): value for players, value in raw.items() if players.isdecimal()}


FILE: Final = data.COMPONENTS_FILE
TABLE: Final = data.read_table(FILE)
STANDARD: Final = load_components(TABLE, FILE)
"""The standard components. Rules use `tables.box_of(state)` instead, because a match may use another file."""

REVENUE_SPACES: Final = STANDARD.revenue_spaces
BUILDINGS: Final = STANDARD.buildings
ROOF_EFFECTS: Final = STANDARD.roof_effects
ROOF_TILES: Final = STANDARD.roof_tiles
EDITIONS: Final = STANDARD.editions
DEFAULT_EDITION: Final = str(TABLE["meta"]["default_edition"])
