"""One sprite with all icons of the pages, each of them used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

SPRITE: Final = Path("api/http/static/icons.svg")
BYTES_MAX: Final = 8_000
TEMPLATES: Final = sorted(Path("api").rglob("templates/**/*.html"))
SHEETS: Final = sorted(Path("api").rglob("static/**/*.css"))
USED: Final = re.compile(r"icon\(\"([a-z]+)\"|, \"(first|back|play|last)\", _\(")
"""Icons used by the macro itself, or passed to it for the steps of a replay."""
SIGNS: Final = re.compile("[\u2300-\u2bff\U0001f000-\U0001faff]")
"""Emoji and symbols, which every device draws differently."""


def symbols() -> dict[str, str]:
    return dict(re.findall(r'<symbol id="([a-z0-9-]+)" viewBox="0 0 24 24">(.*?)</symbol>', SPRITE.read_text()))


def test_every_icon_is_drawn_and_used() -> None:
    used = {one or other for path in TEMPLATES for one, other in USED.findall(path.read_text())}
    icons = symbols()

    assert used == {name for name in icons if not name.startswith("seat-")}
    assert icons.keys() >= {f"seat-{number}" for number in range(5)}
    assert SPRITE.stat().st_size <= BYTES_MAX


def test_all_icons_have_the_same_style() -> None:
    """Strokes of one width with round ends, or one filled shape; all in the colour of the text."""
    line = (
        '<g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">',
        '<g fill="currentColor">',
    )

    odd = [name for name, body in symbols().items() if not name.startswith("seat-") and not body.startswith(line)]

    assert odd == []


def test_no_page_draws_separate_icons() -> None:
    own = [str(path) for path in (*TEMPLATES, *SHEETS) if SIGNS.search(path.read_text())]
    paths = [str(path) for path in TEMPLATES if 'viewBox="0 0 24 24"' in path.read_text()]

    assert own == []
    assert paths == ["api/titles/la_granja/templates/symbols.html"], "the goods of a title are its own"
