"""What is looked for on every page: what axe finds, words left in English, and whether it fits on a phone."""

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
from tests.pages.furnished import until
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
    """How a page is shown."""

    theme: Literal["light", "dark"]
    size: Any

    def __str__(self) -> str:
        return f"{self.theme}, {self.size['width']} px wide"


LOOKS: Final = (Looks("light", PHONE), Looks("dark", DESK), Looks("light", DESK), Looks("dark", PHONE))
"""Where everything is tried, every language is examined in one of them, so that every page is examined in all: colours
have no language. Otherwise a page is examined in one language and one look, which follow from its path."""

READ: Final = """() => {
  const found = new Set(), unread = 'script, style, code, kbd, [lang=en], .languages, [translate=no]';
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (!walk.currentNode.parentElement.closest(unread)) found.add(walk.currentNode.data);
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-roledescription'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (!element.closest(unread)) found.add(element.getAttribute(name));
  return Array.from(found, text => text.replace(/\\s+/g, ' ').trim()).filter(text => /[a-z]{2}/i.test(text));
}"""
"""Every text of the page that is seen or read out, but for what says itself that it is English."""

ENGLISH_WORDS: Final = re.compile(
    r"(?<![\w-])(the|and|of|is|are|you|your|with|for|this|that|from|has|have|which|its|nobody|everybody)(?![\w-])",
    re.IGNORECASE,
)
"""Words that no other language of the house has."""
COUNT: Final = "{count}"


class Reader(Player):
    """Somebody whose pages stand still: streams are kept from the browser."""

    def __init__(self, browser: Browser, url: str, size: Any = DESK) -> None:
        super().__init__(browser, url, size)
        self.path = "/"
        self.page.context.route("**/stream?*", lambda route: route.abort())

    def awaits_the_start(self) -> None:
        """The page hears nothing of it, nor, if it was made a moment too early, that reader and bots sit there. It is
        loaded once more when it has committed to a share, and opens that."""
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
        """What axe finds on the page as it is."""
        found: list[str] = self.page.evaluate(FIND)
        return found

    def reads(self) -> list[str]:
        texts: list[str] = self.page.evaluate(READ)
        return texts


def spoken(path: str) -> list[tuple[str, Looks]]:
    """The languages in which a page is looked at, and how it is shown in each. The sample has no page in English: what
    a template leaves in English is found in each of the others, and the others are longer."""
    if IS_EXPLORING:
        return [(language, LOOKS[number % len(LOOKS)]) for number, language in enumerate(LANGUAGES)]
    others = [language for language in LANGUAGES if language != ENGLISH]
    turn, number = divmod(derive_number(ID.sub("", path)), len(others))
    return [(others[number], LOOKS[turn % len(LOOKS)])]


def violations(
    reader: Reader, path: str, then: Callable[[Reader], None] | None = None, *, with_axe: bool = True
) -> dict[str, list[str]]:
    """What is wrong with a page, and with what somebody does there: what axe finds, words and width."""
    found: dict[str, list[str]] = {}
    before = reader.page.viewport_size
    for language, looks in spoken(path):
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
    """The texts that are sentences of the sources as they stand, or have words only English has."""
    return [text for text in texts if language != ENGLISH and (ENGLISH_WORDS.search(text) or is_source(language, text))]


@cache
def is_source(language: str, text: str) -> bool:
    """Whether the text is a message, with its places filled, that is said otherwise in this language."""
    whole, with_places = sources(language)
    return text in whole or any(pattern.fullmatch(text) for pattern in with_places)


@cache
def sources(language: str) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The messages that read otherwise in this language: those without places, and patterns of those with some."""
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
                with_places.append(re.compile("".join(filled)))
    return frozenset(whole), tuple(with_places)
