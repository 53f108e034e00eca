"""The whole way of a dispute in a browser: raised, looked into, tried out, ruled on, played on; and it counts once."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic
from uuid import UUID

import pytest
from playwright.sync_api import expect

from domain.matches.outcome import Outcome
from ops.stores import settings_for
from projections.matches import outcomes
from projections.store import ReadStore
from tests.pages.browsing import PHONE, RESULT, Player
from tests.pages.conftest import KEEPER
from tests.pages.examining import AXE, FIND
from tests.pages.pointing import covering
from tests.workers.serving import DEADLINE_SECONDS, Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.xdist_group("chromium")]


def presses(player: Player, button: str) -> None:
    """A button that leads to a page, by its name."""
    player.follows(player.page.get_by_role("button", name=button, exact=True))


def is_sound(player: Player, path: str = "") -> None:
    """axe finds nothing on the page, and it fits on a phone."""
    if path:
        player.goes(path)
    player.page.evaluate(AXE)
    assert player.page.evaluate(FIND, None) == []
    before = player.page.viewport_size
    player.page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert not player.is_wider_than_the_window
    assert before is not None
    player.page.set_viewport_size(before)


def until_ended(folder: Path, match_id: UUID, house: Serving) -> Outcome:
    """What the match counts as, once the read models have seen its end."""
    with closing(ReadStore(settings_for(folder).reads_url)) as store:
        given_up = monotonic() + DEADLINE_SECONDS
        while monotonic() < given_up:
            outcome = outcomes.get(store, match_id)
            if outcome is not None and outcome.status == "ended":
                return outcome
            Client(house.started.url).ask("GET", "/health")
    raise AssertionError("the outcome never came")


def rules_on(arbiter: Player, path: str) -> None:
    """The arbiter looks, tries out what could have been, and lets the match go on from an earlier entry."""
    arbiter.signs_in(**KEEPER)
    arbiter.goes(path)
    presses(arbiter, "Take it up")
    presses(arbiter, "Look")
    arbiter.page.wait_for_selector("text=The log is sound")
    arbiter.follows(arbiter.page.locator("nav.tabs a").nth(1))
    arbiter.page.wait_for_selector("#board")
    presses(arbiter, "Play it on")
    arbiter.page.wait_for_selector("#what-ifs li a")
    arbiter.page.locator("#what-ifs select").first.select_option("me")
    presses(arbiter, "Play it on")
    arbiter.page.wait_for_url("**/tables/*")
    arbiter.is_asked()
    arbiter.presses(0)
    is_sound(arbiter, f"{path}?look=true&eyes=1")
    arbiter.page.locator("input[value=resume]").check()
    number = int(arbiter.page.locator("#resume-version").get_attribute("value") or 0) - 1
    arbiter.page.locator("#resume-version").fill(str(number))
    arbiter.page.locator("#rule").fill("EG-4.2")
    arbiter.page.locator("#reasons").fill("So it was.")
    presses(arbiter, "Rule")
    arbiter.page.wait_for_selector("text=To the match as it goes on")


def test_the_whole_way_of_a_dispute(
    sit_down: Callable[..., Player], operator: Client, house: Serving, house_folder: Path
) -> None:
    assert operator.get("/me")["role"] == "operator"
    player, arbiter = sit_down(), sit_down()
    table = player.plays_against(1, "el_grande")
    for wanted in range(3):
        player.is_asked()
        player.presses(wanted)
    player.is_asked()
    match_id = UUID(table.rsplit("/", maxsplit=1)[-1])

    # Raise
    player.goes(f"{table}/replay")
    player.page.locator("#beside-dispute summary").click()
    player.page.locator("#beside-reason").fill("The bot acted twice.")
    # The seat signs, so what is said is signed too; the form that asks for it comes with a status of its own.
    player.follows("#beside-dispute button")
    expect(player.page.locator("pre.order")).to_contain_text("The bot acted twice.")
    player.follows(player.page.get_by_role("button", name="Sign and send"), "**/disputes/*")
    player.complaints.clear()
    path = player.here

    rules_on(arbiter, path)

    # Play on
    player.page.reload()
    player.follows(player.page.get_by_role("link", name="To the match as it goes on"), "**/tables/*")
    line = UUID(player.page.url.rsplit("/", maxsplit=1)[-1])
    assert line != match_id
    for wanted in range(2):
        player.is_asked()
        player.presses(wanted)
    player.page.evaluate("document.querySelector(\"form[action$='/resign']\").requestSubmit()")
    player.page.wait_for_selector(RESULT)

    # It counts once
    outcome = until_ended(house_folder, match_id, house)
    assert (outcome.match_id, outcome.line_id) == (match_id, line)
    with closing(ReadStore(settings_for(house_folder).reads_url)) as store:
        assert sum(match_id in (each.match_id, each.line_id) for each in outcomes.list_ended(store)) == 1
    player.goes(table)
    player.page.wait_for_selector("text=A ruling lets the match go on here")
    player.goes(f"{table}/forks")
    player.page.wait_for_selector("text=by a ruling")
    is_sound(player)
    is_sound(player, path)
    for place in ("/desk", "/desk/roles", "/desk/audit", "/disputes"):
        is_sound(arbiter, place)


def beside_the_replay(player: Player, path: str) -> None:
    """Ring, arrow, mark and comment stand at the entry they belong to, and go when the reader steps on."""
    written = player.here
    player.goes(path)
    player.page.wait_for_selector("#beside-notes .comment strong")
    player.page.wait_for_selector(".replay .field .shapes rect:not(.halo)", state="attached")
    player.page.wait_for_selector(".replay .field .shapes .head:not(.halo)", state="attached")
    assert covering(player.page) == []
    player.page.locator("body").press("ArrowRight")
    player.page.wait_for_selector("#beside-notes .empty")
    assert player.page.locator(".replay .field .shapes > *").count() == 0
    player.page.locator("#beside-comment").fill("Written beside the replay")
    presses(player, "Add the comment")
    player.page.wait_for_selector("#beside-notes .comment >> text=Written beside the replay")
    assert player.page.url.endswith("/replay?at=41")
    is_sound(player)
    player.goes(written)


def test_a_study_is_written_with_mouse_and_keys(sit_down: Callable[..., Player], played: Callable[[str], str]) -> None:
    match_id = played("el_grande-2-eager-8")
    player = sit_down()
    player.plays_against(1)
    player.goes(f"/tables/{match_id}/replay?at=40")
    player.page.locator("#beside-new summary").click()
    player.page.locator("#beside-title").fill("By mouse")
    player.follows("#beside-new button", "**/place?*")

    player.page.locator("#new-comment").fill("**Strong** <script>alert(1)</script>")
    presses(player, "Add the comment")
    player.page.wait_for_selector(".comment strong")
    assert player.page.locator(".comment script").count() == 0
    player.page.locator("input[value=brilliant]").check()
    player.page.locator(".board-frame [data-part]").first.click()
    assert ">" not in player.page.locator("#shapes").input_value()
    assert player.page.locator(".shapes rect:not(.halo)").count() == 1
    player.page.locator("#shape-from").select_option("area-galicia")
    player.page.locator("#shape-to").select_option("area-toledo")
    player.page.get_by_role("button", name="Draw").focus()
    player.page.keyboard.press("Enter")
    assert "area-galicia>area-toledo" in player.page.locator("#shapes").input_value()
    assert player.page.locator(".shapes .head:not(.halo)").count() == 1
    assert covering(player.page) == []
    presses(player, "Keep the marks")
    player.page.wait_for_selector(".glyphs .brilliant")
    beside_the_replay(player, f"/tables/{match_id}/replay?at=40")
    player.follows(player.page.locator(".choices button").first, "**variation=*step=1*")
    is_sound(player)
    player.page.keyboard.press('"')
    with player.page.expect_navigation(url="**variation=*step=0*"):
        player.page.keyboard.press("ArrowLeft")
    is_sound(player, player.here.partition("/place")[0])
