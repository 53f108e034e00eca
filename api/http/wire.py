"""What every request and every answer on the wire is made of."""

from __future__ import annotations

from typing import Annotated

import msgspec

from domain.kernel.texts import ONE_LINE


class Wire(msgspec.Struct, frozen=True, rename="camel"):
    """Base of what we answer: camelCase."""


class Asked(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Base of what we are sent: camelCase, and nothing we do not know."""


class Listing(Wire, frozen=True, kw_only=True):
    """Base of an answer that is a page of a list: `next` is there when more follow, to be given as `before`."""

    next: int | None = None


Seat = Annotated[int, msgspec.Meta(ge=0, le=4)]
Short = Annotated[str, msgspec.Meta(max_length=120, pattern=ONE_LINE)]
ShortGiven = Annotated[str, msgspec.Meta(min_length=1, max_length=120, pattern=ONE_LINE)]
Version = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class ImportShown(Wire, frozen=True):
    """What a file came to; `repeated`: it was in already, and changed nothing."""

    count: int
    repeated: bool


class Health(Wire, frozen=True):
    status: str
