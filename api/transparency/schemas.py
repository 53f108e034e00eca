"""Structures of transparency responses."""

from __future__ import annotations

from datetime import date, datetime

from api.http.structs import Listing, ResponseStruct


class WitnessShown(ResponseStruct, frozen=True):
    """A witness; `size` and `at` describe its latest cosignature.

    `trouble` is `ahead`, `away`, `refuses` or `other_history`, with a `reason` and its beginning (`since`).
    """

    name: str
    key: str
    size: int | None
    at: datetime | None
    trouble: str | None
    reason: str | None
    since: datetime | None


class ExaminedShown(ResponseStruct, frozen=True):
    """The latest audit of the store: its times, the number of leaves checked, and of entries that differ.

    `finished` is null while it is running.
    """

    begun: datetime
    finished: datetime | None
    leaves: int
    differences: int


class TransparencyShown(ResponseStruct, frozen=True):
    """The state of the transparency log; `checkpoint` includes the cosignatures of witnesses.

    `policy` is the trust policy of the service (C2SP tlog-policy): its key, its witnesses, and the quorum.
    `confirmed` is the time of the latest cosignature or, without witnesses, of the latest change; the state is `stale`
    24 hours later. It is `contradicted` while a witness shows a tree that this server signed and no longer has; until
    then no checkpoint and no proof is issued. `fault` is why the tree is not served. `refused` counts streams that were
    found to differ from the tree and are not served.
    """

    origin: str
    key: str
    size: int
    root: str | None
    at: datetime | None
    checkpoint: str | None
    confirmed: datetime | None
    stale: bool
    contradicted: bool
    policy: str
    witnesses: tuple[WitnessShown, ...]
    fault: str | None
    examined: ExaminedShown | None
    refused: int


class ServiceShown(ResponseStruct, frozen=True):
    """A service for verifiers and monitors: its log, its key and its trust policy."""

    origin: str
    key: str
    policy: str
    log: str
    """The path of checkpoint and tiles."""
    api: str


class OpeningDayShown(ResponseStruct, frozen=True):
    """The tables opened on a day (UTC), and how many of them have not begun."""

    day: date
    opened: int
    never_begun: int


class OpeningDays(Listing, frozen=True):
    """Opened tables by day, latest first."""

    days: tuple[OpeningDayShown, ...]
