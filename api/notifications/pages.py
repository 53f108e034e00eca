"""Pages of notification settings, pages for links in messages, and the service worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.enums import MediaType
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from api.accounts.agents import describe_agent
from api.http.form_pages import forms_of, handle_form
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import Caller, requires_person
from api.http.limits import SIGN_IN_LIMIT, address_of
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.structs import RequestStruct, Short
from api.notifications.composer import ALL
from api.notifications.errors import BadAddress, TooManyLetters
from api.notifications.routes import person_of, provide_notifications
from api.notifications.schemas import AddDevice, ChoosePaces, SetAddress
from api.notifications.sentences import KIND_WORDS, PACE_WORDS
from api.notifications.service import NotificationService
from domain.kernel.messages import N_
from domain.notifications.kinds import FREQUENCIES_OF, KINDS

PATH: Final = "/account/notifications"
WORKER: Final = Path(__file__).parent / "static" / "worker.js"
WAY_WORDS: Final = {"mail": N_("By email"), "push": N_("On my devices")}


class RemoveDevice(RequestStruct, frozen=True):
    """The form that removes a device."""

    device: Short


CHOOSE: Final = Form("paces", ChoosePaces)
ADDRESS: Final = Form("address", SetAddress, beside={BadAddress: "address", TooManyLetters: "address"})
DEVICE: Final = Form("device", AddDevice)
REMOVE: Final = Form("button", RemoveDevice)


async def render(request: PageRequest, notifications: NotificationService, *, is_kept: bool = False) -> Response[str]:
    """Render the page with the current settings."""
    settings = await notifications.show(person_of(request.user))
    context = {
        "shown": settings,
        "agents": {device.id: describe_agent(device.agent) for device in settings.devices},
        "marks": await notifications.endpoint_digests(person_of(request.user)),
        "kinds": [(kind, KIND_WORDS[kind]) for kind in KINDS],
        "ways": [
            (channel, WAY_WORDS[channel], [(pace, PACE_WORDS[pace]) for pace in FREQUENCIES_OF[channel]])
            for channel in settings.ways
        ],
        "chosen": {"mail": settings.mail, "push": settings.push},
        "is_kept": is_kept,
        "forms": forms_of(request, CHOOSE, ADDRESS, DEVICE),
    }
    return render_page(request, "notifications/notifications.html", context)


@get(PATH, guards=[requires_person])
async def notifications_page(
    request: PageRequest, notifications: NamedDependency[NotificationService], kept: FromQuery[bool] = False
) -> Response[str]:
    """Show the reader's channels and frequencies."""
    return await render(request, notifications, is_kept=kept)


@post(PATH, guards=[requires_person], status_code=SEE_OTHER)
async def choose(
    request: PageRequest, caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> Response[Any]:
    """Set the frequencies, and redirect to the settings; kinds that the form omits stay unchanged."""

    async def do(form: ChoosePaces) -> Response[Any]:
        await notifications.set_paces(person_of(caller), form)
        return Redirect(f"{PATH}?kept=true", status_code=SEE_OTHER)

    return await handle_form(request, CHOOSE, do, lambda: render(request, notifications))


@post(f"{PATH}/address", guards=[requires_person], opt=SIGN_IN_LIMIT, status_code=SEE_OTHER)
async def set_address(
    request: PageRequest, caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> Response[Any]:
    """Set the mail address, send a confirmation letter, and redirect to the settings; a rejected form is shown again.

    It replaces the previous address. Refused with `BadAddress` or, above the limits of letters, `TooManyLetters`.
    """

    async def do(form: SetAddress) -> Response[Any]:
        await notifications.set_address(person_of(caller), form.address.strip(), address_of(request))
        return Redirect(PATH, status_code=SEE_OTHER)

    return await handle_form(request, ADDRESS, do, lambda: render(request, notifications))


@post(f"{PATH}/address/remove", guards=[requires_person], status_code=SEE_OTHER)
async def remove_address(
    request: PageRequest, caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> Redirect:
    """Remove the mail address and its waiting mails, and redirect to the settings; nothing happens without one."""
    await read_form(request, BUTTON)
    await notifications.remove_address(person_of(caller))
    return Redirect(PATH, status_code=SEE_OTHER)


@post(f"{PATH}/devices", guards=[requires_person], status_code=SEE_OTHER)
async def add_device(
    request: PageRequest, caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> Response[Any]:
    """Add this browser as a device, and redirect to the settings; a subscription known already is replaced.

    Refused with `EndpointRefused` or `BadDevice` if the push subscription is not valid.
    """

    async def do(form: AddDevice) -> Response[Any]:
        await notifications.add_device(person_of(caller), form, request.headers.get("user-agent", ""))
        return Redirect(PATH, status_code=SEE_OTHER)

    return await handle_form(request, DEVICE, do, lambda: render(request, notifications))


@post(f"{PATH}/devices/remove", guards=[requires_person], status_code=SEE_OTHER)
async def remove_device(
    request: PageRequest, caller: NamedDependency[Caller], notifications: NamedDependency[NotificationService]
) -> Redirect:
    """Remove a device of the reader, and redirect to the settings; nothing happens if they have no such device."""
    form = await read_form(request, REMOVE)
    await notifications.remove_device(person_of(caller), form.device)
    return Redirect(PATH, status_code=SEE_OTHER)


# Links in messages need no sign-in. Opening a link changes nothing, because mail programs prefetch links.


@get("/account/mail/{token:str}")
async def confirmation_page(
    request: PageRequest, token: FromPath[str], notifications: NamedDependency[NotificationService]
) -> Response[str]:
    """Show the button that confirms an address, or that it is confirmed or gone; raise `BadToken` for a bad link."""
    address = await notifications.find_confirmation(token)
    state = "gone" if address is None else address.state
    return render_page(request, "notifications/confirm.html", {"state": state, "token_word": token})


@post("/account/mail/{token:str}", status_code=200)
async def confirm(
    request: PageRequest, token: FromPath[str], notifications: NamedDependency[NotificationService]
) -> Response[str]:
    """Confirm an address, and show whether it is good or gone; raise `BadToken` for a bad link."""
    await read_form(request, BUTTON)
    state = "good" if await notifications.confirm(token) else "gone"
    return render_page(request, "notifications/confirm.html", {"state": state, "token_word": token})


@get("/unsubscribe/{token:str}")
async def unsubscribe_page(
    request: PageRequest, token: FromPath[str], notifications: NamedDependency[NotificationService]
) -> Response[str]:
    """Show the button that turns off mails; raise `BadToken` for a bad link."""
    return render_unsubscribing(request, notifications.read_unsubscribe_link(token), token, is_done=False)


@post("/unsubscribe/{token:str}", status_code=200)
async def unsubscribe(
    request: PageRequest, token: FromPath[str], notifications: NamedDependency[NotificationService]
) -> Response[str]:
    """Turn off mails of a kind or all, by one click in the mail program or here (RFC 8058, 3.1).

    The link contains everything; fields that mail programs add are ignored. Raise `BadToken` for a bad link.
    """
    return render_unsubscribing(request, await notifications.unsubscribe(token), token, is_done=True)


def render_unsubscribing(request: PageRequest, kind: str, token: str, *, is_done: bool) -> Response[str]:
    """Render the page about unsubscribing."""
    label = "" if kind == ALL else KIND_WORDS.get(kind, "")
    return render_page(
        request, "notifications/unsubscribe.html", {"words": label, "token_word": token, "is_done": is_done}
    )


@get("/offline")
async def offline_page(request: PageRequest) -> Response[str]:
    """Show the page for browsers without network, which they cache in advance."""
    return render_page(request, "notifications/offline.html", {})


@get("/worker.js", media_type=MediaType.TEXT)
async def worker() -> Response[bytes]:
    """Return the service worker, which must be at the root to show notifications of all pages."""
    headers = {"Cache-Control": "no-cache"}
    return Response(WORKER.read_bytes(), media_type="text/javascript", headers=headers)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[
            notifications_page,
            choose,
            set_address,
            remove_address,
            add_device,
            remove_device,
            confirmation_page,
            confirm,
            unsubscribe_page,
            unsubscribe,
            offline_page,
            worker,
        ],
        dependencies={"notifications": Provide(provide_notifications, sync_to_thread=False)},
    ),
)
