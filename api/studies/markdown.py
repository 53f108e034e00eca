"""Comments as HTML: a subset of Markdown, written by anybody, safe to show to everybody."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

RULES: Final = (
    "paragraph",
    "list",
    "blockquote",
    "fence",
    "code",
    "newline",
    "escape",
    "backticks",
    "emphasis",
    "strikethrough",
    "link",
    "entity",
)
"""What comments know: paragraphs, lists, quotes, code, emphasis, links. No HTML, no pictures, no headings."""
SCHEMES: Final = frozenset({"http", "https", ""})
KEPT: Final = 4_096


def is_safe(address: str) -> bool:
    """A link leads to a page of ours or of the web, never into a script."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and (parts.scheme != "" or (address.startswith(("/", "#")) and not parts.netloc))


def link_out(tokens: list[Token]) -> None:
    """Whoever follows a link of a stranger tells them nothing about where they come from."""
    for token in tokens:
        if token.type == "link_open":
            token.attrSet("rel", "nofollow noopener noreferrer ugc")
        link_out(token.children or [])


def parser() -> MarkdownIt:
    made = MarkdownIt("zero", {"html": False, "linkify": False}).enable(list(RULES))
    made.validateLink = is_safe  # type: ignore[assignment, method-assign]  # markdown-it lets links be refused so
    return made


PARSER: Final = parser()


@lru_cache(KEPT)
def render_markdown(text: str) -> Markup:
    """The comment as HTML; nothing in it but what the rules make."""
    tokens = PARSER.parse(text)
    link_out(tokens)
    return Markup(PARSER.renderer.render(tokens, PARSER.options, {}))  # noqa: S704 -- the parser escapes everything


def comments_used() -> tuple[int, int]:
    """How many comments were rendered already, and how many had to be."""
    known = render_markdown.cache_info()
    return known.hits, known.misses
