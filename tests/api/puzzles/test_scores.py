"""Puzzle answers work alike in a file and on a server: the first one counts; erasing a person deletes theirs."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from api.accounts.people import People
from api.puzzles.scores import Answer, PuzzleScores, Score
from tests.seeding import entropy

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("store_kind", ["file", "server"])
def test_first_answers_count_until_their_person_is_erased(
    store_kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    database: Path | str = (
        request.getfixturevalue("fresh_postgres") if store_kind == "server" else tmp_path / "people.db"
    )
    with closing(People(database, entropy())) as people, closing(PuzzleScores(database)) as scores:
        ann, ben = (people.create_guest(AT).id for _ in range(2))
        before = scores.score_of(ann)

        solved = scores.record_answer(ann, "two", 1500, solved=True)
        again = scores.record_answer(ann, "two", 1500, solved=False)
        failed = scores.record_answer(ann, "one", 1500, solved=False)
        scores.record_answer(ben, "one", 1500, solved=True)

        assert before == Score(1500, 0, 0)
        assert again == solved == Score(solved.rating, 1, 1)
        assert failed == scores.score_of(ann) == Score(failed.rating, 2, 1)
        assert solved.rating > before.rating
        assert solved.rating > failed.rating
        assert scores.answers(ann) == (Answer("one", is_solved=False), Answer("two", is_solved=True))
        people.erase(ann)
        assert (scores.score_of(ann), scores.answers(ann)) == (Score(), ())
        assert scores.score_of(ben).answered == 1
