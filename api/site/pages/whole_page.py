"""The page of a table as a whole, and its stream: from the picture that all share who see the same."""

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
    """What the whole page is made from. Beside a what-if of arbiters nobody talks."""
    own, match = own_of(request), matches.reading.recalled(picture.page.shown.match_id)
    composed = {"page": picture.page, "match": picture.page.shown, "made": picture.whole(own)}
    is_what_if = match is not None and match.docket.dispute != ""
    talk = {"phrases": phrases(), "words_max": WORDS_MAX, "is_what_if": is_what_if}
    return composed | talk | {"have": picture.word, "own_word": own.word, "now": milliseconds()}


async def picture_for(
    request: PageRequest, matches: MatchService, match_id: UUID, caller: Caller | None = None
) -> Picture:
    """The table as this reader sees it, drawn once for all who see the same."""
    pictures = PICTURES.of(request)
    match = await matches.reading.present(match_id)
    return await pictures.newest(match_id, sight_of(match, caller or request.user, language_of(request)))


@get("/tables/{match_id:uuid}")
async def table_page(
    request: PageRequest, match_id: FromPath[UUID], matches: NamedDependency[MatchService]
) -> Response[Any]:
    """A match, drawn for its reader. One that is over stays as it is: whoever holds its page gets no other. On one
    device the page begins covered, whatever it has shown before, and is never kept."""
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
    """Of the pieces, and of what stands around them: whose page it is, in which language and how they want it."""
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
    """What changes on the page, as it changes; on one device for the seat that it is with."""
    await matches.reading.present(match_id)
    caller = holding(request.user, held)
    return stay(request, TableReader(request, matches, match_id, split_digests(have), own, caller).follow)
