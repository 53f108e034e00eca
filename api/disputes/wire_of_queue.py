"""The arbiter's day on the wire: what waits and until when, earlier rulings, what they come to, reasons."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.disputes.wire import DisputeShown, MeasureShown
from api.http.wire import Listing, Wire


class DueShown(Wire, frozen=True):
    """A dispute that waits for a ruling the caller may give. `isHeld`: the match stands still for it; `leftSeconds`:
    how long the clock has left that runs there."""

    dispute: DisputeShown
    due_at: datetime
    is_late: bool
    is_held: bool
    left_seconds: int | None


class QueueShown(Wire, frozen=True):
    """What waits for the caller, the most urgent first; of very many the newest 200."""

    queue: tuple[DueShown, ...]


class PrecedentShown(Wire, frozen=True):
    """An earlier ruling without names: `seconds` is how long it was waited for."""

    ruling: UUID
    at: datetime
    rule: str
    reasons: str
    measures: tuple[MeasureShown, ...]
    outcome: str
    on_appeal: bool
    seconds: int


class PrecedentsShown(Listing, frozen=True):
    """Earlier rulings, the newest first."""

    precedents: tuple[PrecedentShown, ...]


class CountShown(Wire, frozen=True):
    """So many rulings of a kind; `name` is that of an event."""

    of: str
    name: str
    count: int


class StatisticsShown(Wire, frozen=True):
    """What rulings come to; of rules and events those with the most rulings, rulings without an event under an empty
    one."""

    event: str | None
    rulings: int
    on_appeal: int
    upheld: int
    median_seconds: int
    outcomes: tuple[CountShown, ...]
    rules: tuple[CountShown, ...]
    events: tuple[CountShown, ...]


class TemplateShown(Wire, frozen=True):
    key: str
    text: str


class TemplatesShown(Wire, frozen=True):
    """Reasons to begin with, in the language of the caller."""

    templates: tuple[TemplateShown, ...]
