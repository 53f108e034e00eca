"""API routes of notifications: settings of the caller, and delivery by the service."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Router, delete, get, post, put
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import Caller, requires_person, requires_service
from api.http.identity import Person
from api.http.limits import SIGN_IN_LIMIT, address_of
from api.notifications.schemas import (
    AddDevice,
    ChoosePaces,
    Leased,
    LeaseOutgoing,
    NoteBounce,
    NotificationsShown,
    SetAddress,
    SettleOutgoing,
)
from api.notifications.service import NOTIFICATIONS, NotificationService

PROBLEMS: Final = problems(400, 401, 403, 413, 422, 429)


def provide_notifications(request: Request[Caller, Any, Any]) -> NotificationService:
    """Provide the notification service."""
    return NOTIFICATIONS.of(request)


def person_of(caller: Caller) -> Person:
    """Return the caller's person."""
    assert caller.person is not None, "the guard lets nobody else in"
    return caller.person


@declare_access("signed in", "the caller's")
@get("/me/notifications", guards=[requires_person], responses=problems(401, 403))
async def show_notifications(
    caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> NotificationsShown:
    """Return the caller's channels and frequencies."""
    return await notifications.show(person_of(caller))


@declare_access("signed in", "the caller's")
@put("/me/notifications", guards=[requires_person], responses=PROBLEMS)
async def choose_paces(
    data: JSONBody[ChoosePaces],
    caller: NamedDependency[Caller],
    notifications: NamedDependency[NotificationService],
) -> NotificationsShown:
    """Set the caller's frequencies by kind and channel; omitted kinds stay unchanged."""
    return await notifications.set_paces(person_of(caller), data)


@declare_access("signed in", "the caller's; used once confirmed")
@put("/me/notifications/address", guards=[requires_person], responses=PROBLEMS, opt=SIGN_IN_LIMIT)
async def set_address(
    request: Request[Caller, None, State],
    data: JSONBody[SetAddress],
    caller: NamedDependency[Caller],
    notifications: NamedDependency[NotificationService],
) -> NotificationsShown:
    """Set the mail address, replacing the previous one, and send a letter to confirm it.

    Raise `BadAddress` for an invalid address, `TooManyLetters` at a limit.
    """
    return await notifications.set_address(person_of(caller), data.address, address_of(request))


@declare_access("signed in", "the caller's")
@delete("/me/notifications/address", guards=[requires_person], status_code=200, responses=problems(401, 403, 429))
async def remove_address(
    caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> NotificationsShown:
    """Remove the mail address and its waiting mails, and return the settings; nothing happens without one."""
    return await notifications.remove_address(person_of(caller))


@declare_access("signed in", "the caller's")
@post("/me/notifications/devices", guards=[requires_person], responses=PROBLEMS)
async def add_device(
    request: Request[Caller, None, State],
    data: JSONBody[AddDevice],
    caller: NamedDependency[Caller],
    notifications: NamedDependency[NotificationService],
) -> NotificationsShown:
    """Add a device with the push subscription of a browser, replacing one with the same endpoint.

    Raise `EndpointRefused` or `BadDevice` if it is not valid; above the maximum the oldest devices go.
    """
    return await notifications.add_device(person_of(caller), data, request.headers.get("user-agent", ""))


@declare_access("signed in", "the caller's; other subscriptions stay unchanged")
@delete(
    "/me/notifications/devices/{device:str}",
    guards=[requires_person],
    status_code=200,
    responses=problems(400, 401, 403, 429),
)
async def remove_device(
    device: FromPath[str],
    caller: NamedDependency[Caller],
    notifications: NamedDependency[NotificationService],
) -> NotificationsShown:
    """Remove a device of the caller, and return the settings; nothing happens if they have no such device."""
    return await notifications.remove_device(person_of(caller), device)


@declare_access("service", "messages to deliver")
@post("/outgoing/leases", guards=[requires_service], responses=problems(400, 401, 403, 413), tags=["service"])
async def lease_outgoing(data: JSONBody[LeaseOutgoing], notifications: NamedDependency[NotificationService]) -> Leased:
    """Lease the next messages of a channel for delivery."""
    return await notifications.lease(data.way)


@post(
    "/outgoing/outcomes",
    guards=[requires_service],
    status_code=204,
    responses=problems(400, 401, 403, 413),
    tags=["service"],
)
async def settle_outgoing(data: JSONBody[SettleOutgoing], notifications: NamedDependency[NotificationService]) -> None:
    """Record the result of a delivery."""
    await notifications.settle(data)


@post("/outgoing/bounces", guards=[requires_service], responses=problems(400, 401, 403, 413, 422), tags=["service"])
async def note_bounce(
    data: JSONBody[NoteBounce], notifications: NamedDependency[NotificationService]
) -> dict[str, bool]:
    """Record a bounce; `stopped` reports whether an address was disabled. Raise `BadToken` for a forged address."""
    return {"stopped": await notifications.record_bounce(data.address)}


ROUTER = Router(
    "/",
    route_handlers=[
        show_notifications,
        choose_paces,
        set_address,
        remove_address,
        add_device,
        remove_device,
        lease_outgoing,
        settle_outgoing,
        note_bounce,
    ],
    tags=["notifications"],
    dependencies={"notifications": Provide(provide_notifications, sync_to_thread=False)},
)
