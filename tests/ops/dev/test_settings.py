"""`docs/operate/settings.md` equals the page generated from the declarations."""

import re
from typing import Final

from ops.dev.settings import PAGE, page
from projections.platform.settings import VARIABLES

BOUNDS: Final = PAGE.with_name("limits.md")


def test_the_reference_of_the_settings_is_up_to_date() -> None:
    """`python -m ops.dev.settings` updates it."""
    assert PAGE.read_text() == page()


def test_the_reference_has_one_row_for_each_setting() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `")]

    assert len(rows) == len(VARIABLES)
    for variable in VARIABLES.values():
        row = next(row for row in rows if row.startswith(f"| `{variable.names[0]}`"))
        assert row.count(" | ") == 3
        assert all(f"`{name}`" in row for name in variable.names)


def test_the_page_of_bounds_shows_the_defaults() -> None:
    """`docs/operate/limits.md` explains limits in sentences; their numbers must equal the declarations."""
    declared = {name: variable for variable in VARIABLES.values() for name in variable.names}
    limits = [
        (name, row)
        for row in BOUNDS.read_text().splitlines()
        if row.startswith("| ")
        for name in re.findall(r"`(ESPORLES_[A-Z_]+)`", row)
    ]

    assert len(limits) > 10
    assert not [name for name, row in limits if not re.search(rf"(?<![\d,]){declared[name].default:,}(?!,?\d)", row)]
