"""Quick pairing: waiting players by pool, and their matches."""

from typing import Final

from sqlalchemy import Column, Table

from api.accounts.tables.metadata import METADATA, of_person
from projections.platform.tables import KEY, NUMBER

POOLED: Final = Table(
    "pooled",
    METADATA,
    of_person(is_key=True),
    Column("pool", KEY, nullable=False),
    Column("strength", NUMBER, nullable=False),
    Column("own_luck", NUMBER, nullable=False),
    Column("since", KEY, nullable=False),
    Column("kept_until", KEY, nullable=False),
    Column("match_id", KEY),
    Column("made", KEY),
    sqlite_with_rowid=False,
)
