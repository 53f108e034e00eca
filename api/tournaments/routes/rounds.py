"""Rounds of a tournament: pair, preview, move, lock, publish, results, rulings, closing."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.http.errors import problems
from api.http.guards import BY_ORGANISERS, CHANGES_BY, requires_caller, requires_service
from api.http.limits import TEXT_BYTES_MAX
from api.http.who_may import allowed_to
from api.tournaments.routes.tournaments import CHANGES, answer
from api.tournaments.service import TournamentService
from api.tournaments.wire import (
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
    TournamentOwedShown,
    TournamentShown,
)
from domain.tournaments import rounds

ANSWER_BYTES_MAX: Final = 1024 * 1024
"""A pairing of 1,000 tables has reasons of 700 bytes each. 8 MB of JSON can hold the loop for half a second."""
ROUND: Final = "/tournaments/{event_id:uuid}/rounds/{number:int}"
TABLE: Final = ROUND + "/tables/{table:int}"


@allowed_to("official", "its organisers")
@post(
    "/tournaments/{event_id:uuid}/pairings",
    guards=[requires_caller],
    responses=CHANGES,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def ask_pairing(
    event_id: FromPath[UUID], data: JSONBody[AskPairing], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """The next round is to be paired: a worker does it, and proposes its tables. Asked again, the rest anew."""
    event = await tournaments.changes.execute_beside(
        event_id,
        lambda state, results, by: rounds.ask_pairing(
            state, results, by, tables=data.tables, byes=data.byes, again=data.again
        ),
    )
    return await answer(tournaments, event, 201)


@allowed_to("official", "its organisers")
@post(ROUND + "/swaps", guards=[requires_caller], responses=CHANGES)
async def swap_people(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[SwapPeople],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Two people change places: in the proposal, or at tables of the public round that have not begun."""
    return await answer(tournaments, await tournaments.rounds.seat_otherwise(event_id, number, data), 201)


@allowed_to("official", "its organisers")
@post(ROUND + "/moves", guards=[requires_caller], responses=CHANGES)
async def move_person(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[MovePerson],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Somebody goes to another table: in the proposal, or between tables of the public round that have not begun."""
    return await answer(tournaments, await tournaments.rounds.seat_otherwise(event_id, number, data), 201)


@allowed_to("official", "its organisers")
@put(ROUND + "/locks", guards=[requires_caller], responses=CHANGES)
async def lock_tables(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[LockTables],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """These tables of the proposal stand."""
    event = await tournaments.changes.organise(
        event_id, lambda state, by: rounds.lock_tables(state, number, data.tables, by)
    )
    return await answer(tournaments, event)


@allowed_to("official", "its organisers")
@post(ROUND + "/publication", guards=[requires_caller], responses=CHANGES)
async def publish_round(
    event_id: FromPath[UUID], number: FromPath[int], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """The round begins, if its proposal still fits: everybody may see it, and its matches are opened."""
    return await answer(tournaments, await tournaments.rounds.publish(event_id, number), 201)


@allowed_to("official", "its organisers")
@post(ROUND + "/no-shows", guards=[requires_caller], responses=CHANGES)
async def note_no_show(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[NoteNoShow],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Somebody did not come to a table that has not begun; a bot takes the seat, if the tournament lets it and that is
    wished."""
    return await answer(tournaments, await tournaments.rounds.no_show(event_id, number, data), 201)


@allowed_to("official", "its organisers")
@post(ROUND + "/no-shows/{entry:str}/withdrawal", guards=[requires_caller], responses=CHANGES)
async def withdraw_no_show(
    event_id: FromPath[UUID],
    number: FromPath[int],
    entry: FromPath[str],
    data: JSONBody[GiveReason],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Somebody came after all, and has the seat again that a bot had taken."""
    return await answer(
        tournaments, await tournaments.rounds.withdraw_no_show(event_id, number, entry, data.reason), 201
    )


@allowed_to("official", "its organisers")
@post(ROUND + "/substitutes", guards=[requires_caller], responses=CHANGES)
async def name_substitute(
    event_id: FromPath[UUID],
    number: FromPath[int],
    data: JSONBody[NameSubstitute],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """Somebody else plays for an entry at its table of the newest round: before the match has begun, or from now on."""
    event = await tournaments.rounds.name_substitute(event_id, number, data)
    return await answer(tournaments, event, 201)


@allowed_to("official", "its organisers")
@put(TABLE + "/result", guards=[requires_caller], responses=CHANGES)
async def give_result(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[GiveResult],
    tournaments: NamedDependency[TournamentService],
) -> Response[TournamentShown]:
    """The result of a table played face to face: it is marked as unverified."""
    event = await tournaments.changes.judge(
        event_id,
        "set a result",
        lambda state, by: rounds.enter_result(
            state, number, table, data.scores, data.places, by, data.reason, sure=data.sure
        ),
    )
    return await answer(tournaments, event)


@allowed_to("official", "its organisers")
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
    """What the table counts as, whatever was played; a match still going on there is voided."""
    return await answer(tournaments, await tournaments.rounds.rule(event_id, number, table, data))


@allowed_to("official", "its organisers")
@post(ROUND + "/closing", guards=[requires_caller], responses=CHANGES)
async def close_round(
    event_id: FromPath[UUID], number: FromPath[int], tournaments: NamedDependency[TournamentService]
) -> Response[TournamentShown]:
    """The round ends, when all results are in and no dispute is open."""
    return await answer(tournaments, await tournaments.rounds.close(event_id, number), 201)


@get("/tournaments/{event_id:uuid}/owed", guards=[requires_service], responses=problems(400, 401, 403, 404))
async def get_owed(event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService]) -> TournamentOwedShown:
    """What the tournament waits for, for the service's own workers."""
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
    """What the pairing came to, by the service's own workers."""
    await tournaments.duties.answer(event_id, data)
    return Response(None, status_code=204)


@post(TABLE + "/match", guards=[requires_service], responses=CHANGES)
async def open_table(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[OpenTable],
    tournaments: NamedDependency[TournamentService],
) -> Response[None]:
    """The match of a table, with everybody in their seat, by the service's own workers."""
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
    """The match of a table begins without those who have not come in time, by the service's own workers."""
    await tournaments.duties.start_table(event_id, number, table, data.expected_version)
    return Response(None, status_code=204)


@post("/tournaments/{event_id:uuid}/steps", guards=[requires_service], responses=CHANGES)
async def take_step(
    event_id: FromPath[UUID],
    data: JSONBody[TakeStep],
    tournaments: NamedDependency[TournamentService],
) -> Response[None]:
    """A step the tournament takes by itself."""
    await tournaments.duties.step(event_id, data.step, data.expected_version)
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
        take_step,
    ],
    opt=BY_ORGANISERS,
    tags=["tournaments"],
)
