"""Names and descriptions of clubs; no two clubs have names that look alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import bindparam, delete, select

from api.accounts.store import Store
from api.accounts.tables.clubs import CLUB_PROFILES
from domain.kernel.texts import name_key, normalise_name
from projections.platform.database import Row
from projections.platform.statements import any_of, upsert

ESCAPE: Final = "!"
WILDCARD: Final = re.compile(r"[!%_]")
COLUMNS: Final = CLUB_PROFILES.c
HAS_KEY: Final = COLUMNS.name_key == bindparam("name_key")
READ: Final = select(COLUMNS.id, COLUMNS.name, COLUMNS.about)
WITH_IDS: Final = READ.where(COLUMNS.id.in_(any_of("ids")))
FIND_KEY: Final = select(COLUMNS.id).where(HAS_KEY)
SEARCH: Final = (
    READ.where(
        COLUMNS.name_key > bindparam("after"),
        COLUMNS.name_key.like(bindparam("pattern"), escape=ESCAPE),
    )
    .order_by(COLUMNS.name_key)
    .limit(bindparam("limit"))
)
WRITE: Final = upsert(CLUB_PROFILES)
FORGET: Final = delete(CLUB_PROFILES).where(COLUMNS.id == bindparam("club"))


class ClubNameTaken(Exception):
    """Another club has this name, or one that looks like it."""


class ClubNameBlank(Exception):
    """The name of a club contains nothing visible."""


class ClubProfile(NamedTuple):
    """The name and the description of a club."""

    id: UUID
    name: str
    about: str = ""


class ClubProfiles:
    """The profiles of all clubs, closed ones included."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def with_ids(self, club_ids: Iterable[UUID]) -> dict[UUID, ClubProfile]:
        """Return the profiles of clubs by id; unknown clubs are left out."""
        ids = sorted(map(str, set(club_ids)))
        rows = self._store.rows(WITH_IDS, ids=ids) if ids else []
        return {profile.id: profile for profile in map(profile_of, rows)}

    def names(self, club_ids: Iterable[UUID]) -> dict[UUID, str]:
        """Return the names of clubs by id; unknown clubs are left out."""
        return {club_id: profile.name for club_id, profile in self.with_ids(club_ids).items()}

    def search(self, part: str, limit: int, after: str = "") -> tuple[tuple[ClubProfile, ...], str | None]:
        """Return clubs with a part of the name, by name, and the key after which the list continues, or None."""
        pattern = f"%{WILDCARD.sub(lambda found: ESCAPE + found[0], name_key(part))}%"
        found = [profile_of(row) for row in self._store.rows(SEARCH, pattern=pattern, after=after, limit=limit + 1)]
        page = tuple(found[:limit])
        return page, name_key(page[-1].name) if len(found) > limit else None

    def write(self, profile: ClubProfile) -> bool:
        """Store the profile of a club, and return whether it is new.

        Raise `ClubNameBlank` for a name without visible characters, `ClubNameTaken` for the name of another club.
        """
        name = normalise_name(profile.name)
        key = name_key(name)
        if not key:
            raise ClubNameBlank("the name of a club needs a visible character")
        with self._store.transaction() as database:
            if any(club_id != str(profile.id) for (club_id,) in database.rows(FIND_KEY, name_key=key)):
                raise ClubNameTaken(f"another club has the name {name!r}")
            is_new = not database.rows(WITH_IDS, ids=[str(profile.id)])
            database.change(WRITE, id=str(profile.id), name=name, name_key=key, about=profile.about.strip())
        return is_new

    def forget(self, club_id: UUID) -> None:
        """Delete the profile of a club that was not founded."""
        with self._store.transaction() as database:
            database.change(FORGET, club=str(club_id))


def profile_of(row: Row) -> ClubProfile:
    """Return the profile in a row of `READ`."""
    club_id, name, about = row
    return ClubProfile(UUID(club_id), name, about)
