"""A person at a browser: a real Chromium, and what is done with a table by clicking and by keys."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE_MS: Final = 60_000
PHONE: Final = {"width": 360, "height": 740}
DESK: Final = {"width": 1280, "height": 900}
BUTTONS: Final = "#actions:not([inert]) .actions button"
RESULT: Final = "#actions .result"


def chromium_path() -> str:
    """Where the browser is; without one the tests fail and say so."""
    found = os.environ.get("ESPORLES_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no browser: name a Chromium in ESPORLES_CHROMIUM, or run ops/test, which finds or installs one"
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    # Claims wait by a limit of their own, five seconds, which a busy machine needs for a page.
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        # Chromium's own sandbox refuses to run as root; the pages it opens here are ours alone.
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser
        browser.close()


class Player:
    """Somebody at a browser of their own. Whatever the browser complains about is kept."""

    def __init__(self, browser: Browser, url: str, size: Any = DESK) -> None:
        self.url = url
        self.page: Page = browser.new_context(viewport=size, reduced_motion="reduce").new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.on("pageerror", lambda error: self._hear("error", str(error)))

    def _hear(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.complaints.append(text)

    def goes(self, path: str) -> None:
        self.page.goto(self.url.rstrip("/") + path)

    def plays_against(self, bots: int, title: str = "la_granja", *variants: str) -> str:
        """A table of one's own, at one click; the path of its page."""
        self.goes("/")
        form = self.page.locator("form[action='/play']", has=self.page.locator(f"input[name=title][value={title}]"))
        form.locator("select[name=bots]").select_option(str(bots))
        if variants:
            form.locator("summary").click()
        for variant in variants:
            form.locator(f"input[name='option.{variant}']").check()
        form.locator("button").click()
        self.page.wait_for_url("**/tables/*")
        return self.page.url.removeprefix(self.url.rstrip("/"))

    def signs_in(self, name: str, password: str) -> None:
        self.goes("/sign-in")
        form = self.page.locator("form[action='/sign-in']")
        form.locator("input[name=name]").fill(name)
        form.locator("input[name=password]").fill(password)
        form.locator("button").click()
        self.page.wait_for_url(lambda url: "/sign-in" not in url)

    @property
    def version(self) -> int:
        return int(self.page.get_attribute(".table", "data-version") or 0)

    def is_asked(self) -> bool:
        """Waits until there are buttons, or a result; whether there are buttons."""
        self.page.wait_for_selector(f"{BUTTONS}, {RESULT}")
        return self.page.query_selector(RESULT) is None

    def presses(self, wanted: int) -> None:
        """One of the buttons; the page has moved on afterwards."""
        before = self.version
        buttons = self.page.locator(BUTTONS)
        buttons.nth(wanted % buttons.count()).click()
        self.page.wait_for_function(
            "before => Number(document.querySelector('.table').dataset.version) > before", arg=before
        )

    @property
    def head(self) -> str:
        return self.page.locator("#trust .head.whole").text_content() or ""

    @property
    def is_wider_than_the_window(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))
