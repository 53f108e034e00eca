"""The studies there are: for the list of public ones, those about a match, and those somebody writes into."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index

from domain.kernel.values import Value, replace
from domain.studies.state import (
    STUDY,
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentRemoved,
    CommentWritten,
    Fact,
    StudyOpened,
    StudyRenamed,
    VariationAdded,
    VisibilityChanged,
)
from projections.follow import Happening, Recorded
from projections.matches import lobby
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "desk_studies"
SHAPE: Final = "2"
DESK_STUDIES: Final = read_model(
    "desk_studies",
    Column("study_id", TEXT, primary_key=True),
    Column("match_id", TEXT, nullable=False),
    Column("visibility", TEXT, nullable=False),
    Column("changed", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
)
DESK_WRITERS: Final = read_model(
    "desk_writers",
    Column("person", TEXT, primary_key=True),
    Column("study_id", TEXT, primary_key=True),
)
TABLES: Final = by_name(DESK_STUDIES, DESK_WRITERS)
Index("desk_studies_by_match", DESK_STUDIES.c.match_id)
Index("desk_studies_by_change", DESK_STUDIES.c.visibility, DESK_STUDIES.c.changed)

READ_OWN: Final = "SELECT detail FROM {desk_studies} WHERE study_id = ?"
WRITE: Final = (
    "INSERT INTO {desk_studies} (study_id, match_id, visibility, changed, detail) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (study_id) DO UPDATE SET visibility = excluded.visibility, changed = excluded.changed,"
    " detail = excluded.detail"
)
WRITER: Final = "INSERT INTO {desk_writers} (person, study_id) VALUES (?, ?) ON CONFLICT (person, study_id) DO NOTHING"
FORGET_WRITER: Final = "DELETE FROM {desk_writers} WHERE person = ? AND study_id = ?"
MINE: Final = " study_id IN (SELECT study_id FROM desk_writers WHERE person = ?)"
READ: Final = (
    "SELECT changed, detail, study_id IN (SELECT study_id FROM desk_writers WHERE person = ?) FROM desk_studies"
)
PUBLIC: Final = (
    "visibility = 'public' AND EXISTS (SELECT 1 FROM lobby WHERE lobby.match_id = desk_studies.match_id"
    " AND lobby.public = 1 AND lobby.counting = 0)"
)
"""Public studies of listed matches whose results do not count, or are final."""
PUBLIC_HERE: Final = (
    "visibility = 'public' AND EXISTS (SELECT 1 FROM lobby WHERE lobby.match_id = desk_studies.match_id"
    " AND lobby.counting <> 1)"
)
"""The same for readers who may see the match itself."""
ORDER: Final = " ORDER BY changed DESC LIMIT ?"


class StudyRow(Value, frozen=True):
    """A study in a list."""

    id: UUID
    match_id: UUID
    title: str
    owner: str
    visibility: str
    opened_at: datetime
    changed_at: datetime
    comments: int = 0
    variations: int = 0


LISTED: Final = msgspec.json.Decoder(StudyRow)


def follow_all(transaction: Transaction, happenings: Sequence[Happening]) -> None:
    """Keeps what a list says of every study."""
    for happening in happenings:
        if not isinstance(happening, Recorded) or not STUDY.owns(happening.record):
            continue
        record, fact = happening.record, STUDY.read(happening.record)
        rows = transaction.rows(READ_OWN, str(record.stream_id))
        known = LISTED.decode(rows[0][0]) if rows else None
        listed = after(known, record.stream_id, fact, record.timestamp)
        values = (str(listed.match_id), listed.visibility, happening.position, msgspec.json.encode(listed))
        transaction.change(WRITE, str(record.stream_id), *values)
        if isinstance(fact, StudyOpened | CollaboratorAdded):
            person = fact.by if isinstance(fact, StudyOpened) else fact.person
            transaction.change(WRITER, person, str(record.stream_id))
        if isinstance(fact, CollaboratorRemoved):
            transaction.change(FORGET_WRITER, fact.person, str(record.stream_id))


def after(known: StudyRow | None, study_id: UUID, fact: Fact, at: datetime) -> StudyRow:
    """The row after one more fact; its counts are of what was ever written less what was taken out by itself."""
    if isinstance(fact, StudyOpened):
        return StudyRow(study_id, fact.match, fact.title, fact.by, fact.visibility, at, at)
    assert known is not None
    changes: dict[str, Any] = {"changed_at": at}
    if isinstance(fact, StudyRenamed):
        changes["title"] = fact.title
    elif isinstance(fact, VisibilityChanged):
        changes["visibility"] = fact.visibility
    elif isinstance(fact, CommentWritten):
        changes["comments"] = known.comments + 1
    elif isinstance(fact, CommentRemoved):
        changes["comments"] = max(0, known.comments - 1)
    elif isinstance(fact, VariationAdded):
        changes["variations"] = known.variations + 1
    return replace(known, **changes)


def studies(
    store: ReadStore,
    *,
    match_id: UUID | None = None,
    person: str | None = None,
    mine: bool = False,
    limit: int = LIMIT,
    before: int | None = None,
) -> Page[StudyRow]:
    """Return public studies and studies that the person writes, the last changed first; with `mine` only the latter.

    With `match_id` the reader may see that match. The key of a study is the position of its last change.
    """
    reader = person or ""
    public = PUBLIC if match_id is None else PUBLIC_HERE
    conditions = ["changed < ?", MINE if mine else f"({public} OR{MINE})"]
    values = list[Any]([reader, end_of(before), reader])
    if match_id is not None:
        conditions.append("match_id = ?")
        values.append(str(match_id))
    rows = store.rows(f"{READ} WHERE {' AND '.join(conditions)}{ORDER}", *values, limit + 1)
    page = page_of(rows, limit, lambda row: int(row[0]))
    found = ((LISTED.decode(detail), bool(is_writer)) for _, detail, is_writer in page.items)
    return page.of([row for row, is_writer in found if is_shown(store, row, reader, is_writer=is_writer)])


def is_shown(store: ReadStore, row: StudyRow, reader: str, *, is_writer: bool) -> bool:
    """Return whether a list may name the study to its reader, by the rule of `domain.studies.readers`.

    Owners give their studies their titles, and see them at any time.
    """
    match = lobby.get(store, row.match_id)
    if row.owner == reader or match is None or not lobby.is_counting(store, match):
        return True
    sat = {seat.actor for seat in match.seats} | {*match.began} | {each.actor for each in match.played_on}
    return is_writer and reader not in sat


def public_of(store: ReadStore, person: str, limit: int) -> tuple[StudyRow, ...]:
    """Return the studies of a person that all people may read, the last changed first."""
    rows = store.rows(f"{READ} WHERE {MINE} AND {PUBLIC}{ORDER}", person, person, limit)
    return tuple(row for row in (LISTED.decode(detail) for _, detail, _ in rows) if row.owner == person)
