"""Studies: comments, marks, nested variations that the engine allows, permissions and limits."""

from random import Random

import msgspec
import pytest

from domain.disputes import commands
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Table
from domain.matches.log.records import Stream
from domain.studies import commands as study_commands
from domain.studies.admission import admit
from domain.studies.commands import StoredStudyMatch
from domain.studies.errors import IllegalVariation, NotYourStudy, StudyExists, StudyRefused
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentRemoved,
    CommentWritten,
    Fact,
    PlaceMarked,
    Shape,
    StepsAdded,
    StudyOpened,
    StudyPlace,
    StudyRenamed,
    StudyStep,
    VariationAdded,
    VariationCut,
    VisibilityChanged,
)
from domain.studies.rules import Wish, position_at
from domain.studies.state import STUDY, Study
from tests.domain.disputes.disputing import (
    D,
    M,
    T,
    W,
    add_comment,
    add_variation,
    choices,
    open_study,
    play_to_last_entry,
    raise_dispute,
    start_running_match,
)
from tests.domain.matches.match_helpers import BOT, START, act_once, play_out, start_match
from tests.domain.matches.toy import AddPearl, Play


def writes(matches: Matches, fact: Fact) -> Stream[Study]:
    return study_commands.add_fact(matches, T, fact, at=START)


def refuses(matches: Matches, fact: Fact, why: str, refusal: type[Exception] = StudyRefused) -> None:
    before = matches.streams.get(STUDY, T).head
    with pytest.raises(refusal, match=why):
        writes(matches, fact)
    assert matches.streams.get(STUDY, T).head == before


def test_of_several_facts_all_are_added_or_none(matches: Matches) -> None:
    play_to_last_entry(matches)
    head = open_study(matches).head
    renamed, added, removed = (
        StudyRenamed(by="anna", title="A closer one"),
        CollaboratorAdded(by="anna", person="bea"),
        CollaboratorRemoved(by="anna", person="bea"),
    )

    with pytest.raises(StudyRefused, match="'bea' is not a co-author"):
        study_commands.add_facts(matches, T, (renamed, removed, added), at=START)
    assert matches.streams.get(STUDY, T).head == head
    study = study_commands.add_facts(matches, T, (renamed, added, removed), at=START)
    assert (study.version, study.state.title, study.state.collaborators) == (4, "A closer one", ())
    assert study_commands.add_facts(matches, T, (), at=START) == study


# Comments and marks.


def test_comments_are_written_changed_and_removed(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_comment(matches, StudyPlace(10), "first")
    add_comment(matches, StudyPlace(10), "second")
    writes(matches, CommentWritten(by="anna", comment=1, at=StudyPlace(10), text="first, better"))

    study = writes(matches, CommentRemoved(by="anna", comment=2)).state

    assert [(each.number, each.text) for each in study.comments] == [(1, "first, better")]
    assert add_comment(matches, StudyPlace(11), "third").state.comments[-1].number == 3, "a number is never used again"
    refuses(matches, CommentRemoved(by="anna", comment=2), "has no comment 2")
    refuses(
        matches, CommentWritten(by="anna", comment=9, at=StudyPlace(10), text="x"), "the next number in this study is 4"
    )
    refuses(
        matches, CommentWritten(by="anna", comment=1, at=StudyPlace(11), text="x"), "at another place", NotYourStudy
    )


def test_marks_of_a_place_are_replaced(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    arrow = Shape("region-3", "region-4")
    marked = writes(
        matches, PlaceMarked(by="anna", at=StudyPlace(10), glyphs=("good",), shapes=(Shape("court"), arrow))
    )
    assert [(each.glyphs, len(each.shapes)) for each in marked.state.marks] == [(("good",), 2)]
    writes(matches, PlaceMarked(by="anna", at=StudyPlace(10), glyphs=("blunder", "forced")))

    assert [each.glyphs for each in matches.streams.get(STUDY, T).state.marks] == [("blunder", "forced")]
    assert writes(matches, PlaceMarked(by="anna", at=StudyPlace(10))).state.marks == ()
    refuses(matches, PlaceMarked(by="anna", at=StudyPlace(10), glyphs=("good", "good")), "each mark can be set once")
    many = tuple(Shape(f"p{number}") for number in range(41))
    refuses(matches, PlaceMarked(by="anna", at=StudyPlace(10), shapes=many), "at most 40 rings and arrows, not 41")


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (StudyPlace(0), "not 0"),
        (StudyPlace(999), "not 999"),
        (StudyPlace(10, 0, 1), "only a variation has steps"),
        (StudyPlace(10, 7, 0), "no variation 7"),
        (StudyPlace(10, 1, 9), "has 2 steps, not 9"),
        (StudyPlace(11, 1, 1), "variation 1 starts at entry 10, not 11"),
    ],
)
def test_a_comment_needs_an_existing_place(matches: Matches, place: StudyPlace, why: str) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_variation(matches, StudyPlace(10), 2, Random(1))
    refuses(matches, CommentWritten(by="anna", comment=2, at=place, text="x"), why)


def test_texts_are_neither_empty_nor_too_long(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    refuses(matches, CommentWritten(by="anna", comment=1, at=StudyPlace(9), text=" \n"), "a comment is empty")
    refuses(
        matches,
        CommentWritten(by="anna", comment=1, at=StudyPlace(9), text="x" * 1_000_000),
        "at most 10000 characters",
    )
    refuses(matches, StudyRenamed(by="anna", title="x" * 121), "at most 120 characters, not 121")


# Variations.


def test_a_variation_is_played_by_the_engine_extended_and_nested(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    line = add_variation(matches, StudyPlace(10), 3, Random(2)).state.variations[0]
    nested = add_variation(matches, StudyPlace(10, 1, 1), 2, Random(3)).state.variations[1]

    assert (line.at, len(line.steps) >= 3) == (StudyPlace(10), True)
    assert nested.at == StudyPlace(10, 1, 1)
    study = matches.streams.get(STUDY, T).state
    position = position_at(study, StudyPlace(10, nested.number, len(nested.steps)), StoredStudyMatch(matches, M))
    assert position.state != matches.at(M, 10).state
    assert line.steps[0].told.id != ""


def test_a_step_the_engine_refuses_is_named(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    good = choices(matches, StudyPlace(10))[0]
    with pytest.raises(IllegalVariation, match="step 2: ") as refusal:
        study_commands.add_variation(
            matches, T, StudyPlace(10), [good, Wish(Play(999), good.seat)], by="anna", at=START
        )
    assert refusal.value.step == 2
    assert matches.streams.get(STUDY, T).state.variations == ()


def test_simultaneous_choices_need_a_seat(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    start = matches.get(M).started_version or 0
    action = choices(matches, StudyPlace(start))[0].action
    with pytest.raises(IllegalVariation, match="step 1: the seats 0, 1, 2 act at the same time"):
        study_commands.add_variation(matches, T, StudyPlace(start), [Wish(action)], by="anna", at=START)


def test_a_line_ends_with_the_match_and_includes_the_services_steps(matches: Matches) -> None:
    last = play_to_last_entry(matches)
    open_study(matches)
    before = next(n for n in range(last - 1, 0, -1) if choices(matches, StudyPlace(n)))
    study = add_variation(matches, StudyPlace(before), 9, Random(4)).state
    (line,) = study.variations
    assert line.steps[-1].seat == -1, "the house counts"
    with pytest.raises(IllegalVariation, match=r"step \d+: the match is already over"):
        study_commands.add_variation(
            matches, T, StudyPlace(before, 1, len(line.steps)), [Wish(AddPearl(), 0)], by="anna", at=START
        )
    short = replace(line, steps=line.steps[:-1])
    refuses(
        matches,
        VariationAdded(by="anna", variation=2, at=StudyPlace(before), steps=short.steps),
        "steps of the server are missing",
        IllegalVariation,
    )


def test_cutting_a_variation_removes_its_nested_content(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_variation(matches, StudyPlace(10), 3, Random(2))
    add_variation(matches, StudyPlace(10, 1, 3), 1, Random(5))
    add_comment(matches, StudyPlace(10, 1, 1), "stays")
    add_comment(matches, StudyPlace(10, 1, 2), "goes")
    writes(matches, PlaceMarked(by="anna", at=StudyPlace(10, 1, 3), glyphs=("good",)))
    count = len(matches.streams.get(STUDY, T).state.variations)
    add_variation(matches, StudyPlace(10, 1, 2), 1, Random(6))
    study = writes(matches, VariationCut(by="anna", variation=1, steps=1)).state

    assert [len(each.steps) for each in study.variations] == [1]
    assert [each.text for each in study.comments] == ["stays"]
    assert study.marks == ()
    assert count == 1
    refuses(matches, VariationCut(by="anna", variation=1, steps=1), "has 1 steps; it cannot be cut to 1")
    assert writes(matches, VariationCut(by="anna", variation=1)).state.comments == ()
    refuses(matches, VariationCut(by="anna", variation=1), "has no variation 1")


def test_variations_need_an_open_match_but_comments_do_not(matches: Matches) -> None:
    match = act_once(matches, start_match(matches, M, (BOT, BOT, BOT)))
    open_study(matches)
    assert add_comment(matches, StudyPlace(match.version)).state.comments != ()
    with pytest.raises(StudyRefused, match="add variations once it has ended"):
        study_commands.add_variation(matches, T, StudyPlace(match.version), [Wish(Play(1))], by="anna", at=START)
    play_out(matches, match)
    with pytest.raises(StudyRefused, match="had not started at entry 3"):
        study_commands.add_variation(matches, T, StudyPlace(3), [Wish(Play(1))], by="anna", at=START)
    add_variation(matches, StudyPlace(match.version), 1, Random(1))


def list_steps(matches: Matches, number: int = 1) -> tuple[StudyStep, ...]:
    variation = matches.streams.get(STUDY, T).state.variation(number)
    assert variation is not None
    return variation.steps


def test_steps_that_differ_from_the_engines_result_are_refused(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_variation(matches, StudyPlace(10), 2, Random(1))
    steps = list_steps(matches)
    broken = replace(steps[0], effects=steps[1].effects)
    no_action = replace(steps[0], action=msgspec.Raw(b'{"type":"toy.nothing"}'))

    for wanted, why in (
        ((broken,), "step 1 does not have the stored effects"),
        ((no_action,), "step 1 is not an action of this game"),
        ((), "at least one step"),
        ((steps[0],) * 501, "at most 500 steps, not 501"),
    ):
        fact = VariationAdded(by="anna", variation=2, at=StudyPlace(10), steps=wanted)
        refuses(matches, fact, why, (IllegalVariation, StudyRefused))  # type: ignore[arg-type]
    refuses(matches, StepsAdded(by="anna", variation=5, steps=steps), "no variation 5")
    refuses(matches, VariationAdded(by="anna", variation=9, at=StudyPlace(10), steps=steps), "next number")


def test_nesting_of_variations_is_limited(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    place = StudyPlace(9)
    for number in range(1, 13):
        add_variation(matches, place, 2, Random(number))
        place = StudyPlace(9, number, 1)
    with pytest.raises(StudyRefused, match="at most 12 deep"):
        add_variation(matches, place, 1, Random(1))
    steps = list_steps(matches)
    refuses(matches, VariationAdded(by="anna", variation=13, at=StudyPlace(3), steps=steps), "had not started")


# Permissions.


def test_the_owner_invites_and_collaborators_write(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    with pytest.raises(NotYourStudy, match="'bea' is not an author"):
        add_comment(matches, StudyPlace(9), by="bea")
    with pytest.raises(NotYourStudy):
        study_commands.add_variation(matches, T, StudyPlace(9), [], by="bea", at=START)
    writes(matches, CollaboratorAdded(by="anna", person="bea"))
    add_comment(matches, StudyPlace(9), "by bea", by="bea")
    add_comment(matches, StudyPlace(9), "by anna")
    add_variation(matches, StudyPlace(9), 1, Random(1))

    refuses(matches, CollaboratorAdded(by="anna", person="bea"), "is already an author of this study")
    for fact in (
        CollaboratorAdded(by="bea", person="carl"),
        StudyRenamed(by="bea", title="Mine"),
        VisibilityChanged(by="bea", visibility="public"),
        CommentRemoved(by="bea", comment=2),
        VariationCut(by="bea", variation=3),
    ):
        refuses(matches, fact, "only the owner", NotYourStudy)
    refuses(
        matches, CommentWritten(by="anna", comment=1, at=StudyPlace(9), text="x"), "by another author", NotYourStudy
    )
    writes(matches, CommentRemoved(by="anna", comment=1))
    writes(matches, CollaboratorAdded(by="anna", person="carl"))
    refuses(matches, CollaboratorRemoved(by="bea", person="carl"), "only the owner", NotYourStudy)
    writes(matches, CollaboratorRemoved(by="anna", person="carl"))
    study = writes(matches, CollaboratorRemoved(by="bea", person="bea")).state
    assert study.collaborators == ()
    refuses(matches, CollaboratorRemoved(by="anna", person="bea"), "not a co-author")


def test_a_study_is_renamed_and_made_public(matches: Matches) -> None:
    play_to_last_entry(matches)
    study = open_study(matches).state
    assert (study.may_read("anna"), study.may_read("bea")) == (True, False)
    writes(matches, StudyRenamed(by="anna", title="Closer"))

    study = writes(matches, VisibilityChanged(by="anna", visibility="unlisted")).state

    assert (study.title, study.visibility, study.may_read("bea")) == ("Closer", "unlisted", True)
    refuses(matches, StudyOpened(by="anna", match=M, head="", entries=1, title="x"), "opened only once")


def test_a_study_needs_a_readable_match(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea"), table=Table(public=False))
    matches.void(M, SERVICE, at=START)

    with pytest.raises(NotYourStudy, match="is private"):
        open_study(matches, by="dora")
    assert open_study(matches, by="bea").state.owner == "bea"
    assert open_study(matches, by="bea").version == 1, "asked for again, the one that is there"
    with pytest.raises(StudyExists):
        open_study(matches, by="anna")


def test_a_what_if_cannot_be_studied(matches: Matches) -> None:
    """A what-if uses information that its match hides, and a study would publish it."""
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    commands.what_if(matches, D, new_line=W, entry=match.version, by="art", seats=(BOT,) * 3, at=START)

    with pytest.raises(NotYourStudy, match="is a what-if"):
        study_commands.open_study(matches, T, W, title="x", visibility="public", by="art", at=START)


def test_there_are_limits(matches: Matches) -> None:
    play_to_last_entry(matches)
    stream = open_study(matches)
    study = stream.state
    for number in range(50):
        study = replace(study, collaborators=(*study.collaborators, f"p{number}"))
    book = StoredStudyMatch(matches, M)
    comment = CommentWritten(by="anna", comment=1, at=StudyPlace(9), text="x")
    (first_comment,) = STUDY.evolve(study, matches.streams.records(T)[0], comment).comments
    full = replace(study, comments=(first_comment,) * 5000, numbers_used=1)
    with pytest.raises(StudyRefused, match="at most 50 co-authors"):
        admit(study, CollaboratorAdded(by="anna", person="one-more"), book)
    with pytest.raises(StudyRefused, match="at most 5000 comments"):
        admit(full, replace(comment, comment=2), book)
    line = add_variation(matches, StudyPlace(10), 1, Random(1)).state.variations[0]
    crowded = replace(study, variations=(line,) * 1000, numbers_used=1)
    with pytest.raises(StudyRefused, match="at most 1000 variations"):
        admit(crowded, VariationAdded(by="anna", variation=2, at=StudyPlace(10), steps=line.steps), book)


def test_titles_are_one_line(matches: Matches) -> None:
    play_to_last_entry(matches)
    study, book = open_study(matches).state, StoredStudyMatch(matches, M)

    for fact in (StudyRenamed(by="anna", title="Mine\n"), ChapterNamed(by="anna", entry=9, title="\u202eend")):
        with pytest.raises(StudyRefused, match="contains a character that is not allowed:"):
            admit(study, fact, book)
