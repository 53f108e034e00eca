"""The transparency log as answers show it."""

from __future__ import annotations

from datetime import date, datetime

from api.http.wire import Listing, Wire


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


class ExaminedShown(Wire, frozen=True):
    """The newest examination of the whole store: when it was begun and, unless it is under way, finished; how many
    leaves were held against the log, and how many entries are not what was signed."""

    begun: datetime
    finished: datetime | None
    leaves: int
    differences: int


class TransparencyShown(Wire, frozen=True):
    """The log of the house: its name, its key, its newest checkpoint with the cosignatures of witnesses. `fault`: why
    the tree is not served. `refused`: how many matches and other streams are not what was signed, as far as they were
    asked for, and are not served."""

    origin: str
    key: str
    size: int
    root: str | None
    at: datetime | None
    checkpoint: str | None
    witnesses: tuple[WitnessShown, ...]
    fault: str | None
    examined: ExaminedShown | None
    refused: int


class OpeningDayShown(Wire, frozen=True):
    """A day (UTC): tables opened on it, and how many of those have not begun to this hour."""

    day: date
    opened: int
    never_begun: int


class OpeningDays(Listing, frozen=True):
    days: tuple[OpeningDayShown, ...]
