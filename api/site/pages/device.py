"""The page of a table on a shared device, covered until its user says which seat is theirs."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.forms import Form, read_form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, is_htmx, render_page
from api.http.structs import RequestStruct, Seat
from api.matches.one_device import DeviceService
from api.matches.service import MatchService
from api.site.pages.table import answer_with_current
from api.site.pages.table_page import page_context, picture_for
from domain.matches.errors import NotHeld


class PassForm(RequestStruct, frozen=True):
    """The form that passes the device to a seat."""

    seat: Seat


PASS: Final = Form("button", PassForm)
PASSED: Final = "esporles:passed"
"""Event for the page's script when the device was passed on; the stream continues for the new seat."""


@post("/tables/{match_id:uuid}/pass", guards=[requires_person], status_code=200)
async def pass_device(
    request: PageRequest,
    match_id: FromPath[UUID],
    matches: NamedDependency[MatchService],
    one_device: NamedDependency[DeviceService],
) -> Response[Any]:
    """Pass the device to a seat: htmx receives the seat's token in an event, other browsers the uncovered page.

    Respond with the current table if the seat is not the next to act; raise `NotSeated` for another's device,
    `UnknownSeat` for an unknown seat. Never cached.
    """
    form = await read_form(request, PASS)
    try:
        _match, holder, token = await one_device.pass_to(match_id, form.seat)
    except NotHeld as refusal:
        return await answer_with_current(request, matches, match_id, refusal, None)
    cache_headers = {"Cache-Control": "no-store"}
    if is_htmx(request):
        trigger = msgspec.json.encode({PASSED: {"held": token}}).decode()
        return Response("", status_code=200, headers={"HX-Trigger": trigger, "HX-Reswap": "none", **cache_headers})
    picture = await picture_for(request, matches, match_id, holder)
    response = render_page(request, "site/table.html", page_context(request, picture, matches))
    response.headers.update(cache_headers)
    return response


HANDLERS: Final = (pass_device,)
