"""`docs/settings.md` is the page that the declarations give."""

from ops.dev.settings import PAGE, page
from projections.platform.settings import VARIABLES


def test_the_reference_of_the_settings_is_up_to_date() -> None:
    """`python -m ops.dev.settings` renews it."""
    assert PAGE.read_text() == page()


def test_the_reference_has_one_row_for_each_setting() -> None:
    rows = [line for line in page().splitlines() if line.startswith("| `")]

    assert len(rows) == len(VARIABLES)
    for variable in VARIABLES.values():
        row = next(row for row in rows if row.startswith(f"| `{variable.names[0]}`"))
        assert row.count(" | ") == 3
        assert all(f"`{name}`" in row for name in variable.names)
