"""How the explorer is read: what was chosen how often over all ended matches, and what came of it."""

from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from projections.archive.kept import Who
from projections.platform.store import ReadStore

MOVES_MAX: Final = 12
"""So many actions are shown of a place in an opening, the most frequent ones."""

READ_THINGS: Final = (
    "SELECT kind, number, thing, times, wins, margin FROM explorer_things WHERE title = ? AND seats = ? AND who = ?"
    " ORDER BY kind, number, times DESC, thing"
)
READ_KIND: Final = (
    "SELECT kind, number, thing, times, wins, margin FROM explorer_things WHERE title = ? AND seats = ? AND who = ?"
    " AND kind = ? ORDER BY number, times DESC, thing"
)
READ_NAMED: Final = "SELECT DISTINCT kind, thing FROM explorer_things WHERE title = ? ORDER BY kind, thing"
READ_MOVES: Final = (
    "SELECT action, next, times, wins, margin FROM explorer_openings WHERE path = ? AND who = ?"
    " ORDER BY times DESC, action LIMIT ?"
)
READ_EXAMPLE: Final = (
    "SELECT line_id, version, seat FROM archive_openings JOIN archive_lines"
    " ON archive_lines.place = archive_openings.place WHERE path = ? ORDER BY archive_openings.place DESC LIMIT 1"
)
READ_SIZES: Final = "SELECT DISTINCT seats FROM explorer_things WHERE title = ? ORDER BY seats"


class Came(Value, frozen=True):
    """How often something was chosen, how often whoever did won, and the sum of their margins."""

    times: int
    wins: int
    margin: int

    def and_also(self, other: "Came") -> "Came":
        """The sum of both."""
        return Came(self.times + other.times, self.wins + other.wins, self.margin + other.margin)

    @property
    def win_share(self) -> float:
        return self.wins / self.times

    @property
    def mean_margin(self) -> float:
        return self.margin / self.times


class Thing(Value, frozen=True):
    """A thing that was chosen, in a round or as which one in the order of its seat."""

    kind: str
    number: int
    thing: str
    came: Came


class Move(Value, frozen=True):
    """An action at a place in an opening, and the key of the place it leads to."""

    action: str
    next: str
    came: Came


class Example(Value, frozen=True):
    """The newest match in which an action was an opening's: its entry, and whose."""

    line_id: UUID
    version: int
    seat: int


def things(store: ReadStore, title: str, seats: int, who: Who) -> tuple[Thing, ...]:
    """Everything that is counted, of each kind and number the most frequent first."""
    rows = store.rows(READ_THINGS, title, seats, who)
    return tuple(Thing(kind, number, thing, Came(*came)) for kind, number, thing, *came in rows)


def of_kind(store: ReadStore, title: str, seats: int, who: Who, kind: str) -> tuple[Thing, ...]:
    """The things of one kind."""
    rows = store.rows(READ_KIND, title, seats, who, kind)
    return tuple(Thing(kind, number, thing, Came(*came)) for kind, number, thing, *came in rows)


def named(store: ReadStore, title: str) -> tuple[tuple[str, str], ...]:
    """Everything of a title that can be searched for: kinds and things."""
    return tuple((kind, thing) for kind, thing in store.rows(READ_NAMED, title))


def moves(store: ReadStore, path: str, who: Who) -> tuple[Move, ...]:
    """What was played after that, the most frequent first."""
    return tuple(
        Move(action, after, Came(*came)) for action, after, *came in store.rows(READ_MOVES, path, who, MOVES_MAX)
    )


def example(store: ReadStore, path: str) -> Example | None:
    """The newest match that was played so."""
    rows = store.rows(READ_EXAMPLE, path)
    return Example(UUID(rows[0][0]), rows[0][1], rows[0][2]) if rows else None


def sizes(store: ReadStore, title: str) -> tuple[int, ...]:
    """The sizes of tables at which something was counted."""
    return tuple(int(row[0]) for row in store.rows(READ_SIZES, title))
