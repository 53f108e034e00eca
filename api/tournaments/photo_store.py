"""Photos of tables in the store of people: they go with who added them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple
from uuid import UUID

from api.accounts.store import Store
from api.tournaments.pictures import Picture
from domain.matches.facts import Actor
from domain.tournaments.errors import PhotoRefused
from domain.tournaments.photographed import Photo
from projections.platform.database import Row

AT_A_TABLE: Final = 4
ABANDONED_AFTER: Final = timedelta(hours=1)
"""A photo that is unknown to its event for so long is not still being added."""
Size = Literal["large", "small"]
COLUMNS: Final = "id, event, round, number, person, caption, seen, width, height, small_width, small_height, created"


class KeptPhoto(NamedTuple):
    """A photo without its pictures. `seen`: what is to be seen on it, for who cannot see it."""

    id: UUID
    event: UUID
    round: int
    table: int
    person: Actor
    caption: str
    seen: str
    size: tuple[int, int]
    small: tuple[int, int]
    created: datetime


def photo_of(row: Row) -> KeptPhoto:
    id, event, round_, table, person, caption, seen, width, height, small_width, small_height, created = row
    sizes = (width, height), (small_width, small_height)
    at = datetime.fromisoformat(created)
    return KeptPhoto(UUID(id), UUID(event), round_, table, person, caption, seen, *sizes, at)


class PhotoStore(Store):
    """Photos, their words and their pictures."""

    def keep(self, photo: KeptPhoto, picture: Picture, most: int, known: Iterable[UUID]) -> bool:
        """Keeps a photo that is about to be added, unless its table or its event has enough; whether it is new here.
        Of the event go those which have long been unknown to it: adding them was broken off."""
        stays, before = {str(id) for id in (*known, photo.id)}, (photo.created - ABANDONED_AFTER).isoformat()
        with self._writing() as database:
            rows = database.rows("SELECT id, round, number, created FROM photos WHERE event = ?", (str(photo.event),))
            gone = {row[0] for row in rows if row[0] not in stays and row[3] < before}
            database.change_all("DELETE FROM photos WHERE id = ?", ((id,) for id in sorted(gone)))
            kept = [row for row in rows if row[0] not in gone]
            if any(row[0] == str(photo.id) for row in kept):
                return False
            if sum(tuple(row[1:3]) == (photo.round, photo.table) for row in kept) >= AT_A_TABLE:
                raise PhotoRefused(f"table {photo.table} of round {photo.round} has {AT_A_TABLE} photos already")
            if len(kept) >= most:
                raise PhotoRefused(f"the event has {len(kept)} photos; this service keeps {most} of one event")
            places = ", ".join("?" for _ in COLUMNS.split(", "))
            sql = f"INSERT INTO photos ({COLUMNS}, large, small) VALUES ({places}, ?, ?)"  # noqa: S608  (names of ours)
            told = (str(photo.id), str(photo.event), photo.round, photo.table, photo.person, photo.caption, photo.seen)
            pictures = (picture.large.content, picture.small.content)
            database.change(sql, (*told, *photo.size, *photo.small, photo.created.isoformat(), *pictures))
        return True

    def of_event(self, event_id: UUID, photos: Iterable[Photo]) -> tuple[KeptPhoto, ...]:
        """Those of an event that are known to it and still here, in the order in which they came."""
        known = {str(each.id) for each in photos}
        sql = f"SELECT {COLUMNS} FROM photos WHERE event = ? ORDER BY created, id"  # noqa: S608  (names of ours)
        return tuple(photo_of(row) for row in self._rows(sql, str(event_id)) if row[0] in known)

    def of_person(self, person: Actor) -> tuple[KeptPhoto, ...]:
        """All that somebody has added, in the order in which they came."""
        sql = f"SELECT {COLUMNS} FROM photos WHERE person = ? ORDER BY created, id"  # noqa: S608  (names of ours)
        return tuple(photo_of(row) for row in self._rows(sql, person))

    def picture(self, photo: UUID, size: Size) -> bytes | None:
        """One picture as JPEG."""
        row = self._row(f"SELECT {size} FROM photos WHERE id = ?", str(photo))  # noqa: S608  (one of two names)
        return None if row is None else bytes(row[0])

    def forget(self, photo: UUID) -> None:
        """A photo goes for good."""
        with self._writing() as database:
            database.change("DELETE FROM photos WHERE id = ?", (str(photo),))
        self._empty_journal()
