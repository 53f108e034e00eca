"""Routes of tables on one device: passing the device."""

from __future__ import annotations

from uuid import UUID

from litestar import Response, Router, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.guards import BY_PLAYERS, requires_person
from api.matches.one_device import DeviceService
from api.matches.routes.matches import CHANGE_PROBLEMS
from api.matches.schemas import PassDevice, Passed


@declare_access("own", "the creator of a table on one device")
@post("/matches/{match_id:uuid}/pass", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def pass_device(
    match_id: FromPath[UUID], data: JSONBody[PassDevice], one_device: NamedDependency[DeviceService]
) -> Response[Passed]:
    """Pass the device to a seat; return its view, its legal actions, and the token for its requests. Never cached."""
    return Response(await one_device.show_passed(match_id, data.seat), headers={"Cache-Control": "no-store"})


ROUTER = Router("/", route_handlers=[pass_device], opt=BY_PLAYERS, tags=["seats"])
