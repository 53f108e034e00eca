"""Live updates of a tournament: tables of the latest round, standings and the next round."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api.http.fragments import PartsView, changed_parts, digests, encode_message, heartbeat, split_digests
from api.http.live import live_stream
from api.http.notifier import Subscriber, Topic
from api.http.page_responses import csrf_of, render
from api.tournaments.pages.context import SmallBoard, TournamentContext, rounds_to_render
from api.tournaments.schemas import RoundShown, TournamentShown
from domain.standings.contest import ROUNDS_MAX
from domain.tournaments.commands import TournamentStream
from projections.matches import outcomes

CALM_SECONDS: Final = 1.0
"""Delay between updates; many tables change at the same time."""
STRUCTURE: Final = "rounds"
"""Element id of all rounds, which are sent again only when rounds or results change, not scores."""
BEST: Final = "best"
OWN: Final = "own"
"""Element id of the tasks of the reader, if they participate."""


def table_id(round_: int, table: int) -> str:
    """Return the element id of a table; stream events allow no dash in it."""
    return f"at_{round_}_{table}"


class StreamState(msgspec.Struct):
    """The state of a tournament known to a stream, so that only changes are rendered."""

    context: Mapping[str, Any]
    keys: Mapping[str, str]
    """Element id -> cache key of the part; equal keys mean equal parts."""


async def read_stream_state(
    page: TournamentContext, event: TournamentStream, boards: dict[UUID, SmallBoard], number: int = 0
) -> StreamState:
    """Read the state for a stream: the template context, and a cache key for each part of the page.

    `boards` caches rendered boards, which are reused for unchanged matches, and is updated. `number` is the only round
    to render, 0 for the usual ones.
    """
    context = await page.context(event)
    tournament = context["shown"]
    boards |= await page.boards(tournament, boards)
    results = [[(table.status, table.places, table.scores) for table in each.tables] for each in tournament.rounds]
    structure = repr((tournament.version, results))
    keys = {STRUCTURE: structure, BEST: structure, OWN: structure}
    if (newest := newest_round(tournament)) is not None:
        for table in newest.tables:
            board = boards.get(table.match_id) if table.match_id is not None else None
            keys[table_id(newest.round, table.table)] = (
                f"{structure}{board.status, board.version}" if board else structure
            )
    return StreamState({**context, "boards": boards, "drawn": rounds_to_render(tournament, number)}, keys)


def newest_round(tournament: TournamentShown) -> RoundShown | None:
    """Return the latest public round that is not closed, or None."""
    return next((each for each in reversed(tournament.rounds) if each.status in {"opened", "published"}), None)


def render_parts(page: TournamentContext, context: Mapping[str, Any], part_ids: Collection[str]) -> dict[str, str]:
    """Render the parts with these element ids: rounds, best places, own tasks, and tables of the latest open round."""

    def render_piece(template: str, **extra: object) -> str:
        return render(page.request, f"tournaments/{template}.html", {**context, **extra})

    parts = {part: render_piece(part) for part in (STRUCTURE, BEST, OWN) if part in part_ids}
    if (newest := newest_round(context["shown"])) is not None:
        for table in newest.tables:
            if (part := table_id(newest.round, table.table)) in part_ids:
                parts[part] = render_piece("round_table", round=newest, table=table)
    return parts


def topics_of(event_id: UUID) -> tuple[Topic, ...]:
    """Return the topics of a tournament: its records, and the results of its matches."""
    return (event_id, (outcomes.NAME, str(event_id)))


class TournamentScene:
    """The live scene of a tournament page, with the boards of the latest round."""

    calm_seconds = CALM_SECONDS

    def __init__(self, page: TournamentContext, shown_digests: Mapping[str, str], number: int = 0) -> None:
        self._page = page
        self._number = number
        """The number of the round if the page shows only one, else 0."""
        self._shown_digests = dict(shown_digests)
        self._boards: dict[UUID, SmallBoard] = {}
        self._official_lines: set[UUID] = set()
        """The official lines at the tables of the latest round, as of the last update."""

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to."""
        return topics_of(self._page.id)

    async def next_events(self, subscriber: Subscriber, _: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return one message with the parts that have changed; empty if none has.

        Also subscribes to the matches of the latest round.
        """
        page, csrf = self._page, csrf_of(self._page.request)
        event = await page.tournaments.reading.get(page.id)
        last = event.state.round
        matches = {
            table.match for table in (last.tables if last else ()) if table.match is not None
        } | self._official_lines
        subscriber.subscribe(*self.topics(), *matches)
        state = await read_stream_state(page, event, self._boards, self._number)
        rounds = state.context["shown"].rounds
        self._official_lines = {
            table.match_id for table in (rounds[-1].tables if rounds else ()) if table.match_id is not None
        }
        if not self._official_lines <= matches:
            # A ruling has replaced a match by another line, which may have changed before the subscription.
            subscriber.subscribe(*self.topics(), *self._official_lines)
            state = await read_stream_state(page, event, self._boards, self._number)
        previous_digests, self._shown_digests = self._shown_digests, digests(state.keys, csrf)
        changed = changed_parts(state.keys, previous_digests, self._shown_digests)
        if not changed:
            return []
        context = {**state.context, "standings": await page.standings(event)}
        return [
            encode_message(
                event.version, await asyncio.to_thread(render_parts, page, context, changed), self._shown_digests
            )
        ]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return False: no update is urgent."""
        return False

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat."""
        return heartbeat()


@get("/stream", media_type="text/event-stream")
async def tournament_stream(
    page: NamedDependency[TournamentContext],
    have: FromQuery[str] = "",
    number: Annotated[int, QueryParameter(name="round", ge=0, le=ROUNDS_MAX)] = 0,
) -> ServerSentEvent:
    """Stream the changed parts of a tournament page; `have` are the digests of the parts that the page shows."""
    await page.tournaments.reading.get(page.id)
    return live_stream(page.request, page.tables.notifier, TournamentScene(page, split_digests(have), number))


@get("/standings/stream", media_type="text/event-stream")
async def standings_stream(page: NamedDependency[TournamentContext], have: FromQuery[str] = "") -> ServerSentEvent:
    """Stream the table of the standings as it changes; `have` is the digest that the page shows."""
    await page.tournaments.reading.get(page.id)

    async def make() -> dict[str, str]:
        event = await page.tournaments.reading.get(page.id)
        context = {**await page.context(event), "standings": await page.standings(event)}
        return {"standings_table": render(page.request, "tournaments/standings_table.html", context)}

    return parts_stream(page, make, have)


def parts_stream(
    page: TournamentContext, make: Callable[[], Awaitable[Mapping[str, str]]], known_digests: str
) -> ServerSentEvent:
    """Return a stream of the parts that `make` renders (element id -> HTML), at first and after each change.

    Only parts whose digest differs from the reader's (`known_digests`) are sent.
    """
    view = PartsView(page.request, topics_of(page.id), make, split_digests(known_digests), CALM_SECONDS)
    return live_stream(page.request, page.tables.notifier, view)
