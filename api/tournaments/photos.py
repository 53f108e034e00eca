"""Photos of tables, for one caller.

The image is stored first and becomes a photo of the event with its fact; if that is refused, the image is deleted.
Shown are photos that the event knows and the store still has.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from api.accounts.service import AccountService
from api.http.app_state import AppKey
from api.http.guards import Caller
from api.http.identity import Person
from api.http.limits import Limits, rate_limit_error
from api.tournaments.changes import TournamentChanges
from api.tournaments.images import make_picture
from api.tournaments.photo_schemas import PhotoShown
from api.tournaments.photo_store import PhotoStore, Size, StoredPhoto
from api.tournaments.queries import TournamentQueries
from domain.tournaments import commands, photos
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import NoSuchPhoto, NotYourPhoto, PhotoRefused
from projections.platform.clock import now


@dataclass(frozen=True)
class PhotoResources:
    """Resources that all callers share: the store, its limits, and a semaphore for image processing."""

    store: PhotoStore
    limits: Limits
    photos_max: int
    """The largest number of photos of one event; 0 disables photos."""
    image_slot: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))


PHOTOS: Final = AppKey[PhotoResources]("photos")


@dataclass(frozen=True)
class TournamentPhotos:
    """Photos of the tables of tournaments, for one caller."""

    reading: TournamentQueries
    changes: TournamentChanges
    accounts: AccountService
    resources: PhotoResources
    caller: Caller

    async def add(
        self, event_id: UUID, number: int, table: int, content: bytes, caption: str = "", seen: str = ""
    ) -> TournamentStream:
        """Add a photo of a table: store its images, then record it; the same photo again changes nothing.

        Raises `NoSuchRound`, `NotYourPhoto` unless the caller is an official, or sits there and the event runs,
        `PhotoRefused` if photos are disabled or there are too many, 429 after too many uploads, and as `make_picture`
        does. Images that cannot be recorded are deleted.
        """
        event, person = await self.reading.get(event_id), self.caller.person
        assert person, "the guard lets nobody else in"
        is_official = await self.reading.is_official(event)
        photos.require_adding(event.state, number, table, person.id, is_official=is_official)
        await self._require_room(person)
        async with self.resources.image_slot:
            picture = await asyncio.to_thread(make_picture, content)
        digest = picture.digest
        id = photos.photo_id_for(event_id, number, table, person.id, digest)
        sizes = (picture.large.width, picture.large.height), (picture.small.width, picture.small.height)
        photo = StoredPhoto(id, event_id, number, table, person.id, caption.strip(), seen.strip(), *sizes, now())
        known_ids = [each.id for each in event.state.photos]
        is_new = await asyncio.to_thread(self.resources.store.add, photo, picture, self.resources.photos_max, known_ids)
        try:
            return await self.changes.execute(
                commands.change,
                event_id,
                lambda state: photos.add(state, number, table, digest, person.id, is_official=is_official),
                at=now(),
            )
        except Exception:
            if is_new:
                await asyncio.to_thread(self.resources.store.delete, id)
            raise

    async def remove(self, event_id: UUID, photo: UUID, reason: str) -> TournamentStream:
        """Remove a photo and delete its images; raise `NotYourPhoto` unless the caller added it or is an official.

        An official must give a reason. Raises `NoSuchPhoto` for an unknown photo.
        """
        event, by = await self.reading.get(event_id), self.caller.actor
        is_official = await self.reading.is_official(event)
        event = await self.changes.execute(
            commands.change,
            event_id,
            lambda state: photos.remove(state, photo, by, reason, is_official=is_official),
            at=now(),
        )
        await asyncio.to_thread(self.resources.store.delete, photo)
        return event

    def may_add(self, event: TournamentStream, number: int, table: int, *, is_official: bool) -> bool:
        """Return whether the caller may add photos of a table; False if photos are disabled.

        Raises `NoSuchRound` for a table that is not public.
        """
        person = self.caller.person
        if person is None or not self.resources.photos_max:
            return False
        try:
            photos.require_adding(event.state, number, table, person.id, is_official=is_official)
        except NotYourPhoto:
            return False
        return True

    async def show(self, event: TournamentStream) -> tuple[PhotoShown, ...]:
        """Return all photos of the event, oldest first."""
        if not event.state.photos:
            return ()
        found = await asyncio.to_thread(self.resources.store.of_event, event.id, event.state.photos)
        names = await self.accounts.load_names({each.person for each in found})
        digests = {each.id: each.digest for each in event.state.photos}
        return tuple(show_photo(each, names[each.person], digests[each.id]) for each in found)

    async def picture(self, event_id: UUID, photo: UUID, size: Size) -> bytes:
        """Return the JPEG of a photo of the event; raise `NoSuchPhoto` if it is unknown or removed."""
        photos.photo_named((await self.reading.get(event_id)).state, photo)
        content = await asyncio.to_thread(self.resources.store.picture, photo, size)
        if content is None:
            raise NoSuchPhoto(f"the event has no photo {photo}")
        return content

    async def _require_room(self, person: Person) -> None:
        """Raise `PhotoRefused` if photos are disabled, or 429 if the caller has sent too many; count this one."""
        if not self.resources.photos_max:
            raise PhotoRefused("photos are off on this service")
        if (wait := await self.resources.limits.spend("photo", person.id)) is not None:
            raise rate_limit_error(f"too many photos in an hour; retry in {wait} s", wait)


def show_photo(photo: StoredPhoto, name: str, digest: str) -> PhotoShown:
    """Return a photo for a response."""
    address = f"/api/tournaments/{photo.event}/photos/{photo.id}"
    return PhotoShown(
        photo=photo.id,
        round=photo.round,
        table=photo.table,
        caption=photo.caption,
        seen=photo.seen,
        by=photo.person,
        by_name=name,
        at=photo.created,
        digest=digest,
        large=f"{address}/large",
        width=photo.size[0],
        height=photo.size[1],
        small=f"{address}/small",
        small_width=photo.small[0],
        small_height=photo.small[1],
    )
