"""Routes by which the service's workers take the steps of leagues."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.contests.bot_lines import AnswerLines
from api.http.errors import problems
from api.http.guards import requires_service
from api.leagues.duties import LeagueDuties
from api.leagues.schemas import LeagueOwedShown, TakeLeagueStep
from api.tournaments.schemas import OpenTable

CHANGE: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)


@get("/leagues/{league_id:uuid}/owed", guards=[requires_service], responses=problems(400, 401, 403, 404))
async def get_owed(league_id: FromPath[UUID], duties: NamedDependency[LeagueDuties]) -> LeagueOwedShown:
    """Return the next duty of the league, for the service's workers."""
    return await duties.read_duty(league_id)


@post("/leagues/{league_id:uuid}/steps", guards=[requires_service], responses=CHANGE)
async def take_step(
    league_id: FromPath[UUID], data: JSONBody[TakeLeagueStep], duties: NamedDependency[LeagueDuties]
) -> Response[None]:
    """Take an automatic step of the league that is due, for the service's workers; 204.

    Raise `LeagueRefused` if it is not due, `StaleVersion` if the league is at another version.
    """
    await duties.take_step(league_id, data.step, data.expected_version)
    return Response(None, status_code=204)


@post(
    "/leagues/{league_id:uuid}/groups/{group:int}/rounds/{number:int}/tables/{table:int}/match",
    guards=[requires_service],
    responses=CHANGE,
)
async def open_table(
    league_id: FromPath[UUID],
    group: FromPath[int],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[OpenTable],
    duties: NamedDependency[LeagueDuties],
) -> Response[None]:
    """Open the match of a table with all players seated, for the service's workers; 204, also if it is open already.

    Raise `StaleVersion` if the league is at another version, `LeagueRefused` if the round is not open or the table has
    a result.
    """
    await duties.open_table(league_id, (group - 1, number, table), data.expected_version)
    return Response(None, status_code=204)


@post(
    "/leagues/{league_id:uuid}/groups/{group:int}/rounds/{number:int}/tables/{table:int}/lines",
    guards=[requires_service],
    responses=CHANGE,
)
async def answer_lines(
    league_id: FromPath[UUID],
    group: FromPath[int],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[AnswerLines],
    duties: NamedDependency[LeagueDuties],
) -> Response[None]:
    """Decide a table by the lines that bots played on after a deadline, for the service's workers; 204.

    Raise `LeagueRefused` unless the table is left to bots.
    """
    await duties.adjudicate(league_id, (group - 1, number, table), data)
    return Response(None, status_code=204)


STEPS: Final = (get_owed, take_step, open_table, answer_lines)
