"""The cards of a title as a page: every use, and where each value comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from markupsafe import Markup, escape

from api.matches.service import MatchService
from api.titles.offers import files_of
from api.web.browser import PageRequest, page
from domain.kernel.messages import N_
from domain.matches.catalogues import PROVENANCE_WORDS, group_cards
from domain.matches.errors import UnknownTitle

PROVENANCE_NAMES: Final[Mapping[str, str]] = {
    "seed": N_("rules"),
    "found": N_("found"),
    "recalled": N_("recalled"),
    "reconstructed": N_("reconstructed"),
}
"""The first word of a provenance, as it stands beside a value."""
QUOTED: Final = re.compile("([“„«])(.+)([”“»])")


def quoting(note: str) -> Markup:
    """A note with what it quotes marked as English, which the source is in."""
    return Markup(QUOTED.sub(r'\1<span lang="en">\2</span>\3', str(escape(note))))  # noqa: S704 -- escaped before


@get("/cards/{title:str}")
async def cards_page(
    request: PageRequest, title: FromPath[str], matches: NamedDependency[MatchService], deck: FromQuery[str] = ""
) -> Response[Any]:
    """All cards of a title; of another deck than the usual one, where that is at hand."""
    with_cards = {name: each for name, each in matches.titles.items() if each.catalogue is not None}
    definition = with_cards.get(title)
    if definition is None or definition.catalogue is None:
        raise UnknownTitle(f"there are no cards of {title!r}; there are those of: {', '.join(sorted(with_cards))}")
    chosen = definition.rules.options({"deck": deck} if deck else {}).chosen
    drawing = matches.drawings[title]
    context: dict[str, Any] = {
        "title": title,
        "groups": group_cards(definition.catalogue(chosen)),
        "provenance_words": PROVENANCE_WORDS,
        "provenance_names": PROVENANCE_NAMES,
        "quoting": quoting,
        "decks": next((choice.values for choice in files_of(definition) if choice.option == "deck"), ()),
        "deck": chosen.get("deck", ""),
        "gallery": drawing.gallery,
        "style": drawing.style,
        "has_rules": drawing.rules is not None,
    }
    return page(
        request, "titles/cards.html", context | dict(drawing.gallery.picture(chosen) if drawing.gallery else {})
    )


HANDLERS: Final = (cards_page,)
