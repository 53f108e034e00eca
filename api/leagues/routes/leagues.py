"""Routes for leagues: open, enter, draw, play, rule and close; group tables of every season."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, RawBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ENTRANTS, BY_ORGANISERS, requires_caller, requires_person
from api.http.ids import IdempotencyKey, Ids
from api.http.limits import CREATES, TEXT_BYTES_MAX
from api.http.openapi import CSV, JSON, with_file
from api.http.paging import Before, Limit
from api.http.structs import ImportShown
from api.leagues import files
from api.leagues.duties import provide_duties
from api.leagues.routes.papers import PAPERS, set_prizes
from api.leagues.routes.steps import CHANGE, STEPS
from api.leagues.schemas import (
    AnnounceToLeague,
    AnswerLeagueInvitation,
    ChangeLeague,
    EnterLeague,
    GiveFixture,
    LeagueRecordShown,
    LeagueShown,
    LeaguesShown,
    MoveDeadline,
    MoveInDraw,
    NameOfPlayer,
    NameSubstitute,
    OpenLeague,
    OpenSeason,
    PenaliseInLeague,
    RuleFixture,
    SwapInDraw,
)
from api.leagues.season_schemas import SeasonShown
from api.leagues.service import LeagueService, OrganisedLeague, provide_league, provide_leagues
from api.tournaments.routes.tournaments import FILE_BYTES_MAX, Why
from projections.platform.paging import LIMIT


@get("/leagues", responses=problems(400, 401))
async def list_leagues(
    leagues: NamedDependency[LeagueService], before: Before = None, limit: Limit = LIMIT
) -> LeaguesShown:
    """List leagues, latest first."""
    found = await leagues.list(limit, before)
    return LeaguesShown(found.items, next=found.next)


@declare_access("signed in", "rated: organisers of the service")
@post("/leagues", guards=[requires_caller], responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX, opt=CREATES)
async def open_league(
    data: JSONBody[OpenLeague],
    leagues: NamedDependency[LeagueService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[LeagueShown]:
    """Open a league organised by the caller (201); the same Idempotency-Key returns the same league.

    Raise `LeagueRefused` for a bad plan, `RoleMissing` for a rated league without the right to rate, and the other
    errors of `LeagueService.open`.
    """
    league = await leagues.open(data.plan, ids, idempotency_key, data.official)
    return Response(await leagues.encode(league), status_code=201)


@get("/leagues/{league_id:uuid}", responses=problems(400, 401, 404))
async def get_league(league_id: FromPath[UUID], leagues: NamedDependency[LeagueService]) -> LeagueShown:
    """Return the league with its seasons and its hall of fame."""
    return await leagues.encode(await leagues.stream(league_id))


@get("/leagues/{league_id:uuid}/seasons/{number:int}", responses=problems(400, 401, 404))
async def get_season(
    league_id: FromPath[UUID], number: FromPath[int], leagues: NamedDependency[LeagueService]
) -> SeasonShown:
    """Return a season: the table of every group, and all fixtures. 404 if there is none."""
    return await leagues.season(await leagues.stream(league_id), number)


@declare_access("signed in", "the caller; others are invited by the organiser")
@post("/leagues/{league_id:uuid}/entries", opt=BY_ENTRANTS, guards=[requires_caller], responses=CHANGE)
async def enter(
    league_id: FromPath[UUID], data: JSONBody[EnterLeague], leagues: NamedDependency[LeagueService]
) -> LeagueShown:
    """Enter the caller in the next season; an organiser may name others: bots are entered, accounts invited.

    Raise `RoleMissing` for others than organisers who name a player, `LeagueRefused` if registration is closed, the
    player has entered or lacks an invitation, and the other errors of `LeagueService.enter`.
    """
    return await leagues.encode(await leagues.enter(league_id, data))


@declare_access("signed in", "the invited person")
@post(
    "/leagues/{league_id:uuid}/invitation",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGE,
    status_code=200,
)
async def answer_invitation(
    league_id: FromPath[UUID], data: JSONBody[AnswerLeagueInvitation], leagues: NamedDependency[LeagueService]
) -> LeagueShown:
    """Accept or decline an invitation of the caller; raise `LeagueRefused` without such an open invitation."""
    return await leagues.encode(await leagues.answer_invitation(league_id, data))


@declare_access("own", "the caller; others: the organiser")
@delete(
    "/leagues/{league_id:uuid}/entries/{player:str}",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    responses=CHANGE,
    status_code=200,
)
async def leave(
    league_id: FromPath[UUID], player: FromPath[str], leagues: NamedDependency[LeagueService], reason: Why = ""
) -> LeagueShown:
    """Withdraw a player from the season: the caller, or as an organiser another with a reason.

    Raise `RoleMissing` for others, `LeagueRefused` if they have not entered, or without a reason for another player.
    """
    return await leagues.encode(await leagues.leave(league_id, player, reason))


@get("/leagues/{league_id:uuid}/record", responses=problems(400, 401, 404))
async def get_record(
    league_id: FromPath[UUID], leagues: NamedDependency[LeagueService], before: Before = None, limit: Limit = LIMIT
) -> LeagueRecordShown:
    """Return the acts of the organisers with their reasons, latest first."""
    found = await leagues.record(league_id, limit, before)
    return LeagueRecordShown(tuple(found.items), next=found.next)


@declare_access("official", "its organisers")
@post("/plan", responses=CHANGE, status_code=200, request_max_body_size=TEXT_BYTES_MAX)
async def change_plan(data: JSONBody[ChangeLeague], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Change the plan from the next season; needs a reason once groups have been drawn."""
    return await league.encode(await league.change_plan(data.plan, data.reason))


@declare_access("official", "its organisers")
@post("/invitations", responses=CHANGE)
async def invite(data: JSONBody[NameOfPlayer], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Invite a player to enter the league."""
    return await league.encode(await league.invite(data.player))


@declare_access("official", "its organisers")
@delete("/invitations/{player:str}", responses=CHANGE, status_code=200)
async def take_back_invitations(player: FromPath[str], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Withdraw the open invitations of a player."""
    return await league.encode(await league.take_back_invitations(player))


@declare_access("official", "its organisers")
@post("/seasons", responses=CHANGE)
async def open_season(data: JSONBody[OpenSeason], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Open registration for the next season."""
    return await league.encode(await league.open_season(data.name))


@declare_access("official", "its organisers")
@post(
    "/files/players",
    operation_class=with_file(takes=(CSV, JSON)),
    responses=CHANGE | {200: ResponseSpec(ImportShown, description="All players were already entered")},
    request_max_body_size=FILE_BYTES_MAX,
)
async def import_players(body: RawBody, league: NamedDependency[OrganisedLeague]) -> Response[ImportShown]:
    """Import players for the next season as CSV or JSON, all or none; 201, or 200 if the file changes nothing.

    Columns: `player`, `seeding`. Bots are entered, accounts invited. Raise `ImportRefused` for a bad row,
    `LeagueRefused` unless a season takes entries.
    """
    count = await files.import_players(league, body)
    return Response(ImportShown(count, count == 0), status_code=201 if count else 200)


@declare_access("official", "its organisers")
@post(
    "/files/results",
    operation_class=with_file(takes=(CSV, JSON)),
    responses=CHANGE | {200: ResponseSpec(ImportShown, description="The same file was already imported")},
    request_max_body_size=FILE_BYTES_MAX,
)
async def import_results(
    body: RawBody, league: NamedDependency[OrganisedLeague], sure: FromQuery[bool] = False, reason: Why = ""
) -> Response[ImportShown]:
    """Import unverified results of face-to-face tables as CSV or JSON; the same file again changes nothing (200).

    Columns: `group`, `round`, `table`, `player`, `score`, `place`. A running match at such a table is voided. `sure`:
    accept places that contradict their points. Late and replaced results need a reason. Raise `ImportRefused` or
    `ConflictOfInterest`.
    """
    count = await files.import_results(league, body, reason, sure=sure)
    return Response(ImportShown(count, count == 0), status_code=201 if count else 200)


@declare_access("official", "its organisers")
@post("/draw", responses=CHANGE, status_code=200)
async def draw(league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Draw the groups of the season with their schedules."""
    return await league.encode(await league.draw())


@declare_access("official", "its organisers")
@post("/draw/swap", responses=CHANGE, status_code=200)
async def swap_in_draw(data: JSONBody[SwapInDraw], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Swap two players of the proposed draw of a season with a schedule; raise `LeagueRefused` without a proposal."""
    return await league.encode(await league.swap_in_draw(data))


@declare_access("official", "its organisers")
@post("/draw/move", responses=CHANGE, status_code=200)
async def move_in_draw(data: JSONBody[MoveInDraw], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Move a player of the proposed draw to another group; raise `LeagueRefused` without a proposal."""
    return await league.encode(await league.move_in_draw(data))


@declare_access("official", "its organisers")
@post("/rounds", responses=CHANGE)
async def open_round(league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Open the next round, or all if the season is played at once; its matches are opened later, one by one.

    The season shows how many of its tables are open. Raise `LeagueRefused` if no round is left, or a place needs a
    substitute.
    """
    return await league.encode(await league.open_round())


@declare_access("official", "its organisers")
@post("/deadlines", responses=CHANGE, status_code=200)
async def move_deadline(data: JSONBody[MoveDeadline], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Move the deadline of an open round."""
    return await league.encode(await league.move_deadline(data))


@declare_access("official", "its organisers")
@post("/substitutes", responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX)
async def substitute(data: JSONBody[NameSubstitute], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Name a substitute for a place from a round on."""
    stream = await league.substitute(data.group, data.out, data.player, data.from_round, data.reason)
    return await league.encode(stream)


@declare_access("official", "its organisers")
@post("/rulings", responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX)
async def rule(data: JSONBody[RuleFixture], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Rule on a table that cannot be finished; a running match there is voided."""
    return await league.encode(await league.rule(data))


@declare_access("official", "its organisers")
@post("/results", responses=CHANGE)
async def give_result(data: JSONBody[GiveFixture], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Enter the unverified result of a face-to-face table; a running match there is voided."""
    fixture = (data.group, data.round, data.table)
    return await league.encode(await league.give_result(fixture, data.scores, data.places, data.reason, sure=data.sure))


@declare_access("official", "its organisers")
@post("/penalties", responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX)
async def penalise(data: JSONBody[PenaliseInLeague], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Deduct points from a player in the group table, with a reason; negative numbers give them back."""
    return await league.encode(await league.penalise(data.player, data.sixtieths, data.reason))


@declare_access("official", "its organisers")
@post("/close", responses=CHANGE, status_code=200)
async def close(league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Close the season once every table has a result or a ruling."""
    return await league.encode(await league.close())


@declare_access("official", "its organisers")
@post("/announcements", responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX)
async def announce(data: JSONBody[AnnounceToLeague], league: NamedDependency[OrganisedLeague]) -> LeagueShown:
    """Announce a text to everyone."""
    return await league.encode(await league.announce(data.text))


ORGANISED: Final = Router(
    "/leagues/{league_id:uuid}",
    route_handlers=[
        change_plan,
        invite,
        take_back_invitations,
        open_season,
        import_players,
        import_results,
        draw,
        swap_in_draw,
        move_in_draw,
        open_round,
        move_deadline,
        substitute,
        rule,
        give_result,
        penalise,
        set_prizes,
        close,
        announce,
    ],
    guards=[requires_caller],
    dependencies={"league": Provide(provide_league)},
)
ROUTER: Final = Router(
    "/",
    route_handlers=[
        list_leagues,
        open_league,
        get_league,
        get_season,
        get_record,
        *PAPERS,
        enter,
        answer_invitation,
        leave,
        *STEPS,
        ORGANISED,
    ],
    dependencies={
        "leagues": Provide(provide_leagues, sync_to_thread=False),
        "duties": Provide(provide_duties, sync_to_thread=False),
    },
    opt=BY_ORGANISERS,
    tags=["leagues"],
)
