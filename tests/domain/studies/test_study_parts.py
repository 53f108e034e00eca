"""Large imports are stored part by part, so that other commands run in between."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log, import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.errors import StaleVersion
from domain.matches.log.entries import ALL
from domain.studies import commands
from domain.studies.commands import BYTES_PER_COMMAND, FACTS_PER_COMMAND, Part, parts_of
from domain.studies.errors import StudyExists
from domain.studies.facts import CommentWritten, StudyPlace
from domain.studies.file import StudyFile
from domain.studies.state import STUDY
from tests.domain.disputes.disputing import M, T, U, add_comment, open_study, play_to_last_entry
from tests.domain.matches.match_helpers import ALL_TITLES, START
from tests.seeding import SeededEntropy

COMMENTS = FACTS_PER_COMMAND + 3


@pytest.fixture
def file(matches: Matches) -> StudyFile:
    """Return the file of a study with more facts than one command stores."""
    play_to_last_entry(matches)
    open_study(matches)
    facts = [CommentWritten(by="anna", comment=number, at=StudyPlace(9), text="x") for number in range(1, COMMENTS + 1)]
    matches.transact(lambda batch: batch.record(STUDY, T, *facts), at=START)
    return commands.export_study(matches, T, with_log=False)


@pytest.fixture
def target(matches: Matches, file: StudyFile) -> Iterator[Matches]:
    """Return another store that has the match of the file."""
    del file
    target = open_store(store_env(":memory:"), titles=ALL_TITLES, entropy=SeededEntropy("elsewhere"))
    import_log(target, export_log(matches, M, ALL), by="olga", at=START)
    yield target
    target.close()


def store(matches: Matches, part: Part) -> int:
    """Store a part; return the number of records it added."""
    composed = matches.compose(part, at=START)
    matches.commit(composed)
    return len(composed.batch.events)


@pytest.mark.parametrize(
    ("sizes", "parts"),
    [
        ([1], ((0, 1),)),
        ([1] * FACTS_PER_COMMAND, ((0, FACTS_PER_COMMAND),)),
        ([1] * (2 * FACTS_PER_COMMAND + 1), ((0, 500), (500, 1000), (1000, 1001))),
        ([BYTES_PER_COMMAND // 2] * 5, ((0, 2), (2, 4), (4, 5))),
        ([2 * BYTES_PER_COMMAND] * 2, ((0, 1), (1, 2))),
    ],
)
def test_a_part_has_a_bounded_number_of_facts_and_of_bytes(
    sizes: list[int], parts: tuple[tuple[int, int], ...]
) -> None:
    assert parts_of(sizes) == parts


def test_no_command_stores_more_than_its_bound(target: Matches, file: StudyFile) -> None:
    own = [store(target, part) for part in commands.import_commands(target, file, at=START)]
    copied = [store(target, part) for part in commands.copy_commands(target, file, U, by="bea")]

    assert own == copied == [FACTS_PER_COMMAND, COMMENTS + 1 - FACTS_PER_COMMAND]
    assert target.streams.get(STUDY, T).head == file.header.study_head
    assert len(target.streams.get(STUDY, U).state.comments) == COMMENTS


@pytest.mark.parametrize("study_id", [T, U])
def test_an_interrupted_import_continues_when_it_is_sent_again(
    target: Matches, file: StudyFile, study_id: UUID
) -> None:
    def parts() -> tuple[Part, ...]:
        own = study_id == T
        return (
            commands.import_commands(target, file, at=START)
            if own
            else commands.copy_commands(target, file, U, by="bea")
        )

    store(target, parts()[0])
    again = [store(target, part) for part in parts()]

    assert again == [0, COMMENTS + 1 - FACTS_PER_COMMAND]
    assert len(target.streams.get(STUDY, study_id).state.comments) == COMMENTS
    assert [store(target, part) for part in parts()] == [0, 0]


def test_an_import_does_not_continue_after_its_owner_changed_the_copy(target: Matches, file: StudyFile) -> None:
    own, copied = commands.import_commands(target, file, at=START), commands.copy_commands(target, file, U, by="bea")
    store(target, own[0])
    store(target, copied[0])
    add_comment(target, StudyPlace(9))
    commands.add_comment(target, U, StudyPlace(9), "Mine", by="bea", at=START)

    with pytest.raises(StudyExists, match="with the head"):
        store(target, own[1])
    with pytest.raises(StaleVersion):
        store(target, copied[1])
