"""Requests of players to officials: calls for an arbiter, and reported chat messages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from api.accounts.display_names import names_of
from api.disputes.call_schemas import CallShown
from api.disputes.service import DisputeService
from api.http.app_state import SETTINGS
from api.notifications.service import NOTIFICATIONS
from api.talk.service import TalkService
from api.talk.state import TALK
from api.talk.store import Report
from api.tournaments.pages.context import TournamentContext
from api.tournaments.pages.open_tasks import NAMED_MAX, OpenTask, TaskLink
from domain.tournaments.commands import TournamentStream


async def requests_to_officials(page: TournamentContext, event: TournamentStream) -> tuple[OpenTask, ...]:
    """Return a task for the calls and one for the reported messages of the event that the reader may handle.

    Without any of a kind, its task is left out.
    """
    request, caller = page.request, page.request.user
    calls = await DisputeService(page.tables, page.accounts, caller, SETTINGS.of(request)).calls_in(event.id)
    talk = TalkService(page.tables, page.accounts, TALK.of(request), caller, NOTIFICATIONS.of(request))
    reports = await talk.reports_in(event.id)
    call_task = await call_tasks(page, event, calls) if calls else ()
    report_task = await asyncio.to_thread(report_tasks, page, reports) if reports else ()
    return (*call_task, *report_task)


async def call_tasks(page: TournamentContext, event: TournamentStream, calls: Sequence[CallShown]) -> tuple[OpenTask]:
    """Return one task for all calls, naming the first `NAMED_MAX`, calls without an official first."""
    first = sorted(calls, key=lambda call: call.official_name is not None)[:NAMED_MAX]
    tables = await page.tournaments.reading.places_of(event, [call.line for call in first])
    links = tuple(
        TaskLink(
            f"/disputes/queue#call-{str(call.line)[:8]}",
            *tables.get(call.line, (0, 0)),
            name=call.name,
            official=call.official_name or "",
        )
        for call in first
    )
    return (OpenTask("called", len(calls), spots=links),)


def report_tasks(page: TournamentContext, reports: Sequence[Report]) -> tuple[OpenTask]:
    """Return one task for all reported messages, naming the authors of the first `NAMED_MAX`; a message counts once."""
    authors = {each.message.id: each.message.person for each in reports}
    names = names_of(page.accounts, authors.values())
    first = list(authors.items())[:NAMED_MAX]
    links = tuple(TaskLink(f"/talk/messages/{message}", name=names[author]) for message, author in first)
    return (OpenTask("reported", len(authors), spots=links),)
