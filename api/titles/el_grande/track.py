"""The score track around the map: a hundred fields, clockwise from the upper left corner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

FIELD: Final = 24
ACROSS: Final = 28
DOWN: Final = 24
WIDTH: Final = ACROSS * FIELD
HEIGHT: Final = DOWN * FIELD
FIELDS: Final = 2 * (ACROSS + DOWN) - 4
NUMBERED: Final = 5
"""Multiples of this are printed as numbers."""
INWARD: Final = 15.0
"""The distance between markers that share a field."""
LAP: Final = (36.0, 17.0)
"""Width and height of the plate with a marker's hundreds."""
LAP_BESIDE: Final = 14.0
"""The distance between the centres of a marker and its plate."""

assert FIELDS == 100


class TrackField(msgspec.Struct, frozen=True):
    """A field of the track: its number and its upper left corner."""

    number: int
    x: int
    y: int


def _field(number: int) -> TrackField:
    """Return a field of the scoring track; the numbers run clockwise from the top left corner."""
    right, bottom = ACROSS - 1, DOWN - 1
    if number < right:
        column, row = number, 0
    elif number < right + bottom:
        column, row = right, number - right
    elif number < 2 * right + bottom:
        column, row = 2 * right + bottom - number, bottom
    else:
        column, row = 0, FIELDS - number
    return TrackField(number, column * FIELD, row * FIELD)


TRACK: Final = tuple(map(_field, range(FIELDS)))
GRID: Final = "".join(f"M{field.x} {field.y}h{FIELD}v{FIELD}h-{FIELD}z" for field in TRACK)
NUMBERS: Final = tuple(field for field in TRACK if field.number % NUMBERED == 0)


class Marker(msgspec.Struct, frozen=True):
    """A score marker: its centre and the number of its laps."""

    seat: int
    score: int
    x: float
    y: float
    laps: int

    @property
    def lap_at(self) -> tuple[float, float]:
        """Return the centre of the plate with the hundreds, so that it lies inside the frame."""
        offset = -LAP_BESIDE if self.y > HEIGHT / 2 else LAP_BESIDE
        width, height = LAP
        x = min(max(self.x, width / 2), WIDTH - width / 2)
        return x, min(max(self.y + offset, height / 2), HEIGHT - height / 2)


def markers(scores: Sequence[int]) -> tuple[Marker, ...]:
    """Return the score markers; markers that share a field are shifted towards the map."""
    counts_by_field: dict[int, int] = {}
    found = list[Marker]()
    for seat, score in enumerate(scores):
        field = TRACK[score % FIELDS]
        others_here = counts_by_field.get(field.number, 0)
        counts_by_field[field.number] = others_here + 1
        x, y = field.x + FIELD / 2, field.y + FIELD / 2
        inward = INWARD * others_here
        if field.y == 0:
            y += inward
        elif field.y == HEIGHT - FIELD:
            y -= inward
        else:
            x += inward if field.x == 0 else -inward
        found.append(Marker(seat, score, x, y, score // FIELDS))
    return tuple(found)
