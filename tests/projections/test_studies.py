"""Lists of studies: after any changes, a row has the counts of its study."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Final
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.messages import Message
from domain.matches.aggregate import Match
from domain.matches.log.records import Record, Stream
from domain.studies.admission import DEPTH_MAX, admit
from domain.studies.errors import StudyRefused
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentRemoved,
    CommentWritten,
    Fact,
    PlaceMarked,
    StepsAdded,
    StudyOpened,
    StudyPlace,
    StudyRenamed,
    StudyStep,
    VariationAdded,
    VariationCut,
    VariationPromoted,
    VisibilityChanged,
)
from domain.studies.rules import depth_of
from domain.studies.state import STUDY, Study
from projections import studies
from projections.follow import FollowedRecord, ensure_tables
from projections.platform.store import ReadStore
from projections.studies import LISTED, READ_OWN, StudyRow
from tests.projections.tables import START, match_id

ANN: Final = "ann"
M: Final = match_id(1)
OPENED: Final = StudyOpened(by=ANN, match=M, head="ab" * 32, entries=12, title="A close one")
ENTRIES: Final = (9, 10)
STEP: Final = StudyStep(0, msgspec.Raw(b'{"type":"toy.play"}'), msgspec.Raw(b"[]"), Message("Play"))
NUMBERS: Final = count(1)
"""Ids of studies and positions in the log, which are never used again."""


class BookOfEntries:
    """A match with twelve entries whose positions are not needed, because steps are not admitted here."""

    match_id = M
    last = 12
    is_open = True

    def at(self, entry: int) -> Match:
        raise AssertionError(entry)

    def digest_of(self, entry: int) -> str:
        raise AssertionError(entry)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReadStore]:
    store = ReadStore(f"sqlite:///{tmp_path_factory.mktemp('data') / 'reads.db'}")
    ensure_tables(store, studies)
    yield store
    store.close()


def list_places(study: Study) -> list[StudyPlace]:
    """Return the places of two entries and of all steps."""
    steps = (
        StudyPlace(each.at.entry, each.number, step) for each in study.variations for step in range(len(each.steps) + 1)
    )
    return [*map(StudyPlace, ENTRIES), *steps]


def list_changes(study: Study) -> list[Fact]:
    """Return possible changes of the study."""
    places, number = list_places(study), study.numbers_used + 1
    changes: list[Fact] = [CommentWritten(by=ANN, comment=number, at=at, text="New") for at in places]
    for comment in study.comments:
        changes.append(CommentWritten(by=ANN, comment=comment.number, at=comment.at, text="Better"))
        changes.append(CommentRemoved(by=ANN, comment=comment.number))
    changes += [
        VariationAdded(by=ANN, variation=number, at=at, steps=(STEP,) * steps)
        for at in places
        if depth_of(study, at) < DEPTH_MAX
        for steps in (1, 3)
    ]
    for variation in study.variations:
        changes += [
            VariationCut(by=ANN, variation=variation.number, steps=steps) for steps in range(len(variation.steps))
        ]
        changes.append(StepsAdded(by=ANN, variation=variation.number, steps=(STEP,)))
        promotion = VariationPromoted(by=ANN, variation=variation.number)
        if is_admitted(study, promotion):
            changes.append(promotion)
    others = (
        PlaceMarked(by=ANN, at=places[-1], glyphs=("good",)),
        ChapterNamed(by=ANN, entry=9, title="Opening"),
        StudyRenamed(by=ANN, title="A closer one"),
        VisibilityChanged(by=ANN, visibility="public"),
        CollaboratorAdded(by=ANN, person="ben"),
        CollaboratorRemoved(by=ANN, person="ben"),
    )
    return changes + [each for each in others if is_admitted(study, each)]


def is_admitted(study: Study, fact: Fact) -> bool:
    try:
        admit(study, fact, BookOfEntries())
    except StudyRefused:
        return False
    return True


def append(stream: Stream[Study] | None, study_id: UUID, fact: Fact) -> tuple[Stream[Study], Record]:
    """Append a fact a second after the last one."""
    at = START if stream is None else stream.timestamp + timedelta(seconds=1)
    record = STUDY.seal(study_id, stream, fact, at)
    return STUDY.apply(stream, record), record


@given(data=st.data())
def test_after_any_changes_a_row_equals_its_study(store: ReadStore, data: st.DataObject) -> None:
    study_id = UUID(int=next(NUMBERS))
    stream, record = append(None, study_id, OPENED)
    batches = [[FollowedRecord(next(NUMBERS), record)]]
    for _ in range(data.draw(st.integers(0, 12), "changes")):
        fact = data.draw(st.sampled_from(list_changes(stream.state)), "change")
        stream, record = append(stream, study_id, fact)
        if data.draw(st.booleans(), "new batch"):
            batches.append([])
        batches[-1].append(FollowedRecord(next(NUMBERS), record))

    for batch in batches:
        with store.transaction() as transaction:
            studies.follow_all(transaction, batch)

    study = stream.state
    ((detail, *_),) = store.rows(READ_OWN, study_id=str(study_id))
    assert LISTED.decode(detail) == StudyRow(
        study_id,
        M,
        study.title,
        ANN,
        study.visibility,
        START,
        stream.timestamp,
        len(study.comments),
        len(study.variations),
    )
