"""Event tables with a stated waiting time start automatically when it is over."""

from datetime import timedelta

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.kernel.rules import UnknownOption
from domain.matches.aggregate import Match
from domain.matches.errors import NotAllowed
from domain.matches.facts import SERVICE, Clock, SeatReady, ShareCommitted, Table, TableClosed
from domain.matches.log.log_files import log_of
from domain.matches.play.commands import replace_seat
from domain.matches.play.deadlines import deadline, pass_deadline
from domain.matches.seats.event_tables import seat_substitute, start_without_late_players
from domain.matches.seats.luck_shares import late_seats, seats_with_own_luck
from domain.matches.seats.opening import take_seat, use_service_share
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, START, commit, facts, start_match, uuid, verify_log
from tests.domain.tournaments.building import seat_entrants

M = uuid(1)
WAITING = Table(clock=Clock("per_move", 60), event="cup", wait_seconds=600)
"""An event table with a stated waiting time."""


def waiting_table(matches: Matches) -> Match:
    matches.open(M, title="toy", seats=3, by=SERVICE, at=START, table=WAITING)
    seat_entrants(matches, M, "anna", "bea", BOT, at=START)
    return matches.get(M)


def pass_deadline_after(matches: Matches, seconds: int) -> Match:
    version = matches.get(M).version
    return pass_deadline(matches, M, expected_version=version, at=START + timedelta(seconds=seconds))


def start_late_tables(matches: Matches, seconds: int) -> Match:
    """Start late tables as a tournament does."""
    at = START + timedelta(seconds=seconds)
    return matches.transact(lambda batch: start_without_late_players(batch, batch.match(M), matches.standing), at=at)


def test_an_event_table_with_a_waiting_time_starts_automatically(sqlite: Matches) -> None:
    """All players are absent, so the service alone determines the luck."""
    match = waiting_table(sqlite)
    assert deadline(match) == START + timedelta(seconds=600)
    assert pass_deadline_after(sqlite, 599).version == match.version
    assert start_late_tables(sqlite, 540).version == match.version

    match = pass_deadline_after(sqlite, 600)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    assert [starter.awaited for starter in match.starters] == [True, True, False]
    verify_log(sqlite, M)


def test_who_committed_at_such_a_table_has_the_usual_time_to_open(sqlite: Matches) -> None:
    waiting_table(sqlite)
    commit(sqlite, M, 0, "anna", 1)
    match = start_late_tables(sqlite, 600)
    assert facts(sqlite, M)[-3:] == [ShareCommitted(1, SERVICE, "service"), TableClosed(SERVICE), SeatReady(1, SERVICE)]
    assert deadline(match) == START + timedelta(minutes=12)
    assert pass_deadline_after(sqlite, 719).version == match.version

    match = pass_deadline_after(sqlite, 720)

    assert (match.status, seats_with_own_luck(match)) == ("running", ())
    verify_log(sqlite, M)


def test_a_substitute_at_such_a_table_has_the_whole_time(sqlite: Matches) -> None:
    waiting_table(sqlite)
    at = START + timedelta(seconds=300)
    sqlite.transact(lambda batch: seat_substitute(batch, batch.match(M), 1, BOT, "bea"), at=at)
    assert deadline(sqlite.get(M)) == START + timedelta(seconds=600)
    sqlite.transact(lambda batch: seat_substitute(batch, batch.match(M), 1, "carl", "bea"), at=at)
    assert deadline(sqlite.get(M)) == at + timedelta(seconds=600)
    pass_deadline_after(sqlite, 900)
    verify_log(sqlite, M)


def test_a_share_of_the_service_that_came_too_early_does_not_verify(sqlite: Matches) -> None:
    """The log states the waiting time."""
    waiting_table(sqlite)
    for _ in range(4):
        sqlite.transact(
            lambda batch: batch.add(M, use_service_share(batch.match(M), late_seats(batch.match(M))[0])),
            at=START + timedelta(seconds=599),
        )
    assert sqlite.get(M).status == "running"
    fault = verify(log_of(sqlite.entries(M)), titles=ALL_TITLES).fault

    assert fault is not None
    assert "has until 2026-01-01T12:10:00+00:00 to contribute a share of luck" in fault.why


def test_only_event_tables_have_a_waiting_time(sqlite: Matches) -> None:
    with pytest.raises(UnknownOption, match="only a table of a tournament or league"):
        sqlite.open(M, title="toy", seats=2, by="anna", at=START, table=Table(wait_seconds=60))
    assert b"wait" not in msgspec.json.encode(Table())


def test_the_service_supplies_no_shares_at_ordinary_tables(matches: Matches) -> None:
    """Otherwise the service could do this for any seat, whose player would then be unrated."""
    matches.open(M, title="toy", seats=2, by="anna", at=START)
    with pytest.raises(NotAllowed, match="players can stand in for 'anna' only"):
        take_seat(matches.get(M), 0, "bea", None, "anna")
    match = start_match(matches, uuid(9), ("anna", "bea"))
    with pytest.raises(NotAllowed, match="players can stand in for 'anna' only"):
        replace_seat(match, 0, SERVICE, "bot:random@1", "anna")
