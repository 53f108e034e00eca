"""Arbiters' views of an account's integrity data, disclosed to its owner by role once open disputes are closed."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, select

from domain.disputes.state import Dispute
from domain.kernel.values import Value
from domain.roles.audit import IntegritySeen
from projections.disputes import DESK_DISPUTES, DETAIL, HAS_SAT
from projections.platform.store import ReadStore
from projections.roles import AUDIT_LOOKS, COLUMNS, NEWEST, TrailLine, line_of

DISCREET: Final = timedelta(days=90)
"""Longest time for which a look is hidden from the person, so that arbiters can examine a suspicion."""
SHOWN: Final = 200
LOOKS: Final = select(AUDIT_LOOKS.c.version).where(AUDIT_LOOKS.c.person == bindparam("person"))
READ_LOOKS: Final = NEWEST.where(COLUMNS.version.in_(LOOKS))
READ_DISPUTES: Final = select(DESK_DISPUTES.c.detail).where(HAS_SAT)


class Look(Value, frozen=True):
    """A look by an arbiter: its time, their role, and the event or match (none: the whole service)."""

    at: datetime
    role: str
    event: str
    match_id: UUID | None


def looks_at(store: ReadStore, person: str, now: datetime) -> tuple[Look, ...]:
    """Return the latest looks about a person of which that person may know, latest first.

    The last `SHOWN` looks are examined, and undisclosed ones left out.
    """
    disputes = tuple(DETAIL.decode(detail) for (detail,) in store.rows(READ_DISPUTES, person=person))
    lines = (line_of(row) for row in store.rows(READ_LOOKS, person=person, limit=SHOWN))
    return tuple(
        Look(line.at, line.role, line.event, line.match_id) for line in lines if is_disclosed(line, disputes, now)
    )


def is_disclosed(line: TrailLine, disputes: tuple[Dispute, ...], now: datetime) -> bool:
    """Return whether a look is at least `DISCREET` old, or no dispute about it that was open then still waits."""
    if now - line.at >= DISCREET:
        return True
    return not any(each.is_waiting and each.waits_since <= line.at and is_about(line, each) for each in disputes)


def is_about(line: TrailLine, dispute: Dispute) -> bool:
    """Return whether a dispute lies in the match of a look or, without one, in its event, or anywhere without both."""
    assert isinstance(line.fact, IntegritySeen)
    if line.match_id is not None:
        return line.match_id in (dispute.match, dispute.line)
    return line.event in ("", dispute.event)
