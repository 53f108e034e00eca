"""Pages of the titles' rules, to be read before or during a match."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from api.http.app_state import TITLES_PLAYED
from api.http.languages import current_language, language_of
from api.http.page_responses import PageRequest, render_page
from api.http.shared_pages import SharedPage, shared_page
from api.titles.drawing import DRAWINGS, Drawings
from api.titles.errors import NoSuchPiece
from api.titles.rulebook import Rulebook, build_sections, find_paragraph, find_section, find_variety, load_outline
from domain.kernel.messages import Message
from domain.kernel.title import AnyTitle
from domain.matches.errors import UnknownTitle

PLAYERS: Final = ("Ana", "Bruno", "Clara", "Diego")
"""The names of players in illustrations."""


def with_rules(drawings: Drawings) -> dict[str, Rulebook]:
    """Return the rulebooks of the titles that have one."""
    return {name: drawing.rules for name, drawing in drawings.items() if drawing.rules is not None}


@get("/rules")
async def all_rules_page(request: PageRequest) -> Response[Any]:
    """Show the titles whose rules are available."""
    return render_page(request, "titles/all_rules.html", {"ruled": tuple(with_rules(DRAWINGS.of(request)))})


@get("/rules/{title:str}")
async def rules_page(request: PageRequest, title: FromPath[str]) -> Response[Any]:
    """Show the rules of a title in the language of the reader, with drawings; raise `UnknownTitle` if it has none."""
    book = rulebook_of(DRAWINGS.of(request), title)
    page = SharedPage(
        "titles/rules.html", "titles/rulebook.html", (title,), lambda: rulebook(TITLES_PLAYED.of(request)[title], book)
    )
    return await shared_page(request, page, title=title, style=DRAWINGS.of(request)[title].style)


def rulebook(title: AnyTitle, book: Rulebook) -> dict[str, Any]:
    """Return the context of the rules, in the current language."""
    context: dict[str, Any] = {
        "title": title.name,
        "sections": build_sections(book.folder, current_language()),
        "book": book,
        "has_cards": title.catalogue is not None,
        "names": PLAYERS,
        "varieties": varieties(title, book),
    }
    return context | dict(book.picture())


@get("/rules/{title:str}/{option:str}/{value:str}")
async def variety_page(
    request: PageRequest,
    title: FromPath[str],
    option: FromPath[str],
    value: FromPath[str],
) -> Response[Any]:
    """Show the changes of an edition or variant; raise `UnknownTitle` or `NoSuchPiece` if the rules have none."""
    book = rulebook_of(DRAWINGS.of(request), title)
    all_varieties = varieties(TITLES_PLAYED.of(request)[title], book)
    variety = next((each for each in all_varieties if (each.option, each.value) == (option, value)), None)
    paragraphs = find_variety(book.folder, language_of(request), option, value)
    if variety is None or not paragraphs:
        raise NoSuchPiece(f"the rules of {title!r} do not mention {option}={value!r}")
    context: dict[str, Any] = {
        "title": title,
        "paragraphs": paragraphs,
        "variety": variety,
        "varieties": all_varieties,
        "has_cards": TITLES_PLAYED.of(request)[title].catalogue is not None,
    }
    return render_page(request, "titles/variety.html", context)


class Variety(msgspec.Struct, frozen=True):
    """An edition or variant with a page: an option and one of its values."""

    option: str
    value: str
    words: Message
    is_usual: bool
    """Whether it is the default."""


def varieties(title: AnyTitle, book: Rulebook) -> tuple[Variety, ...]:
    """Return the editions and variants that the rules explain, in the order of the lobby."""
    varieties_by_option = load_outline(book.folder).varieties
    return tuple(
        Variety(choice.option, value, choice.label if choice.is_checkbox else label, value == choice.values[0][0])
        for choice in title.choices
        for value, label in choice.values
        if value in varieties_by_option.get(choice.option, {})
    )


@get("/rules/{title:str}/{anchor:str}")
async def rules_piece(request: PageRequest, title: FromPath[str], anchor: FromPath[str]) -> Response[Any]:
    """Show a single section or paragraph of the rules; raise `UnknownTitle` or `NoSuchPiece` if there is none."""
    book = rulebook_of(DRAWINGS.of(request), title)
    section = find_section(book.folder, language_of(request), anchor)
    if section is None:
        raise NoSuchPiece(f"the rules of {title!r} have no section {anchor!r}")
    return render_page(request, "titles/paragraph.html", {"title": title, "section": section, "anchor": anchor})


def rulebook_of(drawings: Drawings, title: str) -> Rulebook:
    """Return the rules of a title; raise `UnknownTitle` if it has none."""
    books = with_rules(drawings)
    if title not in books:
        raise UnknownTitle(f"no rules for {title!r}; available: {', '.join(sorted(books))}")
    return books[title]


def address_of_rule(drawings: Drawings, title: str, rule: str) -> str | None:
    """Return the address of the paragraph that explains a rule, or None."""
    book = with_rules(drawings).get(title)
    paragraph = find_paragraph(book.folder, rule) if book else None
    return f"/rules/{title}#{paragraph}" if paragraph else None


HANDLERS: Final = (all_rules_page, rules_page, variety_page, rules_piece)
