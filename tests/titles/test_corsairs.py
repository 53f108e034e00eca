"""A small title from outside the product satisfies the laws of every title, and its files verify."""

from collections.abc import Mapping

import pytest

from ops.dev.laws.check import audit_is_clean, check_match
from tests.titles.corsairs.title import CORSAIRS


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("chosen", [{}, {"rounds": "3"}], ids=str)
def test_the_laws_of_every_title_hold(seats: int, chosen: Mapping[str, str]) -> None:
    assert check_match(CORSAIRS, seats, "corsairs", chosen) == seats * int(chosen.get("rounds", "5")) + 1
    assert audit_is_clean(CORSAIRS, seats, "corsairs", chosen) > 0
