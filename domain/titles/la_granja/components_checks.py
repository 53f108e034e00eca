"""Consistency checks of a component file: the assumptions that the rules make about every file."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from domain.kernel.component_data import demand
from domain.titles.la_granja.components import Components
from domain.titles.la_granja.components_market import Market
from domain.titles.la_granja.state import RESOURCES

ROUNDS: Final = 6
SIESTA_SPACES: Final = 5
PLAYERS_MAX: Final = 4
DICE: Final = {1: 5, 2: 5, 3: 7, 4: 9}
"""Revenue dice by number of players: two per player plus one (LG-1.8)."""
EDITIONS: Final = ("original", "deluxe", "yucata", "bga")
REVENUE_OPTIONS: Final = frozenset(
    [
        "pig_1",
        "play_card",
        "draw_card",
        "crop_any",
        "two_different_crops",
        "silver_4",
        "upgrade_2",
        "upgrade_1_siesta_1",
        "siesta_2",
        "delivery_1",
        "silver_2",
    ]
)
COMMODITY_OPTIONS: Final = frozenset(["silver_4", "two_different_crops", "play_or_draw_card", "pig_1", "upgrade_2"])
INSTANTS: Final = frozenset(
    ["silver", "delivery_and_siesta_vp", "trade_commodity", "any_resource", "vp", "vp_per_own_barrow"]
)
PERMANENTS: Final = frozenset(
    [
        "income_silver",
        "siesta_step_and_free_delivery",
        "income_trade_commodity",
        "income_any_resource",
        "vp_per_craft_marker",
        "vp_per_completed_barrow",
    ]
)
ROOF_KINDS: Final = frozenset(
    [
        "silver",
        "vp",
        "pig",
        "crop",
        "upgraded_good",
        "two_different_crops",
        "free_upgrade",
        "delivery",
        "paid_delivery",
        "play_or_draw_card",
        "flip_roof",
        "siesta",
        "die_shift",
        "take_income",
        "place_market_marker",
        "double_roof_vp",
    ]
)


def check_consistency(components: Components, markets: Mapping[str, Market], file: str) -> None:
    """Raise `DataFault` for negative numbers, unknown names, or quantities that the rules cannot handle."""
    for part, location in _parts(components, file):
        _check_no_negative(part, location, "")
    demand(
        components.rounds == ROUNDS,
        f"{file}, meta",
        f"key `rounds`: a match has {ROUNDS} rounds, not {components.rounds}",
    )
    _check_same(components.prices, RESOURCES, f"{file}, resources", "id")
    _check_setup(components, markets, file)
    _check_tracks(components, file)
    _check_village(components, file)
    _check_roofs(components, file)
    _check_editions(components, markets, file)
    for name, key, actual, expected in _fixed_values(components):
        demand(actual == expected, f"{file}, {name}", f"key `{key}`: expected {expected!r}, not {actual!r}")


def _fixed_values(components: Components) -> Iterable[tuple[str, str, Any, Any]]:
    """Yield (table, key, stated value, required value) of each entry that the rules fix or the file repeats."""
    setup, solo, siesta = components.setup, components.solo, components.siesta
    yield "setup", "donkey_tiles", setup.donkey_tiles, len(components.donkey_tiles)
    yield "setup", "building_first_vp", setup.building_first_vp, components.first_completion_vp
    yield "setup", "building_order_vp", setup.building_order_vp, components.unlock_vp
    yield "player_board", "extension_cost_table", components.player_board.extension_cost_table, tuple(range(1, 10))
    yield "trade_commodity", "deliverable", components.commodity.deliverable, True
    yield "siesta_track", "start", siesta.start, 0
    yield "siesta_track", "solo_start_player_from", siesta.solo_start_player_from, solo.start_player_from_siesta
    yield "solo", "dice", solo.dice, DICE[1]
    yield "solo", "vp_per_neutral_marker_removed", solo.vp_per_neutral_marker_removed, 1
    late_rounds = tuple(round for round in range(1, ROUNDS + 1) if round not in solo.discard_rounds_low)
    yield "solo", "discard_rounds_high", solo.discard_rounds_high, late_rounds
    for name, edition in components.editions.items():
        yield f"edition {name}", "extra_delivery_purchase", edition.extra_delivery_purchase, "one_by_one"
        is_fixed = edition.extra_delivery_limit_fixed_at_step_start
        yield f"edition {name}", "extra_delivery_limit_fixed_at_step_start", is_fixed, True
    for name, effect in components.roof_effects.items():
        bounds = (1, 6) if effect.kind == "die_shift" else (0, 0)
        yield f"roof_effects {name}", "params", (effect.params.minimum, effect.params.maximum), bounds
        yield f"roof_effects {name}", "params", (effect.params.vp, effect.params.removes), (0, False)


def _parts(components: Components, file: str) -> Iterable[tuple[Any, str]]:
    """Yield every record with its position in the file, in words."""
    yield components.setup, f"{file}, setup"
    yield components.player_board, f"{file}, player_board"
    yield components.commodity, f"{file}, trade_commodity"
    yield components.siesta, f"{file}, siesta_track"
    yield components.solo, f"{file}, solo"
    tables: tuple[tuple[str, Mapping[Any, Any]], ...] = (
        ("resources", components.prices),
        ("donkey_tiles", components.donkey_tiles),
        ("revenue_spaces", components.revenue_spaces),
        ("craft_buildings", components.buildings),
        ("roof_effects", components.roof_effects),
        ("roof_tiles", components.roof_tiles),
        ("edition", components.editions),
    )
    for name, rows in tables:
        yield from ((row, f"{file}, {name} {key}") for key, row in rows.items())
    craft_rules = {"first_completion_vp": components.first_completion_vp, "unlock_vp": components.unlock_vp}
    yield craft_rules, f"{file}, craft_rules"


def _check_no_negative(value: object, location: str, key: str) -> None:
    """Raise `DataFault` if any number in the value, at any depth, is negative."""
    if isinstance(value, msgspec.Struct):
        value = {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        for name, item in value.items():
            _check_no_negative(item, location, f"{key}.{name}" if key else str(name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            _check_no_negative(item, location, f"{key}[{index}]")
    elif isinstance(value, int):
        demand(value >= 0, location, f"key `{key}`: {value} is below 0")


def _check_same(actual: Iterable[Any], expected: Iterable[Any], location: str, key: str) -> None:
    actual_names, expected_names = sorted(map(str, actual)), sorted(map(str, expected))
    demand(
        actual_names == expected_names,
        location,
        f"key `{key}`: expected {', '.join(expected_names)}, found {', '.join(actual_names)}",
    )


def _check_known(names: Iterable[str], known: frozenset[str], location: str, key: str) -> None:
    for name in names:
        demand(name in known, location, f"key `{key}`: `{name}` is not one of {sorted(known)}")


def _check_setup(components: Components, markets: Mapping[str, Market], file: str) -> None:
    """Raise `DataFault` unless setup has the dice of LG-1.8 and a start space for each seat.

    There must be at most 8 cards each to deal, a building for every order tile, and start spaces for the solo markers.
    """
    setup, location = components.setup, f"{file}, setup"
    fault = f"key `dice`: expected {DICE}, two per player and one more, not {setup.dice}"
    demand(setup.dice == DICE, location, fault)
    demand(setup.hand_cards <= 8, location, f"key `hand_cards`: {setup.hand_cards} is above 8")
    blocked = setup.building_order_tiles
    building_count = len(components.buildings)
    fault = f"key `building_order_tiles`: {blocked} is above {building_count}, the number of buildings"
    demand(blocked <= building_count, location, fault)
    for players in range(1, PLAYERS_MAX + 1):
        values = setup.start_stalls.get(players, ())
        has_starts = all(value in market.starts for value in values for market in markets.values())
        is_valid = len(set(values)) == max(2, players) and has_starts
        fault = f"expected {max(2, players)} different start spaces of the market, not {list(values)}"
        demand(is_valid, location, f"key `start_stalls.{players}`: {fault}")
    tiles = sorted(components.solo.turn_order_markers)
    starts = sorted(setup.start_stalls[1])
    fault = f"key `turn_order_markers`: expected the start spaces {starts}, not {tiles}"
    demand(tiles == starts, f"{file}, solo", fault)


def _check_tracks(components: Components, file: str) -> None:
    """Raise `DataFault` for wrong lengths of siesta track, roof spaces or donkey tiles, or unknown revenue options.

    Options of trade commodities must be known too, and 1 VP cost at least 1 silver at the end.
    """
    siesta, board = components.siesta, components.player_board
    fits = (siesta.spaces, siesta.last, len(siesta.vp)) == (SIESTA_SPACES, SIESTA_SPACES - 1, SIESTA_SPACES)
    expected = f"expected {SIESTA_SPACES} spaces, last {SIESTA_SPACES - 1}, and {SIESTA_SPACES} values"
    actual = f"found {siesta.spaces}, {siesta.last} and {len(siesta.vp)}"
    demand(fits, f"{file}, siesta_track", f"key `vp`: {expected}; {actual}")
    fits = len(board.roof_vp) == board.roof_spaces
    demand(fits, f"{file}, player_board", f"key `roof_vp`: expected {board.roof_spaces}, not {len(board.roof_vp)}")
    silver = board.silver_per_vp_at_end
    demand(silver > 0, f"{file}, player_board", f"key `silver_per_vp_at_end`: {silver} is below 1")
    tile_count_min = max(components.donkey_reset_round - 1, ROUNDS - components.donkey_reset_round + 1)
    location = f"{file}, donkey_tiles"
    demand(0 not in components.donkey_tiles, location, "key `donkeys`: 0 is below 1")
    demand(
        len(components.donkey_tiles) >= tile_count_min,
        location,
        f"expected at least {tile_count_min} tiles, found {len(components.donkey_tiles)}",
    )
    _check_same(components.revenue_spaces, range(1, 7), f"{file}, revenue_spaces", "die")
    for die, space in components.revenue_spaces.items():
        _check_known(space.options, REVENUE_OPTIONS, f"{file}, revenue_spaces {die}", "options")
    _check_known(components.commodity.options, COMMODITY_OPTIONS, f"{file}, trade_commodity", "options")


def _check_village(components: Components, file: str) -> None:
    """Raise `DataFault` unless there are six buildings with non-empty rows and known bonuses."""
    _check_same(components.buildings, range(1, 7), f"{file}, craft_buildings", "number")
    for number, building in components.buildings.items():
        location = f"{file}, craft_buildings {number}"
        demand(bool(building.row), location, "key `row`: expected at least one good, found none")
        _check_known((building.instant.kind,), INSTANTS, location, "instant.kind")
        _check_known((building.permanent.kind,), PERMANENTS, location, "permanent.kind")


def _check_roofs(components: Components, file: str) -> None:
    """Raise `DataFault` unless roof effects are known and every round has tiles for four players in each edition."""
    for name, effect in components.roof_effects.items():
        _check_known((effect.kind,), ROOF_KINDS, f"{file}, roof_effects {name}", "kind")
    for name, tile in components.roof_tiles.items():
        is_known = tile.effect in components.roof_effects
        demand(is_known, f"{file}, roof_tiles {name}", f"key `effect`: unknown roof effect `{tile.effect}`")
    for edition in components.editions:
        for round in range(1, ROUNDS + 1):
            count = len(components.roof_tiles_of(round, edition))
            location = f"{file}, edition {edition}"
            fault = f"expected at least {PLAYERS_MAX} tiles of round {round}, found {count}"
            demand(count >= PLAYERS_MAX, location, f"key `roof_set`: {fault}")


def _check_editions(components: Components, markets: Mapping[str, Market], file: str) -> None:
    """Raise `DataFault` unless the four editions exist and have a market board for each number of players."""
    _check_same(components.editions, EDITIONS, f"{file}, editions", "editions")
    for name, edition in components.editions.items():
        location, (players_min, players_max) = f"{file}, edition {name}", edition.players
        demand(
            1 <= players_min <= players_max <= PLAYERS_MAX,
            location,
            f"key `players`: {players_min} to {players_max} is not a range within 1 to {PLAYERS_MAX}",
        )
        for players in range(players_min, players_max + 1):
            board = edition.market.get(str(players), "")
            demand(board in markets, location, f"key `market.{players}`: unknown board `{board}`")
