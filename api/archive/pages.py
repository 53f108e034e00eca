"""Pages of the archive and the explorer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.accounts.service import AccountService
from api.archive.errors import SearchRefused
from api.archive.explorer import explore, explore_opening, find_title, name_of
from api.archive.queries import FIELDS, parse_side, read_search, search
from api.archive.schemas import ArchiveShown, CameShown, KindShown
from api.http.inputs import WholeNumber
from api.http.languages import language_of, use_language
from api.http.page_responses import PageRequest, render_page
from api.http.paging import Before, Limit
from api.matches.service import MatchService
from domain.kernel.messages import N_
from domain.kernel.title import AnyTitle, default_title
from projections.archive import explorer
from projections.archive.archived_matches import ENDS, End, Who
from projections.platform.paging import LIMIT

END_WORDS: Final[Mapping[End, str]] = {
    "played": N_("played to the end"),
    "resigned": N_("a player resigned"),
    "timed_out": N_("time ran out"),
    "replaced": N_("a player left"),
    "ruled": N_("decided by a ruling"),
}
SIZE: Final = 2
"""Default table size of an explorer, if it has matches."""


class Row(msgspec.Struct, frozen=True):
    """A thing with its results by number."""

    thing: str
    name: str
    times: int
    cells: tuple[CameShown | None, ...]


class Grid(msgspec.Struct, frozen=True):
    """The things of a kind: a row for each, a column for each round or position."""

    kind: str
    heading: str
    numbered: str
    numbers: tuple[int, ...]
    rows: tuple[Row, ...]
    left_out: int


ROWS: Final = 20
"""Maximum number of rows, most frequent first; the API has all."""


@get("/archive")
async def archive_page(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Search ended matches; faults of the search are shown next to the form, with status 400."""
    parameters = {name: value for name, value in request.query_params.items() if name in FIELDS and value.strip()}
    found, error = ArchiveShown(()), ""
    with use_language(language_of(request)):
        try:
            found = await search(matches, accounts, read_search(parameters), limit, before)
        except SearchRefused as refusal:
            error = str(refusal)
        title = matches.titles.get(parameters.get("title", ""))
        things = (
            []
            if title is None
            else things_of(title, await matches.writer.read_model(explorer.list_searchable_choices, title.name))
        )
    context = {
        "found": found,
        "refused": error,
        "asked": parameters,
        "things": things,
        "editions": () if title is None else editions_of(title),
        "ends": [(end, END_WORDS[end]) for end in ENDS],
        "end_words": END_WORDS,
        "query": urlencode(parameters) + "&" if parameters else "",
        "limit": limit,
        "is_detailed": bool(parameters.keys() - {"player", "withPlayer", "title", "seats"}),
    }
    return render_page(request, "archive/archive.html", context, 400 if error else 200)


def things_of(title: AnyTitle, choices: Iterable[tuple[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the options of the search: (heading, things) by kind, things as (`KIND/THING`, name) sorted by name."""
    all_choices = list(choices)

    def options(wanted_kind: str) -> list[tuple[str, str]]:
        found = ((f"{kind}/{thing}", name_of(title, kind, thing)) for kind, thing in all_choices if kind == wanted_kind)
        return sorted(found, key=by_name)

    return [(kind.heading, options(name)) for name, kind in title.traits.kinds.items()]


def by_name(option: tuple[str, str]) -> tuple[int, str]:
    """Return the sort key of an option: numbers by value, others by name."""
    return (int(option[1]), "") if option[1].isdecimal() else (0, option[1])


def editions_of(title: AnyTitle) -> tuple[tuple[str, Any], ...]:
    """Return the editions with their names."""
    edition_choice = next((choice for choice in title.choices if choice.option == title.traits.edition), None)
    return () if edition_choice is None else edition_choice.values


@get(["/explorer", "/explorer/{title:str}"])
async def explorer_page(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    title: FromPath[str] = "",
    seats: WholeNumber = 0,
    who: FromQuery[str] = "",
) -> Response[str]:
    """Show the choices in all ended matches of a title, with results; `NothingExplored` for an unknown title or size.

    By default these are the choices of people, or of bots if there are no others.
    """
    definition, size, side = await resolve_selection(matches, title, seats, who)
    with use_language(language_of(request)):
        shown = await explore(matches, definition.name, size, side)
        grids = [grid_of(kind) for kind in shown.kinds if kind.things]
    return render_page(
        request, "archive/explorer.html", {**explorer_context(matches, definition, size, side), "grids": grids}
    )


@get("/explorer/{title:str}/openings")
async def openings_page(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    title: FromPath[str],
    seats: WholeNumber = 0,
    who: FromQuery[str] = "",
    opening: FromQuery[str] = "",
) -> Response[str]:
    """Show openings, one action at a time; raise `NothingExplored` for an unknown title or table size."""
    definition, size, side = await resolve_selection(matches, title, seats, who)
    with use_language(language_of(request)):
        shown = await explore_opening(matches, definition.name, size, side, opening)
    context = {**explorer_context(matches, definition, size, side), "shown": shown, "is_first": not opening}
    return render_page(request, "archive/openings.html", context)


async def resolve_selection(matches: MatchService, title: str, seats: int, who: str) -> tuple[AnyTitle, int, Who]:
    """Return title, table size and side; the defaults have matches. Raise `NothingExplored` if unknown.

    The default side is people, or bots if people have no matches. An unknown side is people.
    """
    name = title or default_title(matches.titles).name
    sizes = await matches.writer.read_model(explorer.list_seat_counts, name)
    size = seats or (SIZE if SIZE in sizes or not sizes else sizes[0])
    definition = find_title(matches, name, size)
    if who:
        return definition, size, parse_side(who)
    has_people = await matches.writer.read_model(explorer.list_choices, name, size, "people")
    return definition, size, "people" if has_people else "bots"


def explorer_context(matches: MatchService, title: AnyTitle, seats: int, who: Who) -> dict[str, Any]:
    """Return the context that all explorer pages share."""
    return {"title": title.name, "titles": tuple(matches.titles), "seats": seats, "sizes": title.players, "who": who}


def grid_of(kind: KindShown) -> Grid:
    """Return the things of a kind, most frequent first, at most `ROWS`, and the number of things left out."""
    numbers = tuple(sorted({each.number for each in kind.things}))
    cells = {(each.thing, each.number): each.came for each in kind.things}
    names = {each.thing: each.name for each in kind.things}
    rows = []
    for thing, name in names.items():
        cells_of_row = tuple(cells.get((thing, number)) for number in numbers)
        rows.append(Row(thing, name, sum(each.times for each in cells_of_row if each), cells_of_row))
    rows.sort(key=lambda row: (-row.times, by_name((row.thing, row.name))))
    return Grid(kind.kind, kind.heading, kind.numbered, numbers, tuple(rows[:ROWS]), max(0, len(rows) - ROWS))


HANDLERS: Final = (archive_page, explorer_page, openings_page)
