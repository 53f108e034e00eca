"""Puzzles: answers and ratings of people."""

from typing import Final

from sqlalchemy import Column, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import NUMBER

PUZZLE_RATINGS: Final = Table(
    "puzzle_ratings",
    METADATA,
    of_person(is_key=True),
    Column("rating", NUMBER, nullable=False),
    Column("answered", NUMBER, nullable=False),
    Column("solved", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
PUZZLE_ANSWERS: Final = Table(
    "puzzle_answers",
    METADATA,
    of_person(is_key=True),
    key("puzzle"),
    Column("solved", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
