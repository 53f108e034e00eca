"""Readers of a study before its match has ended."""

from functools import partial

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Table
from domain.matches.seats.event_tables import seat_player
from domain.studies import commands
from domain.studies.errors import NotYourStudy, StudyClosed, StudyRefused
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    CollaboratorRemoved,
    PlaceMarked,
    StudyPlace,
    Visibility,
)
from domain.studies.readers import is_closed, require_no_helpers, require_reader
from domain.studies.state import STUDY, Study
from tests.domain.disputes.disputing import M, T, U, add_comment, open_study
from tests.domain.matches.match_helpers import START, start_match

RATED = Table(rated=True)
OF_AN_EVENT = Table(event="cup")


def study_of(matches: Matches) -> Study:
    return matches.streams.get(STUDY, T).state


def shares(matches: Matches, by: str, person: str) -> None:
    commands.add_fact(matches, T, CollaboratorAdded(by=by, person=person), at=START)


def sits(batch: Batch, seat: int, person: str) -> Match:
    return seat_player(batch, batch.match(M), seat, person, "")


def may_read(matches: Matches, person: str) -> bool:
    try:
        require_reader(matches, study_of(matches), person)
    except StudyClosed:
        return False
    return True


@pytest.mark.parametrize("table", [RATED, OF_AN_EVENT])
@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_a_study_of_a_match_that_counts_opens_when_the_match_has_ended(
    matches: Matches, table: Table, visibility: Visibility
) -> None:
    matches.open(M, title="toy", seats=2, by=SERVICE if table.event_id else "anna", at=START, table=table)
    for seat, person in enumerate(("anna", "bea")):
        matches.transact(partial(sits, seat=seat, person=person), at=START)
    open_study(matches, by="cleo", visibility=visibility)
    readers = ("anna", "bea", "cleo", "dora", "")

    during = [may_read(matches, person) for person in readers]
    matches.void(M, SERVICE, at=START)

    assert during == [False, False, True, False, False]
    assert all(may_read(matches, person) for person in readers)


def test_a_study_of_an_unrated_match_is_open_at_once(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea"))
    open_study(matches, by="cleo", visibility="public")

    assert not is_closed(matches, M)
    assert may_read(matches, "anna")


def test_a_private_study_is_for_its_writers_only(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea"))
    open_study(matches, by="cleo")

    with pytest.raises(NotYourStudy, match="is private"):
        require_reader(matches, study_of(matches), "anna")


def test_a_player_may_not_read_even_as_a_writer(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea"), table=RATED)
    open_study(matches, by="cleo")
    shares(matches, "cleo", "anna")
    shares(matches, "cleo", "dora")

    assert [may_read(matches, person) for person in ("cleo", "dora", "anna")] == [True, True, False]


def test_players_read_their_own_notes_while_they_are_alone(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea"), table=RATED)
    open_study(matches, by="anna")
    add_comment(matches, StudyPlace(1), by="anna")
    assert may_read(matches, "anna")

    shares(matches, "anna", "cleo")

    assert not may_read(matches, "anna")


def test_players_may_not_read_notes_into_which_another_person_wrote_before(matches: Matches) -> None:
    """Marks and titles of chapters have no author, so marks of a removed collaborator remain."""
    matches.open(M, title="toy", seats=2, by="anna", at=START, table=RATED)
    open_study(matches, by="anna")
    shares(matches, "anna", "cleo")
    commands.add_fact(matches, T, ChapterNamed(by="cleo", entry=1, title="Take the Carter"), at=START)
    commands.add_fact(matches, T, PlaceMarked(by="cleo", at=StudyPlace(1), glyphs=("mistake",)), at=START)
    commands.add_fact(matches, T, CollaboratorRemoved(by="anna", person="cleo"), at=START)
    assert may_read(matches, "anna")

    for seat, person in enumerate(("anna", "bea")):
        matches.transact(partial(sits, seat=seat, person=person), at=START)

    assert not may_read(matches, "anna")
    matches.void(M, SERVICE, at=START)
    assert may_read(matches, "anna")


@pytest.mark.parametrize("is_removed", [False, True])
def test_players_may_not_import_a_file_into_which_another_person_could_write(
    matches: Matches, is_removed: bool
) -> None:
    start_match(matches, M, ("anna", "bea"), table=RATED)
    open_study(matches, by="anna")
    own = commands.export_study(matches, T, with_log=False)
    shares(matches, "anna", "cleo")
    if is_removed:
        commands.add_fact(matches, T, CollaboratorRemoved(by="anna", person="cleo"), at=START)
    shared = commands.export_study(matches, T, with_log=False)

    commands.import_commands(matches, own, at=START)
    with pytest.raises(StudyRefused, match="cannot add co-authors"):
        commands.import_commands(matches, shared, at=START)
    for player in ("anna", "bea"):
        with pytest.raises(StudyRefused, match="cannot add co-authors"):
            commands.copy_commands(matches, shared, U, by=player)
    with pytest.raises(StudyRefused, match="cannot add co-authors"):
        commands.copy_commands(matches, own, U, by="bea")
    commands.copy_commands(matches, shared, U, by="dora")
    matches.void(M, SERVICE, at=START)
    commands.import_commands(matches, shared, at=START)
    commands.copy_commands(matches, shared, U, by="bea")


def test_players_may_not_let_others_write_into_their_notes(matches: Matches) -> None:
    start_match(matches, M, ("anna", "bea"), table=RATED)
    open_study(matches, by="anna")

    with pytest.raises(StudyRefused, match="cannot add co-authors"):
        require_no_helpers(matches, study_of(matches), "anna")
    require_no_helpers(matches, study_of(matches), "cleo")
    matches.void(M, SERVICE, at=START)
    require_no_helpers(matches, study_of(matches), "anna")


def test_a_player_who_left_the_match_still_counts_as_one(matches: Matches) -> None:
    """A ruling can return the seat to them, and they know the other players."""
    matches.open(M, title="toy", seats=2, by="anna", at=START, table=RATED)
    matches.take_seat(M, 0, "anna", at=START)
    matches.take_seat(M, 1, "bea", at=START)
    matches.leave_seat(M, 1, "bea", at=START)
    open_study(matches, by="cleo")
    shares(matches, "cleo", "bea")

    assert not may_read(matches, "bea")
