"""Parts of a page that stay the same for many entries, or for many readers: drawn once, and sent to each reader once.

A piece of the page holds a place for each of its parts. A reader who has the part gets the piece with the place alone,
empty and marked as kept; whole pages have their places filled.
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

KEPT_MAX: Final = 2_048
"""A table with four farms has some twenty parts, of 1 to 8 kB: this is enough for dozens of tables at once."""
PREFIX: Final = "part-"
"""How the ids of places begin."""
APART: Final = "apart"
"""A mapping by this name in a context takes the parts that have a place, by their ids; their piece has places alone."""


class PagePart(msgspec.Struct, frozen=True):
    """A part and the values it is drawn from, which can be hashed.

    Its template finds nothing but what `context` makes of them, and the names of the players: equal values make equal
    parts for every reader, and what one reader may not see cannot come from another's.
    """

    template: str
    context: Callable[..., Mapping[str, Any]]
    values: tuple[Any, ...]
    place: str = ""
    """What its place on the page of a table is called; "" for what always comes with its piece."""


Uses = Callable[[], tuple[int, int]]
"""How often something had been made already when it was asked for, and how often not."""


def draw_parts_once(environment: Environment) -> Uses:
    """Templates of this environment draw their parts with `draw_part(part)`, or `draw_part(part, names)`. Gives what
    counts how often that was done before."""

    @lru_cache(KEPT_MAX)
    def render_kept(_: str, part: PagePart, names: tuple[str, ...]) -> Markup:
        context = {**part.context(*part.values), "names": names}
        return Markup(environment.get_template(part.template).render(context))  # noqa: S704  (escaped by the template)

    @pass_context
    def draw_part(context: Context, part: PagePart, names: Sequence[str] = ()) -> Markup:
        html = render_kept(current_language(), part, tuple(names))
        apart = context.get(APART)
        if apart is None or not part.place:
            return html
        apart[PREFIX + part.place] = str(html)
        return Markup(empty_place(PREFIX + part.place))  # noqa: S704  (places are named by us)

    def used() -> tuple[int, int]:
        kept = render_kept.cache_info()
        return kept.hits, kept.misses

    environment.globals |= {"draw_part": draw_part, "player_link": player_link}
    return used


def player_link(id: str | None, name: str) -> Markup:
    """The name of a person or a bot, which leads to their page; of somebody without an account, or whose account was
    erased, it is the name alone."""
    has_page = id and not is_local(id) and not is_erased(name)
    return Markup('<a class="player" href="/players/{}">{}</a>').format(id, name) if has_page else escape(name)


def empty_place(id: str) -> str:
    """The place of a part, for a reader who has the part or gets it beside."""
    return f'<div class="part" id="{id}" data-kept></div>'


def fill_places(made: Mapping[str, str]) -> dict[str, str]:
    """Of pieces and parts by their ids: the pieces, with all parts in their places."""
    parts = {id: html for id, html in made.items() if id.startswith(PREFIX)}
    pieces = {id: html for id, html in made.items() if id not in parts}
    for id, part in parts.items():
        place, whole = empty_place(id), f'<div class="part" id="{id}">{part}</div>'
        pieces = {name: html.replace(place, whole) for name, html in pieces.items()}
    return pieces
