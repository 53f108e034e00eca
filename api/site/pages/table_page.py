"""The whole page of a table and its stream, from a picture shared by all readers with the same view."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import ServerSentEvent

from api.http.etags import has_tag, not_modified, tag_of
from api.http.fragments import now_ms, split_digests
from api.http.guards import Caller
from api.http.languages import language_of
from api.http.live import open_stream
from api.http.page_responses import PageRequest, person_of, render_page
from api.http.preferences import preferences_of
from api.matches.callers import with_device_token
from api.matches.service import MatchService
from api.site.pages.live import placeholder_values
from api.site.pages.pictures import PICTURES, Picture, picture_key
from api.site.pages.table_stream import TableReader
from api.talk.schemas import phrases
from domain.talk import WORDS_MAX

FINISHED_STATUSES: Final = frozenset({"ended", "void"})


def page_context(request: PageRequest, picture: Picture, matches: MatchService) -> dict[str, Any]:
    """Return the context of the page, with the reader's values filled in; what-ifs of arbiters have no chat."""
    values, match = placeholder_values(request), matches.reading.find_cached(picture.page.shown.match_id)
    context = {"page": picture.page, "match": picture.page.shown, "made": picture.fill_whole(values)}
    is_what_if = match is not None and match.docket.dispute != ""
    talk = {"phrases": phrases(), "words_max": WORDS_MAX, "is_what_if": is_what_if}
    return context | talk | {"have": picture.word, "own_word": values.digest, "now": now_ms()}


async def picture_for(
    request: PageRequest, matches: MatchService, match_id: UUID, caller: Caller | None = None
) -> Picture:
    """Return the current picture of the table for a caller, by default this reader, in the reader's language."""
    pictures = PICTURES.of(request)
    match = await matches.reading.get_current(match_id)
    return await pictures.get_current(match_id, picture_key(match, caller or request.user, language_of(request)))


@get("/tables/{match_id:uuid}")
async def table_page(
    request: PageRequest, match_id: FromPath[UUID], matches: NamedDependency[MatchService]
) -> Response[Any]:
    """Show a match as the reader may see it; raise `NoSuchMatch` if unknown.

    The page of an ended match supports conditional requests. On a shared device the page starts covered and is never
    cached.
    """
    picture = await picture_for(request, matches, match_id)
    tag = (
        await asyncio.to_thread(tag_of_page, request, picture) if picture.page.shown.status in FINISHED_STATUSES else ""
    )
    if tag and has_tag(request, tag):
        return not_modified(tag)
    response = render_page(request, "site/table.html", page_context(request, picture, matches))
    if picture.page.device is not None:
        response.headers["Cache-Control"] = "no-store"
    elif tag:
        response.headers["ETag"] = tag
    return response


def tag_of_page(request: PageRequest, picture: Picture) -> str:
    """Return the entity tag of the fragments and of the frame: reader, language and preferences."""
    match, values = picture.page.shown, placeholder_values(request)
    page_inputs = (language_of(request), preferences_of(request), request.url.query, person_of(request), values.token)
    return tag_of(match.head, picture.word, *page_inputs)


@get("/tables/{match_id:uuid}/stream", media_type="text/event-stream")
async def table_stream(
    request: PageRequest,
    match_id: FromPath[UUID],
    matches: NamedDependency[MatchService],
    have: FromQuery[str] = "",
    own: FromQuery[str] = "",
    held: FromQuery[str] = "",
) -> ServerSentEvent:
    """Stream the changes of the page; on a shared device, for the seat whose token is `held`.

    `have` and `own`: digests of the page's shared and own parts. Raise `NoSuchMatch` if unknown.
    """
    await matches.reading.get_current(match_id)
    caller = with_device_token(request.user, held)
    return open_stream(request, TableReader(request, matches, match_id, split_digests(have), own, caller).follow)
