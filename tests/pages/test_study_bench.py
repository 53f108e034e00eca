"""The study workbench in a browser: comments, marks, drawings, variations, chapters, readers, and presentation."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.pages.browsing import PHONE, Player, covering
from tests.pages.page_checks import AXE, FIND

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]
ENTRY: Final = 40
BENCH: Final[Any] = {"width": 1440, "height": 900}
AT: Final = """wanted => {
    const { at, variation, step } = document.querySelector('.replay').dataset;
    return `${at} ${variation} ${step}` === wanted;
}"""


@pytest.fixture(scope="module")
def match_id(import_golden: Callable[[str], str]) -> str:
    return import_golden("el_grande-2-eager-8")


def begins(player: Player, match_id: str, visibility: str = "private") -> None:
    """Create a study next to the replay."""
    player.sign_in_as_guest()
    player.goes(f"/tables/{match_id}/replay?at={ENTRY}")
    player.page.click("#beside-new summary")
    player.page.fill("#beside-title", "The king's walk")
    player.page.select_option("#beside-visibility", visibility)
    player.follows("#beside-new button", f"**/replay?at={ENTRY}&study=*")


def expect_position(page: Page, entry: int, variation: int = 0, step: int = 0) -> None:
    page.wait_for_function(AT, arg=f"{entry} {variation} {step}")


def presses(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()


def is_sound(player: Player) -> None:
    """Check axe and width, on desktop and phone."""
    sizes: tuple[Any, ...] = (PHONE, BENCH)
    for size in sizes:
        player.page.set_viewport_size(size)
        assert not player.is_wider_than_the_window
        player.page.evaluate(AXE)
        assert player.page.evaluate(FIND, None) == []


def name_of(page: Page, area: str) -> Locator:
    """Return the name of an area, because the middle of its bounding box may belong to another one."""
    return page.locator(f".field [data-part=area-{area}] text").first


def plays(page: Page, nth: int) -> None:
    """Choose one of the legal parts of the board, and the first of its actions."""
    part = page.locator(".field [data-part].legal").nth(nth)
    (part.locator("text").first if part.locator("text").count() else part).click()
    if page.locator("#chooser[open]").count():
        page.locator("#chooser .choices button").first.click()


def draws(page: Page, source: str, target: str, button: Any, *keys: str) -> None:
    boxes = [name_of(page, area).bounding_box() for area in (source, target)]
    (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    for key in keys:
        page.keyboard.down(key)
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    page.mouse.move(to_x, to_y, steps=3)
    page.mouse.up(button=button)
    for key in keys:
        page.keyboard.up(key)


def test_board_and_list_fit_on_one_screen(new_player: NewPlayer, match_id: str) -> None:
    player = new_player(BENCH)
    player.goes(f"/tables/{match_id}/replay?at={ENTRY}")

    for part in (".eg-map", "#replay-told ol", "#replay-told .now", "#step-on", "#replay-slider", ".replay-now"):
        box = player.page.locator(part).first.bounding_box()
        assert box, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= BENCH["height"], part


@pytest.mark.walk
def test_a_comment_is_written_in_place_and_a_mark_set_by_one_key(new_player: NewPlayer, match_id: str) -> None:
    player = new_player(BENCH)
    begins(player, match_id)
    page = player.page

    page.keyboard.press("c")
    page.keyboard.type("**Strong** <script>alert(1)</script>")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".here .comment strong")).to_have_text("Strong")
    assert page.locator(".comment script").count() == 0
    expect(page.locator(f"#told-{ENTRY} .told-note")).to_contain_text("Strong")
    expect(page.locator("#beside-comment")).to_have_value("")
    page.keyboard.press("2")
    expect(page.locator(f"#told-{ENTRY} .glyph.brilliant")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator(f"#told-{ENTRY} .glyph")).to_have_count(0)
    page.keyboard.press("4")
    expect(page.locator(f"#told-{ENTRY} .glyph.mistake")).to_be_visible()
    page.click(".here .comment summary")
    page.fill(".here .comment textarea", "In other words")
    presses(page, "Save")
    expect(page.locator(f"#told-{ENTRY} .told-note")).to_have_text("In other words")
    page.click(".here .comment summary")
    presses(page, "Delete")
    expect(page.locator(".here .comment")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect_position(page, ENTRY + 1)
    expect(page.locator(".here .empty")).to_be_visible()
    # At the match's end, where nothing can be played; parts that are buttons are covered by the table's tests.
    page.keyboard.press("End")
    expect_position(page, int(page.get_attribute(".replay", "data-last") or 0))
    is_sound(player)


@pytest.mark.walk
def test_rings_and_arrows_are_drawn_with_the_mouse_in_four_colours(new_player: NewPlayer, match_id: str) -> None:
    player = new_player(BENCH)
    begins(player, match_id)
    page, notes = player.page, player.page.locator(".notes")

    draws(page, "galicia", "galicia", "right")
    expect(notes).to_have_attribute("data-shapes", "area-galicia")
    draws(page, "galicia", "toledo", "right", "Shift")
    expect(notes).to_have_attribute("data-shapes", "area-galicia red:area-galicia>area-toledo")
    draws(page, "sevilla", "granada", "right", "Alt")
    page.locator("input[name=pen][value=yellow] + .pen").click()
    draws(page, "toledo", "toledo", "left")
    shapes = ["area-galicia", "red:area-galicia>area-toledo", "blue:area-sevilla>area-granada", "yellow:area-toledo"]
    expect(notes).to_have_attribute("data-shapes", " ".join(shapes))
    assert page.locator(".shapes > g").evaluate_all("all => all.map(each => each.getAttribute('class'))") == [
        "green",
        "red",
        "blue",
        "yellow",
    ]
    assert page.locator(".shapes .yellow rect:not(.halo), .shapes .red .head:not(.halo)").count() == 2
    expect(page.locator(".here .drawn").first).to_have_text("circle around Galicia")
    assert covering(page) == []
    draws(page, "toledo", "toledo", "left")
    expect(notes).to_have_attribute("data-shapes", " ".join(shapes[:3]))
    page.click(".by-list summary")
    page.select_option("#shape-from", "area-aragon")
    presses(page, "Draw")
    expect(notes).to_have_attribute("data-shapes", " ".join([*shapes[:3], "yellow:area-aragon"]))
    assert page.locator("input[type=text][name=shapes]").count() == 0
    page.keyboard.press("ArrowRight")
    expect_position(page, ENTRY + 1)
    assert page.locator(".shapes > *").count() == 0


@pytest.mark.walk
def test_a_variation_is_played_on_the_board_promoted_commented_and_removed(
    new_player: NewPlayer, match_id: str
) -> None:
    player, reader = new_player(BENCH), new_player(BENCH)
    begins(player, match_id, "unlisted")
    page = player.page

    plays(page, 0)
    expect_position(page, ENTRY, 1, 1)
    page.keyboard.press("ArrowLeft")
    expect_position(page, ENTRY)
    plays(page, 1)
    expect_position(page, ENTRY, 2, 1)
    expect(page.locator(".tree [aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect_position(page, ENTRY, 1, 1)
    page.keyboard.press("ArrowDown")
    expect_position(page, ENTRY, 2, 1)
    plays(page, 0)
    page.wait_for_function("() => Number(document.querySelector('.replay').dataset.step) > 1")
    page.keyboard.press("Home")
    expect_position(page, ENTRY)
    page.keyboard.press("ArrowDown")
    expect_position(page, ENTRY, 1, 1)
    page.keyboard.press("ArrowDown")
    expect_position(page, ENTRY, 2, 1)
    assert page.locator(".tree .variation-name").all_inner_texts() == ["Variation 1", "Variation 2"]
    presses(page, "Promote variation")
    expect(page.locator(".tree .variation-name").first).to_have_text("Variation 2")
    page.fill("#beside-comment", "Better")
    presses(page, "Add comment")
    expect(page.locator(".tree .comment")).to_contain_text("Better")
    expect(page.locator(f"#told-{ENTRY} .told-branch")).to_contain_text("2 variations")
    reader.goes(player.here)
    expect_position(reader.page, ENTRY, 2, 1)
    is_sound(reader)
    presses(page, "Delete following moves")
    expect(page.locator("#step-on")).to_have_attribute("aria-disabled", "true")
    presses(page, "Delete variation")
    expect_position(page, ENTRY)
    # A reader at a removed variation is led to the entry it branched from; the browser reports the failed request.
    expect_position(reader.page, ENTRY)
    reader.complaints.clear()
    expect(page.locator(".tree .variation-name")).to_have_text(["Variation 1"])
    page.reload()
    expect(page.locator(".tree .variation-name")).to_have_text(["Variation 1"])


@pytest.mark.walk
def test_entries_are_filtered_stepped_played_and_compared(new_player: NewPlayer, match_id: str) -> None:
    player = new_player(BENCH)
    player.goes(f"/tables/{match_id}/replay?at={ENTRY}")
    page = player.page

    page.select_option("#filter-seat", "1")
    assert page.locator("#replay-told li[data-version]:visible:not(.seat-1)").count() == 0
    page.select_option("#filter-kind", "points")
    visible_entries = page.locator("#replay-told li[data-version]:visible")
    visible_versions = visible_entries.evaluate_all("all => all.map(each => +each.dataset.version)")
    after = [version for version in visible_versions if version > ENTRY]
    page.keyboard.press("ArrowRight")
    expect_position(page, after[0])
    page.select_option("[data-speed]", "8")
    page.click("[data-play]")
    expect_position(page, after[2])
    page.locator("body").press("Space")
    expect(page.locator("[data-play]")).to_have_text("Play replay")
    page.select_option("#filter-seat", "")
    page.select_option("#filter-kind", "")
    current_entry = int(page.get_attribute(".replay", "data-at") or 0)

    page.click(".replay-compare summary")
    page.fill(".replay-compare input[name=against]", str(ENTRY))
    presses(page, "Compare")
    expect(page.locator(".replay-compare h2")).to_have_text(f"Compared with entry {ENTRY}")
    expect(page.locator(".replay-compare td.number").first).to_have_text(re.compile(r"^\d+$"))
    page.wait_for_selector(".field .changed")
    page.keyboard.press("x")
    expect_position(page, ENTRY)
    expect(page.locator(".replay-compare h2")).to_have_text(f"Compared with entry {current_entry}")
    is_sound(player)
    page.click("[data-apart]")
    expect(page.locator(".replay-compare h2")).to_have_count(0)


@pytest.mark.walk
def test_chapters_structure_a_study_that_readers_see_without_tools(new_player: NewPlayer, match_id: str) -> None:
    writer, reader = new_player(BENCH), new_player(PHONE)
    begins(writer, match_id, "public")
    page = writer.page
    for entry, title in ((ENTRY, "The turn"), (ENTRY + 1, "The end")):
        page.click("#chapter summary")
        page.fill("#chapter-title", title)
        page.locator("#chapter form").first.locator("button").click()
        expect(page.locator(f"#replay-told .told-chapter:has(+ #told-{entry})")).to_have_text(title)
        page.keyboard.press("ArrowRight")
        expect_position(page, entry + 1)
    draws(page, "galicia", "toledo", "right", "Shift")
    expect(page.locator(".notes")).to_have_attribute("data-shapes", "red:area-galicia>area-toledo")

    reader.goes(writer.here)
    reader_page = reader.page
    expect(reader_page.locator(".shapes .red .head:not(.halo)")).to_have_count(1)
    assert reader_page.locator(".notes :is(textarea, input[name=pen], #actions, #marking, #chapter)").count() == 0
    assert reader_page.locator(".field .legal").count() == 0
    reader_page.get_by_role("link", name="The turn").click()
    expect_position(reader_page, ENTRY)
    expect(reader_page.locator(".chapters [aria-current]")).to_have_text("The turn")
    assert not reader.is_wider_than_the_window
    reader_page.goto(
        reader_page.url.split("/tables")[0] + "/studies/" + re.findall("study=([0-9a-f-]+)", writer.here)[0]
    )
    expect(reader_page.locator(".chapters li")).to_have_text(["The turn", "The end"])


@pytest.mark.walk
def test_a_follower_sees_the_presented_position_and_new_comments(new_player: NewPlayer, match_id: str) -> None:
    writer, reader = new_player(BENCH), new_player(BENCH)
    begins(writer, match_id, "unlisted")
    page, reader_page = writer.page, reader.page
    reader.goes(writer.here)
    expect(reader_page.locator("[data-following]")).to_be_hidden()

    presses(page, "Present")
    expect(reader_page.locator("[data-following]")).to_contain_text("Follow Guest")
    reader_page.check("[data-follow]")
    page.keyboard.press("ArrowRight")
    expect_position(reader_page, ENTRY + 1)
    plays(page, 0)
    expect_position(reader_page, ENTRY + 1, 1, 1)
    page.fill("#beside-comment", "Look here")
    presses(page, "Add comment")
    expect(reader_page.locator(".here .comment")).to_contain_text("Look here")
    reader_page.uncheck("[data-follow]")
    page.keyboard.press("ArrowLeft")
    expect_position(page, ENTRY + 1)
    presses(page, "Stop presenting")
    expect(reader_page.locator("[data-following]")).to_be_hidden()
    expect_position(reader_page, ENTRY + 1, 1, 1)
