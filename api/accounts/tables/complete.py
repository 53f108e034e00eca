"""All tables of the accounts database in one metadata object."""

from typing import Final

from api.accounts.tables import (
    accounts,
    clubs,
    contests,
    friends,
    integrity,
    matches,
    notifications,
    puzzles,
    quick,
    talk,
    tournaments,
)

SUBJECTS: Final = (
    accounts,
    clubs,
    contests,
    friends,
    integrity,
    matches,
    notifications,
    puzzles,
    quick,
    talk,
    tournaments,
)
METADATA: Final = accounts.PEOPLE.metadata
