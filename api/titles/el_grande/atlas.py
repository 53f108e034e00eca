"""The map of Spain. Each border is defined once for both lands, so that neighbouring outlines touch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

Point = tuple[float, float]

WIDTH: Final = 624
HEIGHT: Final = 528
"""The size of the map inside the score track."""


class Border(msgspec.Struct, frozen=True):
    """A line between two junctions, with a land or the sea on each side."""

    start: str
    end: str
    sides: tuple[str, str]
    bends: tuple[Point, ...] = ()


SEA: Final = "sea"

JUNCTIONS: Final[Mapping[str, Point]] = {
    "minho": (20, 172),
    "douro": (104, 164),
    "biscay": (240, 36),
    "ebro_source": (232, 118),
    "bidasoa": (288, 34),
    "roncal": (384, 72),
    "moncayo": (366, 164),
    "noguera": (494, 80),
    "cadaques": (618, 78),
    "matarrana": (478, 224),
    "delta": (540, 254),
    "albarracin": (412, 300),
    "jalon": (322, 266),
    "almansa": (404, 392),
    "segura": (482, 424),
    "despenaperros": (262, 404),
    "malaga": (272, 512),
    "guadiana": (96, 386),
    "ayamonte": (58, 456),
    "alcantara": (98, 274),
    "pyrenees_end": (272, 0),
    "corner": (624, 0),
}

BORDERS: Final = (
    Border(
        "minho",
        "biscay",
        ("galicia", SEA),
        ((8, 128), (22, 96), (14, 62), (46, 30), (96, 22), (150, 34), (196, 24)),
    ),
    Border("biscay", "ebro_source", ("galicia", "navarra"), ((232, 66), (244, 92))),
    Border("ebro_source", "douro", ("galicia", "castilla"), ((204, 134), (166, 128), (136, 150))),
    Border("douro", "minho", ("galicia", "portugal"), ((76, 158), (48, 172))),
    Border("biscay", "bidasoa", ("navarra", SEA), ((264, 42),)),
    Border("bidasoa", "roncal", ("navarra", "france"), ((318, 54), (352, 54))),
    Border("roncal", "moncayo", ("navarra", "aragon"), ((376, 104), (386, 136))),
    Border("moncayo", "ebro_source", ("navarra", "castilla"), ((324, 150), (280, 150))),
    Border("roncal", "noguera", ("aragon", "france"), ((424, 66), (460, 78))),
    Border("noguera", "matarrana", ("aragon", "cataluna"), ((484, 112), (494, 152), (478, 188))),
    Border("matarrana", "albarracin", ("aragon", "valencia"), ((456, 240), (436, 272))),
    Border("albarracin", "jalon", ("aragon", "toledo"), ((380, 304), (350, 276))),
    Border("jalon", "moncayo", ("aragon", "castilla"), ((334, 232), (358, 204))),
    Border("noguera", "cadaques", ("cataluna", "france"), ((530, 84), (574, 70))),
    Border("cadaques", "delta", ("cataluna", SEA), ((612, 118), (598, 158), (566, 200), (560, 230))),
    Border("delta", "matarrana", ("cataluna", "valencia"), ((510, 230),)),
    Border("delta", "segura", ("valencia", SEA), ((526, 296), (520, 330), (546, 358), (514, 390))),
    Border("segura", "almansa", ("valencia", "granada"), ((456, 404), (430, 402))),
    Border("almansa", "albarracin", ("valencia", "toledo"), ((416, 362), (402, 330))),
    Border("almansa", "despenaperros", ("granada", "toledo"), ((364, 404), (314, 396))),
    Border("despenaperros", "guadiana", ("sevilla", "toledo"), ((214, 396), (160, 408))),
    Border("guadiana", "alcantara", ("toledo", "portugal"), ((86, 350), (104, 316))),
    Border("alcantara", "jalon", ("castilla", "toledo"), ((154, 286), (214, 270), (270, 280))),
    Border("alcantara", "douro", ("castilla", "portugal"), ((88, 238), (102, 200))),
    Border("segura", "malaga", ("granada", SEA), ((478, 462), (440, 506), (380, 510), (324, 504))),
    Border("malaga", "despenaperros", ("granada", "sevilla"), ((282, 478), (262, 444))),
    Border("malaga", "ayamonte", ("sevilla", SEA), ((236, 522), (204, 512), (176, 494), (130, 486), (92, 474))),
    Border("ayamonte", "guadiana", ("sevilla", "portugal"), ((72, 428), (92, 410))),
    Border("ayamonte", "minho", ("portugal", SEA), ((22, 450), (34, 400), (14, 348), (24, 290), (16, 230))),
    Border("bidasoa", "pyrenees_end", ("france", SEA), ((280, 16),)),
    Border("pyrenees_end", "corner", ("france", SEA)),
    Border("corner", "cadaques", ("france", SEA)),
)
LANDS: Final = tuple(dict.fromkeys(side for border in BORDERS for side in border.sides if side != SEA))


def neighbours(land: str) -> frozenset[str]:
    """Return the lands that share a border with the land."""
    sides = {side for border in BORDERS if land in border.sides for side in border.sides}
    return frozenset(sides - {land, SEA})


def _points(border: Border, start: str) -> tuple[Point, ...]:
    """Return the points of a border, beginning at the given end."""
    line = (JUNCTIONS[border.start], *border.bends, JUNCTIONS[border.end])
    return line if border.start == start else line[::-1]


def _curve(line: tuple[Point, ...]) -> str:
    """Return a smooth SVG path (Catmull-Rom) through the points; the first point is already drawn."""
    if len(line) == 2:
        return f"L{line[1][0]:g} {line[1][1]:g}"
    padded = (line[0], *line, line[-1])
    parts = []
    for previous, start, end, following in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        control_a = (start[0] + (end[0] - previous[0]) / 6, start[1] + (end[1] - previous[1]) / 6)
        control_b = (end[0] - (following[0] - start[0]) / 6, end[1] - (following[1] - start[1]) / 6)
        parts.append(
            f"C{control_a[0]:.0f} {control_a[1]:.0f} {control_b[0]:.0f} {control_b[1]:.0f} {end[0]:g} {end[1]:g}"
        )
    return "".join(parts)


def outline(land: str) -> str:
    """Return the closed outline of a land as an SVG path."""
    remaining = [border for border in BORDERS if land in border.sides]
    junction = first = remaining[0].start
    path = f"M{JUNCTIONS[junction][0]:g} {JUNCTIONS[junction][1]:g}"
    while remaining:
        border = next(each for each in remaining if junction in {each.start, each.end})
        remaining.remove(border)
        path += _curve(_points(border, junction))
        junction = border.end if border.start == junction else border.start
    assert junction == first, f"the borders of {land} do not close"
    return path + "Z"


OUTLINES: Final[Mapping[str, str]] = {land: outline(land) for land in LANDS}
