"""Queries of the audit trail by tournament, match and person, latest first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, insert, select

from domain.kernel.values import Value
from domain.matches.log.entries import microseconds
from domain.matches.log.records import record_digest
from domain.roles.audit import AUDIT, AuditFact, IntegritySeen
from projections.follow import FollowedRecord, LogEvent, moment
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
"""`audit_looks` has the lines by which integrity data of an account was shown to an arbiter."""
Index("audit_by_event", AUDIT_LINES.c.event, AUDIT_LINES.c.version)
Index("audit_by_match", AUDIT_LINES.c.match_id, AUDIT_LINES.c.version)

COLUMNS: Final = AUDIT_LINES.c
WRITE: Final = insert(AUDIT_LINES)
WRITE_LOOK: Final = insert(AUDIT_LOOKS)
NEWEST: Final = select(AUDIT_LINES).order_by(COLUMNS.version.desc()).limit(bindparam("limit"))
READ: Final = NEWEST.where(COLUMNS.version < bindparam("before"))


class TrailLine(Value, frozen=True):
    """A line of the audit trail; `digest` is the digest of its record."""

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


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Insert a row for every record of the trail, and for every person whom an arbiter examined; rows never change."""
    for event in events:
        if not isinstance(event, FollowedRecord) or not AUDIT.owns(event.record):
            continue
        record = event.record
        fact = AUDIT.read(record)
        transaction.change(
            WRITE,
            version=record.version,
            at=microseconds(record.timestamp),
            kind=record.tag.partition(".")[2],
            person=fact.by,
            role=fact.role,
            event=fact.event,
            match_id=str(getattr(fact, "match", None) or ""),
            digest=record_digest(record).hex(),
            fact=bytes(record.body),
        )
        if isinstance(fact, IntegritySeen):
            for person in sorted({fact.person, *fact.named} - {""}):
                transaction.change(WRITE_LOOK, person=person, version=record.version)


def lines(
    store: ReadStore,
    *,
    event: str | None = None,
    match_id: UUID | None = None,
    kinds: Sequence[str] = (),
    limit: int = LIMIT,
    before: int | None = None,
) -> Page[TrailLine]:
    """Return a page of lines of the audit trail, latest first, filtered by the arguments; the key is the version."""
    query = READ
    if event is not None:
        query = query.where(COLUMNS.event == event)
    if match_id is not None:
        query = query.where(COLUMNS.match_id == str(match_id))
    if kinds:
        query = query.where(COLUMNS.kind.in_(kinds))
    rows = store.rows(query, before=end_of(before), limit=limit + 1)
    return page_of([line_of(row) for row in rows], limit, lambda line: line.version)


def line_of(row: Row) -> TrailLine:
    """Convert a row into a line."""
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
