"""Routes for the prizes, papers, files and calendars of seasons."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.contests.calendars import ICALENDAR
from api.contests.prize_schemas import SetDivisionPrizes
from api.http.access import declare_access
from api.http.errors import problems
from api.http.limits import TEXT_BYTES_MAX
from api.http.openapi import CSV, JSON, with_file
from api.leagues import awards, files
from api.leagues.awards import season_awards, season_numbered
from api.leagues.calendars import encode_calendar
from api.leagues.routes.steps import CHANGE
from api.leagues.schemas import LeagueShown
from api.leagues.season_schemas import SeasonAwardsShown
from api.leagues.service import LeagueService, OrganisedLeague
from api.tournaments.routes.tournaments import KINDS, PDF
from projections.platform.clock import now


@get(
    "/leagues/{league_id:uuid}/seasons/{number:int}/standings.csv",
    responses=problems(400, 401, 404),
    media_type="text/csv",
)
async def export_season(
    league_id: FromPath[UUID], number: FromPath[int], leagues: NamedDependency[LeagueService]
) -> Response[str]:
    """Export the group tables of a season as CSV; 404 if there is none."""
    content = await files.season_file("standings", "csv", leagues, await leagues.stream(league_id), number)
    return Response(content.decode(), media_type="text/csv")


@get(
    "/leagues/{league_id:uuid}/seasons/{number:int}/files/{what:str}",
    responses=problems(400, 401, 404),
    operation_class=with_file(gives=(CSV, JSON, PDF)),
)
async def export_file(
    league_id: FromPath[UUID], number: FromPath[int], what: FromPath[str], leagues: NamedDependency[LeagueService]
) -> Response[bytes]:
    """Export `standings`, `crosstable`, `fixtures` or `prizes` as `.csv` or `.json`, as an attachment.

    As `.pdf`: `standings`, `crosstable` and, once the season is closed, `certificates`. 404 for an unknown season;
    raise `NoSuchRound` for another name, `LeagueRefused` for certificates of a season that is not closed.
    """
    name, kind = files.parse_name(what)
    content = await files.season_file(name, kind, leagues, await leagues.stream(league_id), number)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(content, media_type=KINDS[kind], headers=headers)


@get("/leagues/{league_id:uuid}/seasons/{number:int}/awards", responses=problems(400, 401, 404))
async def get_awards(
    league_id: FromPath[UUID], number: FromPath[int], leagues: NamedDependency[LeagueService]
) -> SeasonAwardsShown:
    """Return the prizes of a season, and the awards by the current group tables. 404 if there is none."""
    return await season_awards(leagues, await leagues.stream(league_id), number)


@get(
    "/leagues/{league_id:uuid}/seasons/{number:int}/schedule.ics",
    responses=problems(400, 401, 404),
    operation_class=with_file(gives=(ICALENDAR,)),
)
async def get_icalendar(
    league_id: FromPath[UUID], number: FromPath[int], leagues: NamedDependency[LeagueService]
) -> Response[bytes]:
    """Return the dates of a season as an iCalendar file (RFC 5545). 404 if there is none."""
    stream = await leagues.stream(league_id)
    content = encode_calendar(stream.state, season_numbered(stream, number), now())
    headers = {"Content-Disposition": 'attachment; filename="schedule.ics"'}
    return Response(content, media_type=ICALENDAR, headers=headers)


@declare_access("official", "its organisers")
@put("/prizes", responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX)
async def set_prizes(data: JSONBody[SetDivisionPrizes], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Set the prizes of a division by place, for each of its groups, as an organiser who does not play.

    They hold for the latest season and later ones.
    """
    return await league.encode(await awards.set_prizes(league, data))


PAPERS: Final[tuple[Any, ...]] = (export_season, export_file, get_awards, get_icalendar)
