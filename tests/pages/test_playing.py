"""A person plays in a real browser."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.pages.browsing import BUTTONS, PHONE, RESULT, Player, begin_together, whoever_is_asked
from tests.seeding import IS_EXPLORING
from tests.workers.serving import Client, Serving

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

LOOKED_AT: Final = 12
"""Number of presses between comparisons of the page with a reloaded one."""
CLICKS: Final = 40
"""Number of presses in a plain run."""

NewPlayer = Callable[..., Player]


STANDS_STILL_MS: Final = 6_000
"""Time without events after which a page asks for updates, and then reloads."""
SEES_EARLY_STREAMS: Final = """
    window.early = [];
    document.addEventListener("DOMContentLoaded", () => { window.isReady = true; });
    window.EventSource = class extends EventSource {
        constructor(address) { super(address); if (!window.isReady) window.early.push(String(address)); }
    };
"""
"""Records the streams that a page opens before its content is loaded."""
NEWEST: Final = "document.querySelector('#narration [data-told]')"
LISTEN: Final = """() => {
  window.heard = []; window.told = {};
  window.inOrder = line => Array.from(line.querySelectorAll('p'), sentence => sentence.textContent).reverse().join(' ');
  const place = document.getElementById('narration'), announcer = document.getElementById('announce');
  const look = () => place.querySelectorAll('[data-told]').forEach(
    line => { told[line.dataset.told] = inOrder(line); }
  );
  look();
  new MutationObserver(look).observe(place, { childList: true, subtree: true, characterData: true });
  new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(
    node => heard.push(node.textContent)
  ))).observe(announcer, { childList: true });
}"""
"""Records every line shown, by entry, and every announcement."""


def is_shown_by_a_new_page(player: Player) -> None:
    """Check that a page updated by fragments equals a reloaded one at the same version."""
    while True:
        player.wait_until_settled()
        version, field = player.version, player.field
        player.page.reload()
        if player.version == version:
            assert player.field == field
            return


@pytest.mark.walk
def test_a_match_against_a_bot_is_played_by_clicking(new_player: NewPlayer) -> None:
    """To the end with --all; a whole match of one title is played on the board in every run."""
    player = new_player()
    player.plays_against(1)

    clicks = 0
    while (IS_EXPLORING or clicks < CLICKS) and player.has_choice():
        if clicks % LOOKED_AT == 0:
            is_shown_by_a_new_page(player)
        player.presses(clicks)
        clicks += 1

    assert clicks >= CLICKS
    if IS_EXPLORING:
        assert_result_is_shown(player)


def assert_result_is_shown(player: Player) -> None:
    expect(player.page.locator(RESULT)).to_contain_text("points")
    match = player.match
    assert match["status"] == "ended"
    assert match["head"] == player.head
    places = player.page.locator(f"{RESULT} .places-list li").all_inner_texts()
    assert f"{max(match['scores'])} points" in places[0]


def test_the_first_page_shows_four_bots_that_play(new_player: NewPlayer) -> None:
    player = new_player()
    player.goes("/")
    player.looks_until(".live-table")

    before = player.head
    player.page.wait_for_function(
        "before => document.querySelector('#trust .head.whole').textContent !== before", arg=before
    )

    expect(player.page.locator(".live")).to_contain_text("four bots")
    expect(player.page.locator(".seated .lg-strip")).to_have_count(4)
    expect(player.page.locator(".lg-board")).to_have_count(1)
    expect(player.page.locator(".lg-farm")).to_have_count(0)


def test_the_browser_generates_the_share_of_chance(new_player: NewPlayer, service: Serving) -> None:
    player = new_player()
    path = player.plays_against(2)
    player.has_choice()

    entries = Client(service.started.url).get(f"/matches/{path.rsplit('/', 1)[1]}/entries")["entries"]

    shares = [entry["body"]["shareBy"] for entry in entries if entry["body"]["type"] == "seat_taken"]
    assert shares == ["awaited", "service", "service"], "the browser knows the table before it commits to a share"
    kinds = [entry["body"]["type"] for entry in entries]
    commitment, closing = kinds.index("share_committed"), kinds.index("table_closed")
    assert entries[commitment]["body"]["shareBy"] == "client"
    (revealed,) = (number for number, entry in enumerate(entries) if "share" in entry["body"])
    assert commitment < closing < revealed
    player.page.get_by_text("Secret numbers", exact=True).click()
    expect(player.page.locator("#trust .shares").first).to_contain_text("made by the server")


def test_a_spectator_sees_events_live_and_no_hand(new_player: NewPlayer) -> None:
    player, watcher = new_player(), new_player()
    path = player.plays_against(1)
    player.has_choice()
    watcher.goes(path)

    player.presses(0)

    watcher.sees(player.version)
    assert watcher.page.query_selector(BUTTONS) is None
    assert watcher.page.query_selector(".lg-hand") is None


def test_events_are_announced_to_screen_readers_once(new_player: NewPlayer) -> None:
    player, watcher = new_player(), new_player()
    path = player.plays_against(3)
    player.has_choice()
    watcher.goes(path)
    watcher.page.evaluate(LISTEN)

    for number in range(4):
        assert player.has_choice()
        player.presses(number)

    watcher.sees(player.version)
    watcher.page.wait_for_function(f"() => heard.at(-1) === inOrder({NEWEST})")
    announced, narrated = watcher.page.evaluate("[heard, Object.values(told)]")
    assert Counter(announced) - Counter(narrated) == Counter()


def test_a_turn_can_be_played_by_keyboard_alone(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()

    keyboard, button = player.page.keyboard, player.page.locator(BUTTONS).first
    button.focus()
    for _ in range(3):
        player.has_choice()
        keyboard.press("Tab")
        player.acts(lambda: keyboard.press(str(button.get_attribute("data-key"))))

    player.has_choice()
    player.acts(lambda: button.press("Enter"))


def test_a_match_can_be_played_at_phone_width(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.plays_against(3)

    for click in range(4):
        assert player.has_choice()
        assert not player.is_wider_than_the_window
        player.presses(click)

    player.goes("/")
    assert not player.is_wider_than_the_window


def test_acting_keeps_the_scroll_position(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande")
    player.has_choice()
    player.page.evaluate("scrollTo(0, 300)")
    player.page.wait_for_function("scrollY === 300")

    for _ in range(3):
        player.presses(0)
        assert player.has_choice()

    assert player.page.evaluate("scrollY") == 300


@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_the_longest_possible_name_widens_no_table_on_a_phone(new_player: NewPlayer, title: str) -> None:
    player = new_player(PHONE)
    player.goes("/sign-in")
    form = player.page.locator("form[action='/sign-up']")
    form.locator("[name=name]").fill(title[:2] + "M" * 38)
    form.locator("[name=password]").fill("correct horse battery")
    player.follows(form.locator("button"))

    player.plays_against(1, title)

    assert player.has_choice()
    assert not player.is_wider_than_the_window


def test_a_phone_folds_the_list_and_shows_closing_actions_and_events(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.plays_against(1, "el_grande")
    closing = player.page.locator("#actions .closing button")
    other = player.page.locator("#actions .action-group:not(.closing) button").first
    while player.has_choice() and not (closing.count() and other.count()):
        player.presses(0)
    player.wait_until_settled()
    expect(other).to_be_visible()
    expect(player.page.locator(".more > details > summary")).to_be_in_viewport(ratio=1)

    player.page.click("[data-fold]")

    expect(other).to_be_hidden()
    expect(closing.first).to_be_in_viewport()
    assert closing.first.get_attribute("data-key") == "0"
    newest = player.page.locator("#narration [data-told] p").first
    expect(player.page.locator("[data-latest]")).to_contain_text(newest.inner_text())
    player.page.reload()
    expect(closing.first).to_be_visible()
    expect(other).to_be_hidden()
    expect(player.page.locator("[data-fold]")).to_have_attribute("aria-expanded", "false")


SILENT_STREAMS: Final = """
const Heard = window.EventSource;
window.EventSource = class extends Heard {
  addEventListener(kind, told) { super.addEventListener(kind, event => { if (!window.isSilent) told(event); }); }
};
"""
"""Streams that stay connected but lose their events."""


def test_a_page_recovers_without_reload_if_the_stream_misses_its_action(new_player: NewPlayer) -> None:
    player = new_player()
    player.page.add_init_script(SILENT_STREAMS)
    player.page.clock.install()
    player.plays_against(1)
    player.has_choice()
    player.wait_until_settled()
    before = player.version
    player.page.evaluate("window.sameDocument = window.isSilent = true")

    with player.page.expect_response("**/act") as response:
        player.page.locator(BUTTONS).first.click()
    assert response.value.status == 204
    assert player.page.get_attribute("#actions", "inert") is not None
    player.page.evaluate("window.isSilent = false")
    player.page.clock.fast_forward(5_000)

    player.sees(before + 1)
    assert player.has_choice()
    assert player.page.evaluate("window.sameDocument")


def test_a_page_that_lost_the_stream_is_complete_after_a_reload(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    player.presses(0)
    version = player.version

    player.page.reload()

    player.sees(version)
    assert player.has_choice()


@pytest.mark.walk(one_in=1)
def test_two_people_play_at_one_table(new_player: NewPlayer) -> None:
    first, second = new_player(), new_player()
    first.goes("/")
    first.follows(first.page.locator("text=Create a table").first)
    path = first.opens_the_table()
    second.goes("/")
    second.follows("header >> text=Sign in")
    second.follows("text=Continue as guest")
    second.goes(path)
    second.follows("button:text('Join')")
    for player in (first, second):
        player.page.evaluate("window.sameDocument = true")
    begin_together(first, second)

    for player in (first, second):
        player.page.wait_for_selector(".lg-hand")
        expect(player.page.locator(".lg-strip")).to_have_count(2)
        assert player.page.evaluate("window.sameDocument"), "the match begins on the page that is there"
    active = whoever_is_asked(first, second)
    expect(active.page).to_have_title(re.compile(r"^\(1\) La Granja"))
    expect(active.page.locator("link[rel=icon]")).to_have_attribute("href", "/static/esporles-turn.svg")
    active.presses(0)

    assert active.version > 6
    next_active = whoever_is_asked(first, second)
    other_page = next_active.page.context.new_page()
    other_page.goto(next_active.url.rstrip("/") + "/rankings")
    expect(other_page).to_have_title(re.compile(r"^\(1\) "))
    other_page.locator("#turns summary").click()
    expect(other_page.locator("#turns a")).to_have_attribute("href", next_active.here)


def test_late_responses_do_not_reload_the_page(new_player: NewPlayer) -> None:
    """Responses to the share's requests arrive after the stream's events.

    The page must reveal its share once, regardless of the number of its updates.
    """
    player, responses, routes = new_player(), list[tuple[Route, APIResponse]](), list[Route]()
    player.page.clock.install()
    player.page.route("**/share", lambda route: responses.append((route, route.fetch())))

    def hold(route: Route) -> None:
        routes.append(route)

    player.page.route("**/ready", hold)
    player.goes("/")
    with player.page.expect_request("**/ready"):
        player.follows("form[action='/play']:has(input[value=el_grande]) button", "**/tables/*")
    player.page.evaluate("window.sameDocument = true")
    player.page.evaluate("document.dispatchEvent(new CustomEvent('esporles:changed', { detail: { parts: [] } }))")
    ((route, response),) = responses
    route.fulfill(response=response)
    routes[0].continue_()
    player.awaits_the_start()

    for _ in range(3):
        player.page.clock.run_for(STANDS_STILL_MS)

    assert player.page.evaluate("window.sameDocument")
    assert len(routes) == 1


def test_a_lost_commitment_is_sent_again(new_player: NewPlayer) -> None:
    """The page does not depend on a reload: the stream delivers nothing before htmx processes its forms."""
    player = new_player()
    player.page.add_init_script(SEES_EARLY_STREAMS)
    player.page.route("**/share", lambda route: route.abort())
    player.goes("/")
    with player.page.expect_event("requestfailed", lambda request: request.url.endswith("/share")):
        player.follows("form[action='/play']:has(input[value=el_grande]) button", "**/tables/*")
    expect(player.page.locator("form[data-without-share] button")).to_be_visible()
    assert player.page.evaluate("window.early") == []

    player.page.unroute("**/share")
    player.page.reload()

    player.awaits_the_start()
    player.complaints.clear()


def test_a_lost_share_of_chance_is_sent_again(new_player: NewPlayer) -> None:
    player = new_player()
    # Every attempt fails, because the page retries when it receives the table's events.
    player.page.route("**/ready", lambda route: route.abort())
    player.goes("/")
    with player.page.expect_event("requestfailed", lambda request: request.url.endswith("/ready")):
        player.follows("form[action='/play']:has(input[value=el_grande]) button", "**/tables/*")
    assert player.match["status"] == "open"

    player.page.unroute("**/ready")
    player.page.reload()

    player.awaits_the_start()
    assert player.match["status"] == "running"
    player.complaints.clear()
