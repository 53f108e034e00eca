"""Base structs of API requests and responses."""

from __future__ import annotations

from typing import Annotated

import msgspec

from domain.kernel.texts import ONE_LINE


class ResponseStruct(msgspec.Struct, frozen=True, rename="camel"):
    """Base of responses, with camelCase names."""


class RequestStruct(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base of requests, with camelCase names; unknown fields are rejected."""


class Listing(ResponseStruct, frozen=True, kw_only=True):
    """Base of a page of a list; `next` is set if more items follow, and is passed as `before`."""

    next: int | None = None


class CursorListing(ResponseStruct, frozen=True, kw_only=True):
    """Base of a page of a list without numbers; `next` is set if more items follow, and is passed as `before`."""

    next: str | None = None


Seat = Annotated[int, msgspec.Meta(ge=0, le=4)]
Short = Annotated[str, msgspec.Meta(max_length=120, pattern=ONE_LINE)]
ShortGiven = Annotated[str, msgspec.Meta(min_length=1, max_length=120, pattern=ONE_LINE)]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class ImportShown(ResponseStruct, frozen=True):
    """The result of an import; `repeated`: the file was imported before, and nothing changed."""

    count: int
    repeated: bool


class Health(ResponseStruct, frozen=True):
    """The health of the service."""

    status: str
