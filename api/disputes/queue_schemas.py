"""Responses about the queue of arbiters, earlier rulings and statistics."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.disputes.schemas import DisputeShown, MeasureShown
from api.http.structs import Listing, ResponseStruct


class DueShown(ResponseStruct, frozen=True):
    """A dispute that the caller may rule on.

    `isHeld`: the match is paused for it. `leftSeconds`: time left on the running clock.
    """

    dispute: DisputeShown
    due_at: datetime
    is_late: bool
    is_held: bool
    left_seconds: int | None


class QueueShown(ResponseStruct, frozen=True):
    """Disputes that wait for the caller, most urgent first; at most the 200 most urgent."""

    queue: tuple[DueShown, ...]


class PrecedentShown(ResponseStruct, frozen=True):
    """An earlier ruling without names; `seconds` from the dispute or appeal to the ruling."""

    ruling: UUID
    at: datetime
    rule: str
    reasons: str
    measures: tuple[MeasureShown, ...]
    outcome: str
    on_appeal: bool
    seconds: int


class PrecedentsShown(Listing, frozen=True):
    """Earlier rulings, latest first."""

    precedents: tuple[PrecedentShown, ...]


class CountShown(ResponseStruct, frozen=True):
    """The number of rulings of a kind; `name`: of the event, if one."""

    of: str
    name: str
    count: int


class StatisticsShown(ResponseStruct, frozen=True):
    """Statistics of rulings, with the most frequent rules and events; an empty event means none."""

    event: str | None
    rulings: int
    on_appeal: int
    upheld: int
    median_seconds: int
    outcomes: tuple[CountShown, ...]
    rules: tuple[CountShown, ...]
    events: tuple[CountShown, ...]


class TemplateShown(ResponseStruct, frozen=True):
    """A template of reasons."""

    key: str
    text: str


class TemplatesShown(ResponseStruct, frozen=True):
    """Templates of reasons, in the language of the caller."""

    templates: tuple[TemplateShown, ...]
