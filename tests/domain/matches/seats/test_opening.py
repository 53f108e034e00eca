"""Commands before the start: seats, readiness, rejections (DESIGN §6)."""

from collections.abc import Callable

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.kernel.rules import UnknownOption
from domain.matches.aggregate import Match, legal_actions, seat_of, seats_to_act, view
from domain.matches.errors import (
    AlreadySeated,
    MatchOver,
    NotAllowed,
    NotOpen,
    NotRunning,
    NotSeated,
    SeatTakenAlready,
    UnknownActor,
    UnknownSeat,
    UnknownTitle,
    WrongSeatCount,
    WrongShare,
)
from domain.matches.facts import Clock, Table
from domain.matches.seats import opening
from tests.domain.matches.match_helpers import BOT, START, uuid
from tests.domain.matches.toy import Pass

M = uuid(1)
PEOPLE = ("anna", "bea", "carl")
CLOCKED = Clock("per_move", 60)


def test_an_unknown_title_a_wrong_number_of_seats_and_nobody_are_refused_by_name(sqlite: Matches) -> None:
    with pytest.raises(UnknownTitle, match="'chess'"):
        sqlite.open(M, title="chess", seats=2, by="anna", at=START)
    with pytest.raises(WrongSeatCount, match="2 to 4 seats, not 7"):
        sqlite.open(M, title="toy", seats=7, by="anna", at=START)
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    for actor in ("service", "bot:", "bot:x", "", "a b", "x" * 65, "bot:Greedy@1"):
        with pytest.raises(UnknownActor):
            sqlite.take_seat(M, 0, actor, at=START)


def test_nobody_sits_in_two_seats_or_on_another(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=3, by="anna", at=START)
    sqlite.take_seat(M, 0, "anna", at=START)

    with pytest.raises(AlreadySeated, match="'anna' already sits on seat 0"):
        sqlite.take_seat(M, 1, "anna", at=START)
    with pytest.raises(SeatTakenAlready, match="seat 0 is taken by 'anna'"):
        sqlite.take_seat(M, 0, "bea", at=START)
    with pytest.raises(UnknownSeat, match="no seat 3"):
        sqlite.take_seat(M, 3, "bea", at=START)
    assert seat_of(sqlite.get(M), "anna") == 0
    assert seat_of(sqlite.get(M), "bea") is None


def test_a_seat_is_left_by_its_player_or_sent_away_by_the_host(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    sqlite.take_seat(M, 0, "bea", at=START)
    sqlite.take_seat(M, 1, BOT, at=START)

    with pytest.raises(NotSeated):
        sqlite.leave_seat(M, 0, "carl", at=START)
    sqlite.leave_seat(M, 0, "bea", at=START)
    with pytest.raises(NotSeated, match="seat 0 is empty"):
        sqlite.leave_seat(M, 0, "bea", at=START)
    match = sqlite.leave_seat(M, 1, "anna", at=START)
    assert [info.actor for info in match.seats] == [None, None]


def test_a_match_starts_when_every_seat_is_ready_and_bots_are_at_once(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    sqlite.take_seat(M, 0, BOT, at=START)
    waiting = sqlite.take_seat(M, 1, "anna", at=START)
    assert (waiting.status, waiting.seats[0].ready, waiting.seats[1].ready) == ("open", True, False)
    assert (view(waiting, None), seats_to_act(waiting), legal_actions(waiting, 0)) == (None, (), ())
    with pytest.raises(NotSeated):
        sqlite.ready(M, 1, "bea", at=START)
    with pytest.raises(NotRunning):
        sqlite.act(M, 1, "anna", Pass(), expected_version=waiting.version, at=START)
    with pytest.raises(NotRunning):
        sqlite.resign(M, 1, "anna", at=START)
    with pytest.raises(NotRunning):
        sqlite.replace_seat(M, 1, "anna", actor=BOT, at=START)

    match = sqlite.ready(M, 1, "anna", at=START)

    assert match.status == "running"
    assert match.started_version == match.version
    late: Callable[[], Match]
    for late in (lambda: sqlite.take_seat(M, 0, "carl", at=START), lambda: sqlite.leave_seat(M, 1, "anna", at=START)):
        with pytest.raises(NotOpen):
            late()


def test_a_ready_seat_is_not_made_ready_again(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    sqlite.take_seat(M, 0, "anna", at=START)
    match = sqlite.ready(M, 0, "anna", at=START)

    with pytest.raises(NotAllowed, match="seat 0 is already ready"):
        opening.ready(match, 0, "anna")


def test_the_one_who_opened_a_table_may_give_it_up_before_the_start(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)

    with pytest.raises(NotAllowed):
        sqlite.void(M, "bea", at=START)
    with pytest.raises(NotAllowed, match="200 characters"):
        sqlite.void(M, "anna", at=START, reason="x" * 201)
    assert sqlite.void(M, "anna", at=START, reason="nobody came").status == "void"
    with pytest.raises(MatchOver):
        sqlite.take_seat(M, 0, "anna", at=START)


def test_a_commitment_that_is_none_is_refused(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    for text in ("", "ab", "AB" * 32, "xy" * 32):
        with pytest.raises(WrongShare, match="64 lower-case hexadecimal digits"):
            sqlite.take_seat(M, 0, "anna", at=START, share_commitment=text)


def test_a_clock_without_seconds_and_an_unknown_option_are_refused(sqlite: Matches) -> None:
    with pytest.raises(UnknownOption, match="a clock of the kind 'per_move' requires seconds"):
        sqlite.open(M, title="toy", seats=2, by="anna", at=START, table=Table(clock=Clock("per_move")))
    with pytest.raises(UnknownOption, match="rounds=77"):
        sqlite.open(M, title="toy", seats=2, by="anna", at=START, options={"rounds": "77"})


def test_a_table_out_of_bounds_is_refused_on_the_wire() -> None:
    for content in (b'{"takeBacks":-1}', b'{"clock":{"kind":"per_move","seconds":-5}}', b'{"timeOut":"lynch"}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(content, type=Table)
