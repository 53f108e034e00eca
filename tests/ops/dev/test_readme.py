"""The README shows the current output of its commands."""

from ops.dev.readme import EXAMPLE, README, renew


def test_the_examples_of_the_readme_print_what_it_shows() -> None:
    """`python -m ops.dev.readme` updates them."""
    text = README.read_text()

    assert len(EXAMPLE.findall(text)) >= 3
    assert renew(text) == text
