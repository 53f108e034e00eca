"""Loading scripts and finding lessons."""

import pytest

from domain.lessons.errors import NoSuchLesson
from domain.lessons.script import find_lesson, lesson_of, lessons_of, load_log


def test_a_title_lists_its_lessons_in_recommended_order() -> None:
    assert list(lessons_of("la_granja")) == ["first", "deliveries", "market", "siesta"]
    assert list(lessons_of("el_grande")) == ["first", "king", "castle"]


def test_a_title_without_scripts_has_no_lessons() -> None:
    assert lessons_of("no_such_title") == {}
    assert lessons_of("la_granja.phases") == {}


def test_a_lesson_is_found_by_name_and_by_practice() -> None:
    lesson = find_lesson("la_granja", "siesta")

    assert lesson.practice == "la_granja/siesta"
    assert lesson_of("la_granja/siesta") is lesson


@pytest.mark.parametrize("practice", ["", "la_granja", "la_granja/other", "puzzle/1", "../etc/first"])
def test_another_practice_is_no_lesson(practice: str) -> None:
    assert lesson_of(practice) is None


def test_an_unknown_lesson_is_refused_by_name() -> None:
    with pytest.raises(NoSuchLesson, match="no lesson 'last'; known: first, deliveries, market, siesta"):
        find_lesson("la_granja", "last")
    with pytest.raises(NoSuchLesson, match="quoits has no lesson 'first'; known: none"):
        find_lesson("quoits", "first")


def test_the_log_of_a_lesson_is_private_and_has_ended() -> None:
    log = load_log("la_granja", "village")

    assert log.reader == "all"
    assert b'"type":"match_ended"' in bytes(log.entries[-1].body)
    assert b'"public":false' in bytes(log.entries[0].body)
