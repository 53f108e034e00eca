"""A match is analysed by the workers of a whole service, and the analysis is read in a real browser; puzzles too."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.pages.browsing import Player
from tests.workers.serving import Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium")]

SHOWS: Final = "wanted => document.querySelector('.replay').dataset.at === String(wanted)"


def test_a_match_is_analysed_by_workers_and_its_analysis_is_read(
    sit_down: Callable[..., Player], house: Serving, played: Callable[[str], str]
) -> None:
    match_id = played("el_grande-ruled")
    player = sit_down()
    player.comes_in()
    player.goes(f"/tables/{match_id}/replay")
    page = player.page
    panel = page.locator("#analysis")

    player.follows(panel.get_by_role("button", name="Analyse this match"))
    expect(panel.locator("progress, svg").first).to_be_visible()
    expect(panel.locator("svg")).to_be_visible()

    analysis = Client(house.started.url).get(f"/matches/{match_id}/analysis")
    assert (analysis["stage"], analysis["tries"]) == ("done", 100)
    expect(panel).to_contain_text("About 100 actions tried for a decision")
    expect(panel.locator("path.trace")).to_have_count(3)
    rows = panel.locator("tbody tr")
    assert [row.locator("td").first.inner_text() for row in rows.all()] == [
        f"{summary['accuracy']} %" for summary in analysis["summaries"]
    ]
    slip = next(each for each in analysis["decisions"] if each["grade"] == "blunder")
    marks = panel.locator("svg a")
    assert marks.count() == sum(each["grade"] in ("inaccuracy", "mistake", "blunder") for each in analysis["decisions"])
    panel.locator(f"svg a[data-to='{slip['entry']}']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWS, arg=slip["entry"])
    expect(panel.locator(".analysis-here")).to_contain_text("blunder", ignore_case=True)
    expect(panel).to_contain_text(slip["best"]["told"])
    steps_through_the_line(player, len(slip["line"]))


def steps_through_the_line(player: Player, steps: int) -> None:
    page = player.page
    page.locator("#analysis").get_by_text("Step through the better line").click()
    boards = [board_of(page)]
    page.wait_for_url("**?step=1")
    for step in range(2, steps + 1):
        player.follows("a[rel=next]", f"**?step={step}")
        boards.append(board_of(page))
    expect(page.locator("a[rel=next]")).to_have_count(0)
    expect(page.locator(".analysis-line [aria-current] a")).to_have_attribute("href", re.compile(f"step={steps}$"))
    assert len(set(boards)) > 1
    player.follows("text=Back to the match", "**/replay?at=*")


def board_of(page: Page) -> str:
    return page.locator(".board-frame").inner_html()
