"""API routes of the archive and the explorer."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final
from uuid import UUID

from litestar import Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from api.accounts.service import AccountService
from api.archive.explorer import explore, explore_opening, load_actions_at
from api.archive.queries import read_search, search
from api.archive.schemas import ArchiveShown, ExplorerShown, OpeningShown, PlayedHere
from api.http.access import declare_access
from api.http.errors import problems
from api.http.inputs import MaybeNumber
from api.http.paging import Before, Limit
from api.matches.service import MatchService
from projections.archive.archived_matches import PEOPLE, End, Who
from projections.platform.paging import LIMIT

Words = Annotated[str, QueryParameter(max_length=120)]
Name = Annotated[str, QueryParameter(max_length=120, description="name of a player, or full name of a bot")]
Day = Annotated[date | None, QueryParameter(description="a day, such as 2026-11-25")]
Things = Annotated[
    str, QueryParameter(max_length=400, description="`KIND/THING` of the game; separate several by commas")
]
Key = Annotated[str, QueryParameter(pattern="^([0-9a-f]{16})?$", description="key of an opening")]
Points = Annotated[int | None, QueryParameter(ge=-10_000, le=100_000)]


@declare_access("anybody", "public finished matches")
@get("/archive", responses=problems(400, 401))
async def search_archive(
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    player: Name = "",
    withPlayer: Name = "",  # noqa: N803  (as it is on the wire)
    title: Words = "",
    seats: MaybeNumber = None,
    edition: Words = "",
    event: Words = "",
    who: FromQuery[Who | None] = None,
    rated: FromQuery[bool | None] = None,
    since: Day = None,
    until: Day = None,
    rating: Points = None,
    score: Points = None,
    lengthMin: MaybeNumber = None,  # noqa: N803
    lengthMax: MaybeNumber = None,  # noqa: N803
    things: Things = "",
    opening: Key = "",
    end: FromQuery[End | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
) -> ArchiveShown:
    """Search public ended matches, latest first; `SearchRefused` for an invalid field or unknown title or player.

    `rating`: minimum points of a player after the match; `score`: minimum of the highest score; `lengthMin` and
    `lengthMax`: number of log entries.
    """
    parameters = {
        "player": player,
        "withPlayer": withPlayer,
        "title": title,
        "seats": seats,
        "edition": edition,
        "event": event,
        "who": who,
        "rated": None if rated is None else str(rated).lower(),
        "since": since,
        "until": until,
        "rating": rating,
        "score": score,
        "lengthMin": lengthMin,
        "lengthMax": lengthMax,
        "things": things,
        "opening": opening,
        "end": end,
    }
    request = read_search({name: str(value) for name, value in parameters.items() if value is not None})
    return await search(matches, accounts, request, limit, before)


@get("/explorer/{title:str}/{seats:int}", responses=problems(400, 401, 404))
async def get_explorer(
    title: FromPath[str], seats: FromPath[int], matches: NamedDependency[MatchService], who: FromQuery[Who] = PEOPLE
) -> ExplorerShown:
    """Return the choices of people or bots in all ended matches, with results.

    Raise `NothingExplored` for an unknown title or table size.
    """
    return await explore(matches, title, seats, who)


@get("/explorer/{title:str}/{seats:int}/openings", responses=problems(400, 401, 404))
async def get_opening(
    title: FromPath[str],
    seats: FromPath[int],
    matches: NamedDependency[MatchService],
    who: FromQuery[Who] = PEOPLE,
    opening: Key = "",
) -> OpeningShown:
    """Return the actions after an opening; without a key, the first actions of matches.

    Raise `NothingExplored` for an unknown title or table size; an unknown key has no actions.
    """
    return await explore_opening(matches, title, seats, who, opening)


@declare_access("anybody", "of a finished match")
@get("/matches/{match_id:uuid}/at/{version:int}/played", responses=problems(400, 401, 404))
async def get_played_here(
    match_id: FromPath[UUID], version: FromPath[int], matches: NamedDependency[MatchService]
) -> PlayedHere:
    """Return the actions at a position of an ended match, with results; empty for a running one.

    Raise `NoSuchEntry` if the position does not exist.
    """
    return await load_actions_at(matches, match_id, version)


ROUTER: Final = Router(
    "/", route_handlers=[search_archive, get_explorer, get_opening, get_played_here], tags=["archive"]
)
