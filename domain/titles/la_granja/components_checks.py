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


def check_consistency(found: Components, markets: Mapping[str, Market], file: str) -> None:
    """Raise `DataFault` for negative numbers, unknown names, or quantities that the rules cannot handle."""
    for part, where in _parts(found, file):
        _check_no_negative(part, where, "")
    demand(found.rounds == ROUNDS, f"{file}, meta", f"key `rounds`: a match has {ROUNDS} rounds, not {found.rounds}")
    _check_same(found.prices, RESOURCES, f"{file}, resources", "id")
    _check_setup(found, markets, file)
    _check_tracks(found, file)
    _check_village(found, file)
    _check_roofs(found, file)
    _check_editions(found, markets, file)
    for name, key, says, plays in _fixed_values(found):
        demand(says == plays, f"{file}, {name}", f"key `{key}`: the rules play with {plays!r}, not with {says!r}")


def _fixed_values(found: Components) -> Iterable[tuple[str, str, Any, Any]]:
    """Yield (table, key, stated value, required value) of each entry that the rules fix or the file repeats."""
    setup, solo, siesta = found.setup, found.solo, found.siesta
    yield "setup", "donkey_tiles", setup.donkey_tiles, len(found.donkey_tiles)
    yield "setup", "building_first_vp", setup.building_first_vp, found.first_completion_vp
    yield "setup", "building_order_vp", setup.building_order_vp, found.unlock_vp
    yield "player_board", "extension_cost_table", found.player_board.extension_cost_table, tuple(range(1, 10))
    yield "trade_commodity", "deliverable", found.commodity.deliverable, True
    yield "siesta_track", "start", siesta.start, 0
    yield "siesta_track", "solo_start_player_from", siesta.solo_start_player_from, solo.start_player_from_siesta
    yield "solo", "dice", solo.dice, DICE[1]
    yield "solo", "vp_per_neutral_marker_removed", solo.vp_per_neutral_marker_removed, 1
    late = tuple(round for round in range(1, ROUNDS + 1) if round not in solo.discard_rounds_low)
    yield "solo", "discard_rounds_high", solo.discard_rounds_high, late
    for name, edition in found.editions.items():
        yield f"edition {name}", "extra_delivery_purchase", edition.extra_delivery_purchase, "one_by_one"
        fixed = edition.extra_delivery_limit_fixed_at_step_start
        yield f"edition {name}", "extra_delivery_limit_fixed_at_step_start", fixed, True
    for name, effect in found.roof_effects.items():
        bounds = (1, 6) if effect.kind == "die_shift" else (0, 0)
        yield f"roof_effects {name}", "params", (effect.params.minimum, effect.params.maximum), bounds
        yield f"roof_effects {name}", "params", (effect.params.vp, effect.params.removes), (0, False)


def _parts(found: Components, file: str) -> Iterable[tuple[Any, str]]:
    """Yield every record with its position in the file, in words."""
    yield found.setup, f"{file}, setup"
    yield found.player_board, f"{file}, player_board"
    yield found.commodity, f"{file}, trade_commodity"
    yield found.siesta, f"{file}, siesta_track"
    yield found.solo, f"{file}, solo"
    lists: tuple[tuple[str, Mapping[Any, Any]], ...] = (
        ("resources", found.prices),
        ("donkey_tiles", found.donkey_tiles),
        ("revenue_spaces", found.revenue_spaces),
        ("craft_buildings", found.buildings),
        ("roof_effects", found.roof_effects),
        ("roof_tiles", found.roof_tiles),
        ("edition", found.editions),
    )
    for name, rows in lists:
        yield from ((row, f"{file}, {name} {key}") for key, row in rows.items())
    others = {"first_completion_vp": found.first_completion_vp, "unlock_vp": found.unlock_vp}
    yield others, f"{file}, craft_rules"


def _check_no_negative(value: object, where: str, key: str) -> None:
    """Raise `DataFault` if any number in the value, at any depth, is negative."""
    if isinstance(value, msgspec.Struct):
        value = {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        for name, inner in value.items():
            _check_no_negative(inner, where, f"{key}.{name}" if key else str(name))
    elif isinstance(value, tuple):
        for place, inner in enumerate(value):
            _check_no_negative(inner, where, f"{key}[{place}]")
    elif isinstance(value, int):
        demand(value >= 0, where, f"key `{key}`: {value} is below 0")


def _check_same(found: Iterable[Any], known: Iterable[Any], where: str, key: str) -> None:
    stand, must = sorted(map(str, found)), sorted(map(str, known))
    demand(stand == must, where, f"key `{key}`: there must be {', '.join(must)}, there are {', '.join(stand)}")


def _check_known(words: Iterable[str], known: frozenset[str], where: str, key: str) -> None:
    for word in words:
        demand(word in known, where, f"key `{key}`: the rules do not know `{word}`")


def _check_setup(found: Components, markets: Mapping[str, Market], file: str) -> None:
    """Raise `DataFault` unless setup has the dice of LG-1.8 and a start space for each seat.

    There must be at most 8 cards each to deal, a building for every order tile, and start spaces for the solo markers.
    """
    setup, where = found.setup, f"{file}, setup"
    demand(setup.dice == DICE, where, f"key `dice`: two for each player and one more are {DICE}")
    demand(setup.hand_cards <= 8, where, f"key `hand_cards`: {setup.hand_cards} cards each are too many to deal")
    blocked = setup.building_order_tiles
    demand(blocked <= len(found.buildings), where, f"key `building_order_tiles`: {blocked} find no building each")
    for players in range(1, PLAYERS_MAX + 1):
        values = setup.start_stalls.get(players, ())
        starts = all(value in market.starts for value in values for market in markets.values())
        fit = len(set(values)) == max(2, players) and starts
        demand(fit, where, f"key `start_stalls.{players}`: every seat needs a centre space of its own")
    tiles = sorted(found.solo.turn_order_markers)
    demand(tiles == sorted(setup.start_stalls[1]), f"{file}, solo", "key `turn_order_markers`: they name start spaces")


def _check_tracks(found: Components, file: str) -> None:
    """Raise `DataFault` for wrong lengths of siesta track, roof spaces or donkey tiles, or unknown revenue options.

    Options of trade commodities must be known too, and 1 VP cost at least 1 silver at the end.
    """
    siesta, board = found.siesta, found.player_board
    fits = (siesta.spaces, siesta.last, len(siesta.vp)) == (SIESTA_SPACES, SIESTA_SPACES - 1, SIESTA_SPACES)
    demand(fits, f"{file}, siesta_track", f"key `vp`: the track has {SIESTA_SPACES} spaces, each with its VP")
    fits = len(board.roof_vp) == board.roof_spaces
    demand(fits, f"{file}, player_board", f"key `roof_vp`: {board.roof_spaces} spaces have {len(board.roof_vp)} values")
    demand(board.silver_per_vp_at_end > 0, f"{file}, player_board", "key `silver_per_vp_at_end`: it is at least 1")
    needed = max(found.donkey_reset_round - 1, ROUNDS - found.donkey_reset_round + 1)
    where = f"{file}, donkey_tiles"
    demand(0 not in found.donkey_tiles, where, "key `donkeys`: a tile shows at least 1 donkey")
    demand(
        len(found.donkey_tiles) >= needed, where, f"{needed} tiles are needed, {len(found.donkey_tiles)} stand there"
    )
    _check_same(found.revenue_spaces, range(1, 7), f"{file}, revenue_spaces", "die")
    for die, space in found.revenue_spaces.items():
        _check_known(space.options, REVENUE_OPTIONS, f"{file}, revenue_spaces {die}", "options")
    _check_known(found.commodity.options, COMMODITY_OPTIONS, f"{file}, trade_commodity", "options")


def _check_village(found: Components, file: str) -> None:
    """Raise `DataFault` unless there are six buildings with non-empty rows and known bonuses."""
    _check_same(found.buildings, range(1, 7), f"{file}, craft_buildings", "number")
    for number, building in found.buildings.items():
        where = f"{file}, craft_buildings {number}"
        demand(bool(building.row), where, "key `row`: a row asks for something")
        _check_known((building.instant.kind,), INSTANTS, where, "instant.kind")
        _check_known((building.permanent.kind,), PERMANENTS, where, "permanent.kind")


def _check_roofs(found: Components, file: str) -> None:
    """Raise `DataFault` unless roof effects are known and every round has tiles for four players in each edition."""
    for name, effect in found.roof_effects.items():
        _check_known((effect.kind,), ROOF_KINDS, f"{file}, roof_effects {name}", "kind")
    for name, tile in found.roof_tiles.items():
        known = tile.effect in found.roof_effects
        demand(known, f"{file}, roof_tiles {name}", f"key `effect`: there is no roof effect `{tile.effect}`")
    for edition in found.editions:
        for round in range(1, ROUNDS + 1):
            count = len(found.roof_tiles_of(round, edition))
            where = f"{file}, edition {edition}"
            demand(count >= PLAYERS_MAX, where, f"key `roof_set`: {count} tiles of round {round} are too few")


def _check_editions(found: Components, markets: Mapping[str, Market], file: str) -> None:
    """Raise `DataFault` unless the four editions exist and have a market board for each number of players."""
    _check_same(found.editions, EDITIONS, f"{file}, editions", "editions")
    for name, edition in found.editions.items():
        where, (fewest, most) = f"{file}, edition {name}", edition.players
        demand(1 <= fewest <= most <= PLAYERS_MAX, where, f"key `players`: {fewest} to {most} cannot play")
        for players in range(fewest, most + 1):
            board = edition.market.get(str(players), "")
            demand(board in markets, where, f"key `market.{players}`: there is no board `{board}`")
