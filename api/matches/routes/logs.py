"""Routes of logs and forks."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, RawBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.etags import ETAG, NOT_MODIFIED_SPEC, IfNoneMatch, contains_tag, not_modified
from api.http.guards import BY_ADMIN, BY_PLAYERS, Caller, requires_caller, requires_operator
from api.http.ids import IdempotencyKey, Ids
from api.http.inputs import MaybeNumber
from api.http.limits import CREATES
from api.http.openapi import with_file
from api.matches.routes.matches import CHANGE_PROBLEMS, answer
from api.matches.schemas import ForkMatch, Imported, MatchShown
from api.matches.service import MatchService
from domain.matches.log.log_files import parse_log

LOG_TYPE: Final = "application/jsonl"
LOG_BYTES_MAX: Final = 64 * 1024 * 1024


@declare_access("signed in", "of a running match: arbiters without a seat in it")
@post("/matches/{match_id:uuid}/forks", guards=[requires_caller], responses=CHANGE_PROBLEMS, opt=CREATES)
async def fork_match(
    match_id: FromPath[UUID],
    data: JSONBody[ForkMatch],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[MatchShown]:
    """Fork a match after an entry: open a new match that starts from that position.

    A retry with the same `Idempotency-Key` returns the same fork.
    """
    new_id = ids.id_for(caller, "fork", idempotency_key)
    match = await matches.seating.fork(match_id, caller, data, new_id)
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("anybody", "redacted for the reader; a whole running match: operators, recorded")
@get(
    "/matches/{match_id:uuid}/log",
    responses=NOT_MODIFIED_SPEC | problems(400, 401, 403, 404, 422),
    response_headers=ETAG,
    media_type=LOG_TYPE,
)
async def export_log(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    seat: MaybeNumber = None,
    whole: FromQuery[bool] = False,
    if_none_match: IfNoneMatch = None,
) -> Response[bytes]:
    """Export the log of a match, redacted for the caller while the match runs.

    Operators may ask for a seat or the whole log. If the log is unchanged (`If-None-Match`), the response is 304;
    exports of a seat or the whole log have no tag.
    """
    if whole or seat is not None:
        return Response(await matches.logs.export(match_id, caller, seat, whole=whole), media_type=LOG_TYPE)
    tag = await matches.logs.log_tag(match_id, caller)
    if contains_tag(tag, if_none_match):
        return not_modified(tag)
    content = await matches.logs.export(match_id, caller, None, whole=False)
    return Response(content, media_type=LOG_TYPE, headers={"ETag": tag})


@declare_access("official", "operators")
@post(
    "/logs",
    opt=BY_ADMIN,
    guards=[requires_operator],
    operation_class=with_file(takes=(LOG_TYPE,)),
    responses=problems(400, 401, 403, 409, 413, 422, 429),
    request_max_body_size=LOG_BYTES_MAX,
)
async def import_log(
    body: RawBody,
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Imported:
    """Import a match from a log file, under its own id; the log is audited and the match unrated."""
    log = await asyncio.to_thread(parse_log, body)
    match = await matches.logs.import_log(log, caller)
    return Imported(match.id, match.version, match.head)


ROUTER = Router("/", route_handlers=[export_log, import_log, fork_match], opt=BY_PLAYERS, tags=["logs"])
