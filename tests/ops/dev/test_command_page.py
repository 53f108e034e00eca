"""`docs/operate/commands.md` equals the page generated from the parsers."""

from ops.cli import known_commands
from ops.dev.command_page import PAGE, page


def test_the_reference_of_the_commands_is_up_to_date() -> None:
    """`python -m ops.dev.command_page` updates it."""
    assert PAGE.read_text() == page()


def test_the_reference_has_every_command() -> None:
    sections = {line.split("`")[1] for line in page().splitlines() if line.startswith("### ")}

    assert set(known_commands()) <= sections
