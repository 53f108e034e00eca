"""Study files: exact round trips, refusal of forged files, and readable reports."""

from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid5

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.disputes.state import docket_stream
from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log, import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.facts import Table
from domain.matches.log.entries import ALL
from domain.matches.log.record_lines import line_of
from domain.matches.log.records import Stream, record_digest
from domain.roles.audit import AUDIT_STREAM
from domain.roles.state import ROLES_STREAM
from domain.studies import commands
from domain.studies.admission import admit_opening
from domain.studies.commands import StoredStudyMatch
from domain.studies.errors import NotYourStudy, StudyExists, StudyRefused, WrongMatch
from domain.studies.facts import CommentWritten, Fact, PlaceMarked, Shape, StudyOpened, StudyPlace
from domain.studies.file import StudyFile, parse_study, study_bytes, study_file
from domain.studies.report import report
from domain.studies.state import STUDY, Chapter, Study
from tests.domain.disputes.disputing import (
    M,
    T,
    U,
    add_comment,
    add_variation,
    annotate,
    choices,
    open_study,
    play_to_last_entry,
)
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, start_match, uuid
from tests.seeding import SeededEntropy, example_count


def writes(matches: Matches, fact: Fact) -> Stream[Study]:
    return commands.add_fact(matches, T, fact, at=START)


def elsewhere() -> Matches:
    return open_store(store_env(":memory:"), titles=ALL_TITLES, entropy=SeededEntropy("elsewhere"))


@settings(max_examples=example_count(10), deadline=None)
@given(seed=st.integers(0, 2**32), with_log=st.booleans())
def test_a_study_file_round_trips_exactly(seed: int, with_log: bool) -> None:
    random = Random(seed)
    source, target = elsewhere(), elsewhere()
    try:
        play_to_last_entry(source)
        open_study(source)
        stored = annotate(source, random, 15)
        content = study_bytes(commands.export_study(source, T, with_log=with_log))
        file = parse_study(content)
        assert study_bytes(file) == content

        import_log(target, export_log(source, M, ALL), by="olga", at=START)
        back = commands.import_study(target, file, at=START)

        assert back == stored
        assert commands.import_study(target, file, at=START) == stored, "the same again changes nothing"
        assert study_bytes(commands.export_study(target, T, with_log=with_log)) == content
        assert target.streams.records(T) == source.streams.records(T)
        copy = commands.import_copy(target, file, U, by="bea", at=START).state
        assert (copy.owner, copy.visibility) == ("bea", "private")
        assert [each.text for each in copy.comments] == [each.text for each in stored.state.comments]
        assert len(copy.variations) == len(stored.state.variations)
        assert len(copy.marks) == len(stored.state.marks)
        assert commands.import_copy(target, file, U, by="bea", at=START).version == target.streams.get(STUDY, U).version
    finally:
        source.close()
        target.close()


def test_a_study_of_la_granja_has_variations_with_hidden_cards(matches: Matches) -> None:
    play_to_last_entry(matches, "la_granja")
    open_study(matches)
    stored = add_variation(matches, StudyPlace(40), 6, Random(8))

    content = study_bytes(commands.export_study(matches, T, with_log=True))

    assert len(stored.state.variations[0].steps) >= 6
    file = parse_study(content)
    assert commands.check_study(file, StoredStudyMatch(matches, M)) == stored.state
    assert file.log is not None


def test_a_study_file_for_another_match_is_refused_by_its_digest(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_comment(matches, StudyPlace(9))
    file = commands.export_study(matches, T, with_log=False)
    other = elsewhere()
    try:
        with pytest.raises(WrongMatch, match="is not on this server"):
            commands.import_study(other, file, at=START)
        with pytest.raises(WrongMatch, match="is not on this server"):
            commands.import_copy(other, file, U, by="bea", at=START)
        play_to_last_entry(other)
        with pytest.raises(WrongMatch, match="another match"):
            commands.import_study(other, file, at=START)
    finally:
        other.close()
    with pytest.raises(WrongMatch, match=r"the study is about match .*, not"):
        admit_opening(
            StudyOpened(by="anna", match=uuid(5), head="", entries=1, title="x"), StoredStudyMatch(matches, M)
        )


def test_another_study_of_that_id_is_not_replaced(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    file = commands.export_study(matches, T, with_log=False)
    add_comment(matches, StudyPlace(9))

    with pytest.raises(StudyExists, match="with the head"):
        commands.import_study(matches, file, at=START)


def own_file(matches: Matches, study_id: UUID, at: datetime = START) -> StudyFile:
    """Return the file of a forged study with a chosen id."""
    match = matches.get(M)
    fact = StudyOpened(by="bea", match=M, head=match.head, entries=match.version, title="Mine")
    return study_file((STUDY.seal(study_id, None, fact, at),))


def test_a_file_may_not_claim_an_id_of_something_else(matches: Matches) -> None:
    """A study with the id of a match's docket would block all disputes about the match."""
    play_to_last_entry(matches)
    for study_id in (AUDIT_STREAM, ROLES_STREAM, docket_stream(M), uuid5(M, "round 1 table 1")):
        with pytest.raises(StudyExists, match="derived from another"):
            commands.import_study(matches, own_file(matches, study_id), at=START)
    with pytest.raises(StudyExists, match="not by a study"):
        commands.import_study(matches, own_file(matches, M), at=START)


def test_a_study_from_the_future_is_refused(matches: Matches) -> None:
    play_to_last_entry(matches)
    soon, late = (own_file(matches, T, START + timedelta(hours=hours)) for hours in (1, 2))
    with pytest.raises(LogFault, match="a time in the future"):
        commands.import_study(matches, late, at=START)

    assert commands.import_study(matches, soon, at=START).version == 1


def test_a_file_gives_no_access_to_a_match_that_its_owner_may_not_read(matches: Matches) -> None:
    start_match(matches, M, (BOT, BOT), table=Table(public=False))

    with pytest.raises(NotYourStudy, match="is private"):
        commands.import_study(matches, own_file(matches, T), at=START)


def test_the_log_is_included_only_once_nothing_is_hidden(matches: Matches) -> None:
    start_match(matches, M, (BOT, BOT))
    open_study(matches)

    with pytest.raises(StudyRefused, match="its log can be included once it has ended"):
        commands.export_study(matches, T, with_log=True)


def test_a_file_with_an_inadmissible_fact_is_refused_by_record(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    forged = STUDY.seal(
        T, matches.streams.get(STUDY, T), CommentWritten(by="dora", comment=1, at=StudyPlace(9), text="x"), START
    )
    file = study_file((*matches.streams.records(T), forged))

    with pytest.raises(LogFault, match="entry 2: 'dora' is not an author"):
        commands.check_study(parse_study(study_bytes(file)), StoredStudyMatch(matches, M))


def lines(matches: Matches) -> list[bytes]:
    play_to_last_entry(matches)
    open_study(matches)
    add_comment(matches, StudyPlace(9))
    add_comment(matches, StudyPlace(10))
    return study_bytes(commands.export_study(matches, T, with_log=False)).split(b"\n")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [b"{}", *lines[1:]], "is not the header of a study"),
        (
            lambda lines: [lines[0].replace(b"study/1", b"study/9"), *lines[1:]],
            "unknown format 'esporles.study/9'; expected",
        ),
        (lambda lines: [lines[0] + b" ", *lines[1:]], "the header is not in canonical form"),
        (lambda lines: [lines[0].replace(b'"records":3', b'"records":0'), *lines[1:]], "at least one record"),
        (lambda lines: [*lines[:3], b""], "record 3 is missing"),
        (lambda lines: [lines[0], lines[1], lines[3], lines[2], b""], "does not follow"),
        (lambda lines: [*lines[:2], b"{}", *lines[3:]], "is not a record of the study"),
        (lambda lines: [*lines[:2], lines[2].replace(b"Well", b"Ill"), *lines[3:]], "not the canonical encoding"),
        (lambda lines: [*lines, b"more"], "content after the records"),
        (lambda lines: [lines[0].replace(b'"entries":', b'"entries":1'), *lines[1:]], "header does not match"),
        (lambda lines: [*lines[:2], lines[2].replace(b'Z"', b'"', 1), *lines[3:]], "has no time zone"),
        (lambda lines: [*lines[:2], b"x" * 4_000_001, *lines[3:]], "longer than"),
    ],
)
def test_a_file_that_was_changed_is_refused(matches: Matches, change: Any, why: str) -> None:
    with pytest.raises(LogFault, match=why):
        parse_study(b"\n".join(change(lines(matches))))


def test_a_file_with_falling_times_or_two_openings_is_refused(matches: Matches) -> None:
    lines(matches)
    first, second, _third = matches.streams.records(T)
    early = replace(second, timestamp=START.replace(year=2000))
    again = replace(first, originator_version=2, previous=record_digest(first))
    comment = replace(second, originator_version=1, previous=bytes(32))

    for records, why in (
        ((first, early), "its time is earlier than"),
        ((first, again), "begins with one opening record"),
    ):
        with pytest.raises(LogFault, match=why):
            parse_study(study_bytes(study_file(records)))
    header = msgspec.json.encode(replace(study_file((first,)).header, study_head=record_digest(comment).hex()))
    with pytest.raises(LogFault, match="begins with one opening record"):
        parse_study(header + b"\n" + msgspec.json.encode(line_of(comment)) + b"\n")
    assert isinstance(study_file((first,)), StudyFile)
    assert commands.records_by((first, second)) == {"anna"}


def test_a_report_describes_the_study_entry_by_entry(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_comment(matches, StudyPlace(9), "**Well** played\n\nIndeed")
    writes(matches, PlaceMarked(by="anna", at=StudyPlace(9), glyphs=("good",), shapes=(Shape("a"), Shape("a", "b"))))
    add_variation(matches, StudyPlace(9), 2, Random(1))
    add_comment(matches, StudyPlace(9, 2, 1), "Here")
    before = next(n for n in range(matches.get(M).version - 1, 0, -1) if choices(matches, StudyPlace(n)))
    add_variation(matches, StudyPlace(before), 9, Random(4))
    study = matches.streams.get(STUDY, T).state

    text = report(study, matches.get(M), {"anna": "An*na"})

    assert text.startswith("# A close one\n")
    assert "by An\\*na." in text
    assert "## After entry 9 !\n" in text
    assert "*On the board: circle around a, arrow from a to b.*" in text
    assert "> **Well** played\n>\n> Indeed" in text
    assert "- Variation 2:\n  1. Player " in text
    assert "     **An\\*na:**\n\n     > Here" in text
    assert ". The server: " in text


def test_names_and_titles_in_a_report_are_never_html(matches: Matches) -> None:
    play_to_last_entry(matches)
    open_study(matches)
    add_comment(matches, StudyPlace(9))
    hostile = "x\n\n<script>alert(1)</script>&lt;b>"
    study = replace(matches.streams.get(STUDY, T).state, title=hostile, chapters=(Chapter(9, hostile),))

    text = report(study, matches.get(M), {"anna": hostile})

    assert "<" not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;b&gt;") == 4
    assert "\n&lt;script" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("\\<b> `<i>`", "\\&lt;b> `&lt;i>`"),
        ("![far](https://example.org/x.png)", "&#33;[far](https://example.org/x.png)"),
        (
            "[a](javascript:alert(1)) [b]( DATA:x) [c](//d)",
            "[a&#93;(javascript:alert(1)) [b&#93;( DATA:x) [c&#93;(//d)",
        ),
        ("[a]: javascript:x", "[a&#93;: javascript:x"),
        ("[a](https://example.org) [b](/tables) **c**", "[a](https://example.org) [b](/tables) **c**"),
    ],
)
def test_a_report_contains_only_the_markdown_subset_of_comments(matches: Matches, text: str, expected: str) -> None:
    """True for any program that shows the report."""
    play_to_last_entry(matches)
    open_study(matches)
    add_comment(matches, StudyPlace(9), text)

    assert f"> {expected}\n" in report(matches.streams.get(STUDY, T).state, matches.get(M), {})
