"""Sheets to print: table lists, score slips, codes, name cards and a wall chart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.http.guards import requires_person
from api.http.inputs import MaybeNumber
from api.http.names import without_accents
from api.http.qr import QR_TYPE, qr_file
from api.tournaments.pages.claims import ADDRESS as TABLE_ADDRESS
from api.tournaments.pages.claims import table_path
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.workbench import render_workbench
from api.tournaments.responses import show_crosstable
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import NoSuchRound
from domain.tournaments.rounds import table_of
from projections.platform.settings import Settings

Sheet = Literal["tables", "slips", "codes", "cards", "wall"]
WALL_LINES: Final = 24
"""People on one sheet of the wall chart."""
CACHE_CONTROL: Final = "private, max-age=3600"
"""A QR code depends on its address only, but the address of the service may change."""


def by_name(names: Mapping[str, str]) -> list[str]:
    """Return the entries sorted by name, ignoring accents and case."""
    return sorted(names, key=lambda entry: (without_accents(names[entry]), names[entry], entry))


@get("/desk/print/{sheet:str}", guards=[requires_person])
async def print_page(
    page: NamedDependency[TournamentContext],
    sheet: FromPath[Sheet],
    settings: NamedDependency[Settings],
    number: MaybeNumber = None,
) -> Response[str]:
    """Show a sheet to print to organisers, for the given or the latest public round; never cached.

    Raises `NoSuchRound` for tables or slips without such a round, `RoleMissing` for non-organisers.
    """
    event = await page.tournaments.reading.require_organiser(page.id)
    context = await page.context(event)
    rounds = [each for each in context["shown"].rounds if each.is_public]
    round_ = next((each for each in rounds if each.round == number), rounds[-1] if rounds and not number else None)
    if round_ is None and sheet in {"tables", "slips"}:
        raise NoSuchRound("no published round has tables to print")
    names: Mapping[str, str] = context["names"]
    sheet_context: dict[str, Any] = {"round": round_, "order": by_name(names), "sheet": sheet}
    if round_ is not None:
        sheet_context["seated"] = {entry: table.table for table in round_.tables for entry in table.entries}
    if sheet == "slips" and round_ is not None:
        paths = {table.table: table_path(page.id, round_.round, table.table) for table in round_.tables}
        sheet_context |= {"paths": paths, "origin": settings.origin}
    elif sheet == "codes":
        sheet_context["codes"] = page.tournaments.claims.codes(event)
    elif sheet == "cards":
        sheet_context["taking_part"] = {
            each.entry: each for each in context["shown"].entries if each.status != "withdrawn"
        }
    elif sheet == "wall":
        sheet_context["walls"] = await wall_chart_sheets(page, event)
    response = page.render(f"print_{sheet}", {**context, **sheet_context})
    response.headers["Cache-Control"] = "no-store"
    return response


@get("/qr.svg", media_type=QR_TYPE)
async def event_code(page: NamedDependency[TournamentContext], settings: NamedDependency[Settings]) -> Response[bytes]:
    """Return the address of the event as a QR code."""
    await page.tournaments.reading.get(page.id)
    return await render_qr_code(f"{settings.origin}{page.path}")


@get(TABLE_ADDRESS + "/qr.svg", media_type=QR_TYPE)
async def table_code(
    page: NamedDependency[TournamentContext],
    number: FromPath[int],
    table: FromPath[int],
    settings: NamedDependency[Settings],
) -> Response[bytes]:
    """Return a QR code with the address for entering a table's result.

    Raises `NoSuchRound` without such a public table.
    """
    table_of((await page.tournaments.reading.get(page.id)).state, number, table)
    return await render_qr_code(f"{settings.origin}{table_path(page.id, number, table)}")


async def render_qr_code(address: str) -> Response[bytes]:
    """Return an address as a QR code."""
    content = await asyncio.to_thread(qr_file, address)
    return Response(content, media_type=QR_TYPE, headers={"Cache-Control": CACHE_CONTROL})


@get("/desk/print", guards=[requires_person])
async def print_desk(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show organisers the list of sheets to print, and the big screen; raise `RoleMissing` for others."""
    event = await page.tournaments.reading.require_organiser(page.id)
    return await render_workbench(page, "print", has_tables=any(each.is_public for each in event.state.rounds))


async def wall_chart_sheets(page: TournamentContext, event: TournamentStream) -> Sequence[Sequence[Any]]:
    """Return the lines of the crosstable by sheet."""
    lines = (await page.tournaments.reading.render(event, show_crosstable)).lines
    return [lines[start : start + WALL_LINES] for start in range(0, len(lines), WALL_LINES)]


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[print_desk, print_page, event_code, table_code],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
