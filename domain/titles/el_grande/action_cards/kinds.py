"""What a special action answers, and the ready-made actions its lists are put together from."""

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
"""`CHOOSE[colour][place]`."""
SEND: Final = tuple(tuple(SendCaballeros(place, count) for count in range(1, SEND_MAX + 1)) for place in PLACES)
"""`SEND[place][count - 1]`."""
MOVE_KING: Final = tuple(MoveKing(place) for place in KING_PLACES)
NAME: Final = tuple(NameArea(area) for area in AREAS)

Choices = tuple[tuple[int, tuple[int, ...]], ...]
"""(seat, the regions it may set) for every seat a secret choice is asked of."""


def _always(_state: State, _seat: int, _params: object) -> bool:
    return True


@dataclass(frozen=True)
class Special:
    """One kind of special action.

    `offers` are the choices that begin or go on with it, `carry_out` what the announced choices bring about; it
    ends in a `StepBegun` where other seats must choose. `closable` says whether a draft may be announced as it is,
    `line` what choosing a source drafts at once. `choices` and `reveal` belong to secret choices.
    """

    offers: Callable[[State, int, Any], tuple[Action, ...]]
    carry_out: Callable[[State, int, Any, Announcement], tuple[Effect, ...]]
    closable: Callable[[State, int, Any], bool] = _always
    line: Callable[[ChooseSource], DraftLine] | None = None
    choices: Callable[[State, int, Any], Choices] | None = None
    reveal: Callable[[State, int, Any, dict[int, int]], tuple[Effect, ...]] | None = None


def no_offers(_state: State, _seat: int, _params: object) -> tuple[Action, ...]:
    """A special action without a choice of its own: it is used or not."""
    return ()


@lru_cache(maxsize=4096)
def sends(targets: tuple[int, ...], most: int) -> tuple[SendCaballeros, ...]:
    """One to `most` caballeros to each of the places."""
    return tuple(SEND[target][count] for target in targets for count in range(most))


@lru_cache(maxsize=256)
def destinations(taboo: int, source: int) -> tuple[int, ...]:
    """Where a move action may go: any region and the Castillo, but not the king's region nor back (EG-12.1, 12.2)."""
    return tuple(area for area in (*range(REGION_COUNT), CASTILLO) if area not in {taboo, source})


def move_destinations(state: State, source: int) -> tuple[int, ...]:
    return destinations(king_region(state), source)


def drafted_count(state: State, colour: int, place: str) -> int:
    """How many of a colour the draft takes from a place; each caballero moves once (EG-12.2)."""
    return sum(line.count for line in state.draft if line.colour == colour and line.source == place)
