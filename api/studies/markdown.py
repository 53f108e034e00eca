"""Comments as HTML, from a safe subset of Markdown."""

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
"""Allowed syntax: paragraphs, lists, quotes, code, emphasis, links. No HTML, images or headings."""
SCHEMES: Final = frozenset({"http", "https", ""})
COMMENTS_CACHED_MAX: Final = 4_096


def is_safe(address: str) -> bool:
    """Return whether a link leads to a page of this site or of the web, never to a script."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and (parts.scheme != "" or (address.startswith(("/", "#")) and not parts.netloc))


def hide_referrer(tokens: list[Token]) -> None:
    """Add attributes to links, nested ones too, in place, so that they disclose no referrer."""
    for token in tokens:
        if token.type == "link_open":
            token.attrSet("rel", "nofollow noopener noreferrer ugc")
        hide_referrer(token.children or [])


def make_parser() -> MarkdownIt:
    """Return the parser of comments, which knows only `RULES`, no HTML, and only safe links."""
    parser = MarkdownIt("zero", {"html": False, "linkify": False}).enable(list(RULES))
    parser.validateLink = is_safe  # type: ignore[assignment, method-assign]  # markdown-it lets links be refused so
    return parser


PARSER: Final = make_parser()


@lru_cache(COMMENTS_CACHED_MAX)
def render_markdown(text: str) -> Markup:
    """Render a comment as HTML that contains only what the rules produce."""
    tokens = PARSER.parse(text)
    hide_referrer(tokens)
    return Markup(PARSER.renderer.render(tokens, PARSER.options, {}))  # noqa: S704 -- the parser escapes everything


def comment_cache_info() -> tuple[int, int]:
    """Return the hits and misses of the cache of rendered comments."""
    cache_info = render_markdown.cache_info()
    return cache_info.hits, cache_info.misses
