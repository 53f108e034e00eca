"""Requested analyses: pieces are leased once, first results are kept, and the whole replaces the pieces."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from uuid import UUID

import pytest

from domain.analyses.report import STANDARD
from projections.analyses import Analyses

MATCH: Final = UUID(int=7)
SPANS: Final = ((1, 8), (9, 12))
LONGEST: Final = 1_000


@pytest.fixture
def analyses(tmp_path: Path) -> Iterator[Analyses]:
    found = Analyses(tmp_path / "analyses.db")
    yield found
    found.close()


def test_an_analysis_is_requested_once_per_head_and_version(analyses: Analyses) -> None:
    assert analyses.standing(MATCH) is None
    assert analyses.ask(MATCH, "aa", 1, SPANS)
    assert not analyses.ask(MATCH, "aa", 1, SPANS)
    analyses.store_result(MATCH, "aa", 1, b"one")

    assert analyses.ask(MATCH, "aa", 2, SPANS)
    assert analyses.results(MATCH) == []
    assert analyses.ask(MATCH, "bb", 2, SPANS)


def test_a_piece_is_leased_again_after_its_lease(analyses: Analyses) -> None:
    analyses.ask(MATCH, "aa", 1, SPANS)
    first, second = analyses.due(100, LONGEST, 4)
    assert analyses.lease(first, 200)
    assert not analyses.lease(first, 300), "somebody was faster"

    assert [each.first for each in analyses.due(150, LONGEST, 4)] == [second.first]
    again = analyses.due(200, LONGEST, 4)
    assert {(each.first, each.attempt) for each in again} == {(1, 1), (9, 0)}
    assert [each.first for each in analyses.due(-2_000, LONGEST, 4)] == [9, 1], "the clock was set back"


def test_the_lease_of_a_queued_piece_is_extended(analyses: Analyses) -> None:
    analyses.ask(MATCH, "aa", 1, SPANS[:1], 250)
    analyses.lease(analyses.due(100, LONGEST, 4)[0], 200)
    (again,) = analyses.due(200, LONGEST, 4)
    assert (again.attempt, again.tries) == (1, 250)

    analyses.extend(again, 300)

    assert not analyses.due(299, LONGEST, 4)
    assert analyses.due(300, LONGEST, 4) == [again]


def test_the_first_result_is_kept_and_the_last_piece_completes_the_analysis(analyses: Analyses) -> None:
    analyses.ask(MATCH, "aa", 1, SPANS)

    assert not analyses.store_result(MATCH, "aa", 9, b"two")
    assert not analyses.store_result(MATCH, "aa", 9, b"other")
    assert not analyses.store_result(MATCH, "another head", 1, b"one")
    assert analyses.store_result(MATCH, "aa", 1, b"one")
    assert analyses.results(MATCH) == [b"one", b"two"]
    analyses.finish(MATCH, "aa", b"whole")

    assert analyses.document(MATCH) == b"whole"
    standing = analyses.standing(MATCH)
    assert standing is not None
    assert (standing.is_done, standing.pieces, standing.tries) == (True, 0, STANDARD.tries)
    assert not analyses.store_result(MATCH, "aa", 1, b"late"), "a job that was done twice"
    assert analyses.document(MATCH) == b"whole"
