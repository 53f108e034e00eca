"""Replays in a browser: steps, slider, keys, other seats' views, autoplay, forks, and without scripts."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.pages.browsing import DESK, PATIENCE_MS, PHONE, Player
from tests.pages.conftest import GOLDEN
from tests.workers.serving import Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]

SHOWS: Final = "wanted => document.querySelector('.replay').dataset.at === String(wanted)"


@pytest.fixture(scope="module")
def grande(import_golden: Callable[[str], str]) -> str:
    """Return the replay path of a three-player match of El Grande."""
    return f"/tables/{import_golden('el_grande-3-greedy-9')}/replay"


@pytest.fixture(scope="module")
def granja(import_golden: Callable[[str], str]) -> str:
    name = min(GOLDEN.glob("la_granja-4-greedy-*.jsonl")).stem
    return f"/tables/{import_golden(name)}/replay"


def waits_for(page: Page, entry: int) -> None:
    page.wait_for_function(SHOWS, arg=entry)


def test_a_link_opens_an_exact_entry(new_player: NewPlayer, service: Serving, grande: str) -> None:
    player = new_player()
    match_id = grande.split("/")[2]
    expected = Client(service.started.url).get(f"/matches/{match_id}/at/57")

    player.goes(f"{grande}?at=57")

    expect(player.page.locator(".replay-where")).to_contain_text("Entry 57 of")
    assert expected["head"][:12] in player.page.inner_text("#trust")
    points = [int(text) for text in player.page.locator("#seats .points b").all_inner_texts()]
    assert points == expected["scores"]
    current = player.page.locator("#replay-told .now")
    expect(current).to_have_count(1)
    assert current.get_attribute("id") == "told-57"
    narration = player.page.inner_text(".replay-now")
    assert narration
    assert narration.split(" · ")[0] in current.inner_text()


def test_steps_slider_keys_and_jumps_all_lead_to_the_same_entries(new_player: NewPlayer, grande: str) -> None:
    player = new_player()
    player.goes(f"{grande}?at=30")
    page = player.page
    last = int(page.get_attribute(".replay", "data-last") or 0)

    page.click("#step-on")
    waits_for(page, 31)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    waits_for(page, 29)
    page.wait_for_url("**at=29&seat=all")
    page.keyboard.press("End")
    waits_for(page, last)
    expect(page.locator("#step-on")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    waits_for(page, int(page.get_attribute(".replay", "data-first") or 0))
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("() => document.querySelector('[data-jump]').selectedIndex === 3")
    page.focus("#replay-slider")
    page.fill("#replay-slider", "100")
    waits_for(page, 100)
    page.select_option("[data-jump]", label="Round 4: power cards")
    page.wait_for_function("() => document.querySelector('.eg-rounds .now').innerText.startsWith('4')")
    entry = int(page.locator("#replay-told [data-to]").first.get_attribute("data-to") or 0)
    page.locator(f"#replay-told [data-to='{entry}']").first.click()
    waits_for(page, entry)
    expect(page.locator("#replay-told .now")).to_have_count(1)
    page.reload()
    waits_for(page, entry)


def test_steps_move_the_board_and_fetched_entries_need_no_request(new_player: NewPlayer, granja: str) -> None:
    player = new_player()
    player.goes(f"{granja}?at=200")
    page = player.page
    requests: list[str] = []
    page.wait_for_load_state("networkidle")
    page.on("request", lambda request: requests.append(request.url))

    before = page.inner_html("#board") + page.inner_html("#farms")
    page.keyboard.press("ArrowRight")
    waits_for(page, 201)
    page.keyboard.press("ArrowRight")
    waits_for(page, 202)

    assert page.inner_html("#board") + page.inner_html("#farms") != before
    assert not [url for url in requests if re.search(r"at=20[12]&", url)]


def test_the_changes_of_an_entry_are_marked_on_the_board(new_player: NewPlayer, grande: str, service: Serving) -> None:
    entries = Client(service.started.url).get(f"/matches/{grande.split('/')[2]}/entries?after=30")["entries"]
    actions = {each["version"]: each["body"].get("action", {}) for each in entries}
    version, area = next(
        (version, action["area"])
        for version, action in actions.items()
        if action.get("type") == "el_grande.place_caballeros" and action["area"] != "castillo"
    )
    player = new_player()
    player.goes(f"{grande}?at={version - 1}")

    player.page.keyboard.press("ArrowRight")
    waits_for(player.page, version)

    marked = player.page.locator(".eg-map .changed")
    assert [part.get_attribute("data-part") for part in marked.all()] == [f"area-{area}"]
    player.page.keyboard.press("End")
    player.page.wait_for_function("() => document.querySelector('.changed') === null")


def test_changing_the_language_keeps_the_entry(new_player: NewPlayer, grande: str) -> None:
    player = new_player()
    player.goes(grande)
    page = player.page
    first = int(page.get_attribute(".replay", "data-first") or 0)
    page.keyboard.press("End")
    page.keyboard.press("Home")
    waits_for(page, first)
    top = "([line, list]) => line.getBoundingClientRect().top - list.getBoundingClientRect().top"
    elements = [page.query_selector("#replay-told .now"), page.query_selector("#replay-told ol")]
    assert page.evaluate(top, elements) >= 0

    page.keyboard.press("ArrowRight")
    waits_for(page, first + 1)
    page.click(".languages summary")
    player.follows(".languages button[value=de]")

    page.wait_for_url(f"**/replay?at={first + 1}&seat=all")
    waits_for(page, first + 1)


def test_autoplay_runs_until_it_is_paused(new_player: NewPlayer, grande: str) -> None:
    player = new_player()
    player.goes(f"{grande}?at=40")
    page = player.page
    page.select_option("[data-speed]", "8")

    page.click("[data-play]")
    page.wait_for_function("() => Number(document.querySelector('.replay').dataset.at) >= 44")
    page.locator("body").press("Space")

    expect(page.locator("[data-play]")).to_have_text("Play replay")
    # An entry already requested is still shown.
    paused_at = int(page.get_attribute(".replay", "data-at") or 0)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("stopped => Number(document.querySelector('.replay').dataset.at) > stopped", arg=paused_at)
    expect(page.locator("[data-play]")).to_have_text("Play replay")


def test_an_ended_match_can_be_viewed_from_every_seat(new_player: NewPlayer, grande: str) -> None:
    player = new_player()
    player.goes(f"{grande}?at=60")
    page = player.page
    expect(page.locator(".eg-hand")).to_have_count(0)

    with page.expect_navigation(url="**seat=1"):
        page.select_option("select[data-eyes]", "1")
    expect(page.locator(".eg-hand")).to_be_visible()
    cards = page.locator(".eg-held b").all_inner_texts()
    page.keyboard.press("End")
    page.wait_for_function("held => [...document.querySelectorAll('.eg-held b')].length !== held", arg=len(cards))

    assert page.url.endswith("seat=1")


def test_a_player_forks_from_an_entry_and_plays_on(new_player: NewPlayer, grande: str) -> None:
    player = new_player()
    player.sign_in_as_guest()
    player.goes(f"{grande}?at=20")
    page = player.page
    page.click("#fork-details summary")
    page.check("input[name=luck][value=fresh]")
    page.select_option("select[name='seats.0']", "me")
    page.select_option("select[name='seats.1']", "greedy")
    page.select_option("select[name='seats.2']", "random")
    page.click("#step-on")
    waits_for(page, 21)
    with page.expect_navigation(url=re.compile(r"/tables/[0-9a-f-]{36}$")):
        page.click("button:text-is('Create fork')")

    assert player.has_choice()
    match = player.match
    assert match["parent"] == {"matchId": grande.split("/")[2], "version": 21}
    assert [seat["player"]["id"][:10] for seat in match["seats"][1:]] == ["bot:greedy", "bot:random"]


def test_the_result_links_to_the_replay_from_the_players_seat(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande", "short")
    player.has_choice()
    player.presses(0)
    player.has_choice()
    player.wait_until_settled()
    player.follows("#narration >> text=Replay", "**/replay?*")

    expect(player.page.locator(".replay .badge.warn")).to_have_text("in progress")
    expect(player.page.locator(".eg-hand")).to_be_visible()
    assert player.page.locator("select[data-eyes] option").all_inner_texts()[0] == "everyone"
    assert player.page.locator("select[data-eyes] option").count() == 2
    assert player.page.locator("#fork-details").count() == 0


def test_the_replay_of_a_running_match_grows(new_player: NewPlayer) -> None:
    player, reader = new_player(), new_player()
    path = player.plays_against(1, "el_grande", "short")
    player.has_choice()
    player.wait_until_settled()
    reader.goes(f"{path}/replay")
    before = int(reader.page.get_attribute("#replay-slider", "max") or 0)
    expect(reader.page.locator("#step-on")).to_have_attribute("aria-disabled", "true")

    player.presses(0)

    reader.page.wait_for_function("before => Number(document.getElementById('replay-slider').max) > before", arg=before)
    reader.page.locator("#step-on[data-to]").click()
    waits_for(reader.page, before + 1)
    expect(reader.page.locator(".eg-hand")).to_have_count(0)


def test_stepping_while_the_match_grows_keeps_the_new_entry(new_player: NewPlayer) -> None:
    player, reader = new_player(), new_player()
    path = player.plays_against(1, "el_grande", "short")
    player.has_choice()
    player.wait_until_settled()
    reader.goes(f"{path}/replay")
    last, routes = int(reader.page.get_attribute(".replay", "data-last") or 0), list[Route]()

    def hold(route: Route) -> None:
        routes.append(route)

    reader.page.route(f"**/replay?at={last}&*", hold)

    with reader.page.expect_request(f"**/replay?at={last}&*"):
        player.presses(0)
    reader.page.keyboard.press("ArrowLeft")
    waits_for(reader.page, last - 1)
    routes[0].continue_()

    expect(reader.page.locator(".replay-where")).to_have_text(re.compile(rf"Entry {last - 1} of (?!{last}\b)"))


def test_everything_works_at_phone_width(new_player: NewPlayer, grande: str, granja: str) -> None:
    player = new_player(PHONE)
    for path in (grande, granja):
        player.goes(f"{path}?at=90")
        assert not player.is_wider_than_the_window
        player.page.click("#step-on")
        waits_for(player.page, 91)
        assert not player.is_wider_than_the_window


ON_TOP: Final = """element => {
    const box = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


def test_on_a_phone_the_step_buttons_stay_visible_while_scrolling(
    new_player: NewPlayer, grande: str, granja: str
) -> None:
    player = new_player(PHONE)
    for path in (grande, granja):
        player.goes(f"{path}?at=90")
        for share in (0.0, 0.25, 0.5, 0.75):
            player.page.evaluate("share => scrollTo(0, share * document.documentElement.scrollHeight)", share)
            assert player.page.evaluate(ON_TOP, player.page.query_selector("#step-on")), (path, share)


@pytest.fixture
def plain(browser: Browser, service: Serving) -> Iterator[Page]:
    """Open a page without JavaScript."""
    size: Any = DESK
    context = browser.new_context(viewport=size, java_script_enabled=False, base_url=service.started.url)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def test_without_scripts_steps_are_links_and_controls_are_forms(plain: Page, grande: str) -> None:
    plain.goto(f"{grande}?at=30")

    plain.click("#step-on")
    expect(plain.locator(".replay-where")).to_contain_text("Entry 31 of")
    plain.select_option("select[data-eyes]", "2")
    plain.click(".replay-eyes button")
    expect(plain.locator(".eg-hand")).to_be_visible()
    expect(plain.locator(".replay-where")).to_contain_text("Entry 31 of")
    plain.select_option("[data-jump]", label="Round 3: turns")
    plain.click(".replay-jump button")
    expect(plain.locator(".eg-rounds .now")).to_contain_text("3")
    expect(plain.locator("[data-play]")).to_be_hidden()
