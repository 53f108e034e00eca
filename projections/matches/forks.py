"""Which line comes from which: the forks of every match, for the page of its tree."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import MatchForked
from domain.matches.log.entries import microseconds
from projections.follow import FollowedStep, moment
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.store import ReadStore, Transaction

NAME: Final = "desk_forks"
SHAPE: Final = "2"
TABLES: Final = {
    "desk_forks": """CREATE TABLE {desk_forks} (line_id TEXT PRIMARY KEY, parent TEXT NOT NULL, root TEXT NOT NULL,
        version INTEGER NOT NULL, luck TEXT NOT NULL, person TEXT NOT NULL, at INTEGER NOT NULL, ruling TEXT NOT NULL,
        dispute TEXT NOT NULL, forked INTEGER NOT NULL)""",
}
INDEXES: Final = ("CREATE INDEX desk_forks_by_root ON desk_forks (root, forked)",)

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
