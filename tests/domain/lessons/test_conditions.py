"""Conditions on a view and patterns of actions."""

from typing import Any

import pytest

from domain.kernel.values import Value
from domain.lessons.conditions import all_hold, find_actions, matches_pattern, passes_test, value_at

VIEW = {"round": 2, "farms": [{"silver": 3, "fields": [{"crop": "olive", "isFull": True}]}], "order": (1, 0)}


class Lay(Value, frozen=True, tag="lay"):
    card: int
    side: str


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("round", 2),
        ("farms.0.silver", 3),
        ("farms.1.silver", None),
        ("farms.first", None),
        ("round.0", None),
        ("order.1", 0),
        ("nowhere", None),
    ],
)
def test_a_path_names_fields_of_the_view(path: str, value: Any) -> None:
    assert value_at(VIEW, path) == value


@pytest.mark.parametrize(
    ("value", "wanted", "is_so"),
    [
        (2, 2, True),
        (2, 3, False),
        (2, [1, 2], True),
        (4, [1, 2], False),
        ([1, 2], [1, 2], True),
        ((1, 0), [1, 0], True),
        (3, {"min": 3}, True),
        (2, {"min": 3}, False),
        (None, {"min": 0}, False),
        (3, {"max": 3}, True),
        (None, {"max": 3}, False),
        (4, {"min": 1, "max": 3}, False),
        ([1], {"count": 1}, True),
        (None, {"count": 0}, True),
        ([{"crop": "olive"}], {"has": {"crop": "olive"}}, True),
        (None, {"has": {"crop": "olive"}}, False),
        ([{"crop": "olive"}], {"lacks": {"crop": "olive"}}, False),
        ([], {"lacks": {"crop": "olive"}}, True),
    ],
)
def test_a_test_is_a_value_a_list_or_a_table(value: Any, wanted: Any, is_so: bool) -> None:
    assert passes_test(value, wanted) == is_so


def test_all_conditions_have_to_hold() -> None:
    assert all_hold(VIEW, {"round": 2, "farms.0.silver": {"min": 1}})
    assert not all_hold(VIEW, {"round": 2, "farms.0.silver": {"min": 4}})
    assert all_hold(VIEW, {})


def test_a_pattern_names_some_fields() -> None:
    assert matches_pattern({"crop": "olive", "isFull": True}, {"crop": ["olive", "grain"]})
    assert not matches_pattern("olive", {"crop": "olive"})
    assert matches_pattern("olive", ["olive", "grain"])


def test_matching_actions_keep_their_order() -> None:
    legal = (Lay(3, "field"), Lay(4, "helper"), Lay(4, "field"))

    assert find_actions(legal, ({"card": 4}, {"side": "field"})) == legal
    assert find_actions(legal, ({"type": "lay", "card": [4, 5], "side": "field"},)) == (Lay(4, "field"),)
    assert find_actions(legal, ()) == ()
