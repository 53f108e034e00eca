"""Analysis of a match by workers, its display in a browser, and puzzles."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from api.puzzles.service import PuzzleShown, load_position
from domain.puzzles.puzzle_file import load_puzzles, match_of
from domain.titles import TITLES
from tests.pages.browsing import Player
from tests.workers.serving import Client, Serving

pytestmark = pytest.mark.chromium

SHOWS: Final = "wanted => document.querySelector('.replay').dataset.at === String(wanted)"


@pytest.mark.walk
def test_workers_analyse_a_match_and_a_reader_opens_the_analysis(
    new_player: Callable[..., Player], service: Serving, import_golden: Callable[[str], str]
) -> None:
    match_id = import_golden("el_grande-ruled")
    player = new_player()
    player.sign_in_as_guest()
    player.goes(f"/tables/{match_id}/replay")
    page = player.page
    panel = page.locator("#analysis")

    player.follows(panel.get_by_role("button", name="Analyse this match"))
    expect(panel.locator("progress, svg").first).to_be_visible()
    expect(panel.locator("svg[role=group]")).to_be_visible()

    analysis = Client(service.started.url).get(f"/matches/{match_id}/analysis")
    assert (analysis["stage"], analysis["tries"]) == ("done", 100)
    expect(panel).to_contain_text("About 100 roll-outs per decision")
    expect(panel.locator("path.trace")).to_have_count(3)
    rows = panel.locator("tbody tr")
    assert [row.locator("td").first.inner_text() for row in rows.all()] == [
        f"{summary['accuracy']}\N{NO-BREAK SPACE}%" for summary in analysis["summaries"]
    ]
    blunder = next(each for each in analysis["decisions"] if each["grade"] == "blunder")
    marks = panel.locator("svg a")
    assert marks.count() == sum(each["grade"] in ("inaccuracy", "mistake", "blunder") for each in analysis["decisions"])
    panel.locator(f"svg a[data-to='{blunder['entry']}']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(SHOWS, arg=blunder["entry"])
    expect(panel.locator(".analysis-here")).to_contain_text("blunder", ignore_case=True)
    expect(panel).to_contain_text(blunder["best"]["told"])
    keeps_the_list_open(page, entry_without_choice=analysis["decisions"][0]["entry"] - 1)
    panel.locator(f"svg a[data-to='{blunder['entry']}']").click()
    page.wait_for_function(SHOWS, arg=blunder["entry"])
    steps_through_the_line(player, len(blunder["line"]))


def keeps_the_list_open(page: Page, entry_without_choice: int) -> None:
    """Check that the panel stays open after visiting an entry without a choice."""
    costliest = page.locator("#analysis details").last
    costliest.get_by_text("Costliest decisions").click()
    page.locator("#replay-slider").fill(str(entry_without_choice))
    page.wait_for_function(SHOWS, arg=entry_without_choice)
    entry = int(str(costliest.locator("a").first.get_attribute("data-to")))
    costliest.locator("a").first.click()
    page.wait_for_function(SHOWS, arg=entry)
    expect(costliest).to_have_attribute("open", "")


def steps_through_the_line(player: Player, steps: int) -> None:
    page = player.page
    page.locator("#analysis").get_by_text("Show better line").click()
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


def rating_on(page: Page) -> int:
    rating = re.search(r"Your puzzle rating: (\d+)", page.locator("main").inner_text())
    assert rating is not None
    return int(rating[1])


def load_shown(puzzle_id: str) -> PuzzleShown:
    collection = load_puzzles()
    puzzle = next(each for each in collection.puzzles if each.id == puzzle_id)
    return load_position(TITLES[match_of(collection, puzzle).title], puzzle_id)


@pytest.mark.walk
def test_one_puzzle_is_missed_another_solved_and_its_match_opened(new_player: Callable[..., Player]) -> None:
    player = new_player()
    player.sign_in_as_guest()
    page, ratings = player.page, list[int]()
    player.goes("/studies")
    for link, is_solved in (("a[href='/puzzles']", False), ("a[href^='/puzzles?title=']", True)):
        player.follows(link)
        ratings.append(rating_on(page))
        position = load_shown(page.url.rpartition("/")[2])
        choices = page.locator(".choices button")
        assert choices.count() == len(position.actions)
        player.follows(choices.nth(position.best if is_solved else (position.best + 1) % len(position.actions)))
        expect(page.get_by_role("status").first).to_contain_text("Correct!" if is_solved else "Not the best move.")
        assert page.get_by_role("heading", name="Continuation").count() == 1
    ratings.append(rating_on(page))

    assert ratings[0] > ratings[1] < ratings[2]
    player.follows(page.get_by_role("button", name="View the match"), "**/replay?at=*")
    assert page.url.endswith(f"at={position.puzzle.entry}")
