"""The store of photos of tables, next to the accounts of their uploaders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import Select, bindparam, delete, select

from api.accounts.store import Store
from api.accounts.tables.tournaments import PHOTOS
from api.tournaments.images import Picture
from domain.matches.facts import Actor
from domain.tournaments.errors import PhotoRefused
from domain.tournaments.photo_facts import Photo
from projections.platform.database import Row
from projections.platform.statements import insert_row

AT_A_TABLE: Final = 4
ABANDONED_AFTER: Final = timedelta(hours=1)
"""Age after which a photo unknown to its event counts as abandoned."""
Size = Literal["large", "small"]

WITHOUT_PICTURES: Final = select(
    *(column for column in PHOTOS.columns if column not in (PHOTOS.c.large, PHOTOS.c.small))
).order_by(PHOTOS.c.created, PHOTOS.c.id)
"""The columns that `photo_of` takes."""
OF_EVENT: Final = WITHOUT_PICTURES.where(PHOTOS.c.event == bindparam("event"))
OF_PERSON: Final = WITHOUT_PICTURES.where(PHOTOS.c.person == bindparam("person"))
PLACES: Final = select(PHOTOS.c.id, PHOTOS.c.round, PHOTOS.c.number, PHOTOS.c.created).where(
    PHOTOS.c.event == bindparam("event")
)
IS_PHOTO: Final = PHOTOS.c.id == bindparam("id")
PICTURE: Final[Mapping[Size, Select[Any]]] = {
    "large": select(PHOTOS.c.large).where(IS_PHOTO),
    "small": select(PHOTOS.c.small).where(IS_PHOTO),
}
ADD: Final = insert_row(PHOTOS)
FORGET: Final = delete(PHOTOS).where(IS_PHOTO)


class StoredPhoto(NamedTuple):
    """A photo without its images. `seen`: alternative text."""

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


def photo_of(row: Row) -> StoredPhoto:
    """Return the photo, without its images, in a row of the columns that `row_of` names."""
    id, event, round_, table, person, caption, seen, width, height, small_width, small_height, created = row
    sizes = (width, height), (small_width, small_height)
    at = datetime.fromisoformat(created)
    return StoredPhoto(UUID(id), UUID(event), round_, table, person, caption, seen, *sizes, at)


def row_of(photo: StoredPhoto) -> dict[str, Any]:
    """Return the values of the columns that `photo_of` takes."""
    return {
        "id": str(photo.id),
        "event": str(photo.event),
        "round": photo.round,
        "number": photo.table,
        "person": photo.person,
        "caption": photo.caption,
        "seen": photo.seen,
        "width": photo.size[0],
        "height": photo.size[1],
        "small_width": photo.small[0],
        "small_height": photo.small[1],
        "created": photo.created.isoformat(),
    }


class PhotoStore(Store):
    """Photos with their texts and images."""

    def add(self, photo: StoredPhoto, picture: Picture, count_max: int, known_ids: Iterable[UUID]) -> bool:
        """Store a photo before it is added to the event; return whether it is new.

        Raises `PhotoRefused` if the table has `AT_A_TABLE` photos or the event `count_max`. Photos of the event that
        are not in `known_ids` and older than `ABANDONED_AFTER` are deleted.
        """
        kept_ids, before = {str(id) for id in (*known_ids, photo.id)}, (photo.created - ABANDONED_AFTER).isoformat()
        with self.transaction() as database:
            rows = database.rows(PLACES, event=str(photo.event))
            abandoned = {row[0] for row in rows if row[0] not in kept_ids and row[3] < before}
            database.change_all(FORGET, ({"id": id} for id in sorted(abandoned)))
            remaining = [row for row in rows if row[0] not in abandoned]
            if any(row[0] == str(photo.id) for row in remaining):
                return False
            if sum(tuple(row[1:3]) == (photo.round, photo.table) for row in remaining) >= AT_A_TABLE:
                raise PhotoRefused(f"table {photo.table} of round {photo.round} already has {AT_A_TABLE} photos")
            if len(remaining) >= count_max:
                raise PhotoRefused(f"the event already has {len(remaining)} photos; the limit is {count_max}")
            database.change(ADD, **row_of(photo), large=picture.large.content, small=picture.small.content)
        return True

    def of_event(self, event_id: UUID, photos: Iterable[Photo]) -> tuple[StoredPhoto, ...]:
        """Return the stored photos that the event knows, oldest first."""
        known_ids = {str(each.id) for each in photos}
        return tuple(photo_of(row) for row in self.rows(OF_EVENT, event=str(event_id)) if row[0] in known_ids)

    def of_person(self, person: Actor) -> tuple[StoredPhoto, ...]:
        """Return all photos of a person, oldest first."""
        return tuple(photo_of(row) for row in self.rows(OF_PERSON, person=person))

    def picture(self, photo: UUID, size: Size) -> bytes | None:
        """Return one image as JPEG, or None."""
        row = self.row(PICTURE[size], id=str(photo))
        return None if row is None else bytes(row[0])

    def delete(self, photo: UUID) -> None:
        """Delete a photo permanently, also from the database's journal."""
        with self.transaction() as database:
            database.change(FORGET, id=str(photo))
        self.empty_journal()
