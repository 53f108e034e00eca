"""Routes of matches: open, read, act, follow."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody, QueryParameter
from litestar.response import ServerSentEvent

from api.http.access import declare_access
from api.http.errors import problems
from api.http.etags import ETAG, NOT_MODIFIED_SPEC, IfNoneMatch, contains_tag, json_or_not_modified, not_modified
from api.http.guards import BY_PLAYERS, Caller, requires_caller, requires_person
from api.http.ids import IdempotencyKey, Ids
from api.http.limits import CREATES
from api.http.live import open_stream
from api.http.paging import Before, Limit
from api.matches.callers import Held, with_device_token
from api.matches.fast_routes import APPLIED, prefers_representation
from api.matches.one_device import DeviceService
from api.matches.response_cache import tag_of_match
from api.matches.schemas import Act, EntriesShown, Explained, LegalActions, Lobby, MatchShown, OpenMatch
from api.matches.service import MatchService
from api.matches.stream import EntryReader
from domain.kernel.messages import say
from domain.matches.aggregate import Status
from projections.platform.paging import LIMIT

VERSION_MAX: Final = 2**31
"""Larger than any version."""
VERSION: Final = re.compile(r"[0-9]{1,9}")
"""A version as an event id; longer numbers are never valid."""
ENTRIES_MAX: Final = 500
PART_MAX: Final = 100
"""Longer than the name of any part."""
CHANGE_PROBLEMS: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
"""Problem responses of routes that change a match."""

AtLeast = Annotated[
    int | None,
    QueryParameter(name="atLeast", ge=0, le=VERSION_MAX, description="wait until the match has this version"),
]
After = Annotated[int, QueryParameter(ge=0, le=VERSION_MAX, description="start after this version")]
Part = Annotated[str, QueryParameter(max_length=PART_MAX, description="name of a part of the table, as in `data-part`")]
Prefer = Annotated[
    str | None,
    HeaderParameter(
        name="Prefer", description="`return=representation`: include `legalActions` in the response (RFC 7240)"
    ),
]
LastEventId = Annotated[str | None, HeaderParameter(name="Last-Event-ID", description="the last version received")]


def answer(match: MatchShown, status: int = 200) -> Response[MatchShown]:
    """Return a response with the match and its version as ETag."""
    return Response(match, status_code=status, headers={"ETag": f'"{match.version}"'})


@declare_access("anybody", "public tables")
@get("/matches", responses=problems(400, 401))
async def list_matches(
    matches: NamedDependency[MatchService],
    status: FromQuery[Status | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
) -> Lobby:
    """List a page of public matches of one status or of all, latest first."""
    return await matches.lists.lobby(status, limit, before)


@post("/matches", guards=[requires_caller], responses=problems(400, 401, 409, 413, 422, 429), opt=CREATES)
async def open_match(
    data: JSONBody[OpenMatch],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    one_device: NamedDependency[DeviceService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[MatchShown]:
    """Open a table; a retry with the same `Idempotency-Key` returns the same table.

    A table on one device names its players.
    """
    new_id = ids.id_for(caller, "match", idempotency_key)
    if data.table.is_one_device:
        match = await one_device.open(new_id, data.title, data.seats, data.options, data.table, data.players)
    else:
        match = await matches.seating.open(new_id, data, caller)
    return answer(await matches.reading.encode(match, caller), 201)


@get("/matches/{match_id:uuid}", responses=NOT_MODIFIED_SPEC | problems(400, 401, 403, 404), response_headers=ETAG)
async def get_match(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    at_least: AtLeast = None,
    if_none_match: IfNoneMatch = None,
    held: Held = None,
) -> Response[MatchShown]:
    """Return the match as the caller may see it; 304 if it is unchanged (`If-None-Match`).

    With `atLeast`, wait briefly for that version or a later one.
    """
    match = await matches.reading.show(match_id, with_device_token(caller, held), at_least)
    tag = await asyncio.to_thread(tag_of_match, match)
    return not_modified(tag) if contains_tag(tag, if_none_match) else Response(match, headers={"ETag": tag})


@declare_access("anybody", "entries that a ruling replaced: its arbiters and players")
@get(
    "/matches/{match_id:uuid}/at/{version:int}",
    responses=NOT_MODIFIED_SPEC | problems(400, 401, 403, 404),
    response_headers=ETAG,
)
async def get_match_at(
    match_id: FromPath[UUID],
    version: FromPath[int],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    if_none_match: IfNoneMatch = None,
) -> Response[MatchShown]:
    """Return the match after an entry that the caller may read; 304 if it is unchanged (`If-None-Match`)."""
    match = await matches.reading.position(match_id, version, caller)
    tag = await matches.reading.tag_at(match, caller)
    if contains_tag(tag, if_none_match):
        return not_modified(tag)
    return Response(await matches.reading.encode(match, caller), headers={"ETag": tag})


@declare_access("seat")
@get("/matches/{match_id:uuid}/legal-actions", guards=[requires_person], responses=problems(400, 401, 403, 404))
async def list_legal_actions(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    held: Held = None,
) -> LegalActions:
    """List the legal actions of the caller's seat with descriptions; rejected without a seat."""
    return await matches.reading.legal_actions(match_id, with_device_token(caller, held))


@declare_access("seat")
@get("/matches/{match_id:uuid}/why-not", guards=[requires_person], responses=problems(400, 401, 403, 404, 409))
async def explain(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    part: Part = "",
    held: Held = None,
) -> Explained:
    """Explain why the caller's seat has no action at a part of the board, and name the rule.

    Both are null if it has one. Rejected without a seat, and unless the match is running.
    """
    match, found = await matches.reading.explain(match_id, part, with_device_token(caller, held))
    if found is None:
        return Explained(match.id, match.version, part, None, None)
    return Explained(match.id, match.version, part, found.rule, say(found.words))


@declare_access("seat")
@post("/matches/{match_id:uuid}/actions", guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def act(
    match_id: FromPath[UUID],
    data: JSONBody[Act],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    prefer: Prefer = None,
    held: Held = None,
) -> Response[MatchShown]:
    """Take an action for the caller's seat; the service names the seat.

    With `Prefer: return=representation` the response contains the next legal actions of the seat.
    """
    caller = with_device_token(caller, held)
    match = await matches.play.act(match_id, caller, data.action, data.expected_version, data.seat, data.signed)
    is_whole = prefers_representation(prefer)
    response = answer(await matches.reading.encode(match, caller, legal=is_whole), 201)
    if not is_whole:
        return response
    response.headers.update([APPLIED])
    return response


@declare_access("anybody", "redacted for the reader")
@get(
    "/matches/{match_id:uuid}/entries",
    responses=NOT_MODIFIED_SPEC | problems(400, 401, 403, 404),
    response_headers=ETAG,
)
async def list_entries(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    after: After = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=ENTRIES_MAX)] = ENTRIES_MAX,
    if_none_match: IfNoneMatch = None,
) -> Response[EntriesShown]:
    """List the entries after a version, redacted for the caller; 304 if they are unchanged (`If-None-Match`)."""
    return json_or_not_modified(*await matches.reading.encode_entries(match_id, caller, after, limit, if_none_match))


@declare_access("anybody", "redacted for the reader")
@get("/matches/{match_id:uuid}/stream", responses=problems(400, 401, 403, 404, 429), media_type="text/event-stream")
async def follow_match(
    request: Request[Caller, Any, Any],
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    after: After = 0,
    last_event_id: LastEventId = None,
) -> ServerSentEvent:
    """Stream entries as server-sent events, with the version as event id; resumes after `Last-Event-ID`.

    If the caller loses access, the last event is `closed`, with status and code of the refusal as data.
    """
    await matches.reading.get(match_id)
    last_seen = int(last_event_id) if last_event_id and VERSION.fullmatch(last_event_id) else after
    return open_stream(request, EntryReader(request, matches, match_id, caller, last_seen).follow)


ROUTER = Router(
    "/",
    route_handlers=[
        list_matches,
        open_match,
        get_match,
        get_match_at,
        list_legal_actions,
        explain,
        act,
        list_entries,
        follow_match,
    ],
    opt=BY_PLAYERS,
    tags=["matches"],
)
