"""The interface of a special action, and prebuilt actions for lists of legal actions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from domain.titles.el_grande.actions import Action, ChooseSource, MoveKing, NameArea, SendCaballeros
from domain.titles.el_grande.components import AREAS, CASTILLO, KING_PLACES, PLACES, REGION_COUNT
from domain.titles.el_grande.effects import Effect
from domain.titles.el_grande.state import Announcement, DraftLine, State, king_region

COLOURS_MAX: Final = 5
SEND_MAX: Final = 30

CHOOSE: Final = tuple(tuple(ChooseSource(colour, place) for place in PLACES) for colour in range(COLOURS_MAX))
"""Actions as `CHOOSE[colour][place]`."""
SEND: Final = tuple(tuple(SendCaballeros(place, count) for count in range(1, SEND_MAX + 1)) for place in PLACES)
"""Actions as `SEND[place][count - 1]`."""
MOVE_KING: Final = tuple(MoveKing(place) for place in KING_PLACES)
NAME: Final = tuple(NameArea(area) for area in AREAS)

Choices = tuple[tuple[int, tuple[int, ...]], ...]
"""The seats with a secret choice, each with the regions it may choose."""


def _always(_state: State, _seat: int, _params: object) -> bool:
    return True


@dataclass(frozen=True)
class Special:
    """A kind of special action.

    `offers` returns the choices that start or continue it. `carry_out` returns the effects of the announced choices,
    with `StepBegun` last if other seats must choose. `closable` returns whether the draft may be announced. `line`
    returns the draft line that choosing a source adds at once. `choices` and `reveal` belong to secret choices.
    """

    offers: Callable[[State, int, Any], tuple[Action, ...]]
    carry_out: Callable[[State, int, Any, Announcement], tuple[Effect, ...]]
    closable: Callable[[State, int, Any], bool] = _always
    line: Callable[[ChooseSource], DraftLine] | None = None
    choices: Callable[[State, int, Any], Choices] | None = None
    reveal: Callable[[State, int, Any, dict[int, int]], tuple[Effect, ...]] | None = None


def no_offers(_state: State, _seat: int, _params: object) -> tuple[Action, ...]:
    """Return no offers, for a special action without choices."""
    return ()


@lru_cache(maxsize=4096)
def sends(targets: tuple[int, ...], count_max: int) -> tuple[SendCaballeros, ...]:
    """Return the actions that send 1 to `count_max` caballeros to each of the places."""
    return tuple(SEND[target][count] for target in targets for count in range(count_max))


@lru_cache(maxsize=256)
def destinations(taboo: int, source: int) -> tuple[int, ...]:
    """Return the areas a move may go to: all but the king's region and the source (EG-12.1, EG-12.2)."""
    return tuple(area for area in (*range(REGION_COUNT), CASTILLO) if area not in {taboo, source})


def move_destinations(state: State, source: int) -> tuple[int, ...]:
    """Return the areas that caballeros may move to from a source in this position."""
    return destinations(king_region(state), source)


def drafted_count(state: State, colour: int, place: str) -> int:
    """Return the number of caballeros of a colour that the draft takes from a place; each moves once (EG-12.2)."""
    return sum(line.count for line in state.draft if line.colour == colour and line.source == place)
