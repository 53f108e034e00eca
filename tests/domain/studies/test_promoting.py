"""Promoted variations, chapters, and colours of drawings."""

from random import Random

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.kernel.messages import Message
from domain.kernel.values import replace
from domain.studies.admission import CHAPTERS_MAX, DEPTH_MAX, STEPS_MAX, admit
from domain.studies.commands import StoredStudyMatch
from domain.studies.errors import NotYourStudy, StudyRefused
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    PlaceMarked,
    Shape,
    StudyPlace,
    StudyStep,
    VariationCut,
    VariationPromoted,
)
from domain.studies.report import report
from domain.studies.state import STUDY, Chapter, Study, Variation
from tests.domain.disputes.disputing import M, T, add_comment, add_variation, open_study, play_to_last_entry
from tests.domain.studies.test_studies import refuses, writes


def list_actions(study: Study, number: int) -> list[str]:
    """Return the stored actions of a variation."""
    line = study.variation(number)
    assert line is not None
    return [bytes(step.action).decode() for step in line.steps]


def test_a_promoted_variation_is_the_first_at_its_place(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    for seed in (2, 3, 4):
        add_variation(matches, StudyPlace(10), 1, Random(seed))
    add_variation(matches, StudyPlace(11), 1, Random(5))
    study = writes(matches, VariationPromoted(by="anna", variation=3)).state
    assert [each.number for each in study.variations] == [3, 1, 2, 4]
    refuses(matches, VariationPromoted(by="anna", variation=3), "variation 3 is already the first")
    refuses(matches, VariationPromoted(by="anna", variation=9), "has no variation 9")
    refuses(matches, VariationPromoted(by="eve", variation=1), "is not an author", NotYourStudy)


def test_a_nested_variation_is_swapped_with_the_line_it_leaves_including_comments(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_variation(matches, StudyPlace(10), 4, Random(2))
    add_variation(matches, StudyPlace(10, 1, 3), 1, Random(7))
    inner = add_variation(matches, StudyPlace(10, 1, 1), 2, Random(3)).state.variations[-1].number
    before = matches.streams.get(STUDY, T).state
    for place in (StudyPlace(10, 1, 1), StudyPlace(10, 1, 2), StudyPlace(10, inner, 0), StudyPlace(10, inner, 1)):
        add_comment(matches, place, str(place))
    writes(matches, PlaceMarked(by="anna", at=StudyPlace(10, inner, 2), glyphs=("good",)))

    study = writes(matches, VariationPromoted(by="anna", variation=inner)).state

    assert list_actions(study, 1) == list_actions(before, 1)[:1] + list_actions(before, inner)
    assert list_actions(study, inner) == list_actions(before, 1)[1:]
    others = [each for each in study.variations if each.number not in {1, inner}]
    assert [each.at for each in others] == [StudyPlace(10, inner, 2)]
    assert [each.number for each in study.variations].index(inner) < study.variations.index(others[0])
    assert [each.at for each in study.comments] == [
        StudyPlace(10, 1, 1),
        StudyPlace(10, inner, 1),
        StudyPlace(10, inner, 0),
        StudyPlace(10, 1, 2),
    ]
    assert study.marks[0].at == StudyPlace(10, 1, 3)
    again = writes(matches, VariationPromoted(by="anna", variation=inner)).state
    assert (list_actions(again, 1), list_actions(again, inner)) == (
        list_actions(before, 1),
        list_actions(before, inner),
    )


def test_a_variation_at_the_end_of_a_line_cannot_be_swapped(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_variation(matches, StudyPlace(10), 3, Random(2))
    add_variation(matches, StudyPlace(10, 1, 1), 1, Random(3))
    writes(matches, VariationCut(by="anna", variation=1, steps=1))
    refuses(
        matches, VariationPromoted(by="anna", variation=2), "from the end of variation 1, where it cannot be promoted"
    )


def test_promoting_needs_to_own_both_lines_or_the_study(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    writes(matches, CollaboratorAdded(by="anna", person="ben"))
    add_variation(matches, StudyPlace(10), 3, Random(2))
    add_variation(matches, StudyPlace(10, 1, 1), 1, Random(3), by="ben")
    add_variation(matches, StudyPlace(10), 1, Random(4))
    refuses(matches, VariationPromoted(by="ben", variation=2), "only the owner of the study", NotYourStudy)
    refuses(matches, VariationPromoted(by="ben", variation=3), "only the owner of the study", NotYourStudy)
    assert writes(matches, VariationPromoted(by="anna", variation=2)).version


def lines(*shape: tuple[int, int, int]) -> Study:
    """Build variations by anna, numbered from 1: parent, step and number of steps."""
    step = StudyStep(0, msgspec.Raw(b"{}"), msgspec.Raw(b"[]"), Message("anything"))
    hung = tuple(
        Variation(number, StudyPlace(10, outer, at), (step,) * count, "anna")
        for number, (outer, at, count) in enumerate(shape, start=1)
    )
    return Study(M, "head", 10, "Long", "anna", "private", variations=hung, numbers_used=len(hung))


def test_promoting_keeps_the_limits_of_variations(matches: Matches) -> None:
    play_to_last_entry(matches)
    book = StoredStudyMatch(matches, M)
    long = lines((0, 0, 3), (1, 1, STEPS_MAX))
    with pytest.raises(StudyRefused, match=f"at most {STEPS_MAX} steps, not {STEPS_MAX + 1}"):
        admit(long, VariationPromoted(by="anna", variation=2), book)
    chain = [(0, 0, 3), (1, 2, 3), *((number, 1, 1) for number in range(2, DEPTH_MAX))]
    deep = lines(*chain, (1, 1, 1))
    with pytest.raises(StudyRefused, match=f"nested at most {DEPTH_MAX} deep"):
        admit(deep, VariationPromoted(by="anna", variation=len(deep.variations)), book)


# Chapters.


def test_chapters_are_named_at_entries_and_sorted(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    writes(matches, ChapterNamed(by="anna", entry=12, title="The end"))
    writes(matches, ChapterNamed(by="anna", entry=10, title="The opening"))
    study = writes(matches, ChapterNamed(by="anna", entry=12, title="The turn")).state
    assert study.chapters == (Chapter(10, "The opening"), Chapter(12, "The turn"))
    assert writes(matches, ChapterNamed(by="anna", entry=10)).state.chapters == (Chapter(12, "The turn"),)
    refuses(matches, ChapterNamed(by="anna", entry=10), "no chapter begins at entry 10")
    refuses(matches, ChapterNamed(by="anna", entry=999, title="x"), "not 999")
    refuses(matches, ChapterNamed(by="anna", entry=10, title=" "), "the title of a chapter is empty")
    refuses(matches, ChapterNamed(by="eve", entry=10, title="x"), "is not an author", NotYourStudy)
    full = replace(study, chapters=tuple(Chapter(20 + number, "x") for number in range(CHAPTERS_MAX)))
    with pytest.raises(StudyRefused, match=f"at most {CHAPTERS_MAX} chapters"):
        admit(full, ChapterNamed(by="anna", entry=10, title="x"), StoredStudyMatch(matches, M))


def test_a_report_has_chapters_and_colours_of_drawings(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    writes(matches, ChapterNamed(by="anna", entry=12, title="The *end*"))
    shapes = (Shape("a", colour="red"), Shape("a", "b", "blue"), Shape("b"))
    study = writes(matches, PlaceMarked(by="anna", at=StudyPlace(10), shapes=shapes)).state

    text = report(study, matches.get(M), {})

    assert "red circle around a, blue arrow from a to b, circle around b" in text
    assert text.index("# The \\*end\\*") < text.index("## After entry 12")
