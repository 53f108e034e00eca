"""La Granja, small: the market and whose stalls stand on it, for a page that shows many tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from api.http.languages import say
from api.titles.la_granja.asked import standing
from api.titles.la_granja.boards import HEX, hexes, view_box
from domain.titles.la_granja.view import View

OUTLINE: Final = " ".join(
    f"{HEX * math.cos(math.radians(60 * corner - 30)):.1f},{HEX * math.sin(math.radians(60 * corner - 30)):.1f}"
    for corner in range(6)
)
"""A hex around its centre, a corner on top."""


def picture(view: View) -> Mapping[str, Any]:
    drawn = hexes(view.market)
    return {"standing": say(standing(view)), "hexes": drawn, "view_box": view_box(drawn), "outline": OUTLINE}
