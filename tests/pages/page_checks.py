"""Checks of every page: axe violations, untranslated text, and width on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from playwright.sync_api import Browser

from api.http.languages import ENGLISH, LANGUAGES
from api.http.preferences import LANGUAGE_COOKIE as COOKIE
from ops.dev.catalogues.files import translations
from tests.pages.browsing import DESK, PHONE, Player
from tests.pages.sample_content import until
from tests.seeding import IS_EXPLORING, derive_number
from tests.workers.serving import Client

AXE: Final = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text()
FIND: Final = """async () => {
  const found = await axe.run(document, { resultTypes: ['violations'], preload: false });
  const said = node => node.target.join(' ') + ' ' + (node.any[0] || node.all[0] || node.none[0] || {}).message;
  return found.violations.map(rule => [rule.id, rule.help, ...rule.nodes.slice(0, 5).map(said)].join(' | '));
}"""


ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Looks(NamedTuple):
    """Theme and size of a page."""

    theme: Literal["light", "dark"]
    size: Any

    def __str__(self) -> str:
        return f"{self.theme}, {self.size['width']} px wide"


LOOKS: Final = (Looks("light", PHONE), Looks("dark", DESK), Looks("light", DESK), Looks("dark", PHONE))
"""With `--all`, each language is examined with one of these, so that a page is examined with all; contrast does not
depend on the language. Otherwise a page has one language and one look, derived from its path.
"""

READ: Final = """() => {
  const found = new Set(), unread = 'script, style, code, kbd, [lang=en], .languages, [translate=no]';
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest(unread)) found.add(walk.currentNode.data);
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (!element.closest(unread)) found.add(element.getAttribute(name));
  return Array.from(found, text => text.replace(/\\s+/g, ' ').trim()).filter(text => /[a-z]{2}/i.test(text));
}"""
"""Collects all visible or spoken texts of the page, except those marked as English."""

ENGLISH_WORDS: Final = re.compile(
    r"(?<![\w-])(the|and|of|is|are|you|your|with|for|this|that|from|has|have|which|its|nobody|everybody)(?![\w-])",
    re.IGNORECASE,
)
"""Words that occur in English only."""
COUNT: Final = "{count}"


class Reader(Player):
    """A person whose pages do not change: the browser's streams are blocked."""

    def __init__(self, browser: Browser, url: str, size: Any = DESK) -> None:
        super().__init__(browser, url, size)
        self.path = "/"
        self.page.context.route("**/stream?*", lambda route: route.abort())

    def awaits_the_start(self) -> None:
        """Reload until the match has begun, because the page receives no events.

        The first load may have seen the table before reader and bots were seated; the second one reveals the share of
        chance.
        """
        self.page.wait_for_load_state("networkidle")
        self.looks_until("form[data-reveal][data-at-once], #actions > section:not(.gathering)")
        until(Client(self.url), f"/matches/{self.here.rpartition('/')[2]}", lambda told: told["status"] != "open")
        self.goes(self.here)

    def speaks(self, language: str) -> None:
        self.page.context.add_cookies([{"name": COOKIE, "value": language, "url": self.url}])

    def looks(self, looks: Looks) -> None:
        self.page.set_viewport_size(looks.size)
        self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", looks.theme)

    def finds(self) -> list[str]:
        """Return the axe violations of the current page."""
        found: list[str] = self.page.evaluate(FIND)
        return found

    def reads(self) -> list[str]:
        texts: list[str] = self.page.evaluate(READ)
        return texts


def choose_looks(path: str) -> list[tuple[str, Looks]]:
    """Return the languages and looks to examine for a page.

    A sample leaves English out: untranslated text shows in the other languages, and they have longer words.
    """
    if IS_EXPLORING:
        return [(language, LOOKS[number % len(LOOKS)]) for number, language in enumerate(LANGUAGES)]
    others = [language for language in LANGUAGES if language != ENGLISH]
    turn, number = divmod(derive_number(ID.sub("", path)), len(others))
    return [(others[number], LOOKS[turn % len(LOOKS)])]


def violations(
    reader: Reader, path: str, then: Callable[[Reader], None] | None = None, *, with_axe: bool = True
) -> dict[str, list[str]]:
    """Return the faults of a page, after an optional interaction: axe violations, untranslated text, and width."""
    found: dict[str, list[str]] = {}
    before = reader.page.viewport_size
    for language, looks in choose_looks(path):
        reader.speaks(language)
        reader.goes(path)
        if then is not None:
            then(reader)
        reader.looks(looks)
        if with_axe:
            reader.page.evaluate(AXE)
            found[f"{language}, {looks}"] = reader.finds()
        found[f"{language}, {looks}, too wide"] = [path] if reader.is_wider_than_the_window else []
        reader.looks(looks._replace(size=PHONE))
        found[f"{language}, too wide"] = [path] if reader.is_wider_than_the_window else []
        found[f"left in English in {language}"] = left_in_english(language, reader.reads())
    assert before is not None
    reader.page.set_viewport_size(before)
    return {where: what for where, what in found.items() if what}


def left_in_english(language: str, texts: list[str]) -> list[str]:
    """Return the texts that equal a source message or contain English words."""
    return [text for text in texts if language != ENGLISH and (ENGLISH_WORDS.search(text) or is_source(language, text))]


@cache
def is_source(language: str, text: str) -> bool:
    """Return whether the text is a message, with placeholders filled, that has another translation in this language."""
    whole, with_places = sources(language)
    return text in whole or any(part in text and pattern.fullmatch(text) for part, pattern in with_places)


@cache
def sources(language: str) -> tuple[frozenset[str], tuple[tuple[str, re.Pattern[str]], ...]]:
    """Return the messages that this language translates differently.

    They are plain texts, and patterns for messages with placeholders. Each pattern is preceded by its longest part, for
    which a text can be searched faster.
    """
    said_as = {key: (said,) if isinstance(said, str) else tuple(said) for key, said in translations(language).items()}
    said = {form for forms in said_as.values() for form in forms}
    whole, with_places = set[str](), []
    for id, plural in said_as:
        for source in {id, plural} - {None, *said}:
            assert source is not None
            pieces = re.split(r"(\{\w+\})", source)
            if len(pieces) == 1:
                whole.add(source)
            elif {*pieces[1::2]} == {COUNT} or max(len(piece.split()) for piece in pieces[::2]) > 1:
                filled = (
                    r"\d+" if piece == COUNT else ".+" if piece[:1] == "{" else re.escape(piece) for piece in pieces
                )
                with_places.append((max(pieces[::2], key=len), re.compile("".join(filled))))
    return frozenset(whole), tuple(with_places)
