"""Friends: follows, visibility and challenges."""

from typing import Final

from sqlalchemy import Column, Index, Table

from api.accounts.tables.metadata import METADATA, key, of_person
from projections.platform.tables import KEY

FOLLOWS: Final = Table(
    "follows",
    METADATA,
    of_person(is_key=True),
    of_person("other", is_key=True),
    Column("created", KEY, nullable=False),
    Index("follows_of_other", "other", "person"),
    sqlite_with_rowid=False,
)
VISIBLE: Final = Table(
    "visible",
    METADATA,
    of_person(is_key=True),
    Column("seen", KEY, nullable=False),
    sqlite_with_rowid=False,
)
CHALLENGES: Final = Table(
    "challenges",
    METADATA,
    key("match_id"),
    of_person(),
    of_person("other", is_key=True),
    Column("created", KEY, nullable=False),
    Index("challenges_to_other", "other", "created"),
    Index("challenges_by_person", "person", "created"),
    sqlite_with_rowid=False,
)
