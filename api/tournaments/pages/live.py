"""A tournament while somebody looks at it: every table of the newest round as it stands, the standings, the next
round."""

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

from api.http.bells import Ear, Topic
from api.http.browser import csrf_of, render
from api.http.fragments import PartsScene, beat, digests, encode_message, news, split_digests
from api.http.live import live_stream
from api.tournaments.pages.room import SmallBoard, TournamentRoom, drawn_rounds
from api.tournaments.wire import RoundShown, TournamentShown
from domain.standings.contest import ROUNDS_MAX
from domain.tournaments.commands import TournamentStream
from projections.matches import outcomes

CALM_SECONDS: Final = 1.0
"""Many tables change at once: what happens at them is not sent more often than this."""
STRUCTURE: Final = "rounds"
"""The place of all rounds; it is sent anew only when rounds or results are others, not when somebody scores."""
BEST: Final = "best"
OWN: Final = "own"
"""What the reader who takes part has to do."""


def table_place(round_: int, table: int) -> str:
    """The id of the place of a table; a stream's words allow no dash in it."""
    return f"at_{round_}_{table}"


class Watched(msgspec.Struct):
    """What a stream knows of a tournament: enough to draw only what is new."""

    context: Mapping[str, Any]
    keys: Mapping[str, str]
    """Of every piece, by the id of its place, what it is drawn from: the same key, the same piece."""


async def read_watched(
    room: TournamentRoom, event: TournamentStream, boards: dict[UUID, SmallBoard], wanted: int = 0
) -> Watched:
    """The tournament as it stands; `boards` are those drawn before, kept while their match stays where it is."""
    context = await room.context(event)
    shown = context["shown"]
    boards |= await room.boards(shown, boards)
    results = [[(table.status, table.places, table.scores) for table in each.tables] for each in shown.rounds]
    structure = repr((shown.version, results))
    keys = {STRUCTURE: structure, BEST: structure, OWN: structure}
    if (newest := newest_round(shown)) is not None:
        for table in newest.tables:
            board = boards.get(table.match_id) if table.match_id is not None else None
            keys[table_place(newest.round, table.table)] = (
                f"{structure}{board.status, board.version}" if board else structure
            )
    return Watched({**context, "boards": boards, "drawn": drawn_rounds(shown, wanted)}, keys)


def newest_round(shown: TournamentShown) -> RoundShown | None:
    """The newest round everybody may see, until it is closed."""
    return next((each for each in reversed(shown.rounds) if each.status in {"opened", "published"}), None)


def draw_pieces(room: TournamentRoom, context: Mapping[str, Any], places: Collection[str]) -> dict[str, str]:
    """The pieces of these places."""

    def render_piece(template: str, **more: object) -> str:
        return render(room.request, f"tournaments/{template}.html", {**context, **more})

    parts = {place: render_piece(place) for place in (STRUCTURE, BEST, OWN) if place in places}
    if (newest := newest_round(context["shown"])) is not None:
        for table in newest.tables:
            if (place := table_place(newest.round, table.table)) in places:
                parts[place] = render_piece("round_table", round=newest, table=table)
    return parts


def topics_of(event_id: UUID) -> tuple[Topic, ...]:
    """What rings when a tournament has something new: its own records, and the results of its matches."""
    return (event_id, (outcomes.NAME, str(event_id)))


class TournamentScene:
    """The tournament as its page shows it, with the boards of the newest round."""

    calm_seconds = CALM_SECONDS

    def __init__(self, room: TournamentRoom, have: Mapping[str, str], wanted: int = 0) -> None:
        self._room = room
        self._wanted = wanted
        """The round whose tables the page shows, if it is one by itself."""
        self._have = dict(have)
        self._boards: dict[UUID, SmallBoard] = {}
        self._lines: set[UUID] = set()
        """The lines that count at the tables of the newest round, as they were last."""

    def topics(self) -> Sequence[Topic]:
        return topics_of(self._room.id)

    async def news(self, ear: Ear, _: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        room, csrf = self._room, csrf_of(self._room.request)
        event = await room.tournaments.reading.get(room.id)
        last = event.state.round
        matches = {table.match for table in (last.tables if last else ()) if table.match is not None} | self._lines
        ear.listen(*self.topics(), *matches)
        seen = await read_watched(room, event, self._boards, self._wanted)
        rounds = seen.context["shown"].rounds
        self._lines = {table.match_id for table in (rounds[-1].tables if rounds else ()) if table.match_id is not None}
        if not self._lines <= matches:
            # A ruling has put another line in the place of a match: what has rung there meanwhile is looked for again.
            ear.listen(*self.topics(), *self._lines)
            seen = await read_watched(room, event, self._boards, self._wanted)
        had, self._have = self._have, digests(seen.keys, csrf)
        new = news(seen.keys, had, self._have)
        if not new:
            return []
        context = {**seen.context, "standings": await room.standings(event)}
        return [encode_message(event.version, await asyncio.to_thread(draw_pieces, room, context, new), self._have)]

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        return False

    def beat(self) -> ServerSentEventMessage:
        return beat()


@get("/stream", media_type="text/event-stream")
async def tournament_stream(
    room: NamedDependency[TournamentRoom],
    have: FromQuery[str] = "",
    number: Annotated[int, QueryParameter(name="round", ge=0, le=ROUNDS_MAX)] = 0,
) -> ServerSentEvent:
    """What changes on the page of the tournament, as it changes."""
    await room.tournaments.reading.get(room.id)
    return live_stream(room.request, room.tables.bells, TournamentScene(room, split_digests(have), number))


@get("/standings/stream", media_type="text/event-stream")
async def standings_stream(room: NamedDependency[TournamentRoom], have: FromQuery[str] = "") -> ServerSentEvent:
    """The table of the standings, whenever it is another one."""
    await room.tournaments.reading.get(room.id)

    async def make() -> dict[str, str]:
        event = await room.tournaments.reading.get(room.id)
        context = {**await room.context(event), "standings": await room.standings(event)}
        return {"standings_table": render(room.request, "tournaments/standings_table.html", context)}

    return parts_stream(room, make, have)


def parts_stream(room: TournamentRoom, make: Callable[[], Awaitable[Mapping[str, str]]], have: str) -> ServerSentEvent:
    scene = PartsScene(room.request, topics_of(room.id), make, split_digests(have), CALM_SECONDS)
    return live_stream(room.request, room.tables.bells, scene)
