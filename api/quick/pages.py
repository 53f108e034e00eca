"""Pages of quick pairing: buttons for pools, and the waiting page."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Redirect, ServerSentEvent

from api.accounts.pages.signing_in import session_cookie
from api.accounts.service import AccountService
from api.http.forms import BUTTON, Form, read_form
from api.http.fragments import PartsView, digests, join_digests, split_digests
from api.http.guards import Caller, requires_person
from api.http.limits import GUEST_LIMIT
from api.http.live import live_stream
from api.http.page_responses import SEE_OTHER, PageRequest, csrf_of, redirect_after_form, render_page
from api.http.preferences import encode_browser_preferences
from api.http.structs import RequestStruct, Short
from api.keys.schemas import Voucher
from api.matches.pages.filters import KINDS, STATES, filters_of, is_rated, keep_filters
from api.matches.service import MatchService
from api.quick.page_parts import PLACE_PART, POOLS_PART, draw_pools
from api.quick.pairing import QUICK
from api.quick.service import QuickService, provide_quick
from domain.keys.commands import require_registrable
from projections.platform.settings import Settings

PATH: Final = "/quick"
CALM_SECONDS: Final = 0.3


class PoolForm(RequestStruct, frozen=True):
    """The key of a pool."""

    pool: Short
    own_luck: bool = False
    key: Voucher = ""


POOL: Final = Form("button", PoolForm)


@get(PATH)
async def quick_page(
    request: PageRequest, quick: NamedDependency[QuickService], kind: FromQuery[str | None] = None
) -> Response[str]:
    """Show the reader's place and all pools, rated or casual as last chosen; a given kind is remembered.

    An unknown kind is ignored. The request keeps the reader's place.
    """
    filters = filters_of(request, STATES)
    if kind in KINDS:
        filters = msgspec.structs.replace(filters, kind=kind)
    parts = await draw_pools(request, quick, rated=is_rated(request, filters))
    context = {
        "place": parts[PLACE_PART],
        "pools": parts[POOLS_PART],
        "waits": await quick.find_place() is not None,
        "have": join_digests(digests(parts, csrf_of(request))),
    }
    response = render_page(request, "quick/page.html", context)
    return response if kind is None else keep_filters(request, response, filters)


@get(f"{PATH}/stream", media_type="text/event-stream")
async def quick_stream(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    quick: NamedDependency[QuickService],
    have: FromQuery[str] = "",
) -> ServerSentEvent:
    """Stream changes of the pools; while it is open, the reader keeps their place."""
    rated = is_rated(request, filters_of(request, STATES))

    async def make() -> dict[str, str]:
        return await draw_pools(request, quick, rated=rated)

    view = PartsView(request, (QUICK,), make, split_digests(have), CALM_SECONDS)
    return live_stream(request, matches.notifier, view)


@post(PATH, opt=GUEST_LIMIT, status_code=SEE_OTHER)
async def enter_pool(
    request: PageRequest,
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    quick: NamedDependency[QuickService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Enter a pool and redirect to its page; visitors become guests. Raise `NotAllowed` for an unknown pool.

    Raise `GuestUnrated` for a visitor at rated tables, and the errors of `QuickService.enter`.
    """
    form = await read_form(request, POOL)
    pool = quick.find_pool(form.pool)
    require_registrable(form.key)
    person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
    await quick.enter(person.id, pool, own_luck=form.own_luck, key=form.key)
    cookies = [session_cookie(session, settings)] if session else []
    return Redirect(PATH, status_code=SEE_OTHER, cookies=cookies)


@post(f"{PATH}/leave", guards=[requires_person], status_code=SEE_OTHER)
async def leave_pool(request: PageRequest, quick: NamedDependency[QuickService]) -> Response[Any]:
    """Leave the pool, and redirect to the first page; nothing happens without a place."""
    await read_form(request, BUTTON)
    await quick.leave()
    return redirect_after_form("/", request)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[quick_page, quick_stream, enter_pool, leave_pool],
        dependencies={"quick": Provide(provide_quick, sync_to_thread=False)},
    ),
)
