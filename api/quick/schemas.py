"""Requests and responses of the quick pairing API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.structs import RequestStruct, ResponseStruct, Short
from api.quick.pools import PoolClock


class EnterPool(RequestStruct, frozen=True):
    """The pool to enter.

    `clock`: ten minutes plus twenty seconds per turn, twenty-five plus thirty, or a day per turn. With `ownLuck` the
    player commits to a share of randomness before the table fills.
    """

    title: Short
    seats: Annotated[int, msgspec.Meta(ge=2, le=5)]
    clock: PoolClock
    rated: bool = False
    own_luck: bool = False


class PoolShown(ResponseStruct, frozen=True):
    """A pool: number of waiting people, and since when the first one waits."""

    title: str
    seats: int
    clock: PoolClock
    rated: bool
    waiting: int
    since: datetime | None


class PlaceShown(ResponseStruct, frozen=True):
    """The caller's place in a pool.

    `reach`: maximum rating distance of opponents now, unlimited if absent; `keptUntil`: expiry of the place unless the
    caller asks again; `matchId`: the table once paired.
    """

    title: str
    seats: int
    clock: PoolClock
    rated: bool
    since: datetime
    reach: int | None
    kept_until: datetime
    match_id: UUID | None


class QuickShown(ResponseStruct, frozen=True):
    """All pools and the caller's place."""

    pools: tuple[PoolShown, ...]
    place: PlaceShown | None
