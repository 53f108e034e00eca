"""All tables of the store of people: the metadata with every subject's tables in it."""

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
