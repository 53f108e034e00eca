"""The cards of a title as a page: every use, and where each value comes from."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get
from litestar.params import FromPath

from api.pages.browser import PageRequest, page
from domain.match.catalogues import CATALOGUES, PROVENANCE_WORDS, grouped
from domain.match.errors import UnknownTitle


@get("/cards/{title:str}")
async def cards_page(request: PageRequest, title: FromPath[str]) -> Response[Any]:
    """All cards of a title."""
    if title not in CATALOGUES:
        raise UnknownTitle(f"there are no cards of {title!r}; there are those of: {', '.join(sorted(CATALOGUES))}")
    context = {"title": title, "groups": grouped(CATALOGUES[title]()), "provenance_words": PROVENANCE_WORDS}
    return page(request, "cards.html", context)


HANDLERS: Final = (cards_page,)
