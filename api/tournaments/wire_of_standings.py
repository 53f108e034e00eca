"""What standings and the crosstable look like on the wire."""

from __future__ import annotations

from uuid import UUID

from api.http.wire import Wire


class StandingShown(Wire, frozen=True, kw_only=True):
    """A row of the standings; points are text, as people write them, beside the sixtieths."""

    rank: int
    entry: str
    name: str
    points: str
    sixtieths: int
    tie_breaks: tuple[int, ...]
    played: int
    byes: int
    wins: int
    penalty: int
    stage: int


class StandingsShown(Wire, frozen=True, kw_only=True):
    event_id: UUID
    version: int
    head: str
    rounds: int
    is_final: bool
    tie_breaks: tuple[str, ...]
    standings: tuple[StandingShown, ...]


class CellShown(Wire, frozen=True):
    """A round of an entry; `unverified`: the table was played face to face, and its result was entered by hand.

    `absent`: the entry was absent, and nothing of the table counts for it.
    """

    table: int | None
    opponents: tuple[int, ...]
    place: int | None
    points: str | None
    is_bye: bool
    unverified: bool
    absent: bool


class LineShown(Wire, frozen=True):
    rank: int
    entry: str
    name: str
    cells: tuple[CellShown, ...]


class CrosstableShown(Wire, frozen=True):
    event_id: UUID
    version: int
    lines: tuple[LineShown, ...]
