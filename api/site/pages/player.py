"""The page of a person or a bot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal
from urllib.parse import quote
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
from api.friends.service import FriendService, provide_friends
from api.http.charts import draw_ratings
from api.http.guards import Caller
from api.http.page_responses import PageRequest, render_page
from api.http.paging import Before, Limit
from api.leagues.responses import encode_row
from api.matches.schemas import MatchListed
from api.matches.service import MatchService
from api.ratings.pages import points_of
from api.ratings.routes import find_player
from api.ratings.service import load_player
from api.tournaments.pages.context import STATUS
from domain.kernel.messages import Message
from domain.kernel.title import Titles
from domain.matches.facts import Actor, is_bot
from domain.ratings.ladder import Pool
from projections import leagues, studies
from projections.archive import search as archive
from projections.matches import habits, lobby
from projections.matches.habits import Habit
from projections.matches.lobby import LobbyRow
from projections.platform.clock import now
from projections.platform.paging import Page, page_of
from projections.platform.store import ReadStore
from projections.ratings import rankings, rating_history
from projections.ratings.effects import RatingChange
from projections.ratings.rating_history import PLOTTED_MAX
from projections.tournaments import listing

RESULTS: Final = 20


RESULTS_READ: Final = 60
"""Matches of a player per read, repeated until enough of them have ended and are visible."""


READS_MAX: Final = 20
"""Maximum reads per page. After them the page has fewer results, and its link continues after the last row read."""


FAVOURITES: Final = 8


Listed = Literal["results", "events", "leagues"]


class Bar(msgspec.Struct, frozen=True):
    """A favourite of a player: number of uses, and length of the bar in percent."""

    name: Message | str
    times: int
    length: int


class Favourites(msgspec.Struct, frozen=True):
    """The favourites of one kind."""

    title: str
    heading: str
    bars: tuple[Bar, ...]


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match in a player's list."""

    match_id: UUID
    title: str
    day: Any
    place: int
    points: int
    others: tuple[tuple[Actor, str], ...]
    moved: int | None
    played_on: tuple[tuple[Actor, str, int], ...] = ()
    """Substitutes of the player: id, name and first entry."""


@get("/players/{name:str}", dependencies={"friends": Provide(provide_friends, sync_to_thread=False)})
async def player_page(
    request: PageRequest,
    name: FromPath[str],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    friends: NamedDependency[FriendService],
    listed: FromQuery[Listed] = "results",
    before: Before = None,
    limit: Limit = RESULTS,
) -> Response[Any]:
    """Show results, ratings, favourites, events and leagues of a person or a bot; private matches only to that person.

    `before` is the cursor of the list named by `listed`. Raise `NoSuchPerson` for an unknown name.
    """
    player = await find_player(accounts, name)
    is_own = caller.person is not None and caller.person.id == player.id
    shown = await load_player(matches, player, now(), is_own=is_own)
    history = await matches.writer.read_model(rating_history.history_of, player.id, PLOTTED_MAX)
    first_keys: dict[Listed, int | None] = {listed: before}
    found = await matches.writer.read_model(own_results, player.id, limit, first_keys.get("results"), is_own=is_own)
    events = await matches.writer.read_model(listing.tournaments_of, player.id, limit, first_keys.get("events"))
    in_leagues = await matches.writer.read_model(leagues.leagues_of, player.id, limit, first_keys.get("leagues"))
    names = await asyncio.to_thread(names_of, accounts, people_of(found.items))
    changes_by_match = await matches.writer.read_model(points_moved, player.id, found.items)
    by_pool: dict[Pool, list[RatingChange]] = {}
    for each in history:
        by_pool.setdefault(each.pool, []).append(each)
    context = {
        "shown": shown,
        "is_own": is_own,
        "plots": [(pool, draw_ratings([(player.name, points_of(moves))])) for pool, moves in sorted(by_pool.items())],
        "played": [encode_match(row, player.id, names, changes_by_match) for row in found.items],
        "next": found.next,
        "limit": limit,
        "favourites": favourites(matches.titles, await matches.writer.read_model(habits.of_player, player.id)),
        "events": events,
        "event_status": STATUS,
        "leagues": in_leagues.of([encode_row(row) for row in in_leagues.items]),
        "titles": await matches.writer.read_model(archive.titles_of, player.id),
        "studies": await matches.writer.read_model(studies.public_of, player.id, RESULTS),
        "tables": await public_tables(matches, player.id),
        "company": None if is_bot(player.id) else await friends.relation_to(player.id),
        "for_two": [name for name, title in matches.titles.items() if title.rules.options({}).seats_min <= 2],
        "address": address_of(player.id, player.name),
    }
    return render_page(request, "site/player.html", context)


def points_moved(store: ReadStore, player: Actor, rows: Iterable[LobbyRow]) -> dict[UUID, int]:
    """Return the points that a player gained or lost by each of these matches, if it was rated."""
    return {
        row.match_id: change.points - change.points_before
        for row in rows
        for change in rankings.rating_changes_by(store, row.match_id)
        if change.after.player == player
    }


async def public_tables(matches: MatchService, player: Actor) -> tuple[MatchListed, ...]:
    """Return the public tables where a player plays or waits now."""
    found = (await matches.lists.lobby_of(player, RESULTS, None)).matches
    return tuple(match for match in found if match.table.is_listed)


def address_of(player: Actor, name: str) -> str:
    """Return the path of a player's page by the current name."""
    return f"/players/{quote(player if is_bot(player) else name, safe='')}"


def people_of(rows: Iterable[LobbyRow]) -> set[Actor | None]:
    """Return the original players of the matches and their substitutes."""
    return {actor for row in rows for actor in (*row.began, *(each.actor for each in row.played_on))}


def own_results(store: ReadStore, player: Actor, limit: int, before: int | None, *, is_own: bool) -> Page[LobbyRow]:
    """Return the ended matches of a player, latest first: public ones, or all for that player.

    After `READS_MAX` reads the page ends, perhaps short, with a cursor to continue.
    """
    found = list[LobbyRow]()
    for _ in range(READS_MAX):
        page = lobby.matches_of(store, player, RESULTS_READ, before)
        found += [row for row in page.items if is_listed(row, player, is_own=is_own)]
        before = page.next
        if before is None or len(found) > limit:
            break
    ended = page_of(found, limit, lambda row: row.opened)
    return Page(ended.items, before if ended.next is None else ended.next)


def is_listed(row: LobbyRow, player: Actor, *, is_own: bool) -> bool:
    """Return whether the match ended with a result of the player that the reader may see."""
    is_result = row.status == "ended" and row.ranking is not None and row.seat_of(player) is not None and not row.tried
    return is_result and (row.table.public or is_own)


def encode_match(row: LobbyRow, player: Actor, names: Names, changes_by_match: Mapping[UUID, int]) -> PlayedMatch:
    """Convert an ended match for the list of one of its starters; `changes_by_match` has the rating changes."""
    assert row.ranking is not None
    seat = row.seat_of(player)
    assert seat is not None
    others = tuple((actor, names[actor]) for at, actor in enumerate(row.began) if at != seat and actor)
    played_on = tuple((each.actor, names[each.actor], each.version) for each in row.played_on if each.seat == seat)
    place, points = row.ranking[seat], row.scores[seat]
    return PlayedMatch(
        row.match_id, row.title, row.at, place, points, others, changes_by_match.get(row.match_id), played_on
    )


def favourites(titles: Titles, habits: Iterable[Habit]) -> list[Favourites]:
    """Return at most `FAVOURITES` choices of each kind, in the given order, as bars in percent of the first choice.

    Kinds without a choice are left out.
    """
    habits_by_kind: dict[tuple[str, str], list[Habit]] = {}
    for habit in habits:
        habits_by_kind.setdefault((habit.title, habit.kind), []).append(habit)
    found = []
    for name, title in titles.items():
        for kind, heading in title.habits.headings.items():
            most_frequent = habits_by_kind.get((name, kind), [])[:FAVOURITES]
            bars = tuple(
                Bar(title.habits.name(kind, habit.thing), habit.times, 100 * habit.times // most_frequent[0].times)
                for habit in most_frequent
            )
            if bars:
                found.append(Favourites(name, heading, bars))
    return found


HANDLERS: Final = (player_page,)
