"""The waiting list of tournaments and seasons: each test runs for both."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.contests.waiting_list import has_place, next_from_list
from domain.eventstore.application import Matches
from tests.domain.contests.contest_subject import OpenSubject
from tests.domain.contests.subjects import SUBJECTS
from tests.projections.tables import matches_in

PLAYERS = ("ann", "ben", "cleo", "dora", "eva", "fay")
both = pytest.mark.parametrize("open_subject", SUBJECTS)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


@both
def test_the_first_who_waits_gets_the_place_of_a_player_who_leaves(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, cap=4)
    subject.enter(*PLAYERS)
    assert subject.waiting() == ["eva", "fay"]
    subject.leave("ann")
    subject.open_round()

    assert subject.waiting() == ["fay"]
    assert subject.playing() == {"ben", "cleo", "dora", "eva"}


@both
def test_vacancies_are_filled_in_the_order_of_entry(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, cap=4)
    subject.enter(*PLAYERS)
    subject.leave("eva")
    subject.leave("dora")
    subject.leave("ben")
    subject.enter("gil", "hal")
    subject.open_round()

    assert subject.waiting() == ["hal"]
    assert subject.playing() == {"ann", "cleo", "fay", "gil"}


@both
def test_a_person_who_waits_plays_from_the_next_draw(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches, cap=4)
    subject.enter(*PLAYERS[:5])
    subject.open_round()
    assert (subject.waiting(), "eva" in subject.playing()) == (["eva"], False)
    subject.leave("ann")
    subject.draw_again()

    assert subject.playing() == {"ben", "cleo", "dora", "eva"}


@both
def test_without_a_limit_no_one_waits(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS)
    subject.open_round()

    assert subject.waiting() == []
    assert subject.playing() == {*PLAYERS}


def test_places_without_a_limit_are_free() -> None:
    assert (has_place(0, 9), has_place(4, 3), has_place(4, 4)) == (True, True, False)
    assert next_from_list(0, 9, "ab") == ("a", "b")
    assert next_from_list(4, 3, "ab") == ("a",)
    assert next_from_list(4, 5, "ab") == ()
