"""The page of a table on a shared device, covered until its user says which seat is theirs."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.browser import PageRequest, is_htmx, page
from api.http.forms import Form, read_form
from api.http.guards import requires_person
from api.http.wire import Asked, Seat
from api.matches.one_device import DeviceService
from api.matches.service import MatchService
from api.site.pages.table import fresh
from api.site.pages.whole_page import picture_for, shown_whole
from domain.matches.errors import NotHeld


class PassForm(Asked, frozen=True):
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
    """Pass the device to a seat and uncover the page."""
    wanted = await read_form(request, PASS)
    try:
        _match, holder, word = await one_device.pass_to(match_id, wanted.seat)
    except NotHeld as refusal:
        return await fresh(request, matches, match_id, refusal, None)
    kept = {"Cache-Control": "no-store"}
    if is_htmx(request):
        told = msgspec.json.encode({PASSED: {"held": word}}).decode()
        return Response("", status_code=200, headers={"HX-Trigger": told, "HX-Reswap": "none", **kept})
    picture = await picture_for(request, matches, match_id, holder)
    answer = page(request, "site/table.html", shown_whole(request, picture, matches))
    answer.headers.update(kept)
    return answer


HANDLERS: Final = (pass_device,)
