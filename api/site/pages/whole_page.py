"""The whole page of a table and its stream, from a picture shared by all readers with the same view."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import ServerSentEvent

from api.http.browser import PageRequest, page, person_of
from api.http.fragments import milliseconds, split_digests
from api.http.guards import Caller
from api.http.languages import language_of
from api.http.live import stay
from api.http.preferences import preferences_of
from api.http.unchanged import holds, tag_of, unchanged
from api.matches.callers import holding
from api.matches.service import MatchService
from api.site.pages.live import own_of
from api.site.pages.pictures import PICTURES, Picture, sight_of
from api.site.pages.watching import TableReader
from api.talk.wire import phrases
from domain.talk import WORDS_MAX

OVER: Final = frozenset({"ended", "void"})


def shown_whole(request: PageRequest, picture: Picture, matches: MatchService) -> dict[str, Any]:
    """Return the context of the page; what-ifs of arbiters have no chat."""
    own, match = own_of(request), matches.reading.recalled(picture.page.shown.match_id)
    composed = {"page": picture.page, "match": picture.page.shown, "made": picture.whole(own)}
    is_what_if = match is not None and match.docket.dispute != ""
    talk = {"phrases": phrases(), "words_max": WORDS_MAX, "is_what_if": is_what_if}
    return composed | talk | {"have": picture.word, "own_word": own.word, "now": milliseconds()}


async def picture_for(
    request: PageRequest, matches: MatchService, match_id: UUID, caller: Caller | None = None
) -> Picture:
    """Return the picture of the table for this reader."""
    pictures = PICTURES.of(request)
    match = await matches.reading.present(match_id)
    return await pictures.newest(match_id, sight_of(match, caller or request.user, language_of(request)))


@get("/tables/{match_id:uuid}")
async def table_page(
    request: PageRequest, match_id: FromPath[UUID], matches: NamedDependency[MatchService]
) -> Response[Any]:
    """Show a match.

    The page of an ended match supports conditional requests. On a shared device the page starts covered and is never
    cached.
    """
    picture = await picture_for(request, matches, match_id)
    tag = await asyncio.to_thread(tag_of_page, request, picture) if picture.page.shown.status in OVER else ""
    if tag and holds(request, tag):
        return unchanged(tag)
    answer = page(request, "site/table.html", shown_whole(request, picture, matches))
    if picture.page.device is not None:
        answer.headers["Cache-Control"] = "no-store"
    elif tag:
        answer.headers["ETag"] = tag
    return answer


def tag_of_page(request: PageRequest, picture: Picture) -> str:
    """Return the entity tag of the fragments and of the frame: reader, language and preferences."""
    shown, own = picture.page.shown, own_of(request)
    around = (language_of(request), preferences_of(request), request.url.query, person_of(request), own.token)
    return tag_of(shown.head, picture.word, *around)


@get("/tables/{match_id:uuid}/stream", media_type="text/event-stream")
async def table_stream(
    request: PageRequest,
    match_id: FromPath[UUID],
    matches: NamedDependency[MatchService],
    have: FromQuery[str] = "",
    own: FromQuery[str] = "",
    held: FromQuery[str] = "",
) -> ServerSentEvent:
    """Stream the changes of the page; on a shared device, for the seat that uses it."""
    await matches.reading.present(match_id)
    caller = holding(request.user, held)
    return stay(request, TableReader(request, matches, match_id, split_digests(have), own, caller).follow)
