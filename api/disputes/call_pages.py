"""Forms for calls: by players at the table, and by officials in their queue."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery
from litestar.response import ServerSentEvent

from api.disputes.call_schemas import AnswerCall, CallArbiter, ComeToTable
from api.disputes.queue_pages import QUEUE, make_queue
from api.disputes.service import DisputeService, provide_disputes
from api.http.forms import BUTTON, Form, read_form
from api.http.fragments import PartsView, split_digests
from api.http.guards import requires_person
from api.http.live import live_stream
from api.http.page_responses import PageRequest, is_htmx, redirect_after_form
from api.talk.state import REPORTS
from projections import disputes as projections_disputes

CALM_SECONDS: Final = 0.5
CALL: Final = Form("call", CallArbiter)
HANDLE: Final = Form("come", ComeToTable)
ANSWER: Final = Form("answer", AnswerCall)


def return_to_table(request: PageRequest, match_id: UUID) -> Response[Any]:
    """Redirect to the table, or send no content if its stream updates the page."""
    return Response(None, status_code=204) if is_htmx(request) else redirect_after_form(f"/tables/{match_id}", request)


@post("/tables/{match_id:uuid}/calls", status_code=200)
async def call_arbiter(
    request: PageRequest, match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]
) -> Response[Any]:
    """Call an arbiter to the reader's table, and return to it.

    Repeating it while a call waits changes nothing. Raise `NotAParty` without a seat, `CallRefused` if no call is
    possible.
    """
    form = await read_form(request, CALL)
    await disputes.call_arbiter(match_id, form.words)
    return return_to_table(request, match_id)


@post("/tables/{match_id:uuid}/calls/withdrawal", status_code=200)
async def withdraw_call(
    request: PageRequest, match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]
) -> Response[Any]:
    """Withdraw the reader's call, and return to the table.

    Raise `NotAParty` for the call of another player, `CallRefused` if none waits.
    """
    await read_form(request, BUTTON)
    await disputes.withdraw_call(match_id)
    return return_to_table(request, match_id)


@post("/tables/{match_id:uuid}/calls/presence", status_code=200)
async def handle_call(
    request: PageRequest, match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]
) -> Response[Any]:
    """Record that the reader, an official, handles the call or is at the table; then redirect to the queue.

    Raise `RoleMissing`, `ArbiterPlays` or `ConflictOfInterest` if they may not, `CallRefused` if no call waits.
    """
    form = await read_form(request, HANDLE)
    await disputes.handle_call(match_id, is_here=form.here)
    return redirect_after_form(f"/disputes/queue#{QUEUE}", request)


@post("/tables/{match_id:uuid}/calls/answer", status_code=200)
async def answer_call(
    request: PageRequest, match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]
) -> Response[Any]:
    """Close the call with an answer by the reader, an official; then redirect to the queue.

    Raise `RoleMissing`, `ArbiterPlays` or `ConflictOfInterest` if they may not, `CallRefused` if no call waits.
    """
    form = await read_form(request, ANSWER)
    await disputes.answer_call(match_id, form.words)
    return redirect_after_form(f"/disputes/queue#{QUEUE}", request)


@get("/disputes/queue/stream", media_type="text/event-stream")
async def queue_stream(
    request: PageRequest, disputes: NamedDependency[DisputeService], have: FromQuery[str] = ""
) -> ServerSentEvent:
    """Stream changes in the reader's queue of calls, reports and disputes; raise `RoleMissing` unless an official.

    `have`: digest of the queue that the page shows already.
    """
    await disputes.require_official()

    async def make() -> dict[str, str]:
        return await make_queue(request, disputes)

    view = PartsView(request, (projections_disputes.NAME, REPORTS), make, split_digests(have), CALM_SECONDS)
    return live_stream(request, disputes.tables.notifier, view, disputes.require_official)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[call_arbiter, withdraw_call, handle_call, answer_call, queue_stream],
        guards=[requires_person],
        dependencies={"disputes": Provide(provide_disputes, sync_to_thread=False)},
    ),
)
