"""Sheets to print: table lists, score slips, codes, name cards and a wall chart."""

from __future__ import annotations

from typing import Any, Final, Literal

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.contests.sheets import (
    Papers,
    SheetPlayer,
    SheetRound,
    SheetTable,
    WallChart,
    WallLine,
    charts_of,
    key_of_name,
    render_papers,
    render_qr_code,
    render_sheet,
)
from api.http.guards import requires_person
from api.http.inputs import MaybeNumber
from api.http.languages import _
from api.http.qr import QR_TYPE
from api.tournaments.pages.claims import ADDRESS as TABLE_ADDRESS
from api.tournaments.pages.claims import table_path
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.workbench import render_workbench
from api.tournaments.responses import entry_names, show_crosstable
from api.tournaments.schemas import TournamentShown
from domain.tournaments.commands import TournamentStream
from domain.tournaments.rounds import table_of
from projections.platform.settings import Settings

Sheet = Literal["tables", "slips", "codes", "cards", "wall"]


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
    shown = await page.tournaments.reading.show(event, with_reasons=False)
    papers = Papers(
        contest=shown.plan.name,
        base=page.path,
        links=(
            (f"{page.path}/desk/print", _("All printouts")),
            (f"{page.path}/desk", _("Back to the organiser's desk")),
        ),
        round=find_round(page, event, shown, number),
        players=players_by_name(shown),
        charts=await wall_charts(page, event) if sheet == "wall" else (),
        round_count=max(len(event.state.played_rounds), sum(stage.rounds for stage in shown.plan.stages)),
        origin=settings.origin,
    )
    if sheet != "codes":
        return render_sheet(page.request, sheet, papers)
    codes, names = page.tournaments.claims.codes(event), entry_names(event.state, page.accounts)
    strips = [
        (entry, names[entry], codes[entry]) for entry in sorted(codes, key=lambda entry: key_of_name(names[entry]))
    ]
    context = {"strips": strips, "may_renew": shown.status != "ended"}
    return render_papers(page.request, "tournaments/print_codes.html", papers, context)


def find_round(
    page: TournamentContext, event: TournamentStream, shown: TournamentShown, number: int | None
) -> SheetRound | None:
    """Return the public round with a number, or the latest one; None if there is no such round."""
    rounds = [each for each in shown.rounds if each.is_public and (not number or each.round == number)]
    if not rounds:
        return None
    names, last = entry_names(event.state, page.accounts), rounds[-1]
    tables = tuple(
        SheetTable(each.table, each.names, path=table_path(page.id, last.round, each.table)) for each in last.tables
    )
    return SheetRound(last.round, tables, tuple(names[entry] for entry in last.byes))


def players_by_name(shown: TournamentShown) -> list[SheetPlayer]:
    """Return all players except withdrawn ones, by name."""
    players = [SheetPlayer(each.name, each.club) for each in shown.entries if each.status != "withdrawn"]
    return sorted(players, key=lambda player: key_of_name(player.name))


async def wall_charts(page: TournamentContext, event: TournamentStream) -> list[WallChart]:
    """Return the crosstable by sheet."""
    lines = (await page.tournaments.reading.render(event, show_crosstable)).lines
    return [*charts_of("", (WallLine(line.rank, line.name, line.cells) for line in lines))]


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


@get("/desk/print", guards=[requires_person])
async def print_desk(page: NamedDependency[TournamentContext]) -> Response[str]:
    """Show organisers the list of sheets to print, and the big screen; raise `RoleMissing` for others."""
    event = await page.tournaments.reading.require_organiser(page.id)
    return await render_workbench(page, "print", has_tables=any(each.is_public for each in event.state.rounds))


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[print_desk, print_page, event_code, table_code],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
