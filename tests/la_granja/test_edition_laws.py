"""The laws of every title hold in every edition of La Granja, and in the solo game (LG-11, LG-12)."""

from types import SimpleNamespace
from typing import Final

import pytest

from domain import la_granja
from domain.match.registry import Game
from ops.laws import EVERY, check_match, markers_are_conserved

LAWS: Final = tuple(law for law in EVERY if law is not markers_are_conserved)
"""That one counts 25 markers; `tests.la_granja.play.check` counts those of the edition."""


def game_of(edition: str) -> Game:
    """La Granja with its options bound to an edition."""
    names = {name: getattr(la_granja, name) for name in dir(la_granja) if not name.startswith("_")}
    bound = {**names, "options": lambda chosen: la_granja.options({"edition": edition, **chosen})}
    return Game(SimpleNamespace(**bound), la_granja.CODEC)


@pytest.mark.parametrize("edition", ["original", "yucata", "bga"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_laws_hold_in_every_edition(edition: str, seats: int) -> None:
    """LG-12.3: what is kept secret does not show, and the logs of every reader fold to what they see."""
    assert check_match(game_of(edition), seats, "editions/1", LAWS) > 100


@pytest.mark.parametrize("edition", ["original", "deluxe", "bga"])
@pytest.mark.parametrize("number", range(3))
def test_the_laws_hold_in_the_solo_game(edition: str, number: int) -> None:
    """LG-0.9, LG-0.11: spectators of a solo match learn no more than those of any other."""
    assert check_match(game_of(edition), 1, f"solo/{number}", LAWS) > 60
