"""The big screen of a hall: seats, running clocks and standings in turn, updated live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from api.contests.sheets import key_of_name
from api.http.fragments import PartsView, now_ms, split_digests
from api.http.live import live_stream
from api.http.notifier import Subscriber, Topic
from api.http.page_responses import render
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.live import newest_round, topics_of
from api.tournaments.schemas import RoundShown
from domain.matches.log.entries import microseconds
from domain.tournaments.commands import TournamentStream

T = TypeVar("T")

ROWS: Final = 10
"""Lines per slide; each is a twelfth of the screen's height, readable from ten metres."""
COLUMNS: Final = 2
SCREENS_MAX: Final = 12
Screens = Annotated[int, QueryParameter(ge=1, le=SCREENS_MAX, description="how many screens share the names")]
SCREEN_CALM_SECONDS: Final = 2.0
"""Delay between updates, since the clocks of many tables change at the same time."""


class PlayerPlace(msgspec.Struct, frozen=True):
    """The place of a player; table 0: a bye."""

    name: str
    table: int


class RunningClock(msgspec.Struct, frozen=True):
    """A running clock: player, table, and its end in milliseconds since 1970."""

    name: str
    table: int
    until_ms: int


def slides_of(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Split items into slides."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def share_of(items: Sequence[T], screen: int, screens: int) -> Sequence[T]:
    """Return the part of the items for one of several screens; neighbours stay together."""
    each = -(-len(items) // screens)
    return items[(screen - 1) * each : screen * each]


def places_of(round_: RoundShown | None, names: Mapping[str, str]) -> list[PlayerPlace]:
    """Return the players of a round with their tables, sorted by name; a bye is table 0, without a round empty."""
    if round_ is None:
        return []
    tables = {entry: table.table for table in round_.tables for entry in table.entries} | dict.fromkeys(round_.byes, 0)
    return [
        PlayerPlace(names[entry], tables[entry])
        for entry in sorted(tables, key=lambda entry: key_of_name(names[entry]))
    ]


async def running_clocks(page: TournamentContext, round_: RoundShown | None) -> list[RunningClock]:
    """Return the running clocks at the tables of a round, shortest first."""
    found = []
    tables = {table.match_id: table for table in round_.tables if table.status == "playing"} if round_ else {}
    for clock in await page.tournaments.reading.running_clocks([each for each in tables if each is not None]):
        if clock.deadline is not None:
            table = tables[clock.match_id]
            found.append(RunningClock(table.names[clock.seat], table.table, microseconds(clock.deadline) // 1000))
    return sorted(found, key=lambda each: each.until_ms)


async def screen_context(page: TournamentContext, event: TournamentStream, screen: int, screens: int) -> dict[str, Any]:
    """Return the template context of a screen: the latest open round, else the last closed one, with slides.

    Slides show places by name (this screen's share of them, open rounds only), running clocks and standings. Only the
    latest announcement is shown.
    """
    context = await page.context(event)
    round_ = newest_round(context["shown"])
    if round_ is None:
        public = [each for each in context["shown"].rounds if each.status == "closed"]
        round_ = public[-1] if public else None
    is_open = round_ is not None and round_.status != "closed"
    standings = await page.standings(event)
    names: Mapping[str, str] = context["names"]
    places = share_of(places_of(round_ if is_open else None, names), screen, screens)
    return {
        **context,
        "round": round_,
        "deadline_ms": microseconds(round_.deadline) // 1000 if round_ and is_open and round_.deadline else None,
        "place_slides": slides_of(places, ROWS * COLUMNS),
        "clock_slides": slides_of(await running_clocks(page, round_), ROWS),
        "rank_slides": slides_of(standings.standings, ROWS),
        "notices": [each for each in context["shown"].notices if each.since is None][-1:],
        "screen": screen,
        "screens": screens,
    }


class ScreenScene(PartsView):
    """The live scene of the screen: the event, and the clocks of its round."""

    page: TournamentContext

    async def next_events(self, subscriber: Subscriber, topics: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return the slides if anything has changed; also subscribe to the matches of the latest round."""
        subscriber.subscribe(*self.topics(), *matches_of(await self.page.tournaments.reading.get(self.page.id)))
        return await super().next_events(subscriber, topics)


@get("/screen")
async def screen_page(
    page: NamedDependency[TournamentContext], screen: Screens = 1, screens: Screens = 1
) -> Response[str]:
    """Show one of the `screens` big screens of the event; they share the list of names."""
    event = await page.tournaments.reading.get(page.id)
    return page.render("screen", {**await screen_context(page, event, screen, screens), "now": now_ms()})


@get("/screen/stream", media_type="text/event-stream")
async def screen_stream(
    page: NamedDependency[TournamentContext], have: FromQuery[str] = "", screen: Screens = 1, screens: Screens = 1
) -> ServerSentEvent:
    """Stream the head and the slides of a big screen as they change."""
    await page.tournaments.reading.get(page.id)

    async def make() -> dict[str, str]:
        event = await page.tournaments.reading.get(page.id)
        context = await screen_context(page, event, screen, screens)
        return {
            name: render(page.request, f"tournaments/{name}.html", context) for name in ("screen_head", "screen_slides")
        }

    view = ScreenScene(page.request, topics_of(page.id), make, split_digests(have), SCREEN_CALM_SECONDS)
    view.page = page
    return live_stream(page.request, page.tables.notifier, view)


def matches_of(event: TournamentStream) -> tuple[UUID, ...]:
    """Return the matches of the latest round."""
    last = event.state.round
    return tuple(table.match for table in last.tables if table.match is not None) if last else ()


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[screen_page, screen_stream],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
