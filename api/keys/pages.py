"""The page of a person's signing keys."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.response import Redirect

from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form
from api.http.guards import requires_person
from api.http.page_responses import SEE_OTHER, PageRequest, render_page
from api.http.structs import RequestStruct
from api.keys.schemas import BringKey, Key
from api.keys.service import KeyService, provide_keys, require_browser_keys

KEYS: Final = "/account/keys"


class GiveUp(RequestStruct, frozen=True):
    """The form that gives up a key."""

    key: Key


BRING: Final = Form("bring", BringKey)
GIVE_UP: Final = Form("give-up", GiveUp)


async def render_keys(request: PageRequest, keys: KeyService) -> Response[str]:
    """Render the page of keys."""
    return render_page(
        request, "keys/keys.html", {"keys": (await keys.list_keys()).keys, "forms": forms_of(request, BRING, GIVE_UP)}
    )


@get(KEYS, guards=[requires_person])
async def keys_page(request: PageRequest, keys: NamedDependency[KeyService]) -> Response[str]:
    """Show the reader's keys."""
    return await render_keys(request, keys)


@post(KEYS, guards=[requires_person], status_code=200)
async def bring(request: PageRequest, keys: NamedDependency[KeyService]) -> Response[Any]:
    """Register the key of this browser, or let it vouch for another; redirect to the page of keys.

    Refused with `KeyOfProgram` for a bot account, `BadSignature` for a key that cannot be registered.
    """

    async def do(form: BringKey) -> Response[Any]:
        require_browser_keys(keys.caller)
        await keys.register(form.named_key)
        return Redirect(KEYS, status_code=SEE_OTHER)

    return await handle_form(request, BRING, do, lambda: render_keys(request, keys))


@post(f"{KEYS}/give-up", guards=[requires_person], status_code=200)
async def give_up(request: PageRequest, keys: NamedDependency[KeyService]) -> Response[Any]:
    """Give up a key, so that it is not used at new tables, and redirect to the page of keys.

    Seats that named it stay as they are. Refused with `NoSuchKey` if the reader has no such key.
    """

    async def do(form: GiveUp) -> Response[Any]:
        await keys.give_up(form.key)
        return Redirect(KEYS, status_code=SEE_OTHER)

    return await handle_form(request, GIVE_UP, do, lambda: render_keys(request, keys))


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[keys_page, bring, give_up],
        dependencies={"keys": Provide(provide_keys, sync_to_thread=False)},
    ),
)
