"""The disputes there are, for arbiters and players: each row the dispute as its stream tells it."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.disputes.state import DISPUTE, Dispute
from domain.kernel.values import Value
from domain.matches.log import microseconds
from projections.follow import Happening, Recorded
from projections.store import ReadStore, Transaction

NAME: Final = "desk_disputes"
SHAPE: Final = "1"
TABLES: Final = {
    "desk_disputes": """CREATE TABLE {desk_disputes} (dispute_id TEXT PRIMARY KEY, raised INTEGER NOT NULL,
        match_id TEXT NOT NULL, event TEXT NOT NULL, waiting INTEGER NOT NULL, person TEXT NOT NULL,
        version INTEGER NOT NULL, detail BLOB NOT NULL)""",
}
INDEXES: Final = ("CREATE INDEX desk_disputes_by_match ON desk_disputes (match_id)",)

READ_OWN: Final = "SELECT detail FROM {desk_disputes} WHERE dispute_id = ?"
WRITE: Final = (
    "INSERT INTO {desk_disputes} (dispute_id, raised, match_id, event, waiting, person, version, detail)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (dispute_id) DO UPDATE SET"
    " waiting = excluded.waiting, version = excluded.version, detail = excluded.detail"
)
READ: Final = "SELECT dispute_id, version, detail FROM desk_disputes"
ORDER: Final = " ORDER BY waiting DESC, raised DESC, dispute_id LIMIT ?"

DETAIL: Final = msgspec.json.Decoder(Dispute)


class Row(Value, frozen=True):
    """A dispute in a list."""

    id: UUID
    version: int
    dispute: Dispute


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Keeps every dispute as it stands."""
    for happening in happenings:
        if not isinstance(happening, Recorded) or not DISPUTE.owns(happening.record):
            continue
        record = happening.record
        rows = transaction.rows(READ_OWN, str(record.stream_id))
        before = DETAIL.decode(rows[0][0]) if rows else None
        dispute = DISPUTE.evolve(before, record, DISPUTE.read(record))
        transaction.change(
            WRITE,
            str(record.stream_id),
            microseconds(dispute.raised_at),
            str(dispute.match),
            dispute.event,
            int(dispute.is_waiting),
            dispute.by,
            record.version,
            msgspec.json.encode(dispute),
        )


def disputes(
    store: ReadStore,
    *,
    events: Sequence[str] | None = None,
    match_ids: Sequence[UUID] = (),
    person: str | None = None,
    waiting: bool | None = None,
    limit: int = 100,
) -> tuple[Row, ...]:
    """Disputes, those that wait first: of some events (`None`: of all), of matches, or raised by somebody."""
    conditions, values = list[str](), list[Any]()
    for column, wanted in (("event", events), ("match_id", [str(each) for each in match_ids] or None)):
        if wanted is not None:
            conditions.append(f"{column} IN ({', '.join('?' * len(wanted)) or 'NULL'})")
            values.extend(wanted)
    if person is not None:
        conditions.append("person = ?")
        values.append(person)
    if waiting is not None:
        conditions.append("waiting = ?")
        values.append(int(waiting))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = store.rows(f"{READ}{where}{ORDER}", *values, limit)
    return tuple(Row(UUID(id), version, DETAIL.decode(detail)) for id, version, detail in rows)
