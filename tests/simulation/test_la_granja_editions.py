"""The laws of every title hold in every edition of La Granja, and in the solo title (LG-11, LG-12)."""

from typing import Final

import pytest

from domain.kernel.title import AnyTitle
from domain.titles import TITLES
from ops.dev.laws.check import audit_is_clean, check_match
from tests.seeding import SEED

GAME: Final[AnyTitle] = TITLES["la_granja"]


@pytest.mark.parametrize("edition", ["original", "yucata", "bga"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_laws_hold_in_every_edition(edition: str, seats: int) -> None:
    """LG-12.3: what is kept secret does not show, and the logs of every reader fold to what they see."""
    assert check_match(GAME, seats, f"{SEED}/editions", {"edition": edition}) > 100


@pytest.mark.parametrize("edition", ["original", "deluxe", "bga"])
@pytest.mark.parametrize("number", range(3))
def test_the_laws_hold_in_the_solo_game(edition: str, number: int) -> None:
    """LG-0.9, LG-0.11: spectators of a solo match learn no more than those of any other."""
    assert check_match(GAME, 1, f"{SEED}/solo/{number}", {"edition": edition}) > 60


@pytest.mark.parametrize("edition", ["original", "deluxe", "bga"])
def test_a_solo_match_is_audited_clean(edition: str) -> None:
    """LG-11: what the neutral player does follows from the log alone."""
    assert audit_is_clean(GAME, 1, f"{SEED}/solo", {"edition": edition}) > 60
