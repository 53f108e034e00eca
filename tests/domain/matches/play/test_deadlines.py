"""Deadlines for getting ready and for pauses, after which the service acts."""

from datetime import datetime, timedelta

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.aggregate import Match
from domain.matches.consequences import append
from domain.matches.errors import NotAllowed, StaleVersion
from domain.matches.facts import SERVICE, Clock, Resumed, SeatLeft, Table, Voided
from domain.matches.log.entries import ALL
from domain.matches.log.log_files import log_of
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.seats.event_tables import seat_player
from domain.matches.seats.opening import DISSOLVED, free_seat, take_seat, with_pause_limits
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import BOT, START, facts, start_match, uuid, verify_log

M = uuid(1)
LIVE = Table(clock=Clock("per_move", 60))
POST = Table(clock=Clock("correspondence", 86_400))
MINUTES, DAY = timedelta(minutes=2), timedelta(days=1)


def open_table(matches: Matches, *players: str | None, table: Table = LIVE, at: datetime = START) -> Match:
    """Open a table with these players, none of them ready."""
    match = matches.open(M, title="toy", seats=len(players), by="anna", at=at, table=table)
    for seat, player in enumerate(players):
        if player is not None:
            match = matches.take_seat(M, seat, player, at=at)
    return match


def pass_deadline_at(matches: Matches, at: datetime) -> Match:
    return pass_deadline(matches, M, expected_version=matches.get(M).version, at=at)


@pytest.mark.parametrize(("table", "span"), [(LIVE, MINUTES), (POST, DAY), (Table(), DAY)])
def test_a_player_who_is_not_ready_in_time_loses_the_seat(sqlite: Matches, table: Table, span: timedelta) -> None:
    match = open_table(sqlite, "anna", "bea", "carl", table=table)
    sqlite.ready(M, 1, "bea", at=START)
    assert pass_deadline_at(sqlite, START + span - timedelta(seconds=1)).version == match.version + 1

    match = pass_deadline_at(sqlite, START + span)

    assert facts(sqlite, M)[-2:] == [SeatLeft(0, SERVICE, unready=True), SeatLeft(2, SERVICE, unready=True)]
    assert [info.actor for info in match.seats] == [None, "bea", None]
    assert deadline(match) is None
    verify_log(sqlite, M)


def test_the_time_to_get_ready_begins_when_the_table_is_full(sqlite: Matches) -> None:
    match = open_table(sqlite, "anna", None)
    assert deadline(match) is None

    match = sqlite.take_seat(M, 1, "bea", at=START + DAY)
    assert deadline(match) == START + DAY + MINUTES
    match = sqlite.leave_seat(M, 0, "anna", at=START + DAY)
    assert deadline(match) is None
    verify_log(sqlite, M)


def test_a_seat_of_a_tournament_is_never_freed(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by=SERVICE, at=START, table=Table(clock=LIVE.clock, event="open"))

    def sit(batch: Batch) -> Match:
        for seat, player in enumerate(("anna", "bea")):
            match = seat_player(batch, batch.match(M), seat, player, "")
        return match

    match = sqlite.transact(sit, at=START)

    assert deadline(match) is None
    with pytest.raises(NotAllowed, match="seat 0 is not expected to get ready"):
        free_seat(match, 0, SERVICE, START + DAY)


def test_only_the_service_frees_a_seat_and_not_too_early(sqlite: Matches) -> None:
    match = open_table(sqlite, "anna", BOT)
    for seat, by, at, why in (
        (0, "bea", START + MINUTES, "'bea' cannot report that seat 0 was not ready in time"),
        (1, SERVICE, START + MINUTES, "seat 1 is not expected to get ready"),
        (0, SERVICE, START, "seat 0 has until 2026-01-01T12:02:00"),
    ):
        with pytest.raises(NotAllowed, match=why):
            free_seat(match, seat, by, at)
    early = append(match, SeatLeft(0, SERVICE, unready=True), START + MINUTES - timedelta(seconds=1))[1]
    report = verify(log_of((*sqlite.entries(M), *early), ALL), titles=sqlite.titles)
    assert report.fault is not None
    assert report.fault.entry == match.version + 1
    with pytest.raises(StaleVersion, match="is at version"):
        pass_deadline(sqlite, M, expected_version=1, at=START + MINUTES)


def test_a_table_dissolves_when_the_same_person_was_not_ready_three_times(sqlite: Matches) -> None:
    open_table(sqlite, "anna", "bea")
    sqlite.ready(M, 0, "anna", at=START)
    at = START
    for player in ("carl", "bea", "bea"):
        at += MINUTES
        assert pass_deadline_at(sqlite, at).status == "open"
        sqlite.take_seat(M, 1, player, at=at)
    at += MINUTES

    match = pass_deadline_at(sqlite, at)

    assert (match.status, match.unready) == ("void", ("bea", "carl", "bea", "bea"))
    assert facts(sqlite, M)[-1] == Voided(SERVICE, DISSOLVED)
    verify_log(sqlite, M)


def test_leaving_a_full_table_repeatedly_counts_as_not_ready(sqlite: Matches) -> None:
    match = open_table(sqlite, "anna", "bea")
    sqlite.ready(M, 0, "anna", at=START)
    for count in range(1, 4):
        match = sqlite.leave_seat(M, 1, "bea", at=START)
        assert match.unready == ("bea",) * count
        if count < 3:
            sqlite.take_seat(M, 1, "bea", at=START)

    assert match.status == "void"
    verify_log(sqlite, M)


def test_leaving_does_not_count_if_ready_or_removed_or_not_full(sqlite: Matches) -> None:
    open_table(sqlite, "anna", "bea", "carl")
    sqlite.ready(M, 1, "bea", at=START)
    sqlite.leave_seat(M, 1, "bea", at=START)
    sqlite.leave_seat(M, 2, "carl", at=START)
    sqlite.take_seat(M, 1, "bea", at=START)
    sqlite.take_seat(M, 2, "carl", at=START)

    assert sqlite.leave_seat(M, 2, "anna", at=START).unready == ()
    verify_log(sqlite, M)


def test_older_logs_do_not_state_whether_others_waited(sqlite: Matches) -> None:
    match = open_table(sqlite, "anna", "bea")
    line = sqlite.entries(M)
    for number in range(3):
        match, added = append(match, SeatLeft(1, "bea"), START)
        line = (*line, *added)
        if number < 2:
            match, added = append(match, take_seat(match, 1, "bea"), START)
            line = (*line, *added)

    assert match.status == "open"
    assert verify(log_of(line), titles=sqlite.titles).is_good


def test_an_agreed_pause_ends_automatically(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea"), table=with_pause_limits(LIVE))
    sqlite.ask_pause(M, 0, "anna", at=START)
    paused = sqlite.ask_pause(M, 1, "bea", at=START)
    assert deadline(paused) == START + timedelta(minutes=10)
    assert pass_deadline_at(sqlite, START + timedelta(minutes=9)).status == "paused"

    match = pass_deadline_at(sqlite, START + timedelta(minutes=10))

    assert (match.status, facts(sqlite, M)[-1]) == ("running", Resumed(SERVICE))
    assert deadline(match) is None
    verify_log(sqlite, M)


def test_a_pause_by_the_service_has_no_end(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea"), table=with_pause_limits(LIVE))

    assert deadline(sqlite.pause(M, SERVICE, at=START)) is None


def test_tables_with_a_clock_have_default_limits_on_pauses() -> None:
    assert with_pause_limits(Table()) == Table()
    assert (with_pause_limits(LIVE).pauses, with_pause_limits(LIVE).pause_seconds) == (3, 600)
    assert (with_pause_limits(POST).pauses, with_pause_limits(POST).pause_seconds) == (3, 259_200)
    own = Table(clock=LIVE.clock, pauses=1, pause_seconds=60)
    assert with_pause_limits(own) == own


def test_public_tables_are_listed_by_default_and_private_ones_never() -> None:
    assert [Table(public=False).is_listed, Table().is_listed, Table(listed=False).is_listed] == [False, True, False]


def test_tables_have_a_chat_by_default() -> None:
    assert [Table().is_silent, Table(talk=True).is_silent, Table(talk=False).is_silent] == [False, False, True]
