"""Rows of symbols that show the effect of a roof tile, revenue option or craft building."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.titles.la_granja.components import Bonus

LETTER: Final = 8.0
"""Width of a character before a symbol."""
SIZES: Final[Mapping[int, float]] = {1: 24.0, 2: 19.0, 3: 14.0}
"""Size of the symbols by their number in a row."""


class Glyph(msgspec.Struct, frozen=True):
    """A symbol, the text before it and both positions, in a row centred on (0, 0)."""

    symbol: str
    text: str
    x: float
    size: float
    text_x: float

    @property
    def y(self) -> float:
        """Return the top of the symbol, so that it is centred vertically."""
        return -self.size / 2


def row(*parts: str) -> tuple[Glyph, ...]:
    """Return parts such as `4 silver` or `olive` as a row of glyphs, centred on zero and smaller the more there are."""
    size = SIZES[len(parts)]
    glyphs: list[Glyph] = []
    total_width = 0.0
    for part in parts:
        text, _, symbol = part.rpartition(" ")
        width = LETTER * len(text)
        glyphs.append(Glyph(symbol, text, total_width + width, size, total_width + width - 1))
        total_width += width + size + 1
    half = (total_width - 1) / 2
    return tuple(
        Glyph(glyph.symbol, glyph.text, round(glyph.x - half, 1), glyph.size, round(glyph.text_x - half, 1))
        for glyph in glyphs
    )


ROOFS: Final[Mapping[str, tuple[Glyph, ...]]] = {
    "silver_4": row("4 silver"),
    "silver_3": row("3 silver"),
    "silver_2": row("2 silver"),
    "olive": row("olive"),
    "grape": row("grape"),
    "grain_or_olive": row("grain", "/ olive"),
    "any_crop": row("olive", "grain", "grape"),
    "two_different_crops": row("2 olive", "grain", "grape"),
    "pig": row("pig"),
    "upgrade_1": row("1 up"),
    "upgrade_2": row("2 up"),
    "delivery": row("cart"),
    "paid_delivery": row("cart", "-1 silver"),
    "play_or_draw_card": row("card"),
    "vp_1": row("1 vp"),
    "flip_roof": row("roof", "turn"),
    "siesta_1": row("1 hat"),
    "siesta_2": row("2 hat"),
    "upgraded_good": row("food", "wine", "meat"),
    "die_1": row("±1 dice"),
    "die_2": row("±2 dice"),
    "income": row("income"),
    "market_marker": row("stall"),
    "double_roof_vp": row("×2 vp"),
}
"""Symbols by id of the roof effect."""

OPTIONS: Final[Mapping[str, tuple[Glyph, ...]]] = {
    "pig_1": row("pig"),
    "play_card": row("card"),
    "draw_card": row("+ hand"),
    "crop_any": row("olive", "grain", "grape"),
    "two_different_crops": row("2 olive", "grain", "grape"),
    "silver_4": row("4 silver"),
    "upgrade_2": row("2 up"),
    "upgrade_1_siesta_1": row("1 up", "1 hat"),
    "siesta_2": row("2 hat"),
    "delivery_1": row("cart"),
    "silver_2": row("2 silver"),
}
"""Symbols by option of a revenue space."""


AT_ONCE: Final[Mapping[str, tuple[str, ...]]] = {
    "silver": ("{count} silver",),
    "delivery_and_siesta_vp": ("{count} cart", "+ hat", "vp"),
    "trade_commodity": ("{count} trade_commodity",),
    "any_resource": ("{count} any",),
    "vp": ("{count} vp",),
    "vp_per_own_barrow": ("{count} vp", "/ barrow"),
}
"""Symbols of the instant bonus for completing a craft building, by kind."""

LASTING: Final[Mapping[str, tuple[str, ...]]] = {
    "income_silver": ("+{count} income",),
    "siesta_step_and_free_delivery": ("+{steps} hat", "+{count} cart"),
    "income_trade_commodity": ("income", "{count} trade_commodity"),
    "income_any_resource": ("income", "{count} any"),
    "vp_per_craft_marker": ("{count} vp", "/ marker"),
    "vp_per_completed_barrow": ("{count} vp", "/ barrow"),
}
"""Symbols of the lasting bonus of a craft marker, by kind."""


def at_once(bonus: Bonus) -> tuple[Glyph, ...]:
    """Return the symbols of the instant side."""
    return row(*(part.format(count=bonus.amount or bonus.deliveries) for part in AT_ONCE[bonus.kind]))


def lasting(bonus: Bonus) -> tuple[Glyph, ...]:
    """Return the symbols of the lasting side."""
    parts = LASTING[bonus.kind]
    count, steps = bonus.amount or bonus.deliveries, bonus.siesta_steps
    return row(*(part.format(count=count, steps=steps) for part in parts))
