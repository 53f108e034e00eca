"""Pages with the same content for every reader: rendered once per language, inside a frame for each reader.

The frame holds the reader's name and the CSRF token, so the whole page cannot be cached. It takes about 1 ms of
processor time; the cards of the larger title take 23 ms.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from jinja2 import Environment, meta
from litestar import Response
from markupsafe import Markup

from api.http.csrf import token_of
from api.http.etags import has_tag, not_modified, tag_of
from api.http.languages import current_language, language_of, use_language
from api.http.page_responses import PageRequest, person_of, render_page, shared_template_values
from api.http.preferences import preferences_of

PAGES_MAX: Final = 64
"""Contents in memory, at most 200 kB each: two titles with two pages each in five languages, and further decks."""
PERSONAL_NAMES: Final = frozenset(
    {"request", "person", "csrf", "here", "sign_in", "refused_form", "places", "preferences", "attributes"}
)
"""Template variables of one reader; a test keeps shared contents from using them."""


class SharedPage(msgspec.Struct, frozen=True):
    """A page and the part of it that is the same for every reader."""

    frame: str
    """Template of the page, which shows `content`."""
    content: str
    """Template of the content."""
    made_of: tuple[Any, ...]
    """The values, apart from the language, that the content depends on.

    Only validated values: a value that a client can choose freely would let it fill the cache.
    """
    context: Callable[[], Mapping[str, Any]]
    """Returns the context of the content's template; called on a cache miss."""


class SharedPages:
    """An LRU cache of contents, by template, language and values."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._cache = OrderedDict[tuple[Any, ...], Markup]()
        self._hits = 0
        self._misses = 0

    def count_uses(self) -> tuple[int, int]:
        """Return the number of hits and of misses."""
        return self._hits, self._misses

    def render(self, shared: SharedPage, common: Callable[[], Mapping[str, Any]] = dict) -> Markup:
        """Return the content in the current language, cached; `common` adds to the context on a cache miss."""
        key = (shared.content, current_language(), *shared.made_of)
        cached = self._cache.get(key)
        if cached is not None:
            self._hits += 1
            self._cache.move_to_end(key)
            return cached
        self._misses += 1
        template = self._environment.get_template(shared.content)
        rendered = Markup(template.render({**common(), **shared.context()}))  # noqa: S704  (escaped by the template)
        self._cache[key] = rendered
        if len(self._cache) > PAGES_MAX:
            self._cache.popitem(last=False)
        return rendered


def undeclared_names(environment: Environment, template: str) -> frozenset[str]:
    """Return the context names that a template and the templates it references use, recursively."""
    assert environment.loader is not None
    parsed = environment.parse(environment.loader.get_source(environment, template)[0])
    names = set(meta.find_undeclared_variables(parsed))
    for name in meta.find_referenced_templates(parsed):
        if name is not None:
            names |= undeclared_names(environment, name)
    return frozenset(names)


async def shared_page(request: PageRequest, shared: SharedPage, **frame_context: object) -> Response[Any]:
    """Return the page, or 304 if the browser has it; `frame_context` is for the frame, which is not cached."""
    tag = await asyncio.to_thread(tag_of_shared, request, shared)
    if has_tag(request, tag):
        return not_modified(tag)
    engine: Any = request.app.template_engine
    pages: SharedPages = engine.engine.shared_pages
    with use_language(language_of(request)):
        content = pages.render(shared, lambda: shared_template_values(request.app))
    response = render_page(request, shared.frame, {**frame_context, "content": content})
    response.headers["ETag"] = tag
    return response


def tag_of_shared(request: PageRequest, shared: SharedPage) -> str:
    """Return the entity tag of the content and the frame."""
    reader = (person_of(request), token_of(request), language_of(request), preferences_of(request))
    return tag_of(shared.frame, shared.content, shared.made_of, *reader, request.url.path, request.url.query)
