"""What requests about quick pairing and their answers look like."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from api.http.wire import Asked, Short, Wire
from api.quick.pools import PoolClock


class EnterPool(Asked, frozen=True):
    """The pool to wait in. `clock`: ten minutes each and twenty seconds with every turn, twenty-five and thirty, or a
    day for every turn. With `ownLuck` the player's share of luck is committed to before the table is closed."""

    title: Short
    seats: Annotated[int, msgspec.Meta(ge=2, le=5)]
    clock: PoolClock
    rated: bool = False
    own_luck: bool = False


class PoolShown(Wire, frozen=True):
    """A pool: how many wait there, and since when the first of them does."""

    title: str
    seats: int
    clock: PoolClock
    rated: bool
    waiting: int
    since: datetime | None


class PlaceShown(Wire, frozen=True):
    """The caller in a pool. `reach`: how many points away those are who come into question now, nobody is too far where
    there is no number; `keptUntil`: the place is lost then, unless the caller asks again before; `matchId`: the table
    they sit at since they were paired."""

    title: str
    seats: int
    clock: PoolClock
    rated: bool
    since: datetime
    reach: int | None
    kept_until: datetime
    match_id: UUID | None


class QuickShown(Wire, frozen=True):
    """All pools, and where the caller waits."""

    pools: tuple[PoolShown, ...]
    place: PlaceShown | None
