"""The form with which an opener closes a waiting table."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.forms import BUTTON, read_form
from api.http.guards import Caller, requires_person
from api.http.page_responses import PageRequest, redirect_after_form
from api.matches.service import MatchService


@post("/tables/{match_id:uuid}/close", guards=[requires_person], status_code=200)
async def close_table(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Close a waiting table of the caller and redirect to the first page; raise `NotAllowed` for any other table."""
    await read_form(request, BUTTON)
    await matches.seating.close_table(match_id, caller)
    return redirect_after_form("/", request)


HANDLERS: Final = (close_table,)
