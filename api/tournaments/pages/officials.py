"""Requests of players to officials: calls for an arbiter, and reported chat messages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from api.accounts.naming import names_of
from api.disputes.service import DisputeService
from api.disputes.wire_of_calls import CallShown
from api.http.app_state import SETTINGS
from api.notifications.service import NOTIFICATIONS
from api.talk.service import TalkService
from api.talk.store import Report
from api.talk.talking import TALK
from api.tournaments.pages.needs import NAMED, Need, Spot
from api.tournaments.pages.room import TournamentRoom
from domain.tournaments.commands import TournamentStream


async def asked_of_officials(room: TournamentRoom, event: TournamentStream) -> tuple[Need, ...]:
    """Return the requests that the reader may handle; players of the event may not."""
    request, caller = room.request, room.request.user
    calls = await DisputeService(room.tables, room.accounts, caller, SETTINGS.of(request)).calls_in(event.id)
    talk = TalkService(room.tables, room.accounts, TALK.of(request), caller, NOTIFICATIONS.of(request))
    reports = await talk.reports_in(event.id)
    called = await calls_asked(room, event, calls) if calls else ()
    reported = await asyncio.to_thread(reports_asked, room, reports) if reports else ()
    return (*called, *reported)


async def calls_asked(room: TournamentRoom, event: TournamentStream, calls: Sequence[CallShown]) -> tuple[Need]:
    """Return the calls, unhandled ones first."""
    first = sorted(calls, key=lambda call: call.official_name is not None)[:NAMED]
    places = await room.tournaments.reading.places_of(event, [call.line for call in first])
    spots = tuple(
        Spot(
            f"/disputes/queue#call-{str(call.line)[:8]}",
            *places.get(call.line, (0, 0)),
            name=call.name,
            official=call.official_name or "",
        )
        for call in first
    )
    return (Need("called", len(calls), spots=spots),)


def reports_asked(room: TournamentRoom, reports: Sequence[Report]) -> tuple[Need]:
    """Return the reported messages with their authors, each once."""
    authors = {each.message.id: each.message.person for each in reports}
    names = names_of(room.accounts, authors.values())
    first = list(authors.items())[:NAMED]
    spots = tuple(Spot(f"/talk/messages/{message}", name=names[author]) for message, author in first)
    return (Need("reported", len(authors), spots=spots),)
