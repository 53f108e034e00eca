"""The secret disc: nine regions around a pointer."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import msgspec

from domain.titles.el_grande.components import AREA_NAMES, Region

AROUND: Final[tuple[Region, ...]] = (
    "navarra",
    "aragon",
    "cataluna",
    "valencia",
    "granada",
    "toledo",
    "sevilla",
    "castilla",
    "galicia",
)
"""The regions as they surround the middle of Spain, clockwise from the top."""
SIZE: Final = 240
RIM: Final = 116.0
HUB: Final = 40.0
WRITTEN: Final = 81.0
"""The distance of a name from the centre."""
POINTED: Final = 54.0


class Sector(msgspec.Struct, frozen=True):
    """A region on the disc: its outline, the position of its name, the tip of the pointer."""

    region: Region
    name: str
    path: str
    x: float
    y: float
    tip: tuple[float, float]


def _at(angle: float, radius: float) -> tuple[float, float]:
    return round(SIZE / 2 + radius * sin(angle), 1), round(SIZE / 2 - radius * cos(angle), 1)


def _sector(index: int, region: Region) -> Sector:
    """Return a sector of the secret disc: its outline and the positions of its name and of the pointer."""
    step = 2 * pi / len(AROUND)
    middle = index * step
    start, end = middle - step / 2, middle + step / 2
    outer, inner = (_at(start, RIM), _at(end, RIM)), (_at(end, HUB), _at(start, HUB))
    path = (
        f"M{outer[0][0]} {outer[0][1]}A{RIM} {RIM} 0 0 1 {outer[1][0]} {outer[1][1]}"
        f"L{inner[0][0]} {inner[0][1]}A{HUB} {HUB} 0 0 0 {inner[1][0]} {inner[1][1]}Z"
    )
    x, y = _at(middle, WRITTEN)
    return Sector(region, AREA_NAMES[region], path, x, y, _at(middle, POINTED))


DIAL: Final = tuple(_sector(index, region) for index, region in enumerate(AROUND))
