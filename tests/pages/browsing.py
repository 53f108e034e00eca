"""A person at a real Chromium: clicks, keys, and the board parts that the pointer reaches."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, Final

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as TookTooLong

from api.http.preferences import COOKIE as PREFERENCES
from tests.seeding import HEADER, derive, next_name, one_in
from tests.workers.serving import DEADLINE_SECONDS, PATIENCE_SECONDS, Client

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE_MS: Final = int(PATIENCE_SECONDS * 1_000)
TO_ITS_END: Final = frozenset(one_in(2, ("el_grande", "la_granja"), "matches to their end"))
"""Titles of which a whole match is played on the board in this run; of the others only the beginning."""
DECISIONS_MAX: Final = 30
"""Number of decisions at the beginning of a match."""
LOOK_MS: Final = 250
"""Time to wait on one page before the others are checked."""
TRIES_MAX: Final = 5
"""Attempts for a press if the page has moved under the pointer."""
PHONE: Final = {"width": 360, "height": 740}
DESK: Final = {"width": 1280, "height": 900}
BUTTONS: Final = "#actions:not([inert]) .actions button"
RESULT: Final = "#actions .result"
SENT: Final = """document.addEventListener('htmx:beforeRequest', () => { window.sent = (window.sent || 0) + 1; });"""
"""Counts the page's requests; a press that caused none had no effect."""
SHARE: Final = """{
  const seeded = '%s'.match(/../g).map(byte => parseInt(byte, 16));
  let turn = 0;
  crypto.getRandomValues = bytes => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = seeded[turn++ %% seeded.length];
    return bytes;
  };
}"""
"""Derives the browser's share of chance from the tests' seed."""
SHARE_BYTES: Final = 64
"""A share and its salt."""
VERSION: Final = "Number(document.querySelector('.table').dataset.version)"
STANDING: Final = f"() => [{VERSION}, document.querySelector('#trust .head.whole').textContent]"
TOLD: Final = "Math.max(...Array.from(document.querySelectorAll('[data-told]'), line => Number(line.dataset.told)))"


def chromium_path() -> str:
    """Return the path of the browser; fail if there is none."""
    path = os.environ.get("ESPORLES_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "no browser: name a Chromium in ESPORLES_CHROMIUM, or run ops/test, which finds or installs one"
    return path


@contextmanager
def chromium() -> Iterator[Browser]:
    # Assertions have a separate limit of five seconds, which a busy machine can exceed.
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        # Chromium's sandbox refuses to run as root, and only trusted pages are opened here.
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser
        browser.close()


class Player:
    """A person at a separate browser. Complaints of the browser are collected."""

    def __init__(self, browser: Browser, url: str, size: Any = DESK, *, with_confirmation: bool = False) -> None:
        self.url = url
        name = next_name("player")
        context = browser.new_context(viewport=size, reduced_motion="reduce", extra_http_headers={HEADER: name})
        if not with_confirmation:
            context.add_cookies([{"name": PREFERENCES, "value": "confirm-never", "url": url}])
        context.add_init_script(SHARE % derive(name, SHARE_BYTES).hex())
        context.add_init_script(SENT)
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self._hear(message.type, f"{message.text} {message.location['url']}"))
        self.page.on("pageerror", lambda error: self._hear("error", str(error)))

    def _hear(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.complaints.append(text)

    def goes(self, path: str) -> None:
        self.page.goto(self.url.rstrip("/") + path)

    def plays_against(self, bots: int, title: str = "la_granja", *variants: str) -> str:
        """Create a table with bots from the home page and return its path."""
        self.goes("/")
        form = self.page.locator("form[action='/play']", has=self.page.locator(f"input[name=title][value={title}]"))
        form.locator("select[name=bots]").select_option(str(bots))
        if variants:
            form.locator("summary").click()
        for variant in variants:
            form.locator(f"input[name='options.{variant}']").check()
        self.follows(form.locator("button"), "**/tables/*")
        self.awaits_the_start()
        return self.here

    def awaits_the_start(self) -> None:
        """Wait until the match has begun; with bots only, the page opens the reader's share of chance automatically."""
        self.page.wait_for_selector("#actions > :not(.gathering)")

    @property
    def here(self) -> str:
        """The path of the page."""
        return self.page.url.removeprefix(self.url.rstrip("/"))

    def sign_in_as_guest(self) -> None:
        """Sign in as a guest."""
        self.goes("/sign-in")
        self.follows("form[action='/guest'] button")

    def opens_the_table(self) -> str:
        """Submit the form of a new table and return its path."""
        self.follows("form.set-up button.primary", "**/tables/*")
        return self.here

    def signs_in(self, name: str, password: str) -> None:
        self.goes("/sign-in")
        form = self.page.locator("form[action='/sign-in']")
        form.locator("input[name=name]").fill(name)
        form.locator("input[name=password]").fill(password)
        self.follows(form.locator("button"))

    def follows(self, target: str | Locator, url: str = "**") -> None:
        """Click a link or button and wait for the page it leads to."""
        with self.page.expect_navigation(url=url):
            (self.page.locator(target) if isinstance(target, str) else target).click()

    @property
    def version(self) -> int:
        return int(self.page.get_attribute(".table", "data-version") or 0)

    @property
    def request_count(self) -> int:
        """Number of the page's requests since it was loaded."""
        return int(self.page.evaluate("window.sent || 0"))

    def read_position(self) -> tuple[int, str]:
        """Wait until the narration has caught up with the board; return version and head on the page."""
        version, head = self.page.wait_for_function(f"() => {TOLD} === {VERSION} && ({STANDING})()").json_value()
        return version, head

    @property
    def match(self) -> Any:
        """The public view of the match, at least as recent as the page."""
        match_id = self.page.url.rpartition("/tables/")[2][:36]
        return Client(self.url).get(f"/matches/{match_id}?atLeast={self.version}")

    @property
    def own_match(self) -> Any:
        """The match as this person sees it; needed for private matches."""
        match_id = self.page.url.rpartition("/tables/")[2][:36]
        response = self.page.request.get(f"{self.url.rstrip('/')}/api/matches/{match_id}")
        assert response.ok, response.text()
        return response.json()

    def head_at(self, version: int) -> str:
        """Return the head of the match after an entry, from the API."""
        match_id = self.page.url.rpartition("/tables/")[2][:36]
        return str(Client(self.url).get(f"/matches/{match_id}/at/{version}")["head"])

    def wait_until_settled(self) -> None:
        """Wait until the narration has caught up with the board, after which no button moves."""
        self.page.wait_for_function(f"() => Number(document.querySelector('[data-told]')?.dataset.told) >= {VERSION}")

    def looks_until(self, selector: str, count_min: int = 1) -> None:
        """Reload the page until the selector matches often enough; fail at the deadline of asynchronous work."""
        deadline = monotonic() + DEADLINE_SECONDS
        while (match_count := self.page.locator(selector).count()) < count_min:
            text = self.page.inner_text("body")
            assert monotonic() < deadline, (
                f"{self.here} has {match_count} × {selector!r}, not {count_min}; it shows:\n{text}"
            )
            self.page.reload()

    def sees(self, version: int) -> None:
        """Wait until the page shows this version or a later one."""
        self.page.wait_for_function(f"wanted => {VERSION} >= wanted", arg=version)

    def has_choice(self) -> bool:
        """Wait for buttons or a result; return whether there are buttons."""
        self.page.wait_for_selector(f"{BUTTONS}, {RESULT}")
        return self.page.query_selector(RESULT) is None

    def acts(self, press: Callable[[], object]) -> None:
        """Press by mouse or key and wait for the next version.

        If the press caused no request, the page has moved under the pointer because another player acted; try again.
        """
        version_before, requests_before = self.version, self.request_count
        for _ in range(TRIES_MAX):
            press()
            if self.request_count > requests_before:
                break
        self.sees(version_before + 1)

    def presses(self, index: int) -> None:
        """Press one of the action buttons and wait for the next version."""
        self.page.wait_for_selector(BUTTONS)
        buttons = self.page.locator(BUTTONS)
        button = buttons.nth(index % buttons.count())
        self.acts(button.click)

    def points_at(self, part: Locator) -> None:
        """Click a part of the board."""
        # A land is clicked at its name, because the middle of its bounding box may belong to another one.
        name = part.locator("text").first
        (name if name.count() else part).click()

    def chooses(self, point: Callable[[], object], index: int = 0) -> None:
        """Click a part of the board, and choose one of its actions if there are several."""
        chooser = self.page.locator("#chooser[open]")

        def press() -> None:
            if not chooser.count():
                point()
            if chooser.count():
                chooser.locator(".choices button").nth(index).click()

        self.acts(press)

    @property
    def field(self) -> str:
        """The text of the board and the farms."""
        return " ".join((self.page.locator(".field").text_content() or "").split())

    @property
    def head(self) -> str:
        return self.page.locator("#trust .head.whole").text_content() or ""

    @property
    def is_wider_than_the_window(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

    def __str__(self) -> str:
        """Describe the page in one line."""
        texts = self.page.locator("#actions").all_inner_texts() or self.page.locator("body").all_inner_texts()
        return f"{self.page.url} shows {' '.join(' '.join(texts).split())[:200]!r}"


def begin_together(*players: Player) -> None:
    """Make all players ready in order, each on an up-to-date page."""
    ready = [player.page.locator(".gathering form[action$='/ready'] button") for player in players]
    for button in ready:
        button.wait_for()
    for player, button in zip(players, ready, strict=True):
        player.sees(max(each.version for each in players))
        player.wait_until_settled()
        player.acts(button.click)


def whoever_is_asked(*players: Player) -> Player:
    """Wait until one of the players has buttons and return the first who has."""
    for _ in range(PATIENCE_MS // LOOK_MS):
        for player in players:
            if player.page.locator(BUTTONS).count():
                return player
        with suppress(TookTooLong):
            players[0].page.wait_for_selector(BUTTONS, timeout=LOOK_MS)
    raise AssertionError("nobody is asked: " + "; ".join(map(str, players)))


MISSED: Final = """() => {
  const missed = [];
  for (const part of document.querySelectorAll('.field [data-part]')) {
    part.classList.add('legal');
    // A land is bent: what is clicked is its name, for the middle of its frame may be somebody else's.
    const aim = part.querySelector(':scope > .name') || part;
    aim.scrollIntoView({ block: 'center', inline: 'center' });
    const box = aim.getBoundingClientRect();
    if (!box.width) continue;
    const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!met || !part.contains(met)) missed.push(part.dataset.part + ': ' + (met ? met.outerHTML : met).slice(0, 120));
  }
  return missed;
}"""
"""Finds parts whose middle is covered by something else."""

COVERING: Final = """() => {
  const SHOWN = 'path, text, rect, circle, ellipse, polygon, polyline, line, use', POINTS = 40, found = new Set();
  const clicked = 'a, button, summary, input, select, textarea';
  const look = (element, x, y) => {
    const [top, ...under] = document.elementsFromPoint(x, y);
    if (top !== element && !(top && element.contains(top))) return;
    const part = under.map(each => each.closest('[data-part]')).find(Boolean);
    if (part) found.add(element.outerHTML.slice(0, 120) + ' over ' + part.dataset.part);
  };
  for (const element of document.querySelectorAll(`:is(.field, .board-frame) svg :is(${SHOWN})`)) {
    if (element.closest(`[data-part], ${clicked}, defs, symbol`)) continue;
    element.scrollIntoView({ block: 'center', inline: 'center' });
    const box = element.getBoundingClientRect(), frame = element.getScreenCTM && element.getScreenCTM();
    if (!box.width && !box.height) continue;
    look(element, box.x + box.width / 2, box.y + box.height / 2);
    if (!element.getTotalLength || !frame) continue;
    const length = element.getTotalLength();
    for (let number = 0; number <= POINTS; number += 1) {
      const at = element.getPointAtLength(length * number / POINTS).matrixTransform(frame);
      look(element, at.x, at.y);
    }
  }
  return Array.from(found);
}"""
"""Finds drawings over a part that do not belong to one and intercept the pointer."""


def find_missed_parts(page: Page) -> list[str]:
    """Return the parts of the board that a click on their middle misses, with all parts marked as legal."""
    parts: list[str] = page.evaluate(MISSED)
    return parts


def covering(page: Page) -> list[str]:
    """Return the drawings that cover parts of the board."""
    drawings: list[str] = page.evaluate(COVERING)
    return drawings
