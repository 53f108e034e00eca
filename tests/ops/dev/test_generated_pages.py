"""The generated reference pages agree with the declarations in the sources."""

from ops.dev import metrics_page, refusals_page


def test_the_page_of_metrics_is_current() -> None:
    assert metrics_page.PAGE.read_text() == metrics_page.page(), "python -m ops.dev.metrics_page"


def test_the_page_of_refusals_is_current() -> None:
    assert refusals_page.PAGE.read_text() == refusals_page.page(), "python -m ops.dev.refusals_page"
