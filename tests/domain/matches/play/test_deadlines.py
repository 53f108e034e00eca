"""A match waits a stated time: for players to get ready, and for the end of a pause; then the service goes on."""

from datetime import datetime, timedelta

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.aggregate import Match
from domain.matches.consequences import append
from domain.matches.errors import NotAllowed, StaleVersion
from domain.matches.facts import SERVICE, Clock, Resumed, SeatLeft, Table, Voided
from domain.matches.log.entries import ALL
from domain.matches.log.file import log_of
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.seats.event_tables import sit_down
from domain.matches.seats.opening import DISSOLVED, free_seat, limited, take_seat
from domain.matches.verification.verify import verify
from tests.domain.matches.world import BOT, START, facts, started, uuid, verified

M = uuid(1)
LIVE = Table(clock=Clock("per_move", 60))
POST = Table(clock=Clock("correspondence", 86_400))
MINUTES, DAY = timedelta(minutes=2), timedelta(days=1)


def seated(matches: Matches, *players: str | None, table: Table = LIVE, at: datetime = START) -> Match:
    """A table with these players, none of them ready."""
    match = matches.open(M, title="toy", seats=len(players), by="anna", at=at, table=table)
    for seat, player in enumerate(players):
        if player is not None:
            match = matches.take_seat(M, seat, player, at=at)
    return match


def passed(matches: Matches, at: datetime) -> Match:
    return pass_deadline(matches, M, expected_version=matches.get(M).version, at=at)


@pytest.mark.parametrize(("table", "span"), [(LIVE, MINUTES), (POST, DAY), (Table(), DAY)])
def test_whoever_is_not_ready_in_time_loses_the_seat(quick: Matches, table: Table, span: timedelta) -> None:
    match = seated(quick, "anna", "bea", "carl", table=table)
    quick.ready(M, 1, "bea", at=START)
    assert passed(quick, START + span - timedelta(seconds=1)).version == match.version + 1

    match = passed(quick, START + span)

    assert facts(quick, M)[-2:] == [SeatLeft(0, SERVICE, unready=True), SeatLeft(2, SERVICE, unready=True)]
    assert [info.actor for info in match.seats] == [None, "bea", None]
    assert deadline(match) is None
    verified(quick, M)


def test_the_time_to_get_ready_begins_when_the_table_is_full(quick: Matches) -> None:
    match = seated(quick, "anna", None)
    assert deadline(match) is None

    match = quick.take_seat(M, 1, "bea", at=START + DAY)
    assert deadline(match) == START + DAY + MINUTES
    match = quick.leave_seat(M, 0, "anna", at=START + DAY)
    assert deadline(match) is None
    verified(quick, M)


def test_a_seat_of_a_tournament_is_never_freed(quick: Matches) -> None:
    quick.open(M, title="toy", seats=2, by=SERVICE, at=START, table=Table(clock=LIVE.clock, event="open"))

    def sit(batch: Batch) -> Match:
        for seat, player in enumerate(("anna", "bea")):
            match = sit_down(batch, batch.match(M), seat, player, "")
        return match

    match = quick.transact(sit, at=START)

    assert deadline(match) is None
    with pytest.raises(NotAllowed, match="nobody waits for seat 0"):
        free_seat(match, 0, SERVICE, START + DAY)


def test_nobody_frees_a_seat_too_early_or_in_the_name_of_the_service(quick: Matches) -> None:
    match = seated(quick, "anna", BOT)
    for seat, by, at, why in (
        (0, "bea", START + MINUTES, "'bea' may not say"),
        (1, SERVICE, START + MINUTES, "nobody waits for seat 1"),
        (0, SERVICE, START, "seat 0 has until 2026-01-01T12:02:00"),
    ):
        with pytest.raises(NotAllowed, match=why):
            free_seat(match, seat, by, at)
    early = append(match, SeatLeft(0, SERVICE, unready=True), START + MINUTES - timedelta(seconds=1))[1]
    report = verify(log_of((*quick.entries(M), *early), ALL), titles=quick.titles)
    assert report.fault is not None
    assert report.fault.entry == match.version + 1
    with pytest.raises(StaleVersion, match="stands at version"):
        pass_deadline(quick, M, expected_version=1, at=START + MINUTES)


def test_a_table_dissolves_when_the_same_person_was_not_ready_three_times(quick: Matches) -> None:
    seated(quick, "anna", "bea")
    quick.ready(M, 0, "anna", at=START)
    at = START
    for player in ("carl", "bea", "bea"):
        at += MINUTES
        assert passed(quick, at).status == "open"
        quick.take_seat(M, 1, player, at=at)
    at += MINUTES

    match = passed(quick, at)

    assert (match.status, match.unready) == ("void", ("bea", "carl", "bea", "bea"))
    assert facts(quick, M)[-1] == Voided(SERVICE, DISSOLVED)
    verified(quick, M)


def test_whoever_leaves_a_full_table_again_and_again_lets_it_wait_too(quick: Matches) -> None:
    match = seated(quick, "anna", "bea")
    quick.ready(M, 0, "anna", at=START)
    for count in range(1, 4):
        match = quick.leave_seat(M, 1, "bea", at=START)
        assert match.unready == ("bea",) * count
        if count < 3:
            quick.take_seat(M, 1, "bea", at=START)

    assert match.status == "void"
    verified(quick, M)


def test_whoever_was_ready_or_is_sent_away_or_leaves_no_full_table_lets_nobody_wait(quick: Matches) -> None:
    seated(quick, "anna", "bea", "carl")
    quick.ready(M, 1, "bea", at=START)
    quick.leave_seat(M, 1, "bea", at=START)
    quick.leave_seat(M, 2, "carl", at=START)
    quick.take_seat(M, 1, "bea", at=START)
    quick.take_seat(M, 2, "carl", at=START)

    assert quick.leave_seat(M, 2, "anna", at=START).unready == ()
    verified(quick, M)


def test_a_log_of_earlier_days_does_not_say_whether_the_others_have_waited(quick: Matches) -> None:
    match = seated(quick, "anna", "bea")
    line = quick.entries(M)
    for number in range(3):
        match, added = append(match, SeatLeft(1, "bea"), START)
        line = (*line, *added)
        if number < 2:
            match, added = append(match, take_seat(match, 1, "bea"), START)
            line = (*line, *added)

    assert match.status == "open"
    assert verify(log_of(line), titles=quick.titles).is_good


def test_a_pause_that_was_agreed_on_ends_by_itself(quick: Matches) -> None:
    started(quick, M, ("anna", "bea"), table=limited(LIVE))
    quick.ask_pause(M, 0, "anna", at=START)
    paused = quick.ask_pause(M, 1, "bea", at=START)
    assert deadline(paused) == START + timedelta(minutes=10)
    assert passed(quick, START + timedelta(minutes=9)).status == "paused"

    match = passed(quick, START + timedelta(minutes=10))

    assert (match.status, facts(quick, M)[-1]) == ("running", Resumed(SERVICE))
    assert deadline(match) is None
    verified(quick, M)


def test_a_pause_of_the_service_lasts_until_somebody_ends_it(quick: Matches) -> None:
    started(quick, M, ("anna", "bea"), table=limited(LIVE))

    assert deadline(quick.pause(M, SERVICE, at=START)) is None


def test_pauses_have_a_limit_where_a_clock_runs_and_the_table_sets_none() -> None:
    assert limited(Table()) == Table()
    assert (limited(LIVE).pauses, limited(LIVE).pause_seconds) == (3, 600)
    assert (limited(POST).pauses, limited(POST).pause_seconds) == (3, 259_200)
    own = Table(clock=LIVE.clock, pauses=1, pause_seconds=60)
    assert limited(own) == own


def test_a_private_table_is_never_listed_and_a_public_one_unless_it_says_so() -> None:
    assert [Table(public=False).is_listed, Table().is_listed, Table(listed=False).is_listed] == [False, True, False]


def test_people_talk_at_a_table_unless_it_says_that_they_do_not() -> None:
    assert [Table().is_silent, Table(talk=True).is_silent, Table(talk=False).is_silent] == [False, False, True]
