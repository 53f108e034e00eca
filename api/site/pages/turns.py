"""Matches that wait for the reader, shown in the head of every page, its tab and its icon."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, get
from litestar.di import NamedDependency

from api.friends.store import FRIENDS
from api.http.page_responses import PageRequest, person_of, render_page
from api.matches.service import MatchService
from projections.platform.clock import now

SHOWN: Final = 20
"""Number of tables in the head of a page; others are in the list of the reader's tables."""
NO_STORE: Final = {"Cache-Control": "no-store"}


@get("/turns")
async def turns(request: PageRequest, matches: NamedDependency[MatchService]) -> Response[str]:
    """Show the number of tables where it is the reader's turn, and the longest waiting ones; none for visitors.

    Record that the reader is present, unless hidden, which friends see. Never cached.
    """
    person = person_of(request)
    if person is not None:
        friends = FRIENDS.of(request)
        await asyncio.to_thread(friends.record_presence, person.id, now())
    count, waiting = await matches.lists.turns_of(person.id, SHOWN) if person else (0, ())
    response = render_page(request, "site/turns.html", {"turns": waiting, "count": count})
    response.headers.update(NO_STORE)
    return response


HANDLERS: Final = (turns,)
