"""All tables of the store of people: the metadata with every subject's tables in it."""

from collections.abc import Mapping
from typing import Final

from api.accounts.tables import (
    accounts,
    friends,
    integrity,
    matches,
    notifications,
    puzzles,
    quick,
    talk,
    tournaments,
)

SUBJECTS: Final = (accounts, friends, integrity, matches, notifications, puzzles, quick, talk, tournaments)
METADATA: Final = accounts.PEOPLE.metadata
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    table.name: tuple(column.name for column in table.primary_key) for table in METADATA.sorted_tables
}
"""All tables, referenced tables first, each with the columns of its key."""
