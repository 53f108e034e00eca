"""Responses about standings and the crosstable."""

from __future__ import annotations

from uuid import UUID

from api.http.structs import ResponseStruct


class StandingShown(ResponseStruct, frozen=True, kw_only=True):
    """A row of the standings; `points` is text for people, `sixtieths` the exact value."""

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


class StandingsShown(ResponseStruct, frozen=True, kw_only=True):
    """The standings of a tournament."""

    event_id: UUID
    version: int
    head: str
    rounds: int
    is_final: bool
    tie_breaks: tuple[str, ...]
    standings: tuple[StandingShown, ...]


class CellShown(ResponseStruct, frozen=True):
    """A round of an entry; `unverified`: a face-to-face table with a manually entered result.

    `absent`: the entry was absent, and nothing of the table counts for it.
    """

    table: int | None
    opponents: tuple[int, ...]
    place: int | None
    points: str | None
    is_bye: bool
    unverified: bool
    absent: bool


class LineShown(ResponseStruct, frozen=True):
    """A line of the crosstable."""

    rank: int
    entry: str
    name: str
    cells: tuple[CellShown, ...]


class CrosstableShown(ResponseStruct, frozen=True):
    """The crosstable of a tournament."""

    event_id: UUID
    version: int
    lines: tuple[LineShown, ...]
