"""API routes of chats: rooms, reports, mutes and blocks."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ARBITERS, BY_OFFICIALS, BY_PLAYERS, CHANGES_BY, requires_person
from api.http.paging import Before, Limit
from api.talk.schemas import (
    BoundaryShown,
    MessageShown,
    PhraseShown,
    RemoveMessage,
    ReportMessage,
    ReportShown,
    Say,
    SetBoundary,
    TalkShown,
    phrases,
)
from api.talk.service import TalkService, provide_talk
from domain.talk import Room, RoomKind
from projections.platform.paging import LIMIT

JSON_LINES: Final = "application/jsonl"


def provide_room(kind: FromPath[RoomKind], about_id: FromPath[UUID]) -> Room:
    """Provide the room in the path."""
    return Room(kind, about_id)


@get("/phrases", responses=problems(400))
async def list_phrases() -> tuple[PhraseShown, ...]:
    """List ready-made phrases, which each reader sees in their language."""
    return phrases()


@declare_access("own", "members of the room; spectators: accounts that do not play there")
@get("/{kind:str}/{about_id:uuid}", responses=problems(400, 401, 403, 404))
async def read_room(
    room: NamedDependency[Room], talk: NamedDependency[TalkService], before: Before = None, limit: Limit = LIMIT
) -> TalkShown:
    """List messages, latest first: `players` and `spectators` of a match, `entrants` of a tournament or league.

    Messages of people whom the caller mutes are left out. Raise `NotInRoom` unless the caller may read the room.
    """
    return await talk.show(room, limit, before)


@declare_access("own", "writers of the room; spectators: accounts only")
@post(
    "/{kind:str}/{about_id:uuid}", guards=[requires_person], responses=problems(400, 401, 403, 404, 409, 413, 422, 429)
)
async def say(data: JSONBody[Say], room: NamedDependency[Room], talk: NamedDependency[TalkService]) -> MessageShown:
    """Send a message: plain text, or a ready-made phrase."""
    message = await talk.say(room, data.words, data.phrase)
    return (await talk.encode_messages([message]))[0]


@declare_access("official", "officials who are not involved, recorded")
@get(
    "/{kind:str}/{about_id:uuid}/file",
    guards=[requires_person],
    opt=BY_ARBITERS,
    media_type=JSON_LINES,
    responses=problems(400, 401, 403, 404),
)
async def take_room(room: NamedDependency[Room], talk: NamedDependency[TalkService]) -> Response[bytes]:
    """Return all messages of a room as JSON lines; recorded in the audit trail."""
    return Response(await talk.export(room), media_type=JSON_LINES)


@declare_access("own", "readers of the room")
@post(
    "/messages/{message_id:str}/reports",
    status_code=204,
    guards=[requires_person],
    responses=problems(400, 401, 403, 404, 413, 422, 429),
)
async def report(data: JSONBody[ReportMessage], message_id: FromPath[str], talk: NamedDependency[TalkService]) -> None:
    """Report a message to the officials of the event or the service."""
    await talk.report(message_id, data.reason)


@declare_access("official", "officials who are not involved, recorded")
@post(
    "/messages/{message_id:str}/removal",
    status_code=204,
    guards=[requires_person],
    opt={CHANGES_BY: ("arbitrate",)},
    responses=problems(400, 401, 403, 404, 413, 429),
)
async def remove(data: JSONBody[RemoveMessage], message_id: FromPath[str], talk: NamedDependency[TalkService]) -> None:
    """Remove a message: its text is erased, an empty entry stays. Recorded in the audit trail."""
    await talk.remove(message_id, data.reason)


@declare_access("official", "officials who are not involved")
@delete(
    "/messages/{message_id:str}/reports",
    guards=[requires_person],
    opt={CHANGES_BY: ("arbitrate",)},
    responses=problems(400, 401, 403, 404, 429),
)
async def dismiss(message_id: FromPath[str], talk: NamedDependency[TalkService]) -> None:
    """Dismiss the reports of a message."""
    await talk.dismiss(message_id)


@declare_access("official", "reports that they may decide")
@get("/reports", guards=[requires_person], opt=BY_OFFICIALS, responses=problems(400, 401, 403))
async def list_reports(talk: NamedDependency[TalkService]) -> tuple[ReportShown, ...]:
    """List open reports for the caller, oldest first."""
    return await talk.show_reports()


@declare_access("signed in", "the caller's")
@get("/boundaries", guards=[requires_person], responses=problems(401))
async def list_boundaries(talk: NamedDependency[TalkService]) -> tuple[BoundaryShown, ...]:
    """List the caller's mutes and blocks, latest first."""
    return talk.boundaries()


@put(
    "/boundaries/{person:str}",
    status_code=204,
    guards=[requires_person],
    responses=problems(400, 401, 404, 413, 422, 429),
)
async def set_boundary(data: JSONBody[SetBoundary], person: FromPath[str], talk: NamedDependency[TalkService]) -> None:
    """Mute or block a person by id or name."""
    await talk.set_boundary(person, data.kind)


@delete("/boundaries/{person:str}", guards=[requires_person], responses=problems(400, 401, 404, 429))
async def lift_boundary(person: FromPath[str], talk: NamedDependency[TalkService]) -> None:
    """Lift a mute or block."""
    await talk.lift_boundary(person)


ROUTER = Router(
    "/talk",
    route_handlers=[
        list_phrases,
        read_room,
        say,
        take_room,
        report,
        remove,
        dismiss,
        list_reports,
        list_boundaries,
        set_boundary,
        lift_boundary,
    ],
    dependencies={
        "talk": Provide(provide_talk, sync_to_thread=False),
        "room": Provide(provide_room, sync_to_thread=False),
    },
    opt=BY_PLAYERS,
    tags=["talk"],
)
