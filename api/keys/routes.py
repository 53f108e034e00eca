"""API routes of signing keys: list, register, give up, use at a seat, continue unsigned."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, delete, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, Caller, requires_person
from api.keys.schemas import BringKey, KeysShown
from api.keys.service import KeyService, provide_keys
from api.matches.routes.matches import CHANGE_PROBLEMS, answer
from api.matches.routes.signed import SignedHeader, read_signed
from api.matches.schemas import MatchShown
from api.matches.service import MatchService

KEY_PROBLEMS: Final = problems(400, 401, 403, 413, 422, 429)


@declare_access("signed in", "the caller's")
@get("/me/keys", guards=[requires_person], responses=problems(401, 403))
async def list_keys(keys: NamedDependency[KeyService]) -> KeysShown:
    """List the caller's keys."""
    return await keys.list_keys()


@post("/me/keys", guards=[requires_person], responses=KEY_PROBLEMS)
async def register_key(data: JSONBody[BringKey], keys: NamedDependency[KeyService]) -> KeysShown:
    """Register a key, which is used at every table from now."""
    return await keys.register(data.named_key)


@declare_access("own", "its owner")
@delete(
    "/me/keys/{key:str}", guards=[requires_person], status_code=200, responses=problems(400, 401, 403, 404, 422, 429)
)
async def give_up_key(key: FromPath[str], keys: NamedDependency[KeyService]) -> KeysShown:
    """Give up a key; seats that use it keep it until they continue unsigned."""
    return await keys.give_up(key)


@declare_access("seat")
@post("/matches/{match_id:uuid}/keys", guards=[requires_person], responses=CHANGE_PROBLEMS)
async def name_key(
    match_id: FromPath[UUID],
    data: JSONBody[BringKey],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    keys: NamedDependency[KeyService],
) -> Response[MatchShown]:
    """Register another key for the caller's seat, such as for another browser (201).

    Raise `NotSeated` or `NotHeld` without a seat, `BadSignature` for a key that cannot be registered.
    """
    match = await keys.register_at_seat(match_id, data.named_key)
    return answer(await matches.reading.encode(match, caller), 201)


@declare_access("seat")
@delete("/matches/{match_id:uuid}/keys", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def stop_signing(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    keys: NamedDependency[KeyService],
    signed: SignedHeader = None,
) -> Response[MatchShown]:
    """Let the caller's seat continue unsigned, by a public entry, so that a player without keys is not locked out.

    Without a signature by one of the keys of the seat, the entry is by the service. Raise `NotSeated` or `NotHeld`
    without a seat, `BadSignature` for a wrong signature or an unsigned seat.
    """
    return answer(await matches.reading.encode(await keys.stop_signing(match_id, read_signed(signed)), caller))


ROUTER = Router(
    "/",
    route_handlers=[list_keys, register_key, give_up_key, name_key, stop_signing],
    opt=BY_PLAYERS,
    tags=["keys"],
    dependencies={"keys": Provide(provide_keys, sync_to_thread=False)},
)
