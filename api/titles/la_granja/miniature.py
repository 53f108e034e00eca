"""Miniature of a match for lists: the market and its stalls."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from api.http.languages import say
from api.titles.la_granja.boards import HEX, hexes, view_box
from api.titles.la_granja.prompts import match_progress
from domain.titles.la_granja.view import View

OUTLINE: Final = " ".join(
    f"{HEX * math.cos(math.radians(60 * corner - 30)):.1f},{HEX * math.sin(math.radians(60 * corner - 30)):.1f}"
    for corner in range(6)
)
"""Corners of a hex centred on (0, 0), one of them on top."""


def picture(view: View) -> Mapping[str, Any]:
    """Return the template variables of the miniature."""
    cells = hexes(view.market)
    return {"standing": say(match_progress(view)), "hexes": cells, "view_box": view_box(cells), "outline": OUTLINE}
