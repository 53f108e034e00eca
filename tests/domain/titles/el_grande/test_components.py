"""The component table is complete and has provenance; errors name file, record and key."""

import copy
from typing import Any

import pytest

from domain.kernel.component_data import DataFault, parse_table
from domain.titles.el_grande import data
from domain.titles.el_grande.cards import BOX, GREY_CARDS, PARAMS, load_cards, load_grey_cards
from domain.titles.el_grande.components import (
    CALLS,
    FILE,
    META,
    PRINTED,
    TABLE,
    load_board,
    load_power_cards,
    load_setup,
)
from domain.titles.el_grande.decks import CARDS, OLDER, load_older


def copy_table() -> dict[str, Any]:
    return copy.deepcopy(TABLE)


def test_the_box_holds_55_action_cards() -> None:
    """EG-1.2, EG-26.2: 40 base, the king card, 10 New Regency, 4 veteran."""
    assert len(BOX) == META.action_cards_total == 55
    assert sum(card.set == "new_regency" for card in BOX.values()) == 10
    assert len(GREY_CARDS) == 16


def test_the_2006_set_holds_45_action_cards() -> None:
    """EG-26.1: as the corresponding 2023 cards with the stated differences."""
    assert len(OLDER) == 45
    assert OLDER["s1-militia"].params.to == "regions+castillo"
    assert BOX["s1-militia"].params.to == "regions"
    assert OLDER["s2-civil-war"].params.who == "all"
    assert OLDER["s2-choose-region-4"].stack == 3
    assert set(CARDS) == {"2006", "2023"}


def test_every_card_states_its_provenance() -> None:
    """EG-26.2: reconstructed values are marked."""
    assert all(card.prov for card in BOX.values())
    assert all(card.prov for card in GREY_CARDS)
    assert BOX["nr-x1"].working_title
    assert BOX["nr-x1"].prov["effect"] == "reconstructed"


def test_power_cards_and_tables_have_the_printed_values() -> None:
    """EG-4.4, EG-10.1: card 1 calls 6, card 9 calls 2, card 13 none; Toledo is worth 7, 4, 2."""
    assert (CALLS[1], CALLS[9], CALLS[13]) == (6, 2, 0)
    assert PRINTED[5] == (7, 4, 2)
    assert PRINTED[9] == (5, 3, 1)


def test_every_kind_has_parameters() -> None:
    """EG-12.3 and others: the kinds in the file match the kinds in the code."""
    assert {card.kind for card in BOX.values()} == set(PARAMS)


def bad_kind(table: dict[str, Any]) -> None:
    table["card"][0]["kind"] = "move_mountains"


def bad_param(table: dict[str, Any]) -> None:
    table["card"][0]["params"]["speed"] = 3


def missing_param(table: dict[str, Any]) -> None:
    del table["card"][0]["params"]["parts"]


def bad_part(table: dict[str, Any]) -> None:
    table["card"][0]["params"]["parts"][0]["when"] = "now"


def bad_type(table: dict[str, Any]) -> None:
    table["card"][0]["stack"] = "high"


def bad_stack(table: dict[str, Any]) -> None:
    table["card"][0]["stack"] = 6


def bad_number(table: dict[str, Any]) -> None:
    table["card"][0]["caballeros"] = 9


def bad_provenance(table: dict[str, Any]) -> None:
    table["card"][0]["prov"]["stack"] = "hearsay"


def no_provenance(table: dict[str, Any]) -> None:
    del table["card"][0]["prov"]


def twice(table: dict[str, Any]) -> None:
    table["card"][1]["id"] = table["card"][0]["id"]


def too_few(table: dict[str, Any]) -> None:
    table["card"].pop(3)


def unknown_kind_row(table: dict[str, Any]) -> None:
    table["kind"].append({"id": "dance", "rule": "EG-12.3", "text": "dance"})


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (bad_kind, r"components.toml, card s1-intrigue-1: key `kind`: `move_mountains`"),
        (bad_param, r"components.toml, card s1-intrigue-1, params: key `speed`: unknown key"),
        (missing_param, r"components.toml, card s1-intrigue-1, params: key `parts`: missing key"),
        (bad_part, r"components.toml, card s1-intrigue-1, params: key `parts\[0\].when`: unknown key"),
        (bad_type, r"components.toml, card s1-intrigue-1: key `stack`: Expected `int`, got `str`"),
        (bad_stack, r"components.toml, card s1-intrigue-1: key `stack`: 6"),
        (bad_number, r"components.toml, card s1-intrigue-1: key `caballeros`: 9"),
        (bad_provenance, r"components.toml, card s1-intrigue-1: unknown provenance `hearsay` for the key `stack`"),
        (no_provenance, r"components.toml, card s1-intrigue-1: the key `prov` is missing"),
        (twice, r"components.toml, card: key `id`: 's1-intrigue-1' appears twice"),
        (too_few, r"components.toml: key `meta.base_action_cards`: it states 40 cards, but the file has 39"),
        (unknown_kind_row, r"components.toml: key `kind`: file and rules differ in \['dance'\]"),
    ],
)
def test_a_fault_in_a_card_is_named(spoil: Any, named: str) -> None:
    table = copy_table()
    spoil(table)

    with pytest.raises(DataFault, match=named):
        load_cards(table, FILE)


def test_a_fault_in_the_board_is_named() -> None:
    """Neighbours are mutual, borders agree, and every region is listed once."""
    one_sided, coast, order, strip = copy_table(), copy_table(), copy_table(), copy_table()
    one_sided["region"][0]["neighbors"].append("granada")
    coast["region"][0]["borders_france"] = True
    order["region"].reverse()
    strip["scoring_strip"]["order"][0] = "navarra"

    with pytest.raises(DataFault, match="region galicia: key `neighbors`: `granada`"):
        load_board(one_sided, FILE)
    with pytest.raises(DataFault, match="region galicia: key `borders_france`"):
        load_board(coast, FILE)
    with pytest.raises(DataFault, match="key `region`"):
        load_board(order, FILE)
    with pytest.raises(DataFault, match="scoring_strip: key `order`"):
        load_board(strip, FILE)


def test_a_fault_in_scoreboards_is_named() -> None:
    """EG-11.1: there are two scoreboards."""
    table = copy_table()
    table["scoreboard"].reverse()

    with pytest.raises(DataFault, match="key `scoreboard`"):
        load_board(table, FILE)


def test_a_fault_in_power_cards_and_setup_is_named() -> None:
    """EG-1.8: 7, 2 and 21 add up to 30."""
    missing, below, setup = copy_table(), copy_table(), copy_table()
    missing["power_card"].pop()
    below["power_card"][12]["caballeros"] = -1
    setup["setup"]["start_court"] = 8

    with pytest.raises(DataFault, match="key `power_card`"):
        load_power_cards(missing, FILE)
    with pytest.raises(DataFault, match="power_card 13: key `caballeros`"):
        load_power_cards(below, FILE)
    with pytest.raises(DataFault, match="setup: key `caballeros_per_player`: court, home region and Prov"):
        load_setup(setup, FILE)


def test_a_fault_in_grey_cards_is_named() -> None:
    """EG-20.1: there are sixteen, each worth at least 1."""
    few, value = copy_table(), copy_table()
    few["grey_power_card"].pop()
    value["grey_power_card"][0]["value"] = 0

    with pytest.raises(DataFault, match="key `grey_power_card`: expected 16 cards, found 15"):
        load_grey_cards(few, FILE)
    with pytest.raises(DataFault, match="grey_power_card grey-1-muster: key `value`"):
        load_grey_cards(value, FILE)


def test_a_fault_in_the_older_set_is_named() -> None:
    """EG-26.1: unknown cards, wrong copies, sizes and differences are reported."""
    unknown, copies, size, differs = copy_table(), copy_table(), copy_table(), copy_table()
    unknown["older_stack"][0]["cards"][0]["id"] = "s1-nonsense"
    copies["older_stack"][0]["cards"][7]["copies"] = 2
    size["older_stack"][0]["size"] = 12
    differs["older_differs"]["s4-coup"] = "is faster"

    for table, named in (
        (unknown, "older_stack 1: key `cards`: unknown card `s1-nonsense-1`"),
        (copies, "older_stack 1: key `cards`: card `s1-evacuation` has 1 copy, not 2"),
        (size, "older_stack 1: key `size`: it states 12 cards, but the stack has 11"),
        (differs, "older_differs: file and rules differ in \\['s4-coup'\\]"),
    ):
        with pytest.raises(DataFault, match=named):
            load_older(table, FILE)


def test_a_file_that_is_not_toml_is_named_with_its_line() -> None:
    with pytest.raises(DataFault, match=r"x.toml is not TOML: .*line 1"):
        parse_table("= 3", "x.toml")


def test_records_and_lists_of_the_wrong_type_are_reported() -> None:
    with pytest.raises(DataFault, match="key `card`: expected a list of tables"):
        data.records(data.Record, {"card": {}}, "card", "x.toml")
    with pytest.raises(DataFault, match="expected a table, not 3"):
        data.record(data.Record, 3, "x.toml")
    with pytest.raises(DataFault, match="the key `card` is missing"):
        data.part({}, "card", "x.toml")


def test_the_digest_covers_values_but_not_remarks() -> None:
    remark, number = copy_table(), copy_table()
    remark["card"][0]["prov"]["name"] = "seed"
    remark["card"][0]["note"] = "a remark"
    number["card"][0]["caballeros"] = 2

    assert data.digest_of(remark) == data.digest_of(TABLE)
    assert data.digest_of(number) != data.digest_of(TABLE)
