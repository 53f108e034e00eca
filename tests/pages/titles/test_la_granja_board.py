"""La Granja's table in a browser: clicking and keys, on desktop and phone."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.pages.browsing import DECISIONS_MAX, PHONE, TO_ITS_END, Player
from tests.seeding import IS_EXPLORING

pytestmark = pytest.mark.chromium

NewPlayer = Callable[..., Player]

LEGAL = ".field [data-part].legal"
READABLE_PX = 10
"""Smallest legible text size of a drawing on the narrowest screen."""

SMALLEST_TEXT = """() => Math.min(...Array.from(document.querySelectorAll('.field svg text'), text => {
  const box = text.getBoundingClientRect(), frame = text.getScreenCTM();
  return box.width ? parseFloat(getComputedStyle(text).fontSize) * frame.a : Infinity;
}))"""


DOTTED = """() => Array.from(document.querySelectorAll('.lg-ways [data-within]'), way => [
  getComputedStyle(way, '::after').content !== 'none', Boolean(document.querySelector(way.dataset.within + ' .legal'))
])"""
"""For every link to a part of the table: whether it has a dot, and whether something can be chosen there."""


OUT_OF_SIGHT = """() => [...document.querySelectorAll(
    '.field .legal, .more, #actions .prompt, #choices button, .lg-hand .lg-card, .own .lg-yard, .points, .lg-strip'
  )]
  .filter(part => {
    const box = part.getBoundingClientRect();
    return scrollY > 0 || box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
  }).map(part => part.dataset.part || part.className)"""
"""Returns parts not entirely inside the window: legal parts, questions, undo buttons, the own farm, shared areas."""
UNSEEN = """() => { const list = document.getElementById('choices'); return list.scrollHeight - list.clientHeight; }"""
"""Returns the pixels of the answers that need scrolling; 1 is a rounding error."""
LONG_NAMES: Final = (
    "Wolfgang-Amadeus Schmidt",
    "Přemysl-Oldřich Novotnýš",
    "Konstantynopolitańczykow",
    "Ferrer-Despuig Margalida",
)
CROWDS = """names => {
  document.querySelector('.seated').classList.add('clocked');
  document.querySelectorAll('.seated > li').forEach((line, seat) => {
    (line.querySelector('.who a') || line.querySelector('.who').firstChild).textContent = names[seat];
    const clock = Object.assign(document.createElement('span'), { className: 'clock', textContent: '10:00' });
    if (!line.querySelector('.clock')) line.querySelector('.points').before(clock);
  });
}"""
"""Gives every player the longest possible name, and a clock."""


def points(player: Player, index: int) -> bool:
    """Choose at the board and wait for the next version; return False if no part is legal."""
    parts = player.page.locator(LEGAL)
    if not parts.count():
        return False
    part = parts.nth(index % parts.count())
    player.chooses(lambda: part.dispatch_event("click"))
    return True


@pytest.mark.walk
def test_a_match_is_played_by_clicking_a_table_that_fits_on_one_screen(new_player: NewPlayer) -> None:
    player = new_player({"width": 1440, "height": 900})
    player.plays_against(3 if IS_EXPLORING else 1)

    board_clicks = number = 0
    while ("la_granja" in TO_ITS_END or number < DECISIONS_MAX) and player.has_choice():
        number += 1
        player.wait_until_settled()
        assert player.page.evaluate(OUT_OF_SIGHT) == [], player.page.inner_text(".standing")
        assert player.page.evaluate(UNSEEN) <= 1, str(player)
        if points(player, number):
            board_clicks += 1
        else:
            player.presses(0)

    assert board_clicks > number / 4, "most of what can be done stands on the table; how much is asked of it is luck"


@pytest.mark.walk
def test_another_farm_opens_over_the_players_own(new_player: NewPlayer) -> None:
    player = new_player({"width": 1280, "height": 800})
    player.plays_against(3)
    player.has_choice()
    player.wait_until_settled()
    farms = player.page.locator("#farms .lg-yard")
    for piece in (".lg-board", ".lg-farm.own", ".lg-hand"):
        expect(player.page.locator(piece)).to_be_in_viewport(ratio=1)

    player.page.locator(".lg-strip").nth(1).click()

    expect(farms.locator("visible=true")).to_have_count(1)
    expect(player.page.locator("#lg-farm-1 .lg-yard")).to_be_in_viewport(ratio=1)
    player.page.locator(".lg-strip").nth(2).click()
    expect(player.page.locator("#lg-farm-2 .lg-yard")).to_be_in_viewport(ratio=1)
    expect(farms.locator("visible=true")).to_have_count(1)
    player.page.keyboard.press("Escape")
    expect(farms.locator("visible=true")).to_have_count(0)

    # Reviewing the bots' moves marks them on the board and on their farms.
    review_button, reviewed = player.page.locator("[data-since]"), set[str]()
    while reviewed != {*MARKED} and player.has_choice():
        player.wait_until_settled()
        hidden_pixels = player.page.evaluate(f"names => {{ ({CROWDS})(names); return ({UNSEEN})(); }}", LONG_NAMES)
        assert (hidden_pixels <= 1, player.page.evaluate(OUT_OF_SIGHT)) == (True, []), str(player)
        player.presses(0)
        player.has_choice()
        player.wait_until_settled()
        if review_button.is_visible():
            review_button.click()
            reviewed |= looks_back(player)
            expect(farms.locator("visible=true")).to_have_count(0)
    assert reviewed == {*MARKED}


MARKED: Final = {
    r".* takes the die showing (\d)": "#board :is([data-part='space-{0}'].moved, [data-part='space-{0}'] .moved)",
    r".* bot (\d) takes \d+ (?:silver|pigs?|olives?|grain|grapes?)": ".lg-farm:has(.seat-{seat}) .lg-yard .moved",
}
"""Narration lines that identify a mark, and the marked part."""


def looks_back(player: Player) -> set[str]:
    """Step through the latest events; return the narration lines of `MARKED` that occurred."""
    looking, patterns = player.page.locator("#looking"), set[str]()
    step_on = looking.locator("[data-step='1']")
    while True:
        line = looking.locator("[data-words]").inner_text()
        for pattern, marked in MARKED.items():
            if occurrence := re.fullmatch(pattern, line):
                seat = int(occurrence[1]) - 1
                expect(player.page.locator(marked.format(occurrence[1], seat=seat)).first).to_be_in_viewport()
                patterns.add(pattern)
        if step_on.is_disabled():
            break
        step_on.click()
    looking.locator("[data-close]").click()
    return patterns


def test_links_to_parts_with_legal_actions_have_a_dot(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.plays_against(1)

    dotted = 0
    for number in range(12):
        assert player.has_choice()
        player.wait_until_settled()
        links = player.page.evaluate(DOTTED)
        assert len(links) == 6
        assert all(is_dotted == is_legal for is_dotted, is_legal in links)
        dotted += sum(is_dotted for is_dotted, _ in links)
        player.presses(number)
    assert dotted, "the first cards are played from the hand"


def test_a_card_is_played_from_the_hand_by_keyboard_with_its_selected_use(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    use = player.page.locator(".lg-use-field.legal").first
    name = use.get_attribute("data-part")

    assert "as a field" in (use.get_attribute("aria-description") or "")
    use.focus()
    player.page.keyboard.press("Enter")

    expect(player.page.locator(f'[data-part="{name}"]')).to_have_count(0)
    expect(player.page.locator(".lg-farm.own .lg-field")).to_have_count(1)


def test_a_phone_shows_the_own_farm_first_and_keeps_opened_farms_open(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    player.plays_against(3)
    player.has_choice()
    player.wait_until_settled()
    other = player.page.locator(".lg-farms details").first

    assert not player.is_wider_than_the_window
    boxes = [player.page.locator(f"#{piece}").bounding_box() for piece in ("mine", "board", "farms")]
    assert boxes == sorted(boxes, key=lambda box: box["y"] if box else 0)
    assert other.get_attribute("open") is None
    other.locator("summary").click()
    player.presses(0)
    player.has_choice()

    assert other.get_attribute("open") is not None
    assert player.page.evaluate(SMALLEST_TEXT) >= READABLE_PX
    assert not player.is_wider_than_the_window


def test_a_spectator_sees_every_farm_and_no_buttons(new_player: NewPlayer) -> None:
    player, watcher = new_player(), new_player()
    path = player.plays_against(3)
    player.has_choice()

    watcher.goes(path)

    expect(watcher.page.locator(".lg-farm")).to_have_count(4)
    expect(watcher.page.locator(".lg-farm .lg-yard").last).to_be_visible()
    expect(watcher.page.locator(".lg-hand")).to_have_count(0)
    expect(watcher.page.locator(LEGAL)).to_have_count(0)
    expect(watcher.page.locator("#seats .points .visually-hidden").first).to_have_text("1 point")
    watcher.page.locator(".lg-strip").last.click()
    expect(watcher.page.locator("#farms .lg-yard").last).to_be_visible()
    watcher.page.keyboard.press("Escape")
    assert watcher.complaints == []
