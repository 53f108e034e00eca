"""Pages of chats: rooms, messages and their moderation, mutes and blocks."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from litestar.response import ServerSentEvent

from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import requires_person
from api.http.languages import language_of
from api.http.live import open_stream
from api.http.page_responses import PageRequest, is_htmx, redirect_after_form, render_page
from api.http.paging import Before, Limit
from api.http.stream_access import at_most_every
from api.http.structs import RequestStruct, Short
from api.roles import scopes
from api.talk.live import LOOKED_SECONDS, TalkReader, draw_lines
from api.talk.rooms import RoomAccess
from api.talk.routes import JSON_LINES, provide_room
from api.talk.schemas import RemoveMessage, ReportMessage, Say, phrases
from api.talk.service import TalkService, provide_talk
from api.talk.store import Boundary, Message
from domain.roles.errors import NoSuchPerson
from domain.talk import REASON_MAX, WORDS_MAX, Room, SaidAlready, TalkRefused
from projections.platform.paging import LIMIT

PEOPLE: Final = "/account/people"


class BoundaryForm(RequestStruct, frozen=True):
    """A person by id or name, and the boundary to set."""

    person: Short
    kind: Boundary = "mute"


class LiftForm(RequestStruct, frozen=True):
    """The form that lifts a boundary."""

    person: Short


SAY: Final = Form("say", Say, verbatim=frozenset({"words"}), beside={TalkRefused: "words", SaidAlready: "words"})
REPORT: Final = Form("report", ReportMessage)
REMOVE: Final = Form("remove", RemoveMessage)
BOUNDARY: Final = Form("boundary", BoundaryForm, beside={NoSuchPerson: "person", TalkRefused: "person"})
LIFT: Final = Form("button", LiftForm)


def room_path(room: Room) -> str:
    """Return the path of a room."""
    return f"/talk/{room.kind}/{room.about}"


async def show_room(
    request: PageRequest, talk: TalkService, room: Room, limit: int = LIMIT, before: int | None = None
) -> Response[str]:
    """Render a room with a page of its messages, oldest first; raise `NotInRoom` unless the reader may read it."""
    standing, found = await talk.read(room, limit, before)
    context = {
        "room": room,
        "standing": standing,
        "lines": await render_messages(request, talk, tuple(reversed(found.items))),
        "next": found.next,
        "limit": limit,
        "is_newest": before is None,
        "phrases": phrases(),
        "words_max": WORDS_MAX,
        "events": await scopes.load_scope_names(talk.tables.writer, (standing.event,)),
        "forms": forms_of(request, SAY),
    }
    return render_page(request, "talk/room.html", context)


async def render_messages(request: PageRequest, talk: TalkService, messages: tuple[Message, ...]) -> list[Any]:
    """Render messages in the reader's language."""
    names = await talk.accounts.load_names(each.person for each in messages)
    return draw_lines(request.app, language_of(request), messages, names)


@get("/talk/{kind:str}/{about_id:uuid}")
async def room_page(
    request: PageRequest,
    room: NamedDependency[Room],
    talk: NamedDependency[TalkService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Show the messages of a room, live; raise `NotInRoom` unless the reader may read it."""
    return await show_room(request, talk, room, limit, before)


@get("/talk/{kind:str}/{about_id:uuid}/stream", media_type="text/event-stream")
async def room_stream(
    request: PageRequest, room: NamedDependency[Room], talk: NamedDependency[TalkService]
) -> ServerSentEvent:
    """Stream new messages; raise unless the reader may read the room."""

    async def require() -> None:
        (await talk.room_access(room)).require_reading()

    await require()
    return open_stream(request, TalkReader(request, room).follow, at_most_every(LOOKED_SECONDS, require))


@post("/talk/{kind:str}/{about_id:uuid}", guards=[requires_person], status_code=200)
async def say(request: PageRequest, room: NamedDependency[Room], talk: NamedDependency[TalkService]) -> Response[Any]:
    """Send a message; the stream shows it: 204 for htmx, a redirect otherwise. A rejected form is shown again.

    Refused with `TalkOff`, `NotInRoom`, `TalkRefused`, `SaidAlready` or 429 as `TalkService.say`.
    """

    async def do(form: Say) -> Response[Any]:
        await talk.say(room, form.words, form.phrase)
        return (
            Response(None, status_code=204)
            if is_htmx(request)
            else redirect_after_form(f"{room_path(room)}#end", request)
        )

    return await handle_form(request, SAY, do, lambda: show_room(request, talk, room))


@post("/talk/{kind:str}/{about_id:uuid}/file", guards=[requires_person], status_code=200)
async def take_room(
    request: PageRequest, room: NamedDependency[Room], talk: NamedDependency[TalkService]
) -> Response[bytes]:
    """Download all messages of a room as JSON lines, for officials; recorded in the audit trail.

    Raise `RoleMissing` unless the reader may moderate the room.
    """
    await read_form(request, BUTTON)
    headers = {"Content-Disposition": f'attachment; filename="talk-{room.kind}-{room.about}.jsonl"'}
    return Response(await talk.export(room), media_type=JSON_LINES, headers=headers)


async def show_message(request: PageRequest, talk: TalkService, message_id: str) -> Response[str]:
    """Render a message with the reader's actions; moderators of a reported one see its context.

    Raise `NoSuchMessage` or `NotInRoom` as `find_message`.
    """
    standing, message = await talk.find_message(message_id)
    judges = standing.is_official and await talk.is_reported(message)
    context_messages = await talk.load_context(message) if judges else (message,)
    context: dict[str, Any] = {
        "message": message,
        "standing": standing,
        "judges": judges,
        "lines": await render_messages(request, talk, context_messages),
        "name": (await talk.accounts.load_names([message.person]))[message.person],
        "is_own": message.person == talk.caller.person_id,
        "place": back_path(standing),
        "reason_max": REASON_MAX,
        "events": await scopes.load_scope_names(talk.tables.writer, (standing.event,)),
        "forms": forms_of(request, REPORT, REMOVE),
    }
    return render_page(request, "talk/message.html", context)


def back_path(standing: RoomAccess) -> str:
    """Return the path to go back to."""
    return room_path(standing.room) if standing.may_read else "/disputes/queue"


@get("/talk/messages/{message_id:str}", guards=[requires_person])
async def message_page(
    request: PageRequest, message_id: FromPath[str], talk: NamedDependency[TalkService]
) -> Response[str]:
    """Show a message, with actions about it and its author; raise `NoSuchMessage` or `NotInRoom` as `find_message`."""
    return await show_message(request, talk, message_id)


@post("/talk/messages/{message_id:str}/report", guards=[requires_person], status_code=200)
async def report(request: PageRequest, message_id: FromPath[str], talk: NamedDependency[TalkService]) -> Response[Any]:
    """Report a message to the officials, and show a confirmation; a rejected form is shown with the message.

    Refused with `TalkRefused` if it was removed, `NotInRoom` unless the reader may read the room.
    """

    async def do(form: ReportMessage) -> Response[Any]:
        await talk.report(message_id, form.reason)
        return render_page(
            request, "talk/reported.html", {"place": back_path((await talk.find_message(message_id))[0])}
        )

    return await handle_form(request, REPORT, do, lambda: show_message(request, talk, message_id))


@post("/talk/messages/{message_id:str}/removal", guards=[requires_person], status_code=200)
async def remove(request: PageRequest, message_id: FromPath[str], talk: NamedDependency[TalkService]) -> Response[Any]:
    """Remove a message, as an official, and redirect to the queue; recorded in the audit trail.

    Refused with `RoleMissing` unless the reader may moderate the room, `NoSuchMessage` if it is unknown.
    """

    async def do(form: RemoveMessage) -> Response[Any]:
        await talk.remove(message_id, form.reason)
        return redirect_after_form("/disputes/queue", request)

    return await handle_form(request, REMOVE, do, lambda: show_message(request, talk, message_id))


@post("/talk/messages/{message_id:str}/dismissal", guards=[requires_person], status_code=200)
async def dismiss(request: PageRequest, message_id: FromPath[str], talk: NamedDependency[TalkService]) -> Response[Any]:
    """Dismiss the reports of a message, as an official, and redirect to the queue; nothing happens without any.

    Raise `RoleMissing` unless the reader may moderate the room, `NoSuchMessage` if it is unknown.
    """
    await read_form(request, BUTTON)
    await talk.dismiss(message_id)
    return redirect_after_form("/disputes/queue", request)


async def show_limits(request: PageRequest) -> Response[str]:
    """Render only the form, after a rejection."""
    return render_page(request, "talk/limits.html", {"forms": forms_of(request, BOUNDARY)})


@post(f"{PEOPLE}/boundaries", guards=[requires_person], status_code=200)
async def set_boundary(request: PageRequest, talk: NamedDependency[TalkService]) -> Response[Any]:
    """Mute or block a person, and redirect to the page of friends; a rejected form is shown alone.

    Refused with `NoSuchPerson` for an unknown person, `TalkRefused` for the reader, `NotAllowed` at the limit.
    """

    async def do(form: BoundaryForm) -> Response[Any]:
        await talk.set_boundary(form.person, form.kind)
        return redirect_after_form(PEOPLE, request)

    return await handle_form(request, BOUNDARY, do, lambda: show_limits(request))


@post(f"{PEOPLE}/boundaries/lifting", guards=[requires_person], status_code=200)
async def lift_boundary(request: PageRequest, talk: NamedDependency[TalkService]) -> Response[Any]:
    """Lift a mute or block, and redirect to the page of friends; nothing happens if there is none.

    Raise `NoSuchPerson` for an unknown person.
    """
    form = await read_form(request, LIFT)
    await talk.lift_boundary(form.person)
    return redirect_after_form(PEOPLE, request)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[
            room_page,
            room_stream,
            say,
            take_room,
            message_page,
            report,
            remove,
            dismiss,
            set_boundary,
            lift_boundary,
        ],
        dependencies={
            "talk": Provide(provide_talk, sync_to_thread=False),
            "room": Provide(provide_room, sync_to_thread=False),
        },
    ),
)
