"""Queries of the explorer: frequency and results of choices in ended matches."""

from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, select

from domain.kernel.values import Value
from projections.archive.archived_matches import Who
from projections.archive.projection import ARCHIVE_LINES, ARCHIVE_OPENINGS, EXPLORER_OPENINGS, EXPLORER_THINGS
from projections.platform.store import ReadStore

MOVES_MAX: Final = 12
"""Actions returned per position of an opening, the most frequent ones."""

THINGS: Final = EXPLORER_THINGS.c
OPENINGS: Final = EXPLORER_OPENINGS.c
PLAYED: Final = ARCHIVE_OPENINGS.c
OF_TITLE: Final = THINGS.title == bindparam("title")
READ_THINGS: Final = (
    select(THINGS.kind, THINGS.number, THINGS.thing, THINGS.times, THINGS.wins, THINGS.margin)
    .where(OF_TITLE, THINGS.seats == bindparam("seats"), THINGS.who == bindparam("who"))
    .order_by(THINGS.kind, THINGS.number, THINGS.times.desc(), THINGS.thing)
)
READ_KIND: Final = READ_THINGS.where(THINGS.kind == bindparam("kind"))
READ_NAMED: Final = select(THINGS.kind, THINGS.thing).distinct().where(OF_TITLE).order_by(THINGS.kind, THINGS.thing)
READ_MOVES: Final = (
    select(OPENINGS.action, OPENINGS.next, OPENINGS.times, OPENINGS.wins, OPENINGS.margin)
    .where(OPENINGS.path == bindparam("path"), OPENINGS.who == bindparam("who"))
    .order_by(OPENINGS.times.desc(), OPENINGS.action)
    .limit(MOVES_MAX)
)
READ_EXAMPLE: Final = (
    select(ARCHIVE_LINES.c.line_id, PLAYED.version, PLAYED.seat)
    .join(ARCHIVE_OPENINGS, ARCHIVE_LINES.c.place == PLAYED.place)
    .where(PLAYED.path == bindparam("path"))
    .order_by(PLAYED.place.desc())
    .limit(1)
)
READ_SIZES: Final = select(THINGS.seats).distinct().where(OF_TITLE).order_by(THINGS.seats)


class ChoiceStatistics(Value, frozen=True):
    """The frequency of a choice, the wins of seats that made it, and the sum of their margins."""

    times: int
    wins: int
    margin: int

    def combine(self, other: "ChoiceStatistics") -> "ChoiceStatistics":
        """Return the sum of both."""
        return ChoiceStatistics(self.times + other.times, self.wins + other.wins, self.margin + other.margin)

    @property
    def win_share(self) -> float:
        """Return the share of wins."""
        return self.wins / self.times

    @property
    def mean_margin(self) -> float:
        """Return the mean margin."""
        return self.margin / self.times


class CountedChoice(Value, frozen=True):
    """A choice, by round or by its number in the seat's order."""

    kind: str
    number: int
    thing: str
    came: ChoiceStatistics


class OpeningAction(Value, frozen=True):
    """An action at a position of an opening, and the key of the next position."""

    action: str
    next: str
    came: ChoiceStatistics


class Example(Value, frozen=True):
    """The latest match with an opening's action: its entry and seat."""

    line_id: UUID
    version: int
    seat: int


def list_choices(store: ReadStore, title: str, seats: int, who: Who) -> tuple[CountedChoice, ...]:
    """Return all counted choices, by kind and number, the most frequent first."""
    rows = store.rows(READ_THINGS, title=title, seats=seats, who=who)
    return tuple(
        CountedChoice(kind, number, thing, ChoiceStatistics(*statistics)) for kind, number, thing, *statistics in rows
    )


def list_choices_of_kind(store: ReadStore, title: str, seats: int, who: Who, kind: str) -> tuple[CountedChoice, ...]:
    """Return the counted choices of one kind."""
    rows = store.rows(READ_KIND, title=title, seats=seats, who=who, kind=kind)
    return tuple(
        CountedChoice(kind, number, thing, ChoiceStatistics(*statistics)) for kind, number, thing, *statistics in rows
    )


def list_searchable_choices(store: ReadStore, title: str) -> tuple[tuple[str, str], ...]:
    """Return the searchable choices of a title as (kind, choice)."""
    return tuple((kind, thing) for kind, thing in store.rows(READ_NAMED, title=title))


def list_next_actions(store: ReadStore, path: str, who: Who) -> tuple[OpeningAction, ...]:
    """Return the actions played after a position, the most frequent first."""
    rows = store.rows(READ_MOVES, path=path, who=who)
    return tuple(OpeningAction(action, after, ChoiceStatistics(*statistics)) for action, after, *statistics in rows)


def find_example(store: ReadStore, path: str) -> Example | None:
    """Return the latest match with this opening, or None."""
    rows = store.rows(READ_EXAMPLE, path=path)
    return Example(UUID(rows[0][0]), rows[0][1], rows[0][2]) if rows else None


def list_seat_counts(store: ReadStore, title: str) -> tuple[int, ...]:
    """Return the numbers of seats with counted choices."""
    return tuple(int(row[0]) for row in store.rows(READ_SIZES, title=title))
