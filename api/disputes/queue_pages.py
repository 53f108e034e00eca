"""Pages of arbiters: queue, earlier rulings and statistics."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery

from api.disputes.service import DisputeService
from api.http.fragments import digests, join_digests
from api.http.page_responses import PageRequest, csrf_of, render, render_page
from api.http.paging import Before, Limit
from api.notifications.service import NOTIFICATIONS
from api.roles import scopes
from api.talk.service import TalkService
from api.talk.state import TALK
from projections.platform.clock import now
from projections.platform.paging import LIMIT

QUEUE: Final = "queue"
"""Element id of the part that changes."""


async def make_queue(request: PageRequest, disputes: DisputeService) -> dict[str, str]:
    """Render the reader's queue: calls, reported messages and disputes; by its element id.

    Raise `RoleMissing` unless the reader is an official.
    """
    calls, found = await disputes.calls(), await disputes.queue()
    talk = TalkService(disputes.tables, disputes.accounts, TALK.of(request), disputes.caller, NOTIFICATIONS.of(request))
    reports = await talk.show_reports()
    named_events = (*(each.event for each in calls), *(each.dispute.event or "" for each in found))
    events = await scopes.load_scope_names(
        disputes.tables.writer, (*named_events, *(each.event or "" for each in reports))
    )
    context = {"calls": calls, "reports": reports, "queue": found, "events": events, "at": now()}
    context |= {"csrf": csrf_of(request)}
    return {QUEUE: render(request, "disputes/waiting.html", context)}


@get("/disputes/queue")
async def queue_page(request: PageRequest, disputes: NamedDependency[DisputeService]) -> Response[str]:
    """Show the calls and reports, oldest first, and disputes, most urgent first, that the reader may handle, live.

    Raise `RoleMissing` unless the reader is an official.
    """
    parts = await make_queue(request, disputes)
    have = join_digests(digests(parts, csrf_of(request)))
    return render_page(request, "disputes/queue.html", {"waiting": parts[QUEUE], "have": have})


@get("/disputes/precedents")
async def precedents_page(
    request: PageRequest,
    disputes: NamedDependency[DisputeService],
    rule: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """List earlier rulings by words in their rule, latest first and without names of players.

    Raise `RoleMissing` unless the reader is an official.
    """
    found = await disputes.precedents(rule, limit, before)
    context: dict[str, Any] = {"rule": rule, "precedents": found.items, "next": found.next, "limit": limit}
    return render_page(request, "disputes/precedents.html", context)


@get("/disputes/statistics")
async def statistics_page(
    request: PageRequest, disputes: NamedDependency[DisputeService], event: FromQuery[str | None] = None
) -> Response[str]:
    """Show statistics of rulings, for all events or one; `event=` selects matches without an event.

    Raise `RoleMissing` unless the reader is an official.
    """
    counts = await disputes.statistics(event)
    scope_ids = (counts.event or "", *(each.of for each in counts.events))
    context: dict[str, Any] = {
        "counts": counts,
        "events": await scopes.load_scope_names(disputes.tables.writer, scope_ids),
    }
    return render_page(request, "disputes/statistics.html", context)


HANDLERS: Final[tuple[Any, ...]] = (queue_page, precedents_page, statistics_page)
