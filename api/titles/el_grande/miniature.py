"""A small map of El Grande coloured by the leaders of regions, for pages with many matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from api.http.languages import _
from api.titles.el_grande.atlas import HEIGHT, OUTLINES, WIDTH
from api.titles.el_grande.placing import SPOTS
from api.titles.el_grande.wording import match_summary
from domain.titles.el_grande.view import AreaView, View


class SmallLand(msgspec.Struct, frozen=True):
    """A land with its sole leader (`None` in a tie) and its number of caballeros."""

    name: str
    outline: str
    x: float
    y: float
    leader: int | None
    count: int
    is_kings: bool


def small_land(area: AreaView) -> SmallLand:
    """Return a region or the Castillo for the small map; its leader is None in a tie and without caballeros."""
    counts, spot = area.counts or (), SPOTS[area.id]
    highest = max(counts, default=0)
    leaders = [colour for colour, count in enumerate(counts) if count == highest > 0]
    leader = leaders[0] if len(leaders) == 1 else None
    x, y = spot.centre
    return SmallLand(_(area.name), OUTLINES.get(area.id, ""), x, y, leader, sum(counts), area.is_kings)


def picture(view: View) -> Mapping[str, Any]:
    """Return the template context of the small map."""
    return {
        "standing": match_summary(view),
        "size": (WIDTH, HEIGHT),
        "lands": tuple(map(small_land, view.areas)),
    }
