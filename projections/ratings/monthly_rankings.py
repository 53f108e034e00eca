"""Pages of ranking lists and places, of today and of any month, read from the lines of that month (decision 0071)."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from sqlalchemy import and_, bindparam, func, select, tuple_

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.ratings.ladder import INACTIVE, PLACED, Order, Pool, RankingLine, Rated, order_of, points_in
from domain.ratings.ladder import ranking as rank
from domain.ratings.models import BASE, model_of
from domain.ratings.months import NEVER
from projections.platform.statements import any_of
from projections.platform.store import ReadStore
from projections.ratings import rankings
from projections.ratings.effects import RATED, RESULT_EFFECT, rating_after
from projections.ratings.months import COUNTS, LEVEL_BITS, LEVELS, MONTHS, RESTS
from projections.ratings.rankings import LAST_OF_EACH, OF_POOL, last_change_in
from projections.ratings.tables import RATING_CHANGES, RATING_PLAYERS
from projections.ratings.writing import key_of

TABLE: Final = "rating_months"
"""The table that must be filled before these queries are right."""
SCANNED_MAX: Final = 2_000
"""The inactivities that are read for a page of a past month, of which some have ended by then."""
BOTS: Final = ("bot:", "bot;")
"""The range of the names of bots."""
FIRST: Final = Order(PLACED, -NEVER, -NEVER, "")

OF_MONTH: Final = and_(
    MONTHS.title == bindparam("title"), MONTHS.seats == bindparam("seats"), MONTHS.period == bindparam("period")
)
READ_PART: Final = (
    select(MONTHS.below, MONTHS.player)
    .where(OF_MONTH, MONTHS.part == bindparam("part"))
    .where(tuple_(MONTHS.below, MONTHS.player) > tuple_(bindparam("below"), bindparam("player")))
    .order_by(MONTHS.below, MONTHS.player)
    .limit(bindparam("limit"))
)
RESTING: Final = (
    select(RESTS.before, RESTS.below, RESTS.player, RESTS.until)
    .where(RESTS.title == bindparam("title"), RESTS.seats == bindparam("seats"), RESTS.before >= bindparam("start"))
    .where(
        tuple_(RESTS.before, RESTS.below, RESTS.player)
        > tuple_(bindparam("before"), bindparam("below"), bindparam("player"))
    )
    .order_by(RESTS.before, RESTS.below, RESTS.player)
    .limit(bindparam("limit"))
)
READ_RESTING_NOW: Final = RESTING.where(RESTS.until == NEVER)
PEOPLE_IN: Final = (
    select(func.coalesce(func.sum(COUNTS.people), 0))
    .where(COUNTS.title == bindparam("title"), COUNTS.seats == bindparam("seats"), COUNTS.period == bindparam("period"))
    .where(COUNTS.level == bindparam("level"), COUNTS.cell >= bindparam("first"), COUNTS.cell < bindparam("end"))
)
PLAYERS: Final = RATING_PLAYERS.c
READ_SOME: Final = select(PLAYERS.player, PLAYERS.detail).where(OF_POOL, PLAYERS.player.in_(any_of("players")))
READ_BOTS: Final = select(PLAYERS.detail).where(OF_POOL, PLAYERS.player >= BOTS[0], PLAYERS.player < BOTS[1])
STANDING_THEN: Final = (
    select(PLAYERS.player, RATING_CHANGES.c.detail)
    .select_from(RATING_PLAYERS)
    .join(RATING_CHANGES, RATING_CHANGES.c.number == LAST_OF_EACH)
    .where(OF_POOL)
)
READ_SOME_THEN: Final = STANDING_THEN.where(PLAYERS.player.in_(any_of("players")))
READ_BOTS_THEN: Final = STANDING_THEN.where(PLAYERS.player >= BOTS[0], PLAYERS.player < BOTS[1])


class ListedMonth(Value, frozen=True):
    """The ranking list to read: of a pool and a month. `is_now`: the month has not ended."""

    pool: Pool
    period: int
    is_now: bool

    @property
    def key(self) -> dict[str, object]:
        """Return the parameters of statements."""
        return {**key_of(self.pool), "period": self.period}


class RankingPage(Value, frozen=True):
    """Lines of people, and the position after which the next page starts; None on the last page."""

    lines: tuple[RankingLine, ...]
    next: Order | None


def people_page(store: ReadStore, month: ListedMonth, limit: int, after: Order | None = None) -> RankingPage:
    """Return a page of the people of a list, as `ranking` has them.

    A page of a past month may be shorter, even empty, although there are more.
    """
    if not store.is_filled(TABLE):
        return _page_of_all(store, month, limit, after)
    orders, scanned_to = _orders(store, month, limit + 1, after or FIRST)
    following = scanned_to
    if len(orders) > limit:
        orders = orders[:limit]
        following = orders[-1]
    return RankingPage(tuple(_lines_of(store, month, orders)), following)


def bots_of(store: ReadStore, month: ListedMonth) -> tuple[RankingLine, ...]:
    """Return the list of all bots, which are few."""
    key = key_of(month.pool)
    if month.is_now:
        rated = [RATED.decode(detail) for (detail,) in store.rows(READ_BOTS, **key)]
    else:
        rated = [
            rating_after(RESULT_EFFECT.decode(detail), player)
            for last in last_change_in(store, month.pool, month.period)
            for player, detail in store.rows(READ_BOTS_THEN, last=last, **key)
        ]
    return rank(model_of(BASE), rated, month.period)


def line_of(store: ReadStore, month: ListedMonth, rated: Rated) -> RankingLine:
    """Return the line of a person with this rating in the list."""
    part, *_ = order_of(model_of(BASE), rated, month.period)
    points = points_in(model_of(BASE), rated, month.period)
    return RankingLine(1 + people_above(store, month, points) if part == PLACED else None, rated, points)


def lines_of_player(store: ReadStore, player: Actor, period: int) -> dict[Pool, RankingLine]:
    """Return the line of a person or a bot in every current list; empty for an unknown player."""
    if not store.is_filled(TABLE):
        return rankings.list_player_rankings(store, player, period)
    found = dict[Pool, RankingLine]()
    for pool, rated in rankings.ratings_of(store, player).items():
        month = ListedMonth(pool, period, is_now=True)
        for line in bots_of(store, month) if rated.is_bot else [line_of(store, month, rated)]:
            if line.rated.player == player:
                found[pool] = line
    return found


def people_above(store: ReadStore, month: ListedMonth, points: int) -> int:
    """Return the number of people in the list with a place and more points."""
    count = 0
    for level in range(LEVELS):
        cell = points >> LEVEL_BITS * level
        end = NEVER if level == LEVELS - 1 else (cell >> LEVEL_BITS) + 1 << LEVEL_BITS
        count += _people_in(store, month, level, cell + 1, end)
    return count


def _people_in(store: ReadStore, month: ListedMonth, level: int, first: int, end: int) -> int:
    return int(store.rows(PEOPLE_IN, **month.key, level=level, first=first, end=end)[0][0])


def _page_of_all(store: ReadStore, month: ListedMonth, limit: int, after: Order | None) -> RankingPage:
    """Return the page from all ratings of the pool, while the lines of months are being filled."""
    list_pool = rankings.list_now if month.is_now else rankings.list_at
    lines = [line for line in list_pool(store, month.pool, month.period) if not line.rated.is_bot]
    orders = [order_of(model_of(BASE), line.rated, month.period) for line in lines]
    start = sum(order <= after for order in orders) if after else 0
    end = start + limit
    return RankingPage(tuple(lines[start:end]), orders[end - 1] if end < len(lines) else None)


def _orders(store: ReadStore, month: ListedMonth, limit: int, after: Order) -> tuple[list[Order], Order | None]:
    """Return the next positions of the list, and the last position that was read if the search stopped early."""
    found = list[Order]()
    part, before, below, player = after
    for each in range(part, INACTIVE):
        if each != part:
            below, player = -NEVER, ""
        rows = store.rows(READ_PART, **month.key, part=each, below=below, player=player, limit=limit - len(found))
        found += [Order(each, 0, row_below, row_player) for row_below, row_player in rows]
        if len(found) == limit:
            return found, None
    if part != INACTIVE:
        before, below, player = -NEVER, -NEVER, ""
    position = {"start": -month.period, "before": before, "below": below, "player": player}
    if month.is_now:
        rows = store.rows(READ_RESTING_NOW, **key_of(month.pool), **position, limit=limit - len(found))
        return found + [Order(INACTIVE, *row[:3]) for row in rows], None
    rows = store.rows(RESTING, **key_of(month.pool), **position, limit=SCANNED_MAX)
    found += [Order(INACTIVE, *row[:3]) for row in rows if row[3] > month.period][: limit - len(found)]
    return found, Order(INACTIVE, *rows[-1][:3]) if len(rows) == SCANNED_MAX else None


def _lines_of(store: ReadStore, month: ListedMonth, orders: Sequence[Order]) -> Iterable[RankingLine]:
    """Yield the lines of these positions, which follow each other in the list.

    People whose only matches have been taken back since the positions were read are left out.
    """
    rated = _ratings_of(store, month, [player for *_, player in orders])
    lines = [
        (part, RankingLine(None, rated[player], points_in(model_of(BASE), rated[player], month.period)))
        for part, _, _, player in orders
        if player in rated
    ]
    yield from _with_places(store, month, [line for part, line in lines if part == PLACED])
    yield from (line for part, line in lines if part != PLACED)


def _with_places(store: ReadStore, month: ListedMonth, lines: Sequence[RankingLine]) -> Iterable[RankingLine]:
    """Yield lines with their places. The first ones may share theirs with lines of the page before."""
    place = 0
    for points, group in groupby(lines, key=lambda line: line.points):
        tied = list(group)
        size = len(tied)
        if not place:
            place = 1 + people_above(store, month, points)
            size = _people_in(store, month, 0, points, points + 1)
        yield from (replace(line, place=place) for line in tied)
        place += size


def _ratings_of(store: ReadStore, month: ListedMonth, players: Sequence[Actor]) -> dict[Actor, Rated]:
    """Return the ratings of players in the list."""
    key = key_of(month.pool)
    if month.is_now:
        return {player: RATED.decode(detail) for player, detail in store.rows(READ_SOME, **key, players=players)}
    return {
        player: rating_after(RESULT_EFFECT.decode(detail), player)
        for last in last_change_in(store, month.pool, month.period)
        for player, detail in store.rows(READ_SOME_THEN, **key, players=players, last=last)
    }
