"""The lines of people in the ranking lists of months, written with their ratings (decision 0071)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import and_, bindparam, delete, select

from domain.matches.facts import Actor, is_bot
from domain.ratings.ladder import PLACED, PROVISIONAL, Pool, Rated
from domain.ratings.models import BASE, model_of
from domain.ratings.months import inactivities, month_lines
from projections.platform.database import Row
from projections.platform.fills import Fill, FillTransaction
from projections.platform.statements import any_of, upsert_rows
from projections.ratings.effects import RESULT_EFFECT, rating_after
from projections.ratings.tables import (
    RATING_CHANGES,
    RATING_COUNTS,
    RATING_MONTHS,
    RATING_MOVES,
    RATING_PLAYERS,
    RATING_RESTS,
)
from projections.ratings.writing import batches, key_of, put_rows

LEVELS: Final = 3
LEVEL_BITS: Final = 4
"""A cell of a level has as many values as 16 of the level below."""
FILL_SLICE: Final = 200
"""People whose months are filled in one transaction."""

MONTHS: Final = RATING_MONTHS.c
SOME_MONTHS: Final = and_(
    MONTHS.title == bindparam("title"), MONTHS.seats == bindparam("seats"), MONTHS.player.in_(any_of("players"))
)
READ_MONTHS: Final = select(MONTHS.player, MONTHS.period, MONTHS.part, MONTHS.below).where(
    SOME_MONTHS, MONTHS.period >= bindparam("since")
)
PUT_MONTHS: Final = partial(upsert_rows, RATING_MONTHS)
DROP_MONTHS: Final = delete(RATING_MONTHS).where(SOME_MONTHS, MONTHS.period == bindparam("period"))
COUNTS: Final = RATING_COUNTS.c
ADD_COUNTS: Final = partial(upsert_rows, RATING_COUNTS, added=("people",))
DROP_EMPTY: Final = delete(RATING_COUNTS).where(
    COUNTS.title == bindparam("title"),
    COUNTS.seats == bindparam("seats"),
    COUNTS.period == bindparam("period"),
    COUNTS.level == bindparam("level"),
    COUNTS.cell.in_(any_of("cells")),
    COUNTS.people == 0,
)
RESTS: Final = RATING_RESTS.c
SOME_RESTS: Final = and_(
    RESTS.title == bindparam("title"), RESTS.seats == bindparam("seats"), RESTS.player.in_(any_of("players"))
)
READ_RESTS: Final = select(RESTS.player, RESTS.since).where(SOME_RESTS, RESTS.until > bindparam("since"))
PUT_RESTS: Final = partial(upsert_rows, RATING_RESTS)
DROP_RESTS: Final = delete(RATING_RESTS).where(SOME_RESTS, RESTS.since == bindparam("since"))

FORGET_MONTHS: Final = tuple(
    delete(table).where(table.c.title == bindparam("title"), table.c.seats == bindparam("seats"))
    for table in (RATING_MONTHS, RATING_COUNTS, RATING_RESTS)
)

PLAYERS: Final = RATING_PLAYERS.c
MOVES: Final = RATING_MOVES.c
CHANGES: Final = RATING_CHANGES.c
READ_NEXT_PLAYERS: Final = (
    select(PLAYERS.title, PLAYERS.seats, PLAYERS.player, PLAYERS.number)
    .where(PLAYERS.number > bindparam("number"))
    .order_by(PLAYERS.number)
    .limit(bindparam("limit"))
)
READ_CHANGES: Final = (
    select(CHANGES.detail)
    .join(RATING_MOVES, CHANGES.number == MOVES.change)
    .where(MOVES.player == bindparam("player"))
    .order_by(MOVES.change)
)


class Course(NamedTuple):
    """The ratings of a person from a month on: the last rating of each month with a match, in order.

    The first one may be of an earlier month; its lines before `since` are stored already.
    """

    since: int
    ratings: Sequence[Rated]


def courses_of(steps: Iterable[tuple[Actor, Rated]], former: Mapping[Actor, Rated]) -> dict[Actor, Course]:
    """Return the courses of people after further matches, whose ratings are given in order of time.

    `former` has their ratings before.
    """
    last_of_months: dict[Actor, dict[int, Rated]] = {}
    for player, rated in steps:
        last_of_months.setdefault(player, {})[rated.last_period] = rated
    return {
        player: Course(min(months), (*([former[player]] if player in former else ()), *months.values()))
        for player, months in last_of_months.items()
    }


def write_courses(transaction: FillTransaction, pool: Pool, courses: Mapping[Actor, Course]) -> None:
    """Replace the lines and inactivities of people from the month of each course on; bots have none."""
    people = {player: course for player, course in courses.items() if not is_bot(player)}
    changes = Counter[tuple[int, int]]()
    for batch in batches(sorted(people)):
        _write_months(transaction, pool, {player: people[player] for player in batch}, changes)
        _write_rests(transaction, pool, {player: people[player] for player in batch})
    _add_counts(transaction, pool, changes)


def _write_months(
    transaction: FillTransaction, pool: Pool, courses: Mapping[Actor, Course], changes: Counter[tuple[int, int]]
) -> None:
    """Replace the lines of people, and add the difference of placed people to `changes` by month and points."""
    key, since = key_of(pool), min(course.since for course in courses.values())
    obsolete = set[tuple[Actor, int]]()
    for player, period, part, below in transaction.rows(READ_MONTHS, **key, players=list(courses), since=since):
        if period >= courses[player].since:
            obsolete.add((player, period))
            if part == PLACED:
                changes[period, -below] -= 1
    rows = list[Row]()
    for player, course in courses.items():
        for line in month_lines(model_of(BASE), course.ratings):
            if line.period >= course.since:
                rows.append(
                    (*key.values(), player, line.period, PLACED if line.is_placed else PROVISIONAL, -line.points)
                )
                obsolete.discard((player, line.period))
                if line.is_placed:
                    changes[line.period, line.points] += 1
    put_rows(transaction, PUT_MONTHS, rows)
    for period in sorted({period for _, period in obsolete}):
        players = sorted(player for player, each in obsolete if each == period)
        transaction.change(DROP_MONTHS, **key, players=players, period=period)


def _write_rests(transaction: FillTransaction, pool: Pool, courses: Mapping[Actor, Course]) -> None:
    """Replace the inactivities of people that last beyond the beginnings of their courses."""
    key, since = key_of(pool), min(course.since for course in courses.values())
    obsolete = {
        (player, begun) for player, begun in transaction.rows(READ_RESTS, **key, players=list(courses), since=since)
    }
    rows = list[Row]()
    for player, course in courses.items():
        for rest in inactivities(model_of(BASE), course.ratings):
            rows.append((*key.values(), player, rest.since, rest.until, -rest.since, -rest.points))
            obsolete.discard((player, rest.since))
        first = course.ratings[0].last_period if course.ratings else -1
        obsolete -= {each for each in obsolete if each[0] == player and each[1] <= first}
    put_rows(transaction, PUT_RESTS, rows)
    for player, begun in sorted(obsolete):
        transaction.change(DROP_RESTS, **key, players=[player], since=begun)


def _add_counts(transaction: FillTransaction, pool: Pool, changes: Mapping[tuple[int, int], int]) -> None:
    """Add differences of placed people, by month and points, to the counts; counts of zero are deleted."""
    key, cells = key_of(pool), Counter[tuple[int, int, int]]()
    for (period, points), difference in changes.items():
        if difference:
            for level in range(LEVELS):
                cells[period, level, points >> LEVEL_BITS * level] += difference
    put_rows(
        transaction, ADD_COUNTS, [(*key.values(), *cell, difference) for cell, difference in sorted(cells.items())]
    )
    lowered: dict[tuple[int, int], list[int]] = {}
    for (period, level, cell), difference in sorted(cells.items()):
        if difference < 0:
            lowered.setdefault((period, level), []).append(cell)
    for (period, level), emptied in lowered.items():
        for batch in batches(emptied):
            transaction.change(DROP_EMPTY, **key, period=period, level=level, cells=batch)


def fill_months(transaction: FillTransaction, reached: str, limit: int = FILL_SLICE) -> str | None:
    """Write the lines and inactivities of the next people after a number."""
    rows = transaction.rows(READ_NEXT_PLAYERS, number=int(reached or -1), limit=limit)
    courses: dict[Pool, dict[Actor, Course]] = {}
    for title, seats, player, number in rows:
        if is_bot(player):
            continue
        ratings = (
            (player, rating_after(RESULT_EFFECT.decode(detail), player))
            for (detail,) in transaction.rows(READ_CHANGES, player=number)
        )
        courses.setdefault(Pool(title, seats), {}).update(
            {person: course._replace(since=0) for person, course in courses_of(ratings, {}).items()}
        )
    for pool, found in courses.items():
        write_courses(transaction, pool, found)
    return str(rows[-1][3]) if rows else None


FILL_MONTHS: Final[Mapping[str, Fill]] = {"rating_months": fill_months}
