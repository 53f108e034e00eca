"""Requests and responses about photos."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar.params import QueryParameter

from api.http.structs import RequestStruct, ResponseStruct
from api.tournaments.schemas import Reason
from domain.kernel.texts import ONE_LINE

CAPTION_MAX = 200
SEEN_MAX = 400
Caption = Annotated[str, msgspec.Meta(max_length=CAPTION_MAX, pattern=ONE_LINE)]
Seen = Annotated[str, msgspec.Meta(max_length=SEEN_MAX, pattern=ONE_LINE)]
CaptionParameter = Annotated[
    str, QueryParameter(max_length=CAPTION_MAX, pattern=ONE_LINE, description="caption below the photo")
]
SeenParameter = Annotated[
    str,
    QueryParameter(
        max_length=SEEN_MAX, pattern=ONE_LINE, description="description of the picture for people who cannot see it"
    ),
]


class RemovePhoto(RequestStruct, frozen=True):
    """The removal of a photo; needs a reason unless it is the caller's own."""

    reason: Reason = ""


class PhotoShown(ResponseStruct, frozen=True, kw_only=True):
    """A photo of a table with two JPEG images.

    `digest` is the SHA-256 of the large image, as in the record of the event. `seen`: alternative text, or empty.
    """

    photo: UUID
    round: int
    table: int
    caption: str
    seen: str
    by: str
    by_name: str
    at: datetime
    digest: str
    large: str
    width: int
    height: int
    small: str
    small_width: int
    small_height: int


class PhotosShown(ResponseStruct, frozen=True):
    """All photos of an event, oldest first."""

    photos: tuple[PhotoShown, ...]
