"""Routes for rounds: pairing, preview, moves, locks, publication, results, rulings and closing."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.contests.bot_lines import AnswerLines
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ORGANISERS, CHANGES_BY, requires_caller, requires_service
from api.http.limits import TEXT_BYTES_MAX
from api.tournaments.duty_schemas import TournamentOwedShown
from api.tournaments.routes.tournaments import CHANGES, tournament_response
from api.tournaments.schemas import (
    AnswerPairing,
    AskPairing,
    GiveReason,
    GiveResult,
    LockTables,
    MovePerson,
    NameSubstitute,
    NoteNoShow,
    OpenTable,
    RuleTable,
    SwapPeople,
    TakeStep,
    TournamentShown,
)
from api.tournaments.service import TournamentService
from domain.tournaments import rounds

ANSWER_BYTES_MAX: Final = 1024 * 1024
"""A pairing of 1,000 tables has reasons of 700 bytes each. 8 MB of JSON can block the event loop for half a second."""
ROUND: Final = "/tournaments/{event_id:uuid}/rounds/{number:int}"
TABLE: Final = ROUND + "/tables/{table:int}"


@declare_access("official", "its organisers")
@post(
    "/tournaments/{event_id:uuid}/pairings",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def ask_pairing(
    event_id: FromPath[UUID], data: JSONBody[AskPairing], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Request a pairing of the next round as an organiser; a worker computes it. Replaces the current proposal."""
    event = await tournaments.changes.execute_from_reader(
        event_id,
        lambda state, results, by: rounds.ask_pairing(
            state, results, by, tables=data.tables, byes=data.byes, again=data.again
        ),
    )
    return await tournament_response(tournaments, event, 201)


@declare_access("official", "its organisers")
@post(ROUND + "/swaps", guards=[requires_caller], responses=CHANGES)
async def swap_people(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[SwapPeople],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Swap two players as an organiser, in the proposal or at tables of the public round that have not started."""
    return await tournament_response(tournaments, await tournaments.rounds.change_seating(event_id, number, data), 201)


@declare_access("official", "its organisers")
@post(ROUND + "/moves", guards=[requires_caller], responses=CHANGES)
async def move_person(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[MovePerson],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Move a player to another table as an organiser.

    In the proposal, or between tables of the public round that have not started.
    """
    return await tournament_response(tournaments, await tournaments.rounds.change_seating(event_id, number, data), 201)


@declare_access("official", "its organisers")
@put(ROUND + "/locks", guards=[requires_caller], responses=CHANGES)
async def lock_tables(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[LockTables],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Lock these tables of the proposal, as an organiser: a new pairing keeps them. Other tables are unlocked."""
    event = await tournaments.changes.organise(
        event_id, lambda state, by: rounds.lock_tables(state, number, data.tables, by)
    )
    return await tournament_response(tournaments, event)


@declare_access("official", "its organisers")
@post(ROUND + "/publication", guards=[requires_caller], responses=CHANGES)
async def publish_round(
    event_id: FromPath[UUID], number: FromPath[int], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Publish the proposed round as an organiser, if it still fits; its matches are then opened."""
    return await tournament_response(tournaments, await tournaments.rounds.publish(event_id, number), 201)


@declare_access("official", "its organisers")
@post(ROUND + "/no-shows", guards=[requires_caller], responses=CHANGES)
async def note_no_show(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[NoteNoShow],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Record a no-show at a table that has not started, as an organiser who does not play in the event.

    The event's bot takes the seat if requested and allowed.
    """
    return await tournament_response(tournaments, await tournaments.rounds.record_no_show(event_id, number, data), 201)


@declare_access("official", "its organisers")
@post(ROUND + "/no-shows/{entry:str}/withdrawal", guards=[requires_caller], responses=CHANGES)
async def withdraw_no_show(
    event_id: FromPath[UUID],
    number: FromPath[int],
    entry: FromPath[str],
    data: JSONBody[GiveReason],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Withdraw a no-show, as an organiser who does not play in the event.

    The player gets the seat back from the bot.
    """
    return await tournament_response(
        tournaments, await tournaments.rounds.withdraw_no_show(event_id, number, entry, data.reason), 201
    )


@declare_access("official", "its organisers")
@post(ROUND + "/substitutes", guards=[requires_caller], responses=CHANGES)
async def name_substitute(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[NameSubstitute],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Name or invite a substitute as an organiser, for an entry at its table of the latest round.

    Possible before and during the match.
    """
    event = await tournaments.rounds.name_substitute(event_id, number, data)
    return await tournament_response(tournaments, event, 201)


@declare_access("official", "its organisers")
@put(TABLE + "/result", guards=[requires_caller], responses=CHANGES)
async def give_result(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[GiveResult],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Enter the result of a face-to-face table, as an organiser who does not play in the event.

    It is marked as unverified.
    """
    event = await tournaments.changes.judge(
        event_id,
        "set a result",
        lambda state, by: rounds.enter_result(
            state, number, table, data.scores, data.places, by, data.reason, sure=data.sure
        ),
    )
    return await tournament_response(tournaments, event)


@declare_access("official", "its organisers")
@put(
    TABLE + "/ruling",
    opt={CHANGES_BY: ("organise", "arbitrate")},
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def rule_table(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[RuleTable],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Rule on the result of a table, as an organiser who does not play in the event.

    A running match there is voided.
    """
    return await tournament_response(tournaments, await tournaments.rounds.rule(event_id, number, table, data))


@declare_access("official", "its organisers")
@post(ROUND + "/closing", guards=[requires_caller], responses=CHANGES)
async def close_round(
    event_id: FromPath[UUID], number: FromPath[int], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """Close the round, as an organiser, once all results are in and no dispute is open."""
    return await tournament_response(tournaments, await tournaments.rounds.close(event_id, number), 201)


@get("/tournaments/{event_id:uuid}/owed", guards=[requires_service], responses=problems(400, 401, 403, 404))
async def get_owed(event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService]) -> TournamentOwedShown:
    """Return the next duty of the tournament, for the service's workers."""
    return await tournaments.duties.read_duty(event_id)


@post(
    "/tournaments/{event_id:uuid}/pairing",
    guards=[requires_service],
    responses=CHANGES,
    request_max_body_size=ANSWER_BYTES_MAX,
)
async def answer_pairing(
    event_id: FromPath[UUID], data: JSONBody[AnswerPairing], tournaments: NamedDependency[TournamentService]
) -> Response[None]:
    """Store the pairing that a worker computed, or its failure, if the tournament is at the expected version; 204."""
    await tournaments.duties.store_pairing(event_id, data)
    return Response(None, status_code=204)


@post(TABLE + "/match", guards=[requires_service], responses=CHANGES)
async def open_table(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[OpenTable],
    tournaments: NamedDependency[TournamentService],
) -> Response[None]:
    """Open the match of a table with all players seated, for the service's workers; 204.

    Rejected unless the tournament is at the expected version.
    """
    await tournaments.duties.open_table(event_id, number, table, data.expected_version)
    return Response(None, status_code=204)


@post(TABLE + "/start", guards=[requires_service], responses=CHANGES)
async def start_table(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[OpenTable],
    tournaments: NamedDependency[TournamentService],
) -> Response[None]:
    """Start the match of a table without absent players, for the service's workers; 204.

    Rejected unless the tournament is at the expected version.
    """
    await tournaments.duties.start_table(event_id, number, table, data.expected_version)
    return Response(None, status_code=204)


@post(TABLE + "/lines", guards=[requires_service], responses=CHANGES)
async def answer_lines(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[AnswerLines],
    tournaments: NamedDependency[TournamentService],
) -> Response[None]:
    """Decide a table by the lines that bots played on after a deadline, for the service's workers; 204.

    Rejected unless the table is left to bots.
    """
    await tournaments.duties.adjudicate(event_id, number, table, data)
    return Response(None, status_code=204)


@post("/tournaments/{event_id:uuid}/steps", guards=[requires_service], responses=CHANGES)
async def take_step(
    event_id: FromPath[UUID],
    data: JSONBody[TakeStep],
    tournaments: NamedDependency[TournamentService],
) -> Response[None]:
    """Take an automatic step of the tournament that is due, for the service's workers; 204.

    Rejected if it is not due, or the tournament is not at the expected version.
    """
    await tournaments.duties.take_step(event_id, data.step, data.expected_version)
    return Response(None, status_code=204)


ROUTER = Router(
    "/",
    route_handlers=[
        ask_pairing,
        swap_people,
        move_person,
        lock_tables,
        publish_round,
        note_no_show,
        withdraw_no_show,
        name_substitute,
        give_result,
        rule_table,
        close_round,
        get_owed,
        answer_pairing,
        open_table,
        start_table,
        answer_lines,
        take_step,
    ],
    opt=BY_ORGANISERS,
    tags=["tournaments"],
)
