"""An administrator of ranking lists in a browser: a new list, a new rule, and a frozen month after a ruling.

With `ESPORLES_PICTURES=docs/screenshots/rankings` it writes the pictures of `docs/organise/rankings.md` there.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import PHONE, Player
from tests.pages.conftest import OPERATOR
from tests.pages.pictures import check_page
from tests.pages.two_days import TALL

pytestmark = pytest.mark.chromium


def define_list(admin: Player) -> None:
    """Create a list of fast matches on the page of all lists."""
    admin.goes("/rankings/lists")
    form = admin.page.locator("form[action='/rankings/lists']")
    form.locator("input[name=key]").fill("fast-grande")
    form.locator("input[name=name]").fill("El Grande, fast")
    form.locator("select[name=title]").select_option("el_grande")
    form.locator("select[name=clock]").select_option("fast")
    form.locator("input[name=minimumMatches]").fill("5")
    check_page(admin, "lists")
    admin.follows(form.locator("button.primary"))


def change_rule(admin: Player) -> None:
    """Change the rule of this list with a reason."""
    admin.follows(admin.page.get_by_role("link", name="Change this list"))
    form = admin.page.locator("form[action$='/rule']")
    form.locator("input[name=minimumMatches]").fill("8")
    form.locator("textarea[name=reason]").fill("Five matches were too few.")
    check_page(admin, "rule")
    admin.follows(form.locator("button"))


@pytest.mark.walk
def test_an_administrator_defines_a_list_and_counts_a_month_again(
    new_player: Callable[..., Player], content_ids: dict[str, str]
) -> None:
    admin, reader = new_player(TALL), new_player(PHONE)
    admin.signs_in(**OPERATOR)
    path = "/rankings/lists/{ranked}".format_map(content_ids)

    define_list(admin)
    change_rule(admin)
    versions = admin.page.locator("ol details")
    expect(versions).to_have_count(2)
    versions.last.locator("summary").click()
    expect(versions.last).to_contain_text("8 matches")

    admin.goes(path)
    check_page(admin, "live")
    admin.follows(admin.page.get_by_role("link", name="Count again"))
    expect(admin.page.locator("#moved ~ .scroll tbody tr")).to_have_count(5)
    check_page(admin, "recount")
    admin.goes(f"{path}/players/{content_ids['listed']}")
    check_page(admin, "player")
    admin.goes(f"{path}/calibration")
    check_page(admin, "calibration")

    reader.goes(f"{path}/months/{content_ids['month']}")
    expect(reader.page.locator("#moved ~ .scroll")).to_contain_text("no longer counts")
    assert not reader.is_wider_than_the_window
