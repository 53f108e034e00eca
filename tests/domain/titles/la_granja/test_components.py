"""The standard components match the rules, and damaged files are refused with a message."""

import copy
from collections import Counter
from typing import Any

import pytest

from domain.kernel.component_data import DataFault, parse_table, require_unique
from domain.titles.la_granja import components, data
from domain.titles.la_granja.components import BUILDINGS, EDITIONS, REVENUE_SPACES, ROOF_EFFECTS, ROOF_TILES, STANDARD
from domain.titles.la_granja.components_market import MARKETS, load_markets, market_of
from domain.titles.la_granja.state import CROPS, FARM_GOODS, RESOURCES, UPGRADED


def test_the_kinds_of_goods_match_the_rules() -> None:
    """LG-0.1, LG-0.2, LG-0.3, LG-0.4, LG-0.5: a trade commodity is no farm good."""
    assert CROPS == ("olive", "grain", "grape")
    assert (*CROPS, "pig") == RESOURCES
    assert UPGRADED == ("food", "wine", "meat")
    assert ("silver", "vp", *RESOURCES, *UPGRADED) == FARM_GOODS
    assert "trade_commodity" not in FARM_GOODS


def test_prices_match_the_rules() -> None:
    """LG-2.8: buying, selling, upgrading."""
    rows = {price.id: (price.buy, price.sell, price.upgrade, price.upgrades_to) for price in STANDARD.prices.values()}

    assert rows == {
        "olive": (3, 1, 2, "food"),
        "grain": (3, 1, 2, "food"),
        "grape": (4, 2, 3, "wine"),
        "pig": (5, 3, 4, "meat"),
    }


def test_setup_numbers_match_the_rules() -> None:
    """LG-1.2, LG-1.3, LG-1.5, LG-1.6, LG-1.8, LG-1.9."""
    setup = STANDARD.setup
    assert (setup.player_markers, setup.victory_points, setup.silver, setup.trade_commodities) == (25, 1, 1, 1)
    assert (setup.hand_cards, setup.building_first_vp, setup.building_order_tiles) == (4, 1, 3)
    assert setup.dice == {1: 5, 2: 5, 3: 7, 4: 9}
    assert setup.start_stalls[4] == (2, 3, 4, 5)


def test_player_board_numbers_match_the_rules() -> None:
    """LG-0.7, LG-3.1.8, LG-3.4.3, LG-3.4.4, LG-13.25."""
    board = STANDARD.player_board
    assert (board.pig_pens, board.hand_limit, board.extra_deliveries) == (2, 3, 1)
    assert board.roof_vp == (0, 1, 2, 3, 4)
    assert len(board.roof_vp) == board.roof_spaces == 5


def test_donkey_tiles_have_deliveries_and_hats() -> None:
    """LG-5.1.1, LG-5.1.2."""
    assert {tile.donkeys: tile.hats for tile in STANDARD.donkey_tiles.values()} == {1: 3, 2: 2, 3: 1, 4: 0}
    assert STANDARD.donkey_reset_round == 4


def test_the_siesta_track_scores_its_upper_spaces() -> None:
    """LG-5.2.2, LG-7.2."""
    assert (STANDARD.siesta.start, STANDARD.siesta.last, STANDARD.siesta.vp) == (0, 4, (0, 0, 1, 2, 3))


def test_a_match_has_six_rounds_and_six_revenue_spaces() -> None:
    """LG-4.5 to LG-4.10, LG-8.1, LG-8.2."""
    assert STANDARD.rounds == 6
    assert tuple(REVENUE_SPACES) == (1, 2, 3, 4, 5, 6)
    assert (STANDARD.commodity.silver, STANDARD.commodity.sell_value_at_end) == (4, 4)


def test_every_building_has_a_row_for_each_player() -> None:
    """LG-6.2.2, LG-13.13: all rows of a building are alike."""
    assert tuple(BUILDINGS) == (1, 2, 3, 4, 5, 6)
    assert {(building.rows_small, building.rows_large) for building in BUILDINGS.values()} == {(2, 4)}


def test_only_the_merchant_house_takes_a_trade_commodity() -> None:
    assert [building.name for building in BUILDINGS.values() if "trade_commodity" in building.row] == ["Merchant House"]


def test_every_edition_has_four_roof_tiles_a_round() -> None:
    """LG-1.4, LG-3.4.2, LG-12.7."""
    for edition in EDITIONS:
        assert [len(STANDARD.roof_tiles_of(round, edition)) for round in range(1, 7)] == [4] * 6
    assert all(tile.cost == tile.round for tile in ROOF_TILES.values())


def test_the_deluxe_edition_has_24_different_roof_effects() -> None:
    """LG-12.7; the original has 14."""
    deluxe, original = (
        {STANDARD.effect_of(tile).id for round in range(1, 7) for tile in STANDARD.roof_tiles_of(round, edition)}
        for edition in ("deluxe", "original")
    )

    assert deluxe == set(ROOF_EFFECTS)
    assert (len(deluxe), len(original)) == (24, 14)


def test_the_market_is_small_for_two_and_has_closed_hexes_for_three() -> None:
    """LG-1.1, LG-12.1."""
    assert [market_of(players).board for players in (2, 3, 4)] == ["small", "large", "large"]
    assert [len(market_of(players).open) for players in (2, 3, 4)] == [14, 16, 26]
    assert market_of(2, "original") is MARKETS["large_closed"]


@pytest.mark.parametrize("name", sorted(MARKETS))
def test_neighbours_share_an_edge_differ_in_value_and_are_open(name: str) -> None:
    """LG-6.4.6: closed spaces do not count as neighbours."""
    market = MARKETS[name]

    for place, around in enumerate(market.neighbours):
        for other in around:
            one, two = market.cells[place], market.cells[other]
            assert place in market.neighbours[other]
            assert other in market.open
            assert max(abs(one.q - two.q), abs(one.r - two.r), abs(one.q + one.r - two.q - two.r)) == 1
            assert one.value != two.value


@pytest.mark.parametrize("name", sorted(MARKETS))
def test_every_barrow_value_has_a_space_on_the_market(name: str) -> None:
    market = MARKETS[name]

    assert Counter(market.cells[place].value for place in market.open) == {
        value: len(places) for value, places in market.by_value.items()
    }
    assert tuple(market.by_value) == (2, 3, 4, 5, 6)
    assert {market.cells[place].value: place for place in market.starts.values()} == market.starts
    assert tuple(sorted(market.starts)) == (2, 3, 4, 5)


def test_every_value_of_the_components_has_a_provenance() -> None:
    assert STANDARD.prices["grape"].sources["buy"] == "reconstructed"
    assert STANDARD.prices["grape"].sources["upgrade"] == "seed"
    assert STANDARD.player_board.sources["roof_vp"] == "found:kowloon.hatenablog.jp"
    assert BUILDINGS[1].sources["row"] == "reconstructed"
    assert ROOF_EFFECTS["delivery"].sources["phases"] == "seed"


def test_a_value_without_provenance_is_refused() -> None:
    raw = {"donkeys": 1, "hats": 3, "hats_source": "seed"}

    with pytest.raises(DataFault, match=r"^tiles 1: the key `donkeys` has no provenance$"):
        data.record(components.DonkeyTile, raw, "tiles 1")


def test_an_unknown_provenance_is_refused() -> None:
    raw = {"donkeys": 1, "hats": 3, "source": "guessed"}

    with pytest.raises(DataFault, match=r"unknown provenance `guessed` for the key `donkeys`"):
        data.record(components.DonkeyTile, raw, "tiles 1")


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"donkeys": "one", "hats": 3}, "tiles 1: key `donkeys`: Expected `int`, got `str`"),
        ({"donkeys": 1}, "tiles 1: key `hats`: missing key"),
        ({"donkeys": 1, "hats": 3, "ears": 2}, "tiles 1: key `ears`: unknown key"),
    ],
)
def test_a_bad_record_is_refused_with_its_key(raw: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DataFault) as refusal:
        data.record(components.DonkeyTile, {**raw, "source": "seed"}, "tiles 1")

    assert str(refusal.value) == sentence


def test_a_list_where_a_table_is_expected_is_refused() -> None:
    with pytest.raises(DataFault, match="expected a table"):
        data.record(components.DonkeyTile, [1, 3], "tiles 1")
    with pytest.raises(DataFault, match="expected a list of tables"):
        data.records(components.DonkeyTile, {"donkeys": 1}, "tiles", "donkeys")
    with pytest.raises(DataFault, match="tiles: 2 appears twice"):
        require_unique((1, 2, 2), "tiles")


def test_a_file_that_is_not_toml_is_refused_by_name() -> None:
    with pytest.raises(DataFault, match=r"^farm_cards\.toml is not TOML: .*line 1"):
        parse_table("number = = 1", data.CARDS_FILE)


def test_a_missing_part_is_refused_by_name() -> None:
    with pytest.raises(DataFault, match=r"^components\.toml: the key `market` is missing$"):
        load_markets({}, data.COMPONENTS_FILE)


def _change_value(market: dict[str, Any]) -> None:
    market["large"]["cells"][3]["value"] = 7


def _open_a_hex(market: dict[str, Any]) -> None:
    market["large"]["cells"][0]["closed_3p"] = False


def _drop_a_hex(market: dict[str, Any]) -> None:
    del market["small"]["cells"][0]


def _repeat_a_hex(market: dict[str, Any]) -> None:
    market["small"]["cells"][0] |= {"q": 0, "r": 0}


def _move_the_centre(market: dict[str, Any]) -> None:
    market["centre"][0] = [0, 0, 3]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_change_value, r"market large, cell \(-1, 0\): key `value`: 7 is not between 2 and 6"),
        (_open_a_hex, "market: key `closed_count`: it states 10, but 9 cells are closed"),
        (_drop_a_hex, "market small: key `hexes`: it states 14, but the board has 13 cells"),
        (_repeat_a_hex, r"market small: \(0, 0\) appears twice"),
        (_move_the_centre, r"market: key `centre`: no board has a start cell of value 3 at \(0, 0\)"),
    ],
)
def test_a_damaged_market_is_refused(damage: Any, sentence: str) -> None:
    table = copy.deepcopy(components.TABLE)
    damage(table["market"])

    with pytest.raises(DataFault, match=sentence):
        load_markets(table, data.COMPONENTS_FILE)
