"""Pages of a title's cards: the list, and each card in large with an example from a match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from markupsafe import Markup, escape

from api.http.app_state import TITLES_PLAYED
from api.http.languages import language_of, use_language
from api.http.page_responses import PageRequest, render_page
from api.http.shared_pages import SharedPage, shared_page
from api.titles.drawing import DRAWINGS, Drawing
from api.titles.errors import NoSuchPiece
from api.titles.gallery import Thing, example_of, group_things, origin_notes, origins, plain_things
from api.titles.offers import files_of
from api.titles.rules import PLAYERS
from api.titles.sentences import sentences
from domain.kernel.title import AnyTitle, Titles
from domain.matches.catalogues import PROVENANCE_TEXTS
from domain.matches.errors import UnknownTitle

QUOTATION: Final = re.compile("([“„«])(.+)([”“»])")


def mark_quotations(note: str) -> Markup:
    """Return a note as HTML, with its quotations marked as English, the language of the source."""
    return Markup(QUOTATION.sub(r'\1<span lang="en">\2</span>\3', str(escape(note))))  # noqa: S704 -- escaped before


def title_with_cards(titles: Titles, title: str) -> AnyTitle:
    """Return the title; raise `UnknownTitle` if it is unknown or has no cards."""
    titles_with_cards = {name: each for name, each in titles.items() if each.catalogue is not None}
    if title not in titles_with_cards:
        raise UnknownTitle(f"no cards for {title!r}; available: {', '.join(sorted(titles_with_cards))}")
    return titles_with_cards[title]


def choose_options(definition: AnyTitle, deck: str, components: str) -> Mapping[str, str]:
    """Return the options for this deck and these components; an empty string means the default."""
    options = {"deck": deck, "components": components}
    return definition.rules.options({name: value for name, value in options.items() if value}).chosen


@get("/cards/{title:str}")
async def cards_page(
    request: PageRequest,
    title: FromPath[str],
    deck: FromQuery[str] = "",
    components: FromQuery[str] = "",
) -> Response[Any]:
    """Show all cards of a title, with the default deck or another deck of this service.

    Raise `UnknownTitle` for a title that is unknown or has no cards, `UnknownOption` for an unknown deck.
    """
    definition, drawing = title_with_cards(TITLES_PLAYED.of(request), title), DRAWINGS.of(request)[title]
    chosen = choose_options(definition, deck, components)
    inputs = (title, tuple(sorted(chosen.items())))
    page = SharedPage(
        "titles/cards.html", "titles/card_list.html", inputs, lambda: card_list_context(definition, drawing, chosen)
    )
    return await shared_page(request, page, title=title, style=drawing.style if drawing.gallery else None)


def card_list_context(definition: AnyTitle, drawing: Drawing, chosen: Mapping[str, str]) -> dict[str, Any]:
    """Return the context of the list of cards: groups of drawn things, or of texts without a gallery, and origins."""
    assert definition.catalogue is not None
    cards = definition.catalogue(chosen)
    context: dict[str, Any] = {
        "title": definition.name,
        "groups": group_things(drawing.gallery.things(chosen) if drawing.gallery else plain_things(cards)),
        "provenance_words": PROVENANCE_TEXTS,
        "origins": origins(cards),
        "told_origins": origin_notes(cards),
        "quoting": mark_quotations,
        "decks": next((choice.values for choice in files_of(definition) if choice.option == "deck"), ()),
        "deck": chosen.get("deck", ""),
        "gallery": drawing.gallery,
        "has_rules": drawing.rules is not None,
    }
    return context | shared_card_context(drawing, chosen)


@get("/cards/{title:str}/{thing:str}")
async def card_piece(
    request: PageRequest,
    title: FromPath[str],
    thing: FromPath[str],
    deck: FromQuery[str] = "",
    components: FromQuery[str] = "",
) -> Response[Any]:
    """Show a card, a tile or a building in its large form; raise `UnknownTitle` or `NoSuchPiece` if there is none.

    Raise `UnknownOption` for an unknown deck.
    """
    definition, gallery = title_with_cards(TITLES_PLAYED.of(request), title), DRAWINGS.of(request)[title].gallery
    assert definition.catalogue is not None
    chosen = choose_options(definition, deck, components)
    things = gallery.things(chosen) if gallery else plain_things(definition.catalogue(chosen))
    found: Thing | None = next((each for each in things if each.id == thing), None)
    if found is None:
        raise NoSuchPiece(f"{title!r} has no card or part {thing!r}")
    context: dict[str, Any] = {
        "title": title,
        "thing": found,
        "gallery": gallery,
        "is_large": True,
        "quoting": mark_quotations,
    }
    with use_language(language_of(request)):
        context["example"] = sentences(example_of(gallery, found), PLAYERS) if gallery else ()
        context |= shared_card_context(DRAWINGS.of(request)[title], chosen)
    return render_page(request, "titles/large.html", context)


def shared_card_context(drawing: Drawing, chosen: Mapping[str, str]) -> dict[str, Any]:
    """Return the context shared by all cards, tiles and buildings of a title, in the current language."""
    return {"of": "", **(drawing.gallery.picture(chosen) if drawing.gallery else {})}


HANDLERS: Final = (cards_page, card_piece)
