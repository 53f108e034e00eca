"""Playing El Grande in a browser, by the list of actions and by clicking the board."""

from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec
import pytest
from playwright.sync_api import Page, expect

from api.titles.drawing import Trace
from tests.pages.browsing import BUTTONS, PHONE, RESULT, Player
from tests.pages.titles.test_la_granja_board import LEGAL, READABLE_PX

pytestmark = pytest.mark.chromium

BESIDE = """pairs => Array.from(document.querySelectorAll(pairs), ({children: [word, number]}) =>
    number.getBoundingClientRect().top < word.getBoundingClientRect().bottom).every(Boolean)"""
OVERLAP = """pairs => Array.from(document.querySelectorAll(pairs), ({children: [word, number]}) => {
    const before = word.getBoundingClientRect(), after = number.getBoundingClientRect();
    return after.top < before.bottom && after.left < before.right;
}).some(Boolean)"""
CUT = """names => Array.from(document.querySelectorAll(names))
    .filter(name => name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 1).map(name => name.textContent)"""
"""Returns names that are cut off."""
LONG_NAMES = ("Wolfgang Kramer the 2nd!", "Brzeczyszczykiewiczowska", "Maximiliana-Ottilie Vogt")
RENAMES = """([names, long]) => document.querySelectorAll(names).forEach(
    (name, index) => { name.textContent = long[index % long.length]; })"""
"""Gives every player a long name, of one word or several."""
NAMES = ".seated .who, .eg-bidder b, .eg-name"
FLIGHTS = """() => {
  window.flights = 0;
  new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(
    node => { window.flights += node.className === undefined ? 0 : /^flying/.test(node.className); }
  ))).observe(document.body, { childList: true });
}"""
"""Counts the pieces that fly over the page."""
TELLS = """traces => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const motion = animate.apply(this, how);
    motion.pause();
    return motion;
  };
  document.querySelector('.at-sevilla .eg-prices').dataset.piece = 'scoreboard-4-0-0';
  const log = document.querySelector('#narration ol'), line = log.querySelector('[data-told]').cloneNode(true);
  const king = document.querySelector('.eg-map [data-piece=king]');
  king.setAttribute('transform', 'translate(300 300)');
  line.id = 'told-9999';
  Object.assign(line.dataset, { told: 9999, traces });
  line.removeAttribute('data-acted');
  log.prepend(line);
  document.dispatchEvent(new CustomEvent('esporles:changed', { detail: { parts: [] } }));
  document.dispatchEvent(new CustomEvent('esporles:shown', { detail: { version: 0 } }));
}"""
"""Shows two moves, the king to Toledo and a scoreboard to Sevilla, and other traces with a line of narration. Each
animation is paused until it is resumed.
"""
GOES_ON = "document.getAnimations().forEach(motion => motion.finish())"
NewPlayer = Callable[..., Player]
SMALL_TEXTS = """least => Array.from(document.querySelectorAll('.field svg text'), text => {
  const box = text.getBoundingClientRect(), frame = text.getScreenCTM();
  const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(frame.a, frame.b);
  return [size, box.width, (text.closest('g') ?? text).outerHTML];
}).filter(([size, width]) => width && size < least)"""
"""Returns text smaller than the minimum, at any angle."""


def clicks_at_the_board(player: Player) -> bool:
    """Click the first legal part of the board, and the first of its actions; return False if there is none."""
    parts = player.page.locator(LEGAL)
    if not parts.count():
        return False
    player.chooses(lambda: player.points_at(parts.first))
    return True


@pytest.mark.walk
def test_a_whole_match_is_played_with_the_mouse_on_the_board(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande")

    board_clicks, standings = 0, set[str]()
    while player.has_choice():
        standings.add(player.page.inner_text("#status .standing").split(" · ")[0])
        if clicks_at_the_board(player):
            board_clicks += 1
        else:
            player.presses(0)

    assert board_clicks > 40
    assert standings >= {f"round {number} of 9" for number in range(1, 10)}
    match = player.match
    assert (match["status"], match["options"]["short"], match["head"]) == ("ended", "no", player.head)
    places = player.page.locator(f"{RESULT} .places-list li").all_inner_texts()
    assert f"{max(match['scores'])} points" in places[0]


@pytest.mark.walk
def test_five_seats_with_every_variant_can_be_played_at_phone_width(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.plays_against(4, "el_grande", "veterans", "new_regency", "shift_of_power")
    assert player.page.evaluate(BESIDE, ".eg-stocks div"), "every number stands beside the word it belongs to"

    for click in range(6):
        assert player.has_choice()
        assert not player.is_wider_than_the_window
        player.presses(click)

    assert player.page.locator(".eg-map .eg-land").count() == 10
    assert player.page.locator(".eg-player").count() == 5
    expect(player.page.locator(".eg-hand")).to_be_visible()
    small = player.page.evaluate(SMALL_TEXTS, READABLE_PX)
    assert not small, "the map holds what cannot be read on a phone"
    for width in (PHONE["width"], 768, 1280, 1440):
        player.page.set_viewport_size({"width": width, "height": 900})
        assert not player.page.evaluate(OVERLAP, ".eg-stocks div"), f"a word lies over its number at {width}"
        assert not player.page.evaluate(CUT, NAMES), f"a name is cut at {width}"
    player.page.evaluate(RENAMES, [NAMES.replace(".who", ".who a"), LONG_NAMES])
    for width in (PHONE["width"], 390, 768, 1280, 1440):
        player.page.set_viewport_size({"width": width, "height": 900})
        assert not player.page.evaluate(CUT, NAMES), f"a long name is cut at {width}"
        assert not player.is_wider_than_the_window, f"long names are wider than {width}"


def until(player: Player, selector: str, preferred: str = "") -> None:
    """Play until an element is on the page; prefer a part of the board while it is legal."""
    number = 0
    while player.has_choice() and not player.page.locator(selector).count():
        if preferred and player.page.locator(f"{preferred}.legal").count():
            player.chooses(partial(player.page.locator(f"{preferred}.legal").first.dispatch_event, "click"), -1)
        else:
            player.presses(number)
        number += 1


def test_caballeros_are_placed_by_clicking_a_region_and_choosing_the_number(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande", "short")
    page = player.page
    until(player, "body:has(.eg-turn .eg-card.taken) .eg-map .eg-land.near.legal")
    assert player.has_choice()
    part = page.locator(".eg-map .eg-land.near.legal").first
    name, before = str(part.get_attribute("data-part")), player.version
    choices = page.locator(f"{BUTTONS}[data-target~='{name}']").all_inner_texts()

    part.dispatch_event("click")
    if len(choices) > 1:
        page.locator("#chooser [data-cancel]").click()
        assert player.version == before
        player.chooses(partial(part.dispatch_event, "click"))
    player.sees(before + 1)

    expect(page.locator("#narration")).to_contain_text(choices[0].split("\n")[0].partition(" in ")[2])


@pytest.mark.walk
def test_the_secret_disc_is_set_by_clicking_it(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1, "el_grande", "short")
    page = player.page
    until(player, ".eg-dial .eg-sector.legal", preferred=".eg-land.at-castillo")
    before = player.version
    names = page.locator(f"{LEGAL}.eg-sector").evaluate_all("parts => parts.map(part => part.dataset.part)")

    page.locator(".eg-dial .eg-sector.legal").first.dispatch_event("click")
    player.sees(before + 1)

    assert len(names) >= 2
    assert player.has_choice()


AWAY: Final = """version => {
  const hide = hidden => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const table = document.querySelector('.table'), now = table.dataset.version, clock = Date.now;
  table.dataset.version = version;
  hide(true);
  table.dataset.version = now;
  Date.now = () => clock() + 61000;
  hide(false);
}"""
"""Simulates a page that was in the background for a minute from that version on."""


def first_of(page: Page) -> int:
    """Return a version before everything that has happened since the reader acted."""
    return int(page.locator("#narration [data-told]").last.get_attribute("data-told") or 0)


def goes_on_until_skipped(page: Page) -> None:
    """Check that the last events are animated in order until they are skipped."""
    page.wait_for_function("() => !document.querySelector('.flying')")
    traces = (
        Trace("area-toledo", piece="king"),
        Trace("area-sevilla", piece="scoreboard-4-0-0"),
        Trace("area-castillo", opens=True, inside=((1, 2), (2, 1))),
        Trace("area-galicia", points=((0, 4), (2, 2))),
        Trace("area-navarra", points=((1, 5),)),
    )
    page.evaluate(TELLS, msgspec.json.encode(traces).decode())
    expect(page.locator(".eg-map > .walking.eg-king")).to_be_visible()
    page.evaluate(GOES_ON)
    expect(page.locator(".eg-map > .walking.eg-prices")).to_be_visible()
    page.evaluate(GOES_ON)
    expect(page.locator("[data-part=area-castillo].opening")).to_be_visible()
    expect(page.locator(".flying:not(.points)")).to_have_text(["2", "1"])
    page.evaluate(GOES_ON)
    expect(page.locator("[data-part=area-galicia].lit")).to_be_visible()
    expect(page.locator(".flying.points")).to_have_text(["+4", "+2"])
    page.locator("#skip-moves").click()
    expect(page.locator("#skip-moves")).to_be_hidden()
    expect(page.locator(":is(.flying, .lit, .walking, .walks-off)")).to_have_count(0)


@pytest.mark.walk
def test_events_are_animated_on_the_board_and_reviewed_step_by_step(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(2, "el_grande", "short")
    page, review_button = player.page, player.page.locator("[data-since]")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(FLIGHTS)

    while player.has_choice() and not (page.evaluate("flights") and review_button.is_visible()):
        player.presses(0)
    page.wait_for_function("() => !document.querySelector('.flying')")
    count, before = int(review_button.inner_text().split()[0]), player.version
    review_button.click()

    position_label = page.locator("#looking [data-where]")
    for step in range(1, count + 1):
        expect(position_label).to_have_text(f"{step} of {count}")
        if step < count:
            page.locator("#looking [data-step='1']").click()
    expect(page.locator(".field .moved").first).to_be_attached()
    assert not page.locator(LEGAL).count(), "nothing is chosen on a board of the past"
    page.locator("#looking [data-close]").click()
    expect(page.locator(LEGAL).first).to_be_visible()
    assert (player.version, page.locator(".moved").count()) == (before, 0)

    # A reader who was away for a minute sees the missed events, and can act at once.
    page.evaluate(AWAY, first_of(page))
    expect(position_label).to_have_text(f"1 of {count}")
    player.acts(page.locator(BUTTONS).first.click)
    expect(page.locator("#looking")).to_be_hidden()

    goes_on_until_skipped(page)
    page.reload()

    page.locator("[data-only]").select_option("1")
    visible_lines = page.locator("#narration [data-told]:visible")
    assert visible_lines.count()
    assert visible_lines.evaluate_all("lines => lines.every(line => line.dataset.seat === '1')")
    assert page.locator("#narration .told-heading").count()

    page.evaluate("document.documentElement.dataset.motion = 'off'; window.flights = 0")
    for _ in range(4):
        player.presses(0)
    assert page.evaluate("flights") == 0, "who wants nothing to move sees nothing move"
