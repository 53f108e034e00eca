"""Sheets to print for a season: table lists, score slips, name cards and wall charts of its groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.contests.sheets import (
    Papers,
    Sheet,
    SheetPlayer,
    SheetRound,
    SheetTable,
    WallChart,
    WallLine,
    charts_of,
    key_of_name,
    render_qr_code,
    render_sheet,
)
from api.http.inputs import MaybeNumber
from api.http.page_responses import PageRequest
from api.http.qr import QR_TYPE
from api.leagues.pages.leagues import league_path, season_path
from api.leagues.responses import group_text
from api.leagues.season_schemas import SeasonShown
from api.leagues.service import LeagueService, provide_leagues
from projections.platform.settings import Settings


@get("/seasons/{number:int}/print/{sheet:str}")
async def sheet_page(
    request: PageRequest,
    league_id: FromPath[UUID],
    number: FromPath[int],
    sheet: FromPath[Sheet],
    leagues: NamedDependency[LeagueService],
    round_number: MaybeNumber = None,
) -> Response[str]:
    """Show a sheet to print, for the given round or the latest open one; never cached.

    Raise `NoSuchRound` for tables or slips without such a round, `NoSuchStream` without such a league or season.
    """
    stream = await leagues.stream(league_id)
    season = await leagues.season(stream, number)
    contest = f"{stream.state.plan.name} · {season.season.name}"
    players = sorted((line.player.name for group in season.groups for line in group.lines), key=key_of_name)
    papers = Papers(
        contest=contest,
        base=league_path(league_id),
        links=((season_path(league_id, number), contest),),
        round=find_round(season, round_number or max(1, season.season.rounds_opened)),
        players=[*map(SheetPlayer, players)],
        charts=[*wall_charts(season)],
        round_count=season.season.rounds,
    )
    return render_sheet(request, sheet, papers)


def find_round(season: SeasonShown, number: int) -> SheetRound | None:
    """Return a round of the schedule by groups and tables, or None if there is no such round."""
    tables = [
        SheetTable(each.table, tuple(player.name for player in each.players), each.group)
        for each in season.fixtures
        if each.round == number
    ]
    return SheetRound(number, tuple(sorted(tables, key=lambda each: (each.group, each.table)))) if tables else None


def wall_charts(season: SeasonShown) -> Iterator[WallChart]:
    """Yield the crosstables of all groups by sheet."""
    for group in season.groups:
        yield from charts_of(
            group_text(group), (WallLine(line.rank, line.player.name, line.cells) for line in group.lines)
        )


@get("/qr.svg", media_type=QR_TYPE)
async def league_code(
    league_id: FromPath[UUID], leagues: NamedDependency[LeagueService], settings: NamedDependency[Settings]
) -> Response[bytes]:
    """Return the address of the league as a QR code; raise `NoSuchStream` if it is unknown."""
    await leagues.stream(league_id)
    return await render_qr_code(f"{settings.origin}{league_path(league_id)}")


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/leagues/{league_id:uuid}",
        route_handlers=[sheet_page, league_code],
        dependencies={"leagues": Provide(provide_leagues, sync_to_thread=False)},
    ),
)
