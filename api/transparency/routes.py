"""The transparency log for programs: static files as C2SP tlog-tiles names them, and how it stands."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Request, Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.params import FromPath
from litestar.response import Stream

from api.http.documented import with_file
from api.http.errors import problems
from api.http.guards import Caller
from api.http.paging import Before, Limit
from api.http.who_may import allowed_to
from api.matches.routes.logs import LOG_TYPE
from api.matches.service import MatchService
from api.tournaments.service import TournamentService
from api.transparency.events import chunks, prove_event
from api.transparency.service import TRANSPARENCY, TransparencyService
from api.transparency.wire import OpeningDays, TransparencyShown
from projections.platform.paging import LIMIT

BRIEFLY: Final = {"Cache-Control": "public, max-age=1", "Access-Control-Allow-Origin": "*"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable", "Access-Control-Allow-Origin": "*"}
"""A verifier in a browser, on a page of somebody else, may read it too: there is nothing in it but what all may see."""
TEXT: Final = "text/plain"
BYTES: Final = "application/octet-stream"


def provide_transparency(request: Request[Caller, Any, Any]) -> TransparencyService:
    return TRANSPARENCY.of(request)


@get("/checkpoint", media_type=MediaType.TEXT, responses=problems(404, 503), operation_class=with_file(gives=(TEXT,)))
async def checkpoint(transparency: NamedDependency[TransparencyService]) -> Response[bytes]:
    """The newest checkpoint: a signed note (C2SP tlog-checkpoint), with the cosignatures of witnesses."""
    return Response(await transparency.checkpoint(), media_type=TEXT, headers=BRIEFLY)


@get("/tile/{level:str}/{path:path}", responses=problems(404, 503), operation_class=with_file(gives=(BYTES,)))
async def tile(
    level: FromPath[str], path: FromPath[str], transparency: NamedDependency[TransparencyService]
) -> Response[bytes]:
    """A tile of 256 hashes, with `.p/W` behind it a part of one (C2SP tlog-tiles); at the level `entries` leaves."""
    content = await transparency.tile(level, path.removeprefix("/"))
    return Response(content, media_type=BYTES, headers=FOR_EVER)


@get("/transparency", responses=problems(401))
async def state(transparency: NamedDependency[TransparencyService]) -> TransparencyShown:
    """The transparency log of the house: its name and key, its newest checkpoint, and how its witnesses stand."""
    return await transparency.state()


@allowed_to("anybody", "private tables are counted too")
@get("/transparency/days", responses=problems(400, 401))
async def days(
    transparency: NamedDependency[TransparencyService], before: Before = None, limit: Limit = LIMIT
) -> OpeningDays:
    """How many tables were opened on each day, the newest first, and how many of them have not begun."""
    return await transparency.days(limit, before)


@allowed_to("anybody", "of the log as redacted for the reader")
@get("/matches/{match_id:uuid}/proof", responses=problems(401, 404, 503), media_type=LOG_TYPE)
async def prove_match(
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    transparency: NamedDependency[TransparencyService],
) -> bytes:
    """The log of a match as the caller may hold it, with the proof that its entries are in the tree of the house."""
    return await transparency.prove(await matches.logs.export(match_id, caller, None, whole=False))


@allowed_to("anybody", "with its matches, redacted for the reader")
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
    """A tournament that has ended, in one file: its records, its standings, and the proofs of all its matches."""
    file = await prove_event(event_id, tournaments, matches, transparency, caller)
    return Stream(chunks(file), media_type=LOG_TYPE)


DEPENDENCIES: Final[dict[str, Any]] = {"transparency": Provide(provide_transparency, sync_to_thread=False)}
TLOG: Final = Router("/tlog", route_handlers=[checkpoint, tile], dependencies=DEPENDENCIES, tags=["transparency"])
ROUTER: Final = Router(
    "/", route_handlers=[state, days, prove_match, prove_tournament], dependencies=DEPENDENCIES, tags=["transparency"]
)
