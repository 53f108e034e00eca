"""The transparency log as answers show it."""

from __future__ import annotations

from datetime import date, datetime

from api.web.wire import Listing, Wire


class WitnessShown(Wire, frozen=True):
    """A witness of the house. `size` and `at` are those of its newest cosignature; `trouble` is `away`, `refuses`
    or `other_history`, `reason` says why, `since` since when."""

    name: str
    key: str
    size: int | None
    at: datetime | None
    trouble: str | None
    reason: str | None
    since: datetime | None


class TransparencyShown(Wire, frozen=True):
    """The log of the house: its name, its key, its newest checkpoint with the cosignatures of witnesses. `fault`: why
    the tree is not served."""

    origin: str
    key: str
    size: int
    root: str | None
    at: datetime | None
    checkpoint: str | None
    witnesses: tuple[WitnessShown, ...]
    fault: str | None


class OpeningDayShown(Wire, frozen=True):
    """A day (UTC): tables opened on it, and how many of those have not begun to this hour."""

    day: date
    opened: int
    never_begun: int


class OpeningDays(Listing, frozen=True):
    days: tuple[OpeningDayShown, ...]
