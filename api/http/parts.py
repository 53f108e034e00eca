"""Cached parts of pages that are the same for many entries or readers, and sent to each reader once.

A piece of a page has a placeholder for each part. A reader who has the part receives only the placeholder; full pages
have their placeholders filled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from api.http.languages import current_language
from api.http.names import is_erased
from domain.matches.facts import is_local

CACHED_MAX: Final = 2_048
"""Parts in memory. A table with four farms has about twenty, of 1 to 8 kB: enough for dozens of tables."""
PREFIX: Final = "part-"
"""Prefix of the ids of placeholders."""
SEPARATE_PARTS: Final = "apart"
"""Name of a mapping in the context that collects the parts by id; the piece then has placeholders only."""


class PagePart(msgspec.Struct, frozen=True):
    """A part and the hashable values it is rendered from.

    Its template uses only the result of `context` and the names of the players. Equal values give equal HTML for every
    reader, and one reader's secrets cannot reach another.
    """

    template: str
    context: Callable[..., Mapping[str, Any]]
    values: tuple[Any, ...]
    place: str = ""
    """Id of the placeholder on a table page; empty for a part that is always sent with its piece."""


CacheUses = Callable[[], tuple[int, int]]
"""A function that returns cache hits and misses."""


def install_part_cache(environment: Environment) -> CacheUses:
    """Add a cached `draw_part(part)` or `draw_part(part, names)` to the templates, and return its usage counter.

    The cache is per language and has at most `CACHED_MAX` parts. Also adds `player_link`.
    """

    @lru_cache(CACHED_MAX)
    def render_cached(_: str, part: PagePart, names: tuple[str, ...]) -> Markup:
        context = {**part.context(*part.values), "names": names}
        return Markup(environment.get_template(part.template).render(context))  # noqa: S704  (escaped by the template)

    @pass_context
    def draw_part(context: Context, part: PagePart, names: Sequence[str] = ()) -> Markup:
        html = render_cached(current_language(), part, tuple(names))
        separate_parts = context.get(SEPARATE_PARTS)
        if separate_parts is None or not part.place:
            return html
        separate_parts[PREFIX + part.place] = str(html)
        return Markup(placeholder(PREFIX + part.place))  # noqa: S704  (places are named by us)

    def count_uses() -> tuple[int, int]:
        info = render_cached.cache_info()
        return info.hits, info.misses

    environment.globals |= {"draw_part": draw_part, "player_link": player_link}
    return count_uses


def player_link(id: str | None, name: str) -> Markup:
    """Return the name of a person or bot as a link to the profile.

    Without a link, but escaped, for local guests, erased accounts and no id.
    """
    has_page = id and not is_local(id) and not is_erased(name)
    return Markup('<a class="player" href="/players/{}">{}</a>').format(id, name) if has_page else escape(name)


def placeholder(id: str) -> str:
    """Return the placeholder of a part."""
    return f'<div class="part" id="{id}" data-kept></div>'


def fill_placeholders(rendered: Mapping[str, str]) -> dict[str, str]:
    """Return the pieces by id, with each part in its placeholder; the parts themselves are left out."""
    parts = {id: html for id, html in rendered.items() if id.startswith(PREFIX)}
    filled = {id: html for id, html in rendered.items() if id not in parts}
    for id, part in parts.items():
        marker, element = placeholder(id), f'<div class="part" id="{id}">{part}</div>'
        filled = {name: html.replace(marker, element) for name, html in filled.items()}
    return filled
