"""The first page: a live demonstration, a form for a table, and lists of tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api.http.fragments import PartsView, digests, encode_message, heartbeat, join_digests, now_ms, split_digests
from api.http.guards import NOBODY
from api.http.languages import language_of
from api.http.live import live_stream
from api.http.notifier import MISSED, Subscriber, Topic
from api.http.page_responses import PageRequest, csrf_of, person_of, render, render_page
from api.http.paging import Before, Limit
from api.matches.demo import DEMO_KEY, DEMO_TOPIC, Demo
from api.matches.pages.filters import KINDS, STATES, Filters, filters_of, is_rated, keep_filters
from api.matches.schemas import Lobby, MatchListed
from api.matches.service import MatchService
from api.quick.page_parts import PLACE_PART, POOLS_PART, draw_pools
from api.quick.pairing import PAIRING, QUICK
from api.quick.service import QuickService
from api.site.pages.live import CALM_SECONDS, TableView, placeholder_values
from api.site.pages.pictures import PICTURES, picture_key
from api.site.pages.table_setup import BOTS_DEFAULT
from api.titles.drawing import DRAWINGS, Drawing
from api.titles.offers import OFFERS
from api.titles.rules import with_rules
from domain.matches.facts import Actor
from projections.matches import lobby
from projections.platform.clock import now
from projections.platform.paging import LIMIT

SHOWN_FIRST: Final = 8
"""Number of tables on the first page."""
OWN_SHOWN: Final = 20
"""Number of the reader's tables on a page."""
LISTED_PART: Final = "listed"
"""Element id of the list of tables."""
INVITED_PART: Final = "invited"
"""Element id of the list of tables that wait for players."""
LOBBY_PARTS: Final = frozenset({LISTED_PART, INVITED_PART, PLACE_PART, POOLS_PART})
LIST_TOPICS: Final[tuple[Topic, ...]] = (lobby.NAME,)
LOBBY_TOPICS: Final[tuple[Topic, ...]] = (*LIST_TOPICS, QUICK)
LIST_CALM_SECONDS: Final = 5.0
"""Minimum interval between two updates of a list; a busy service changes all the time."""
WAITING: Final = "open"
WATCHED: Final = "watched"
"""Running and paused tables, on the first page."""


class WantedTables(msgspec.Struct, frozen=True):
    """Filters of a list of tables; by default all tables to join or watch."""

    title: str = ""
    state: str = ""

    @property
    def statuses(self) -> tuple[str, ...]:
        """The match statuses of the filter: all unfinished ones for an unknown state, without open for `WATCHED`."""
        if self.state == WATCHED:
            return tuple(status for status in lobby.GOING_ON if status != WAITING)
        return (self.state,) if self.state in STATES else lobby.GOING_ON


class LobbyPart(msgspec.Struct, frozen=True):
    """A page of the list, with the cursor of the next."""

    wanted: WantedTables
    matches: tuple[MatchListed, ...]
    next: int | None


@get("/")
async def lobby_page(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    title: FromQuery[str | None] = None,
    kind: FromQuery[str | None] = None,
) -> Response[str]:
    """Show the lobby with the demonstration; given filters are remembered, unknown titles and kinds ignored."""
    filters = filters_of(request, STATES)
    if title is not None and (not title or title in matches.titles):
        filters = msgspec.structs.replace(filters, title=title)
    if kind in KINDS:
        filters = msgspec.structs.replace(filters, kind=kind)
    context: dict[str, Any] = {
        "offers": tuple(OFFERS.of(request).values()),
        "drawings": DRAWINGS.of(request),
        "ruled": with_rules(DRAWINGS.of(request)),
        "bots_default": BOTS_DEFAULT,
        **await own_tables(request, matches, 0),
        "is_empty": not await matches.writer.read_model(lobby.has_people),
        "filters": filters,
    }
    parts = await LobbyParts(request, matches, filters).make()
    context["parts"], shown_digests = parts, digests(parts, csrf_of(request))
    demo = DEMO_KEY.of(request)
    if demo is not None and (match_id := await demo.current_match()) is not None:
        pictures = PICTURES.of(request)
        key = picture_key(await matches.reading.get_current(match_id), NOBODY, language_of(request))
        picture = await pictures.get_current(match_id, key)
        page, is_shown = picture.page, demo_fragment_filter(picture.page.drawing)
        fragments = {
            name: html for name, html in picture.fill_whole(placeholder_values(request)).items() if is_shown(name)
        }
        field = tuple(name for name, _ in page.drawing.templates if is_shown(name))
        context |= {"live": page, "field": field, "match": page.shown, "made": fragments, "now": now_ms()}
        shown_digests |= {name: digest for name, digest in picture.have.items() if is_shown(name)}
    context["have"] = join_digests(shown_digests)
    response = render_page(request, "site/lobby.html", context)
    return response if title is None and kind is None else keep_filters(request, response, filters)


@get("/tables")
async def tables_page(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    title: FromQuery[str | None] = None,
    status: FromQuery[str | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
    own: Before = None,
) -> Response[str]:
    """List public tables with the given or remembered filters; given ones are remembered.

    An unknown `status` lists all unfinished tables, an unknown title none. `own`: number of the reader's tables before
    the first one.
    """
    filters = filters_of(request, STATES)
    if is_asked := title is not None or status is not None:
        filters = msgspec.structs.replace(filters, title=title or "", state=status or "")
    parts = ListParts(request, matches, WantedTables(filters.title, filters.state), before, limit)
    list_part = await parts.load()
    fragments = parts.render(list_part)
    context: dict[str, Any] = {
        "list": list_part,
        "before": before,
        "limit": limit,
        **await own_tables(request, matches, own or 0),
    }
    context |= {"listed": fragments[LISTED_PART], "have": join_digests(digests(fragments, csrf_of(request)))}
    response = render_page(request, "site/tables.html", context)
    return keep_filters(request, response, filters) if is_asked else response


@get("/tables/stream", media_type="text/event-stream")
async def tables_stream(
    request: PageRequest,
    matches: NamedDependency[MatchService],
    title: FromQuery[str] = "",
    status: FromQuery[str] = "",
    before: Before = None,
    limit: Limit = LIMIT,
    have: FromQuery[str] = "",
) -> ServerSentEvent:
    """Stream the list of public tables when it changes; filters as in `tables_page`, but nothing is remembered.

    `have`: digests of the list that the page shows already.
    """
    parts = ListParts(request, matches, WantedTables(title, status), before, limit)
    view = PartsView(request, LIST_TOPICS, parts.make, split_digests(have), LIST_CALM_SECONDS)
    return live_stream(request, matches.notifier, view)


async def own_tables(request: PageRequest, matches: MatchService, offset: int) -> dict[str, Any]:
    """Return at most `OWN_SHOWN` unfinished matches of the reader by the time left, as values for the template.

    An unknown reader has none.
    """
    person = person_of(request)
    own, ends = (Lobby(()), {}) if person is None else await matches.lists.own_of(person.id, OWN_SHOWN, offset)
    return {"own": own, "ends": ends, "waits_for": is_turn_of, "at": now()}


def is_turn_of(match: MatchListed, person: Actor) -> bool:
    """Return whether it is the person's turn."""
    holders = (match.seats[seat].player for seat in match.to_act if seat >= 0)
    return match.status == "running" and any(holder is not None and holder.id == person for holder in holders)


class ListParts:
    """The latest public tables with some statuses, as a part of a page."""

    def __init__(
        self, request: PageRequest, matches: MatchService, criteria: WantedTables, before: int | None, limit: int
    ) -> None:
        self._request = request
        self._tables = matches
        self._criteria = criteria
        self._before = before
        self._limit = limit

    async def load(self) -> LobbyPart:
        """Load the page of the list at the cursor."""
        criteria = self._criteria
        found = await self._tables.lists.lobby_among(criteria.statuses, criteria.title, self._limit, self._before)
        return LobbyPart(criteria, found.matches, found.next)

    def render(self, list_part: LobbyPart) -> dict[str, str]:
        """Render the list."""
        return {LISTED_PART: render(self._request, "site/lobby/list.html", {"list": list_part})}

    async def make(self) -> dict[str, str]:
        """Load and render the list."""
        return self.render(await self.load())


class LobbyParts:
    """The changing parts of the first page besides the demonstration: pools, and tables to join or watch."""

    def __init__(self, request: PageRequest, matches: MatchService, filters: Filters) -> None:
        self._request = request
        self._quick = QuickService(matches, PAIRING.of(request), request.user)
        self._rated = is_rated(request, filters)
        self._open = ListParts(request, matches, WantedTables(filters.title, WAITING), None, SHOWN_FIRST)
        self._watched = ListParts(request, matches, WantedTables(filters.title, WATCHED), None, SHOWN_FIRST)

    async def make(self) -> dict[str, str]:
        """Load and render quick pairing, the tables waiting for players and the watched tables, by element id."""
        pools = await draw_pools(self._request, self._quick, rated=self._rated)
        waiting = (await self._open.make())[LISTED_PART]
        return {**pools, INVITED_PART: waiting, **await self._watched.make()}


@get("/live/stream", media_type="text/event-stream")
async def live_page_stream(
    request: PageRequest, matches: NamedDependency[MatchService], have: FromQuery[str] = ""
) -> ServerSentEvent:
    """Stream the changes of the first page: its lists and the demonstration."""
    return live_stream(
        request, matches.notifier, LobbyView(request, matches, DEMO_KEY.of(request), split_digests(have))
    )


def demo_fragment_filter(drawing: Drawing) -> Callable[[str], bool]:
    """Return a predicate for the fragments to show in a demonstration: without actions and details."""

    def is_shown(name: str) -> bool:
        return name != "actions" and not name.startswith(drawing.details)

    return is_shown


class LobbyView:
    """The first page: lists that update slowly, and a demonstration table that updates fast."""

    calm_seconds = CALM_SECONDS

    def __init__(
        self, request: PageRequest, matches: MatchService, demo: Demo | None, shown_digests: Mapping[str, str]
    ) -> None:
        self._request = request
        self._tables = matches
        self._demo = demo
        parts = LobbyParts(request, matches, filters_of(request, STATES))
        list_digests = {name: digest for name, digest in shown_digests.items() if name in LOBBY_PARTS}
        self._list = PartsView(request, LOBBY_TOPICS, parts.make, list_digests, LIST_CALM_SECONDS)
        self._list_at, self._list_waits = 0.0, False
        self._table: TableView | None = None
        self._shown_digests = {name: digest for name, digest in shown_digests.items() if name not in LOBBY_PARTS}
        self._switch_demo_match()

    def _switch_demo_match(self) -> None:
        """Follow the current demonstration match, keeping the digests of the page; do nothing if there is none."""
        demo = self._demo
        if demo is None or demo.match_id is None:
            return
        if self._table is None or self._table.match_id != demo.match_id:
            shown_digests = self._table.have if self._table else self._shown_digests
            is_shown = demo_fragment_filter(self._tables.drawings[demo.title])
            self._table = TableView(self._request, self._tables, demo.match_id, shown_digests, is_shown)

    def topics(self) -> Sequence[Topic]:
        """Return the topics of lists and demonstration."""
        return (DEMO_TOPIC, *LOBBY_TOPICS, *(self._table.topics() if self._table else ()))

    async def next_events(self, subscriber: Subscriber, topics: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return an event with the fragments that changed in the lists and the demonstration, or nothing."""
        self._switch_demo_match()
        subscriber.subscribe(*self.topics())
        changes = await self._list_changes(subscriber, topics)
        if self._table is not None:
            table_topics = topics & {*self._table.topics(), MISSED}
            if table_topics or not topics or DEMO_TOPIC in topics:
                changes |= await self._table.changes()
        shown_digests = self._list.shown_digests | (self._table.have if self._table else {})
        return [encode_message(self._table.version if self._table else 0, changes, shown_digests)] if changes else []

    async def _list_changes(self, subscriber: Subscriber, topics: frozenset[Topic]) -> dict[str, str]:
        """Return the changed lists, by element id; an update too soon after the last is postponed ({} meanwhile).

        Also {} if something was heard, but nothing about the lists; without `topics` they are read.
        """
        if topics and not topics & {*LOBBY_TOPICS, MISSED}:
            return {}
        loop = asyncio.get_running_loop()
        if (seconds_left := self._list_at - loop.time()) > 0:
            if not self._list_waits:
                loop.call_later(seconds_left, subscriber.deliver, LIST_TOPICS[0])
            self._list_waits = True
            return {}
        self._list_at, self._list_waits = loop.time() + LIST_CALM_SECONDS, False
        return await self._list.changes()

    async def is_urgent(self, rung: frozenset[Topic], topics: frozenset[Topic]) -> bool:
        """Return whether the demonstration changed urgently."""
        return DEMO_TOPIC in rung or (self._table is not None and await self._table.is_urgent(rung, topics))

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat event."""
        return heartbeat()


HANDLERS: Final = (lobby_page, tables_page, tables_stream, live_page_stream)
