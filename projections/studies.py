"""Lists of studies: public ones, studies of a match, and studies of a writer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, and_, bindparam, delete, or_, select

from domain.kernel.messages import Message
from domain.kernel.values import Value, replace
from domain.studies.facts import (
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentWritten,
    Fact,
    StepsAdded,
    StudyOpened,
    StudyPlace,
    StudyStep,
    VariationAdded,
    Visibility,
)
from domain.studies.state import STUDY, Comment, Study, Variation
from projections.follow import FollowedRecord, LogEvent
from projections.matches import lobby
from projections.matches.lobby_tables import LOBBY
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import insert_new, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model

NAME: Final = "desk_studies"
SHAPE: Final = "3"
DESK_STUDIES: Final = read_model(
    "desk_studies",
    Column("study_id", TEXT, primary_key=True),
    Column("match_id", TEXT, nullable=False),
    Column("visibility", TEXT, nullable=False),
    Column("changed", NUMBER, nullable=False),
    Column("detail", BYTES, nullable=False),
    Column("outline", BYTES, nullable=False),
)
DESK_WRITERS: Final = read_model(
    "desk_writers",
    Column("person", TEXT, primary_key=True),
    Column("study_id", TEXT, primary_key=True),
)
TABLES: Final = by_name(DESK_STUDIES, DESK_WRITERS)
Index("desk_studies_by_match", DESK_STUDIES.c.match_id)
Index("desk_studies_by_change", DESK_STUDIES.c.visibility, DESK_STUDIES.c.changed)

COLUMNS: Final = DESK_STUDIES.c
WRITERS: Final = DESK_WRITERS.c
READ_OWN: Final = select(COLUMNS.detail, COLUMNS.outline).where(COLUMNS.study_id == bindparam("study_id"))
WRITE: Final = upsert(DESK_STUDIES, kept=("match_id",))
WRITER: Final = insert_new(DESK_WRITERS)
FORGET_WRITER: Final = delete(DESK_WRITERS).where(
    WRITERS.person == bindparam("person"), WRITERS.study_id == bindparam("study_id")
)
IS_MINE: Final = COLUMNS.study_id.in_(select(WRITERS.study_id).where(WRITERS.person == bindparam("person")))
READ: Final = (
    select(COLUMNS.changed, COLUMNS.detail, IS_MINE).order_by(COLUMNS.changed.desc()).limit(bindparam("limit"))
)
IS_PUBLIC_HERE: Final = and_(
    COLUMNS.visibility == "public",
    select(LOBBY.c.match_id).where(LOBBY.c.match_id == COLUMNS.match_id, LOBBY.c.counting != lobby.COUNTING).exists(),
)
"""Public studies whose results do not count, or are final, for readers who may see the match itself."""
IS_PUBLIC: Final = and_(
    COLUMNS.visibility == "public",
    select(LOBBY.c.match_id)
    .where(LOBBY.c.match_id == COLUMNS.match_id, LOBBY.c.public == 1, LOBBY.c.counting == 0)
    .exists(),
)
"""The same of listed matches, for other readers."""
IS_BEFORE: Final = COLUMNS.changed < bindparam("before")
OF_MATCH: Final = COLUMNS.match_id == bindparam("match_id")
LIST_MINE: Final = READ.where(IS_BEFORE, IS_MINE)
LIST_MINE_HERE: Final = LIST_MINE.where(OF_MATCH)
LIST: Final = READ.where(IS_BEFORE, or_(IS_PUBLIC, IS_MINE))
LIST_HERE: Final = READ.where(IS_BEFORE, or_(IS_PUBLIC_HERE, IS_MINE), OF_MATCH)
READ_PUBLIC: Final = READ.where(IS_MINE, IS_PUBLIC)


class StudyRow(Value, frozen=True):
    """A study in a list."""

    id: UUID
    match_id: UUID
    title: str
    owner: str
    visibility: Visibility
    opened_at: datetime
    changed_at: datetime
    comments: int = 0
    variations: int = 0


class Outline(Value, frozen=True):
    """The parts of a study that decide its counts: a cut also removes the content nested in it."""

    comments: tuple[tuple[int, StudyPlace], ...]
    """Number and place of each comment."""
    variations: tuple[tuple[int, StudyPlace, int], ...]
    """Number, place and length of each variation, parents before children."""


LISTED: Final = msgspec.json.Decoder(StudyRow)
OUTLINE: Final = msgspec.json.Decoder(Outline)
NO_TEXT: Final = ""
BLANK: Final = StudyStep(0, msgspec.Raw(b"null"), msgspec.Raw(b"null"), Message(NO_TEXT))
"""A step in an outline, where only the number of steps counts."""


def follow_all(transaction: Transaction, events: Sequence[LogEvent]) -> None:
    """Store the list entry and the current authors of every study; each record makes it the last changed one."""
    changed = dict[UUID, tuple[int, StudyRow, Study]]()
    for event in events:
        if not isinstance(event, FollowedRecord) or not STUDY.owns(event.record):
            continue
        study_id, fact = event.record.stream_id, STUDY.read(event.record)
        known = changed[study_id][1:] if study_id in changed else read(transaction, study_id)
        previous, study = (None, None) if known is None else known
        study = STUDY.evolve(study, event.record, without_content(fact))
        changed[study_id] = event.position, row_of(previous, study_id, study, event.record.timestamp), study
        name = str(study_id)
        if isinstance(fact, StudyOpened | CollaboratorAdded):
            person = fact.by if isinstance(fact, StudyOpened) else fact.person
            transaction.change(WRITER, person=person, study_id=name)
        if isinstance(fact, CollaboratorRemoved):
            transaction.change(FORGET_WRITER, person=fact.person, study_id=name)
    for position, row, study in changed.values():
        transaction.change(
            WRITE,
            study_id=str(row.id),
            match_id=str(row.match_id),
            visibility=row.visibility,
            changed=position,
            detail=msgspec.json.encode(row),
            outline=msgspec.json.encode(outline_of(study)),
        )


def read(transaction: Transaction, study_id: UUID) -> tuple[StudyRow, Study] | None:
    """Return the row of a study and the study without content, or None."""
    rows = transaction.rows(READ_OWN, study_id=str(study_id))
    if not rows:
        return None
    row, outline = LISTED.decode(rows[0][0]), OUTLINE.decode(rows[0][1])
    numbers = [each[0] for each in outline.comments] + [each[0] for each in outline.variations]
    study = Study(
        match=row.match_id,
        head="",
        entries=0,
        title=row.title,
        owner=row.owner,
        visibility=row.visibility,
        comments=tuple(Comment(number, at, "", "") for number, at in outline.comments),
        variations=tuple(Variation(number, at, (BLANK,) * steps, "") for number, at, steps in outline.variations),
        numbers_used=max(numbers, default=0),
    )
    return row, study


def outline_of(study: Study) -> Outline:
    """Return the outline of a study."""
    return Outline(
        tuple((each.number, each.at) for each in study.comments),
        tuple((each.number, each.at, len(each.steps)) for each in study.variations),
    )


def without_content(fact: Fact) -> Fact:
    """Return a fact without the text of a comment and the content of steps, which can be large."""
    if isinstance(fact, CommentWritten):
        return replace(fact, text="")
    if isinstance(fact, VariationAdded | StepsAdded):
        return replace(fact, steps=(BLANK,) * len(fact.steps))
    return fact


def row_of(previous: StudyRow | None, study_id: UUID, study: Study, at: datetime) -> StudyRow:
    """Return the row of a study that was changed at a time; its first change is the opening."""
    opened_at = at if previous is None else previous.opened_at
    return StudyRow(
        study_id,
        study.match,
        study.title,
        study.owner,
        study.visibility,
        opened_at,
        at,
        len(study.comments),
        len(study.variations),
    )


def studies(
    store: ReadStore,
    *,
    match_id: UUID | None = None,
    person: str | None = None,
    own_only: bool = False,
    limit: int = LIMIT,
    before: int | None = None,
) -> Page[StudyRow]:
    """Return a page of public studies and studies that the person writes, last changed first.

    With `own_only` only theirs are listed. With `match_id` the reader may see that match, and only its studies are
    listed. Studies that may not be named to the reader yet are left out, so a page can be short. The key of a study is
    the position of its last change.
    """
    reader = person or ""
    parameters = {"person": reader, "before": end_of(before), "limit": limit + 1}
    if match_id is None:
        rows = store.rows(LIST_MINE if own_only else LIST, **parameters)
    else:
        rows = store.rows(LIST_MINE_HERE if own_only else LIST_HERE, match_id=str(match_id), **parameters)
    page = page_of(rows, limit, lambda row: int(row[0]))
    found = ((LISTED.decode(detail), bool(is_writer)) for _, detail, is_writer in page.items)
    return page.of([row for row, is_writer in found if is_shown(store, row, reader, is_writer=is_writer)])


def is_shown(store: ReadStore, row: StudyRow, reader: str, *, is_writer: bool) -> bool:
    """Return whether a list may name the study to its reader: to the owner always, to all once the match has ended.

    Before that, of a match that counts, only to authors who have not played it (`domain.studies.readers`).
    """
    match = lobby.get(store, row.match_id)
    if row.owner == reader or match is None or not lobby.is_counting(store, match):
        return True
    players = {seat.actor for seat in match.seats} | {*match.began} | {each.actor for each in match.played_on}
    return is_writer and reader not in players


def public_of(store: ReadStore, person: str, limit: int) -> tuple[StudyRow, ...]:
    """Return the studies of a person that all people may read, the last changed first."""
    rows = store.rows(READ_PUBLIC, person=person, limit=limit)
    return tuple(row for row in (LISTED.decode(detail) for _, detail, _ in rows) if row.owner == person)
