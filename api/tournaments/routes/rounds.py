"""Rounds of a tournament: pair, preview, move, lock, publish, results, rulings, closing."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.matches.service import Tables, now
from api.tournaments.routes.tournaments import CHANGES, answer
from api.tournaments.service import Office
from api.tournaments.wire import (
    AnswerPairing,
    AskPairing,
    EventOwedShown,
    EventShown,
    GiveResult,
    LockTables,
    MovePerson,
    NoteNoShow,
    OpenTable,
    RuleTable,
    SwapPeople,
    TakeStep,
)
from api.web.errors import problems
from api.web.guards import requires_caller, requires_service
from domain.tournaments import commands, rounds

ANSWER_BYTES_MAX: Final = 8 * 1024 * 1024
"""A pairing of a thousand comes with a thousand reasons."""
ROUND: Final = "/tournaments/{event_id:uuid}/rounds/{number:int}"
TABLE: Final = ROUND + "/tables/{table:int}"


@post("/tournaments/{event_id:uuid}/pairings", guards=[requires_caller], responses=CHANGES)
async def ask_pairing(
    event_id: FromPath[UUID], data: JSONBody[AskPairing], office: NamedDependency[Office]
) -> Response[EventShown]:
    """The next round is to be paired: a worker does it, and proposes its tables. Asked again, the rest anew."""
    event = await office.thought(
        event_id,
        lambda state, results, by: rounds.asked(
            state, results, by, tables=data.tables, byes=data.byes, again=data.again
        ),
    )
    return await answer(office, event, 201)


@post(ROUND + "/swaps", guards=[requires_caller], responses=CHANGES)
async def swap_people(
    event_id: FromPath[UUID], number: FromPath[int], data: JSONBody[SwapPeople], office: NamedDependency[Office]
) -> Response[EventShown]:
    """Two people of the proposal change places."""
    event = await office.thought(
        event_id, lambda state, _, by: rounds.swapped(state, number, data.first, data.second, by)
    )
    return await answer(office, event, 201)


@post(ROUND + "/moves", guards=[requires_caller], responses=CHANGES)
async def move_person(
    event_id: FromPath[UUID], number: FromPath[int], data: JSONBody[MovePerson], office: NamedDependency[Office]
) -> Response[EventShown]:
    """Somebody of the proposal goes to another table."""
    event = await office.thought(event_id, lambda state, _, by: rounds.moved(state, number, data.entry, data.table, by))
    return await answer(office, event, 201)


@put(ROUND + "/locks", guards=[requires_caller], responses=CHANGES)
async def lock_tables(
    event_id: FromPath[UUID], number: FromPath[int], data: JSONBody[LockTables], office: NamedDependency[Office]
) -> Response[EventShown]:
    """These tables of the proposal stand."""
    event = await office.organise(event_id, lambda state, by: rounds.locked(state, number, data.tables, by))
    return await answer(office, event)


@post(ROUND + "/publication", guards=[requires_caller], responses=CHANGES)
async def publish_round(
    event_id: FromPath[UUID], number: FromPath[int], office: NamedDependency[Office]
) -> Response[EventShown]:
    """The round begins: everybody may see it, and its matches are opened."""
    return await answer(
        office, await office.organise(event_id, lambda state, by: rounds.published(state, number, by)), 201
    )


@post(ROUND + "/no-shows", guards=[requires_caller], responses=CHANGES)
async def note_no_show(
    event_id: FromPath[UUID], number: FromPath[int], data: JSONBody[NoteNoShow], office: NamedDependency[Office]
) -> Response[EventShown]:
    """Somebody did not come; a bot takes the seat, if the event lets it and that is wished."""
    return await answer(office, await office.no_show(event_id, number, data.entry, with_bot=data.bot), 201)


@put(TABLE + "/result", guards=[requires_caller], responses=CHANGES)
async def give_result(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[GiveResult],
    office: NamedDependency[Office],
) -> Response[EventShown]:
    """The result of a table played face to face: it is marked as unverified."""
    event = await office.organise(
        event_id, lambda state, by: rounds.entered(state, number, table, data.scores, data.places, by)
    )
    return await answer(office, event)


@put(TABLE + "/ruling", guards=[requires_caller], responses=CHANGES)
async def rule_table(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[RuleTable],
    office: NamedDependency[Office],
) -> Response[EventShown]:
    """What the table counts as, whatever was played; a match still going on there is voided."""
    return await answer(office, await office.rule(event_id, number, table, data))


@post(ROUND + "/closing", guards=[requires_caller], responses=CHANGES)
async def close_round(
    event_id: FromPath[UUID], number: FromPath[int], office: NamedDependency[Office]
) -> Response[EventShown]:
    """The round ends, when all results are in and no dispute is open."""
    return await answer(office, await office.close(event_id, number), 201)


@get("/tournaments/{event_id:uuid}/owed", guards=[requires_service], responses=problems(400, 401, 403, 404))
async def get_owed(event_id: FromPath[UUID], office: NamedDependency[Office]) -> EventOwedShown:
    """What the event waits for, for the service's own workers."""
    return await office.owed(event_id)


@post(
    "/tournaments/{event_id:uuid}/pairing",
    guards=[requires_service],
    responses=CHANGES,
    request_max_body_size=ANSWER_BYTES_MAX,
)
async def answer_pairing(
    event_id: FromPath[UUID], data: JSONBody[AnswerPairing], office: NamedDependency[Office]
) -> Response[None]:
    """What the pairing came to, by the service's own workers."""
    await office.answer(event_id, data)
    return Response(None, status_code=204)


@post(TABLE + "/match", guards=[requires_service], responses=CHANGES)
async def open_table(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    data: JSONBody[OpenTable],
    tables: NamedDependency[Tables],
) -> Response[None]:
    """The match of a table, with everybody in their seat, by the service's own workers."""
    expected = data.expected_version
    await tables.change(event_id, commands.open_table, number, table, at=now(), expected_version=expected)
    return Response(None, status_code=204)


@post("/tournaments/{event_id:uuid}/steps", guards=[requires_service], responses=CHANGES)
async def take_step(
    event_id: FromPath[UUID],
    data: JSONBody[TakeStep],
    office: NamedDependency[Office],
) -> Response[None]:
    """A step the event takes by itself."""
    await office.step(event_id, data.step, data.expected_version)
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
        give_result,
        rule_table,
        close_round,
        get_owed,
        answer_pairing,
        open_table,
        take_step,
    ],
    tags=["tournaments"],
)
