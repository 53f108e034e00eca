"""Routes for photos of tables and their images."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, RawBody

from api.http.access import declare_access
from api.http.guards import BY_ENTRANTS, requires_person
from api.http.limits import TEXT_BYTES_MAX
from api.http.openapi import with_file
from api.tournaments.images import BYTES_MAX, PHOTO_TYPES
from api.tournaments.photo_schemas import CaptionParameter, PhotosShown, RemovePhoto, SeenParameter
from api.tournaments.photo_store import Size
from api.tournaments.routes.dates import EVENT
from api.tournaments.routes.rounds import TABLE
from api.tournaments.routes.tournaments import CHANGES, LOOKS
from api.tournaments.service import TournamentService

PICTURE_TYPE: Final = "image/jpeg"
UPLOAD_BYTES_MAX: Final = BYTES_MAX + TEXT_BYTES_MAX
"""Maximum request body: a photo with its texts."""
CACHE_CONTROL: Final = "public, max-age=86400, immutable"
"""Images never change; after a removal, caches drop the image within a day."""


@declare_access("own", "players at the table, until the event ends; its officials at any time")
@post(
    TABLE + "/photos",
    opt=BY_ENTRANTS,
    guards=[requires_person],
    operation_class=with_file(takes=PHOTO_TYPES),
    responses=CHANGES,
    request_max_body_size=UPLOAD_BYTES_MAX,
)
async def add_photo(
    event_id: FromPath[UUID],
    number: FromPath[int],
    table: FromPath[int],
    body: RawBody,
    tournaments: NamedDependency[TournamentService],
    caption: CaptionParameter = "",
    seen: SeenParameter = "",
) -> Response[PhotosShown]:
    """Add a photo of a table and return all photos of the event.

    For officials at any time, for players of the table until the event ends. Only the pixels of the file are stored.
    """
    event = await tournaments.photos.add(event_id, number, table, body, caption, seen)
    return Response(PhotosShown(await tournaments.photos.show(event)), status_code=201)


@get(EVENT + "/photos", responses=LOOKS)
async def get_photos(event_id: FromPath[UUID], tournaments: NamedDependency[TournamentService]) -> PhotosShown:
    """Return all photos of the tables of an event."""
    return PhotosShown(await tournaments.photos.show(await tournaments.reading.get(event_id)))


@declare_access("own", "the person who added it; its officials, with a reason")
@post(EVENT + "/photos/{photo:uuid}/removal", opt=BY_ENTRANTS, guards=[requires_person], responses=CHANGES)
async def remove_photo(
    event_id: FromPath[UUID],
    photo: FromPath[UUID],
    data: JSONBody[RemovePhoto],
    tournaments: NamedDependency[TournamentService],
) -> Response[PhotosShown]:
    """Remove a photo: its uploader, or an official with a reason; return the other photos. The removal is recorded."""
    event = await tournaments.photos.remove(event_id, photo, data.reason)
    return Response(PhotosShown(await tournaments.photos.show(event)), status_code=201)


@get(
    EVENT + "/photos/{photo:uuid}/{size:str}",
    operation_class=with_file(gives=(PICTURE_TYPE,)),
    responses=LOOKS,
    media_type=PICTURE_TYPE,
)
async def get_picture(
    event_id: FromPath[UUID],
    photo: FromPath[UUID],
    size: FromPath[Size],
    tournaments: NamedDependency[TournamentService],
) -> Response[bytes]:
    """Return an image of a photo as JPEG: `large` for viewing, `small` as a thumbnail; clients may cache it."""
    content = await tournaments.photos.picture(event_id, photo, size)
    headers = {"Cache-Control": CACHE_CONTROL, "Content-Disposition": f'inline; filename="{photo}-{size}.jpg"'}
    return Response(content, media_type=PICTURE_TYPE, headers=headers)


ROUTER = Router("/", route_handlers=[add_photo, get_photos, remove_photo, get_picture], tags=["tournaments"])
