"""The audit trail as organisers read it: by tournament, by match, by person, the newest first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index

from domain.kernel.values import Value
from domain.matches.log.entries import microseconds
from domain.matches.log.records import record_digest
from domain.roles.audit import AUDIT, AuditFact, IntegritySeen
from projections.follow import Happening, Recorded, moment
from projections.platform.database import Row
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "audit"
SHAPE: Final = "2"
AUDIT_LINES: Final = read_model(
    "audit",
    Column("version", NUMBER, primary_key=True),
    Column("at", NUMBER, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("person", TEXT, nullable=False),
    Column("role", TEXT, nullable=False),
    Column("event", TEXT, nullable=False),
    Column("match_id", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("fact", BYTES, nullable=False),
)
AUDIT_LOOKS: Final = read_model(
    "audit_looks",
    Column("person", TEXT, primary_key=True),
    Column("version", NUMBER, primary_key=True),
)
TABLES: Final = by_name(AUDIT_LINES, AUDIT_LOOKS)
"""`audit_looks` has the lines by which figures of an account were shown to an arbiter."""
Index("audit_by_event", AUDIT_LINES.c.event, AUDIT_LINES.c.version)
Index("audit_by_match", AUDIT_LINES.c.match_id, AUDIT_LINES.c.version)

WRITE: Final = (
    "INSERT INTO {audit} (version, at, kind, person, role, event, match_id, digest, fact)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
WRITE_LOOK: Final = "INSERT INTO {audit_looks} (person, version) VALUES (?, ?)"
READ: Final = "SELECT version, at, kind, person, role, event, match_id, digest, fact FROM audit"
NEWEST: Final = " ORDER BY version DESC LIMIT ?"


class TrailLine(Value, frozen=True):
    """One line of the trail; `fact` is the whole of it, `digest` that of its record."""

    version: int
    at: datetime
    kind: str
    by: str
    role: str
    event: str
    match_id: UUID | None
    digest: str
    fact: AuditFact


FACT: Final[msgspec.json.Decoder[AuditFact]] = msgspec.json.Decoder(AuditFact)


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """One row for every record of the trail, never changed again."""
    for happening in happenings:
        if not isinstance(happening, Recorded) or not AUDIT.owns(happening.record):
            continue
        record = happening.record
        fact = AUDIT.read(record)
        transaction.change(
            WRITE,
            record.version,
            microseconds(record.timestamp),
            record.tag.partition(".")[2],
            fact.by,
            fact.role,
            fact.event,
            str(getattr(fact, "match", None) or ""),
            record_digest(record).hex(),
            bytes(record.body),
        )
        if isinstance(fact, IntegritySeen):
            for person in sorted({fact.person, *fact.named} - {""}):
                transaction.change(WRITE_LOOK, person, record.version)


def lines(
    store: ReadStore,
    *,
    event: str | None = None,
    match_id: UUID | None = None,
    kinds: Sequence[str] = (),
    limit: int = LIMIT,
    before: int | None = None,
) -> Page[TrailLine]:
    """The newest lines, of a tournament or a match if one is named, and of some kinds; their key is the version."""
    conditions, values = ["version < ?"], list[Any]([end_of(before)])
    if event is not None:
        conditions.append("event = ?")
        values.append(event)
    if match_id is not None:
        conditions.append("match_id = ?")
        values.append(str(match_id))
    if kinds:
        conditions.append(f"kind IN ({', '.join('?' * len(kinds))})")
        values.extend(kinds)
    rows = store.rows(f"{READ} WHERE {' AND '.join(conditions)}{NEWEST}", *values, limit + 1)
    return page_of([line_of(row) for row in rows], limit, lambda line: line.version)


def line_of(row: Row) -> TrailLine:
    version, at, kind, person, role, event, match_id, digest, fact = row
    return TrailLine(
        version=version,
        at=moment(at),
        kind=kind,
        by=person,
        role=role,
        event=event,
        match_id=UUID(match_id) if match_id else None,
        digest=digest,
        fact=FACT.decode(fact),
    )
