"""Routes of the transparency log: static files named as in C2SP tlog-tiles, and its state."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Request, Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.params import FromPath
from litestar.response import Stream

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import API_PATH, TLOG_PATH, Caller
from api.http.openapi import with_file
from api.http.paging import Before, Limit
from api.matches.routes.logs import LOG_TYPE
from api.matches.service import MatchService
from api.tournaments.service import TournamentService
from api.transparency.schemas import OpeningDays, ServiceShown, TransparencyShown
from api.transparency.service import TRANSPARENCY, TransparencyService
from api.transparency.tournament_proofs import chunks, prove_event
from projections.platform.paging import LIMIT

BRIEFLY: Final = {"Cache-Control": "public, max-age=1", "Access-Control-Allow-Origin": "*"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable", "Access-Control-Allow-Origin": "*"}
"""Verifiers on other sites may read these files too, because everything in them is public."""
TEXT: Final = "text/plain"
BYTES: Final = "application/octet-stream"


def provide_transparency(request: Request[Caller, Any, Any]) -> TransparencyService:
    """Return the transparency service."""
    return TRANSPARENCY.of(request)


@get("/checkpoint", media_type=MediaType.TEXT, responses=problems(404, 503), operation_class=with_file(gives=(TEXT,)))
async def checkpoint(transparency: NamedDependency[TransparencyService]) -> Response[bytes]:
    """Return the latest checkpoint: a signed note (C2SP tlog-checkpoint) with the cosignatures of witnesses."""
    return Response(await transparency.checkpoint(), media_type=TEXT, headers=BRIEFLY)


@get("/tile/{level:str}/{path:path}", responses=problems(404, 503), operation_class=with_file(gives=(BYTES,)))
async def tile(
    level: FromPath[str], path: FromPath[str], transparency: NamedDependency[TransparencyService]
) -> Response[bytes]:
    """Return a tile of 256 hashes, or with the suffix `.p/W` a partial one (C2SP tlog-tiles).

    Level `entries` returns leaves. Raise `NoSuchTile` for a malformed path or a tile beyond the tree.
    """
    content = await transparency.tile(level, path.removeprefix("/"))
    return Response(content, media_type=BYTES, headers=FOR_EVER)


@get("/keys", media_type=LOG_TYPE, responses=problems(404, 503), operation_class=with_file(gives=(LOG_TYPE,)))
async def keys(transparency: NamedDependency[TransparencyService]) -> Response[bytes]:
    """Return the history of the log's keys, with the proof that it is in the tree (`docs/specifications/keys.md`)."""
    history = await transparency.prove_with(lambda prover: prover.key_history())
    return Response(history, media_type=LOG_TYPE, headers=BRIEFLY)


@get("/policy", media_type=MediaType.TEXT, responses=problems(), operation_class=with_file(gives=(TEXT,)))
async def policy(transparency: NamedDependency[TransparencyService]) -> Response[bytes]:
    """Return the trust policy of the service (C2SP tlog-policy): its key, its witnesses, and the quorum."""
    return Response(bytes(transparency.policy), media_type=TEXT, headers=BRIEFLY)


@get("/service.json", responses=problems())
async def service(transparency: NamedDependency[TransparencyService]) -> Response[ServiceShown]:
    """Return the log, the key and the trust policy of the service, for verifiers and monitors."""
    key = transparency.key
    shown = ServiceShown(key.name, str(key), bytes(transparency.policy).decode(), TLOG_PATH, API_PATH)
    return Response(shown, headers=BRIEFLY)


@get("/transparency", responses=problems(401))
async def state(transparency: NamedDependency[TransparencyService]) -> TransparencyShown:
    """Return the state of the transparency log: name, key, latest checkpoint, and witnesses."""
    return await transparency.load_state()


@declare_access("anybody", "private tables are counted too")
@get("/transparency/days", responses=problems(400, 401))
async def days(
    transparency: NamedDependency[TransparencyService], before: Before = None, limit: Limit = LIMIT
) -> OpeningDays:
    """List how many tables were opened per day and how many of them have not begun, latest first."""
    return await transparency.opening_days(limit, before)


@declare_access("anybody", "of the log as redacted for the reader")
@get("/matches/{match_id:uuid}/proof", responses=problems(401, 404, 503), media_type=LOG_TYPE)
async def prove_match(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    transparency: NamedDependency[TransparencyService],
) -> bytes:
    """Return the log of a match, redacted for the caller, with the proof that its entries are in the tree.

    Waits briefly for the latest entries; raise `NotCovered` or `NothingSigned` after that, and the errors of `export`.
    """
    return await transparency.prove(await matches.logs.export(match_id, caller, None, whole=False))


@declare_access("anybody", "of the log as redacted for the reader")
@get("/matches/{match_id:uuid}/entries/{number:int}/proof", responses=problems(401, 404, 503), media_type=TEXT)
async def prove_entry(
    match_id: FromPath[UUID],
    number: FromPath[int],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    transparency: NamedDependency[TransparencyService],
) -> bytes:
    """Return the proof of one entry of a match, redacted for the caller (C2SP tlog-proof).

    Waits briefly for a checkpoint that covers it; raise `NoSuchEntry` if there is none of this number.
    """
    return await transparency.prove_entry(await matches.logs.export(match_id, caller, None, whole=False), number)


@declare_access("anybody", "with its matches, redacted for the reader")
@get(
    "/tournaments/{event_id:uuid}/proof",
    responses=problems(401, 404, 409, 503),
    operation_class=with_file(gives=(LOG_TYPE,)),
)
async def prove_tournament(
    event_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    tournaments: NamedDependency[TournamentService],
    transparency: NamedDependency[TransparencyService],
) -> Stream:
    """Return the proof file of a finished tournament: records, standings, and proofs of its matches.

    Raise `TournamentRefused` unless it has ended, `NotCovered` or `NothingSigned` if entries or ratings are not ready.
    """
    file = await prove_event(event_id, tournaments, matches, transparency, caller)
    return Stream(chunks(file), media_type=LOG_TYPE)


DEPENDENCIES: Final[dict[str, Any]] = {"transparency": Provide(provide_transparency, sync_to_thread=False)}
TLOG: Final = Router(
    "/tlog", route_handlers=[checkpoint, tile, keys, policy, service], dependencies=DEPENDENCIES, tags=["transparency"]
)
ROUTER: Final = Router(
    "/",
    route_handlers=[state, days, prove_match, prove_entry, prove_tournament],
    dependencies=DEPENDENCIES,
    tags=["transparency"],
)
