"""Clocks are computed from the log, and take-backs and time-outs never give time back."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from domain.eventstore.application import Matches
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match, SeatClock, legal_actions, seats_to_act
from domain.matches.consequences import append, open_line
from domain.matches.errors import TakeBackRefused, TimeOutRefused
from domain.matches.facts import FORMAT, SERVICE, Clock, Table, TakenBack, TimedOut
from domain.matches.log.log_files import log_of
from domain.matches.play import commands
from domain.matches.play.clocks import clock_after_move, clock_after_take_back
from domain.matches.play.in_memory import InMemoryMatch, seeded_origins
from domain.matches.seats import opening
from domain.matches.verification.verify import verify
from domain.titles import TITLES
from domain.titles.la_granja.actions import SellResource
from tests.domain.matches.match_helpers import BOT, START, act_once, facts, start_match, uuid, verify_log, with_pearls

M = uuid(1)
PEOPLE = ("anna", "bea", "carl")
PER_MOVE = Table(clock=Clock("per_move", 60), time_out="skip")


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def people_play(title: str, table: Table, count: int = 2, format: int = FORMAT) -> InMemoryMatch:
    """Start a match of people in memory, with one second per entry."""
    origins = seeded_origins(b"people play")
    fact = opening.open_match(
        TITLES[title], seats=count, options={}, table=table, by="p0", seed=origins.seed, format=format
    )
    play = InMemoryMatch(*open_line(TITLES[title], fact, origins.match_id, origins.now(), origins.step), origins)
    for seat in range(count):
        play.append(partial(opening.take_seat, seat=seat, by=f"p{seat}"))
    for seat in range(count):
        play.append(partial(opening.ready, seat=seat, by=f"p{seat}"))
    return play


def take_action(play: InMemoryMatch, index: int = 0) -> None:
    """Take an action for the first seat that owes a choice."""
    seat = seats_to_act(play.match)[0]
    legal = legal_actions(play.match, seat)
    play.act(seat, SERVICE if seat < 0 else f"p{seat}", legal[index % len(legal)])


def seconds_left(match: Match, seat: int, seconds: float) -> float:
    """Return the seconds a seat has left at a time."""
    return match.clocks[seat].at(round(later(seconds).timestamp() * 1_000_000)) / 1_000_000


def test_time_runs_out_when_the_clock_says_so_and_not_before(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE, table=PER_MOVE)
    with pytest.raises(TimeOutRefused, match=r"seat 1 has 0\.5 seconds left"):
        sqlite.time_out(M, 1, SERVICE, at=later(59.5))

    sqlite.time_out(M, 1, SERVICE, at=later(60))

    verify_log(sqlite, M)


def test_a_bot_has_no_clock_that_could_run_out(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT), table=PER_MOVE)

    with pytest.raises(TimeOutRefused, match="no person plays on seat 1"):
        sqlite.time_out(M, 1, SERVICE, at=later(600))


def test_the_examination_refuses_a_time_out_that_the_clock_does_not_justify(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE, table=PER_MOVE)
    for seconds, is_good in ((59, False), (60, True), (61, True)):
        _, added = append(match, TimedOut(1, SERVICE, "skip"), later(seconds))
        report = verify(log_of((*sqlite.entries(M), *added)), titles=sqlite.titles)
        assert report.is_good == is_good
        if report.fault is not None:
            assert (report.fault.entry, report.fault.kind) == (match.version + 1, "legality")
            assert report.fault.why == "seat 1 has 1.0 seconds left on its clock"


def test_what_the_service_played_for_a_seat_out_of_time_is_not_taken_back() -> None:
    play = people_play("la_granja", Table(clock=Clock("per_move", 60), time_out="skip"))
    while True:
        seat = seats_to_act(play.match)[0]
        late = play.match.timestamp + timedelta(seconds=61)
        after, added = append(play.match, TimedOut(seat, SERVICE, "skip"), late)
        if after.turn.seat == seat and len(after.turn.marks) > 1:
            break
        take_action(play, play.match.version)

    with pytest.raises(TakeBackRefused, match=f"cannot take back to entry {after.version - 1}"):
        commands.take_back(after, seat, f"p{seat}", after.turn.marks[0].version)
    # Entries of earlier versions of the service take back across a time-out; they fold, but fail verification.
    back, more = append(after, TakenBack(seat, f"p{seat}", after.version - 1), late)
    assert back.state == play.match.state
    report = verify(log_of((*play.entries, *added, *more)))
    assert report.fault is not None
    assert report.fault.entry == after.version + 1


def test_actions_before_a_time_out_stay_and_later_ones_may_be_taken_back() -> None:
    play = people_play("la_granja", Table(clock=Clock("per_move", 60), time_out="skip"))
    while True:
        seat = seats_to_act(play.match)[0]
        late = play.match.timestamp + timedelta(seconds=61)
        after, _ = append(play.match, TimedOut(seat, SERVICE, "skip"), late)
        if after.turn.seat == seat and len(after.turn.marks) > 1 and seats_to_act(after) == (seat,):
            again, _ = append(after, commands.act(after, seat, f"p{seat}", legal_actions(after, seat)[-1]), late)
            if len(again.turn.marks) > 2:
                break
        take_action(play, play.match.version)

    assert commands.take_back(again, seat, f"p{seat}", after.version).to_version == after.version
    with pytest.raises(TakeBackRefused):
        commands.take_back(again, seat, f"p{seat}", after.version - 1)


def play_to_turn_start(matches: Matches, table: Table) -> tuple[Match, int]:
    """Play until one seat owes an open choice and its clock has just started."""
    match = with_pearls(matches, start_match(matches, M, PEOPLE, table=table))
    return match, seats_to_act(match)[0]


def test_an_own_action_taken_back_gives_no_time_again(sqlite: Matches) -> None:
    match, seat = play_to_turn_start(sqlite, PER_MOVE)
    base, by = match.version, PEOPLE[seat]
    match = sqlite.act(M, seat, by, legal_actions(match, seat)[1], expected_version=base, at=later(55))
    assert seconds_left(match, seat, 55) == 60

    match = sqlite.take_back(M, seat, by, to_version=base, at=later(58))

    assert seconds_left(match, seat, 58) == 5
    sqlite.time_out(M, seat, SERVICE, at=later(63))
    verify_log(sqlite, M)


def test_a_take_back_by_one_seat_does_not_stop_the_clock_of_a_seat_that_thinks_at_the_same_time() -> None:
    play = people_play("la_granja", PER_MOVE)
    while not (sales := open_sales(play.match)):
        take_action(play, play.match.version)
    match, (seat, sale) = play.match, sales[0]

    play.act(seat, f"p{seat}", sale)
    play.append(lambda after: commands.take_back(after, seat, f"p{seat}", match.version))

    assert play.match.state == match.state
    was, now = match.clocks[1 - seat], play.match.clocks[1 - seat]
    assert (now.left, now.since) == (was.left, was.since)
    assert verify(log_of(play.entries)).is_good


def open_sales(match: Match) -> list[tuple[Seat, SellResource]]:
    """Return the legal sales while both seats owe a choice."""
    seats = seats_to_act(match)
    legal = [(seat, action) for seat in seats for action in legal_actions(match, seat) if len(seats) > 1]
    return [(seat, action) for seat, action in legal if isinstance(action, SellResource)]


def test_a_match_without_a_clock_has_none(sqlite: Matches) -> None:
    assert start_match(sqlite, M, PEOPLE).clocks == ()


def play_to_turn_end(clock: Clock, format: int = FORMAT) -> tuple[InMemoryMatch, int, int]:
    """Return a match after an action that can be taken back and ended the turn, with the seats before and after."""
    play = people_play("el_grande", Table(clock=clock, time_out="skip", take_backs=100), format=format)
    while True:
        seats, before = seats_to_act(play.match), play.match
        take_action(play, play.match.version)
        after = play.match
        if len(seats) == 1 and after.turn.seat == seats[0] and len(after.turn.marks) > 1:
            now = seats_to_act(after)
            if len(now) == 1 and now != seats and now[0] >= 0 and after.turn.marks[-2].version == before.version:
                return play, seats[0], now[0]


@pytest.mark.parametrize("kind", ["per_move", "correspondence", "increment"])
def test_before_format_3_a_take_back_restores_nobody_elses_time_and_no_increment(kind: str) -> None:
    play, seat, other = play_to_turn_end(Clock(kind, 60_000, 10), format=2)  # type: ignore[arg-type]  # one of the kinds
    match, base = play.match, play.match.turn.marks[-2].version
    own = match.clocks[seat]
    action = commands.take_back(match, seat, f"p{seat}", base)
    thinking = match.timestamp + timedelta(seconds=100)

    back, _ = append(match, action, thinking)
    again, _ = append(back, commands.act(back, seat, f"p{seat}", legal_actions(back, seat)[0]), thinking)

    assert back.clocks[seat].left <= own.left - (10_000_000 if kind == "increment" else 0)
    assert back.clocks[other].since is None
    waited = match.clocks[other].left - 100_000_000
    assert back.clocks[other].left == waited
    if other in seats_to_act(again):
        assert again.clocks[other].left == waited


def test_per_turn_time_is_full_at_every_new_turn(sqlite: Matches) -> None:
    match, seat = play_to_turn_start(sqlite, PER_MOVE)
    match = sqlite.act(
        M, seat, PEOPLE[seat], legal_actions(match, seat)[0], expected_version=match.version, at=later(9)
    )

    assert [seconds_left(match, each, 9) for each in range(3)] == [60, 60, 60]
    assert act_once(sqlite, match).clocks != ()
    assert facts(sqlite, M)


def test_a_turn_that_was_taken_back_goes_on_with_what_was_left_until_somebody_else_has_acted(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE, table=PER_MOVE)
    clock = SeatClock(7, kept_by=0)

    assert clock_after_move(clock, match, 0, 1, runs=False, now=5) == clock
    assert clock_after_move(clock, match, None, 1, runs=True, now=5) == SeatClock(7, 5)
    assert clock_after_move(clock, match, 2, 1, runs=True, now=5) == SeatClock(60_000_000, 5)


def test_a_take_back_leaves_the_clocks_of_others_running_and_starts_them_with_what_was_left() -> None:
    back = TakenBack(0, "anna", 9)

    assert clock_after_take_back(SeatClock(7, 1), back, 1, runs=True, now=5) == SeatClock(7, 1)
    assert clock_after_take_back(SeatClock(7), back, 1, runs=False, now=5) == SeatClock(7)
    assert clock_after_take_back(SeatClock(7), back, 1, runs=True, now=5) == SeatClock(7, 5)
    assert clock_after_take_back(SeatClock(7, 1), back, 1, runs=False, now=5) == SeatClock(3, kept_by=0)


def test_a_pause_restarts_no_clock() -> None:
    """A seat with 60 seconds per move that has used 50 of them has 10 left after a pause."""
    play = people_play("la_granja", PER_MOVE)
    seat, start = seats_to_act(play.match)[0], play.match.timestamp
    paused, resumed = start + timedelta(seconds=50), start + timedelta(seconds=5_000)
    play.append(partial(commands.pause, by=SERVICE), at=paused)
    play.append(partial(commands.resume, by=SERVICE), at=resumed)
    early, due = resumed + timedelta(seconds=9), resumed + timedelta(seconds=10)
    with pytest.raises(TimeOutRefused, match=r"has 1.0 seconds left"):
        commands.time_out(play.match, seat, SERVICE, at=early)
    play.append(partial(commands.time_out, seat=seat, by=SERVICE, at=due), at=due)

    assert verify(log_of(play.entries)).is_good
