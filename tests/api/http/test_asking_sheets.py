"""Style sheets use `:has()` on large elements only with a known depth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

API: Final = Path(__file__).parents[3] / "api"
AT_TABLES: Final = (
    *(API / "http" / "static" / name for name in ("table.css", "talk.css", "lessons.css", "hints.css", "device.css")),
    *sorted(API.glob("titles/*/static/*.css")),
)
OF_ALL_INSIDE: Final = re.compile(
    r"(?:\.at-table|\bmain|\.table|\.side|\.field|\[data-title=[^\]]*\])(?::not\()?:has\((?!\s*[>~+])[^)]*\)"
)


def test_has_selectors_of_tables_name_the_depth() -> None:
    """Without a depth, browsers search all 2,700 elements of a table after every change."""
    assert [(sheet.name, rule) for sheet in AT_TABLES for rule in OF_ALL_INSIDE.findall(sheet.read_text())] == []
