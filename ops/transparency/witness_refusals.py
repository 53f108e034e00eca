"""Signed requests that a witness refused because they conflict with the tree it has seen, kept as evidence."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import Column, MetaData, Table, UniqueConstraint, bindparam, delete, func, select

from domain.transparency.witnessing import CosignRefusal, SeenTree, SignedRequest
from projections.platform.database import SqliteDatabase
from projections.platform.statements import insert_row
from projections.platform.tables import NUMBER, TEXT

METADATA: Final = MetaData()
REFUSALS: Final = Table(
    "refusals",
    METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("origin", TEXT, nullable=False),
    Column("at", NUMBER, nullable=False),
    Column("status", NUMBER, nullable=False),
    Column("size", NUMBER, nullable=False),
    Column("seen_size", NUMBER, nullable=False),
    Column("reason", TEXT, nullable=False),
    Column("text", TEXT, nullable=False),
    Column("request", TEXT, nullable=False),
    UniqueConstraint("origin", "text"),
)
KEPT_MAX: Final = 1_000
"""Requests of each log. Requests with a smaller tree, which readers can repeat, are dropped first, then the oldest."""
NEXT: Final = select(func.coalesce(func.max(REFUSALS.c.number), 0) + 1)
FIND: Final = select(REFUSALS.c.number).where(
    REFUSALS.c.origin == bindparam("origin"), REFUSALS.c.text == bindparam("text")
)
ADD: Final = insert_row(REFUSALS)
OF_LOG: Final = select(REFUSALS).where(REFUSALS.c.origin == bindparam("origin")).order_by(REFUSALS.c.number.desc())
LIST: Final = select(REFUSALS).order_by(REFUSALS.c.number.desc())
EXCESS: Final = (
    select(REFUSALS.c.number)
    .where(REFUSALS.c.origin == bindparam("origin"))
    .order_by(REFUSALS.c.size < REFUSALS.c.seen_size, REFUSALS.c.number.desc())
    .offset(bindparam("kept"))
)
DROP: Final = delete(REFUSALS).where(REFUSALS.c.number == bindparam("number"))

TREES: Final = 422
SIZES: Final = 409


class RefusedRequest(msgspec.Struct, frozen=True, rename="camel"):
    """A refused request: when (Unix time), which log and sizes, why, and the request as it was signed."""

    at: int
    origin: str
    status: int
    size: int
    seen_size: int
    reason: str
    request: str

    def __str__(self) -> str:
        return f"{self.at}  {self.origin}: {self.size:,} leaves, {self.seen_size:,} seen; {self.status}, {self.reason}"


class Refusals:
    """The refused requests of a witness. The caller opens the transactions."""

    def __init__(self, database: SqliteDatabase, kept_max: int = KEPT_MAX) -> None:
        self._database, self._kept_max = database, kept_max

    def keep(self, signed: SignedRequest, refusal: CosignRefusal, seen: SeenTree, seconds: int) -> None:
        """Keep a validly signed request at a Unix time if it conflicts with the seen tree; each checkpoint once."""
        if not is_conflict(signed, refusal, seen):
            return
        checkpoint, text = signed.checkpoint, signed.request.note.text
        if self._database.rows(FIND, origin=checkpoint.origin, text=text):
            return
        ((number,),) = self._database.rows(NEXT)
        self._database.change(
            ADD,
            number=number,
            origin=checkpoint.origin,
            at=seconds,
            status=refusal.status,
            size=checkpoint.size,
            seen_size=seen.size,
            reason=refusal.reason,
            text=text,
            request=str(signed.request),
        )
        for (excess,) in self._database.rows(EXCESS, origin=checkpoint.origin, kept=self._kept_max):
            self._database.change(DROP, number=excess)

    def forget(self, signed: SignedRequest) -> None:
        """Drop a checkpoint that was cosigned after all: a stranger had sent it with a false proof."""
        for (number,) in self._database.rows(FIND, origin=signed.checkpoint.origin, text=signed.request.note.text):
            self._database.change(DROP, number=number)

    def list(self, origin: str | None = None) -> tuple[RefusedRequest, ...]:
        """Return the refused requests of a log, or of all, latest first."""
        rows = self._database.rows(LIST) if origin is None else self._database.rows(OF_LOG, origin=origin)
        return tuple(
            RefusedRequest(at, name, status, size, seen_size, reason, request)
            for _, name, at, status, size, seen_size, reason, _, request in rows
        )


def is_conflict(signed: SignedRequest, refusal: CosignRefusal, seen: SeenTree) -> bool:
    """Return whether a refused request has another tree, or an older one; a lost response has neither."""
    if refusal.status == TREES:
        return True
    checkpoint = signed.checkpoint
    is_other = checkpoint.size == seen.size and checkpoint.root != seen.root
    return refusal.status == SIZES and (checkpoint.size < seen.size or is_other)
