"""The laws of every title hold in every edition of La Granja, and in the solo game (LG-11, LG-12)."""

from typing import Final

import pytest

from domain.kernel.title import AnyTitle
from domain.titles import TITLES
from ops.dev.laws.check import audit_is_clean, check_match
from tests.seeding import SEED

GAME: Final[AnyTitle] = TITLES["la_granja"]


@pytest.mark.walk(one_in=2)
@pytest.mark.parametrize("edition", ["original", "yucata", "bga"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_laws_hold_in_every_edition(edition: str, seats: int) -> None:
    """LG-12.3: hidden information does not show, and redacted logs fold to the readers' views."""
    assert check_match(GAME, seats, f"{SEED}/editions", {"edition": edition}) > 100


@pytest.mark.walk(one_in=2)
@pytest.mark.parametrize("edition", ["original", "deluxe", "bga"])
@pytest.mark.parametrize("number", range(3))
def test_the_laws_hold_in_the_solo_game(edition: str, number: int) -> None:
    """LG-0.9, LG-0.11: hidden information stays hidden from spectators of a solo match."""
    assert check_match(GAME, 1, f"{SEED}/solo/{number}", {"edition": edition}) > 60


@pytest.mark.parametrize("edition", ["original", "deluxe", "bga"])
def test_a_solo_match_is_audited_clean(edition: str) -> None:
    """LG-11: the neutral player follows from the log alone."""
    assert audit_is_clean(GAME, 1, f"{SEED}/solo", {"edition": edition}) > 60
