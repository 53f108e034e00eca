"""Which line comes from which: the forks of every match, for the page of its tree."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Column, Index

from domain.kernel.values import Value
from domain.matches.facts import MatchForked
from domain.matches.log.entries import microseconds
from projections.follow import FollowedStep, moment
from projections.platform.paging import LIMIT, Page, end_of, page_of
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

READ_ROOT: Final = "SELECT root FROM {desk_forks} WHERE line_id = ?"
WRITE: Final = (
    "INSERT INTO {desk_forks} (line_id, parent, root, version, luck, person, at, ruling, dispute, forked)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (line_id) DO NOTHING"
)
READ_OWN: Final = "SELECT root FROM desk_forks WHERE line_id = ?"
READ: Final = (
    "SELECT forked, line_id, parent, version, luck, person, at, ruling, dispute FROM desk_forks"
    " WHERE root = ? AND forked < ? ORDER BY forked DESC LIMIT ?"
)


class Fork(Value, frozen=True):
    """A line, and where it leaves another one; `ruling` made it official, it is a what-if of `dispute`."""

    line_id: UUID
    parent: UUID
    version: int
    luck: str
    by: str
    at: datetime
    ruling: str
    dispute: str


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """One row for every fork, never changed again."""
    for step in steps:
        fact = step.fact
        if not isinstance(fact, MatchForked):
            continue
        rows = transaction.rows(READ_ROOT, fact.parent)
        root = rows[0][0] if rows else fact.parent
        when = microseconds(step.entry.timestamp)
        parts = (fact.at, fact.luck, fact.by, when, fact.ruling, fact.dispute, step.position)
        transaction.change(WRITE, str(step.entry.originator_id), fact.parent, root, *parts)


def root_of(store: ReadStore, line_id: UUID) -> UUID:
    """The match at the root of the tree a line stands in."""
    rows = store.rows(READ_OWN, str(line_id))
    return UUID(rows[0][0]) if rows else line_id


def tree(store: ReadStore, root: UUID, limit: int = LIMIT, before: int | None = None) -> Page[Fork]:
    """The forks that come from a match, and from each other, the newest first; their key is their position."""
    page = page_of(store.rows(READ, str(root), end_of(before), limit + 1), limit, lambda row: int(row[0]))
    return page.of(
        [
            Fork(UUID(line), UUID(parent), version, luck, by, moment(at), ruling, dispute)
            for _, line, parent, version, luck, by, at, ruling, dispute in page.items
        ]
    )
