"""Acts of the service that a report lists by entry, because only the service is responsible for them."""

from typing import Final, Literal

from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, ActionTaken, Actor, Fact, SeatReplaced, SigningStopped, TimedOut, Voided
from domain.matches.log.entries import Entry, microseconds
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded
from domain.matches.play.clocks import MICROSECONDS, expiry_time
from domain.matches.seats.taken_seats import is_explained

GRACE_SECONDS: Final = 60
"""The longest overtime that is not reported; the service calls a time-out within seconds."""


class ServiceAct(Value, frozen=True):
    """An act of the service that no clock and no other entry requires, or a time-out that it did not call."""

    entry: int
    kind: Literal["seat_replaced", "signing_stopped", "voided", "overtime", "absence_announced", "absence_ended"]
    seat: int | None = None
    actor: Actor = ""
    """The new player of the seat."""
    reason: str = ""
    is_explained: bool = True
    """Whether the log supports the reason; a match with an unexplained replacement is never rated."""
    seconds: int = 0
    """The whole seconds by which the seat was over its time."""

    def __str__(self) -> str:
        if self.kind == "signing_stopped":
            return f"who acted: seat {self.seat} from entry {self.entry} unsigned, stated by the service only"
        if self.kind == "overtime":
            where = f"seat {self.seat} was over its time by {self.seconds} seconds at entry {self.entry}"
            return f"clocks: {where}, and the service had not ended it"
        if self.kind in ("absence_announced", "absence_ended"):
            what = "begins" if self.kind == "absence_announced" else "ends"
            return f"clocks: entry {self.entry}, by the service only: an absence of seat {self.seat} {what}"
        if self.kind == "voided":
            return f"the end: entry {self.entry}, by the service: void"
        note = "" if self.is_explained else "; the match is never rated"
        return (
            f"who has a seat: entry {self.entry}, by the service: seat {self.seat} to {self.actor!r} "
            f"({self.reason or 'without a reason'}){note}"
        )


def service_acts(before: Match, fact: Fact) -> list[ServiceAct]:
    """Return the act of the service that a fact is, if any; `before` is the position before it.

    A replacement after a time-out follows from the clock. Before format 3 a player stops signing without a signature,
    so the service may have written it.
    """
    entry = before.version + 1
    if isinstance(fact, SigningStopped) and (fact.by == SERVICE or fact.signed is None):
        return [ServiceAct(entry, "signing_stopped", fact.seat)]
    if isinstance(fact, SeatReplaced) and fact.by == SERVICE and before.timed_out is None:
        explained = is_explained(before, fact)
        return [ServiceAct(entry, "seat_replaced", fact.seat, fact.actor, fact.reason, explained)]
    if isinstance(fact, AbsenceAnnounced | AbsenceEnded) and fact.by == SERVICE and fact.declared is None:
        is_begin = isinstance(fact, AbsenceAnnounced)
        return [ServiceAct(entry, "absence_announced" if is_begin else "absence_ended", fact.seat)]
    if isinstance(fact, Voided) and fact.by == SERVICE and before.started_version is not None:
        return [ServiceAct(entry, "voided", reason=fact.reason)]
    return []


def overtime_of(entry: Entry, before: Match, fact: Fact) -> ServiceAct | None:
    """Return the overtime at an action or time-out of a seat, None up to `GRACE_SECONDS`; redacted logs have none."""
    if not isinstance(fact, ActionTaken | TimedOut) or not before.clocks or fact.seat < 0:
        return None
    expiry = expiry_time(before, fact.seat)
    seconds = 0 if expiry is None else (microseconds(entry.timestamp) - expiry) // MICROSECONDS
    return ServiceAct(entry.version, "overtime", fact.seat, seconds=seconds) if seconds > GRACE_SECONDS else None
