"""The tree of lines: forks of every match."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Column, Index, bindparam, select

from domain.kernel.values import Value
from domain.matches.facts import MatchForked
from domain.matches.log.entries import microseconds
from projections.follow import FollowedStep, moment
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "desk_forks"
SHAPE: Final = "2"
DESK_FORKS: Final = read_model(
    "desk_forks",
    Column("line_id", TEXT, primary_key=True),
    Column("parent", TEXT, nullable=False),
    Column("root", TEXT, nullable=False),
    Column("version", NUMBER, nullable=False),
    Column("luck", TEXT, nullable=False),
    Column("person", TEXT, nullable=False),
    Column("at", NUMBER, nullable=False),
    Column("ruling", TEXT, nullable=False),
    Column("dispute", TEXT, nullable=False),
    Column("forked", NUMBER, nullable=False),
)
TABLES: Final = by_name(DESK_FORKS)
Index("desk_forks_by_root", DESK_FORKS.c.root, DESK_FORKS.c.forked)

COLUMNS: Final = DESK_FORKS.c
READ_ROOT: Final = select(COLUMNS.root).where(COLUMNS.line_id == bindparam("line_id"))
WRITE: Final = insert_new(DESK_FORKS)
READ: Final = (
    select(DESK_FORKS)
    .where(COLUMNS.root == bindparam("root"), COLUMNS.forked < bindparam("before"))
    .order_by(COLUMNS.forked.desc())
    .limit(bindparam("limit"))
)


class Fork(Value, frozen=True):
    """A line and its branching point; `ruling` made it official, or it is a what-if of `dispute`."""

    line_id: UUID
    parent: UUID
    version: int
    luck: str
    by: str
    at: datetime
    ruling: str
    dispute: str


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Insert a row for every fork, with the first line of its tree; rows never change."""
    for step in steps:
        fact = step.fact
        if not isinstance(fact, MatchForked):
            continue
        rows = transaction.rows(READ_ROOT, line_id=fact.parent)
        transaction.change(
            WRITE,
            line_id=str(step.entry.originator_id),
            parent=fact.parent,
            root=rows[0][0] if rows else fact.parent,
            version=fact.at,
            luck=fact.luck,
            person=fact.by,
            at=microseconds(step.entry.timestamp),
            ruling=fact.ruling,
            dispute=fact.dispute,
            forked=step.position,
        )


def root_of(store: ReadStore, line_id: UUID) -> UUID:
    """Return the match at the root of a line's tree."""
    rows = store.rows(READ_ROOT, line_id=str(line_id))
    return UUID(rows[0][0]) if rows else line_id


def tree(store: ReadStore, root: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Fork]:
    """Return a page of all forks below a match, latest first; the key is their position.

    Empty for an unknown match or a fork: forks are stored with the first line of their tree.
    """
    rows = store.rows(READ, root=str(root), before=end_of(before), limit=limit + 1)
    page = page_of(rows, limit, lambda row: int(row[-1]))
    return page.of(
        [
            Fork(UUID(line_id), UUID(parent), version, luck, by, moment(at), ruling, dispute)
            for line_id, parent, _, version, luck, by, at, ruling, dispute, _ in page.items
        ]
    )
