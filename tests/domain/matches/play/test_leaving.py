"""Resigning, handing over, running out of time, pausing, voiding (DESIGN §3, §6)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.errors import (
    AlreadySeated,
    MatchOver,
    NotAllowed,
    NotRunning,
    NotSeated,
    PauseRefused,
    ResignRefused,
    TimeOutRefused,
    UnknownActor,
    UnknownSeat,
)
from domain.matches.facts import SERVICE, Clock, MatchEnded, Paused, Resumed, SeatReplaced, Table, TimedOut
from domain.matches.play import commands
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    act_once,
    facts,
    play_out,
    start_match,
    uuid,
    verify_log,
)
from tests.domain.matches.toy import Pass

M = uuid(1)
PEOPLE = ("anna", "bea", "carl")
CLOCKED = Clock("per_move", 60)


def test_a_match_ends_when_one_seat_is_left_and_resigned_seats_are_last(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE)
    sqlite.resign(M, 1, "bea", at=START)
    match = sqlite.resign(M, 0, "anna", at=START)

    assert match.status == "ended"
    assert match.result is not None
    assert match.result.ranking == (2, 3, 1)
    assert isinstance(facts(sqlite, M)[-1], MatchEnded)
    with pytest.raises(MatchOver):
        sqlite.resign(M, 2, "carl", at=START)
    verify_log(sqlite, M)


def test_the_service_plays_a_resigned_seat_with_first_legal_actions(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    expected = legal_actions(match, 2)[0]
    match = sqlite.resign(M, 2, "carl", at=START)

    skipped = facts(sqlite, M)[-1]
    assert (skipped.seat, skipped.by, skipped.hidden_action.value) == (2, SERVICE, expected)
    with pytest.raises(NotSeated):
        sqlite.act(M, 2, SERVICE, Pass(), expected_version=match.version, at=START)
    with pytest.raises(NotAllowed, match="already resigned"):
        sqlite.resign(M, 2, "carl", at=START)
    with pytest.raises(NotAllowed, match="has resigned"):
        sqlite.replace_seat(M, 2, SERVICE, actor=BOT, at=START)
    while not match.is_over:
        assert 2 not in seats_to_act(match)
        match = act_once(sqlite, match)
    assert match.result is not None
    assert match.result.ranking[2] == 3
    verify_log(sqlite, M)


def test_a_player_hands_over_to_a_bot_and_the_service_seats_another(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    refusals: list[tuple[int, str, str, type[Exception]]] = [
        (0, "anna", "dora", NotSeated),
        (0, "bea", BOT, NotSeated),
        (0, SERVICE, "bea", AlreadySeated),
        (0, SERVICE, "service", UnknownActor),
        (9, SERVICE, BOT, UnknownSeat),
    ]
    for seat, by, actor, refusal in refusals:
        with pytest.raises(refusal):
            sqlite.replace_seat(M, seat, by, actor=actor, at=START)

    match = sqlite.replace_seat(M, 0, "anna", actor=BOT, at=START)
    assert match.seats[0].is_bot
    match = sqlite.replace_seat(M, 0, SERVICE, actor="dora", at=START)
    assert match.seats[0].is_person
    sqlite.act(M, 0, "dora", legal_actions(match, 0)[0], expected_version=match.version, at=START)
    verify_log(sqlite, M)


@pytest.mark.parametrize(("policy", "bot"), [("skip", None), ("resign", None), ("bot", BOT)])
def test_running_out_of_time_follows_the_tables_policy(sqlite: Matches, policy: Any, bot: str | None) -> None:
    match = start_match(sqlite, M, PEOPLE, table=Table(clock=CLOCKED, time_out=policy))
    first = legal_actions(match, 1)[0]

    after = sqlite.time_out(M, 1, SERVICE, at=START + timedelta(seconds=60), bot=bot)

    late, consequence = facts(sqlite, M, match.version)[:2]
    assert late == TimedOut(1, SERVICE, policy, bot)
    if policy == "skip":
        assert consequence.hidden_action.value == first
        assert (consequence.by, after.seats[1].actor) == (SERVICE, "bea")
    elif policy == "resign":
        assert after.seats[1].resigned
    else:
        assert consequence == SeatReplaced(1, SERVICE, BOT, reason="time_out")
        assert after.seats[1].actor == BOT
    assert after.timed_out is None
    verify_log(sqlite, M)


def test_time_runs_out_only_where_a_clock_runs_and_the_service_says_so(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE)
    with pytest.raises(TimeOutRefused, match="this table has no clock"):
        sqlite.time_out(M, 1, SERVICE, at=START, bot=BOT)
    with pytest.raises(NotAllowed, match="'anna'"):
        sqlite.time_out(M, 1, "anna", at=START, bot=BOT)
    with pytest.raises(UnknownSeat):
        sqlite.time_out(M, 5, SERVICE, at=START, bot=BOT)


def test_a_seat_that_owes_nothing_and_a_bot_against_the_policy_are_refused(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE, table=Table(clock=CLOCKED, time_out="skip"))
    with pytest.raises(TimeOutRefused, match="the table is 'skip'"):
        sqlite.time_out(M, 1, SERVICE, at=START, bot=BOT)
    sqlite.act(M, 1, "bea", legal_actions(match, 1)[0], expected_version=match.version, at=START)
    with pytest.raises(TimeOutRefused, match="seat 1 has no action to take"):
        sqlite.time_out(M, 1, SERVICE, at=START)


def test_a_pause_starts_when_every_person_asks_and_any_player_ends_it(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT, "carl"))
    match = sqlite.ask_pause(M, 0, "anna", at=START)
    assert match.status == "running"
    with pytest.raises(PauseRefused, match="seat 0 has already asked for a pause"):
        sqlite.ask_pause(M, 0, "anna", at=START)

    paused = sqlite.ask_pause(M, 2, "carl", at=START)

    assert paused.status == "paused"
    assert facts(sqlite, M)[-1] == Paused(SERVICE)
    assert (seats_to_act(paused), legal_actions(paused, 0)) == ((), ())
    with pytest.raises(NotRunning):
        sqlite.act(M, 0, "anna", Pass(), expected_version=paused.version, at=START)
    with pytest.raises(NotSeated):
        sqlite.resume(M, "dora", at=START)
    resumed = sqlite.resume(M, "anna", at=START)
    assert resumed.status == "running"
    with pytest.raises(PauseRefused, match="not paused"):
        sqlite.resume(M, "anna", at=START)
    verify_log(sqlite, M)


def test_a_request_for_a_pause_can_be_withdrawn(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT, "carl"), table=Table(clock=Clock("increment", 600, 0)))
    clocks = sqlite.ask_pause(M, 0, "anna", at=START).clocks
    for seat, by, refusal in ((2, "carl", PauseRefused), (0, "carl", NotSeated), (7, "anna", UnknownSeat)):
        with pytest.raises(refusal):
            sqlite.withdraw_pause(M, seat, by, at=START)

    later = START + timedelta(seconds=30)
    withdrawn = sqlite.withdraw_pause(M, 0, "anna", at=later)

    assert facts(sqlite, M)[-1] == Resumed("anna", withdrawn=0)
    assert (withdrawn.status, withdrawn.pause_asked_by) == ("running", ())
    assert withdrawn.clocks == clocks, "no clock is given back what has run"
    assert sqlite.ask_pause(M, 2, "carl", at=later).status == "running", "one wish is not enough again"
    verify_log(sqlite, M)
    assert sqlite.ask_pause(M, 0, "anna", at=later).status == "paused"
    with pytest.raises(NotRunning):
        sqlite.withdraw_pause(M, 0, "anna", at=later)
    verify_log(sqlite, M)
    assert verify(export_log(sqlite, M, None), titles=ALL_TITLES).is_good, "a spectator's log is examined, too"


@pytest.mark.parametrize("pauses", [0, 1, 2])
def test_the_number_of_agreed_pauses_is_limited_by_the_table(sqlite: Matches, pauses: int) -> None:
    start_match(sqlite, M, ("anna", BOT, "carl"), table=Table(pauses=pauses))
    for _ in range(pauses):
        sqlite.ask_pause(M, 0, "anna", at=START)
        sqlite.pause(M, SERVICE, at=START)
        sqlite.resume(M, SERVICE, at=START)
        sqlite.ask_pause(M, 0, "anna", at=START)
        assert sqlite.ask_pause(M, 2, "carl", at=START).status == "paused"
        sqlite.resume(M, "anna", at=START)

    with pytest.raises(PauseRefused, match=f"agree on at most {pauses} pauses"):
        sqlite.ask_pause(M, 2, "carl", at=START)
    verify_log(sqlite, M)


def test_one_person_alone_never_pauses_a_rated_match_with_bots(sqlite: Matches) -> None:
    table = Table(rated=True, pause_seconds=600)
    start_match(sqlite, M, ("anna", BOT, BOT), table=table)
    with pytest.raises(PauseRefused, match="seat 0 alone cannot pause a rated match"):
        sqlite.ask_pause(M, 0, "anna", at=START)

    start_match(sqlite, uuid(2), ("anna", "bea", BOT), table=table)
    sqlite.ask_pause(uuid(2), 0, "anna", at=START)
    assert sqlite.resign(uuid(2), 1, "bea", at=START).status == "running", "the one who has asked is alone now"
    verify_log(sqlite, uuid(2))

    start_match(sqlite, uuid(3), ("anna", BOT), table=Table(pause_seconds=600))
    assert sqlite.ask_pause(uuid(3), 0, "anna", at=START).status == "paused"


def test_a_single_seat_can_pause_a_rated_table_of_an_older_log(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", BOT), table=Table(rated=True))

    assert sqlite.ask_pause(M, 0, "anna", at=START).status == "paused"
    verify_log(sqlite, M)


def test_nobody_resigns_where_the_table_does_not_allow_it_and_a_bot_may_play_on(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE, table=Table(resigning=False))
    with pytest.raises(ResignRefused, match="players cannot resign at this table; let a bot take over"):
        sqlite.resign(M, 0, "anna", at=START)

    assert sqlite.replace_seat(M, 0, "anna", actor=BOT, at=START).seats[0].is_bot
    verify_log(sqlite, M)


def test_unset_pause_and_resign_options_are_not_encoded() -> None:
    assert set(msgspec.to_builtins(Table())) == {"clock", "timeOut", "takeBacks", "public", "rated"}


def test_the_service_pauses_and_resumes_for_an_arbiter(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE)
    with pytest.raises(NotAllowed, match="ask for a pause"):
        sqlite.pause(M, "anna", at=START)

    assert sqlite.pause(M, SERVICE, at=START).status == "paused"
    assert sqlite.resume(M, SERVICE, at=START).status == "running"
    verify_log(sqlite, M)


def test_a_resignation_during_a_pause_waits_for_its_skips(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE)
    sqlite.pause(M, SERVICE, at=START)
    paused = sqlite.resign(M, 0, "anna", at=START)
    assert paused.status == "paused"

    assert 0 not in seats_to_act(sqlite.resume(M, "bea", at=START))
    verify_log(sqlite, M)


def test_a_match_ends_in_a_pause_when_one_seat_alone_is_left(sqlite: Matches) -> None:
    start_match(sqlite, M, ("anna", "bea"))
    sqlite.pause(M, SERVICE, at=START)
    match = sqlite.resign(M, 0, "anna", at=START)

    assert match.status == "ended"
    assert match.result is not None
    assert match.result.ranking == (2, 1)
    verify_log(sqlite, M)


def test_the_house_seat_does_not_resign_pause_or_take_back(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)

    command: Callable[[], Match]
    for command in (
        lambda: sqlite.resign(M, SERVICE_SEAT, SERVICE, at=START),
        lambda: sqlite.ask_pause(M, SERVICE_SEAT, SERVICE, at=START),
        lambda: sqlite.take_back(M, SERVICE_SEAT, SERVICE, to_version=match.version, at=START),
    ):
        with pytest.raises(UnknownSeat, match="no seat -1"):
            command()


def test_a_void_match_is_over(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE)
    with pytest.raises(NotAllowed):
        sqlite.void(M, "anna", at=START)
    match = sqlite.void(M, SERVICE, at=START, reason="a lost deck")

    assert match.is_over
    late: Callable[[], Match]
    for late in (
        lambda: sqlite.act(M, 0, "anna", Pass(), expected_version=match.version, at=START),
        lambda: sqlite.void(M, SERVICE, at=START),
        lambda: sqlite.resume(M, "anna", at=START),
        lambda: sqlite.replace_seat(M, 0, SERVICE, actor=BOT, at=START),
    ):
        with pytest.raises(MatchOver):
            late()
    verify_log(sqlite, M)


def test_time_never_falls_within_a_log(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE)
    early = START.replace(year=2020)
    after = sqlite.act(M, 0, "anna", legal_actions(match, 0)[0], expected_version=match.version, at=early)

    assert after.timestamp == match.timestamp


def test_a_finished_match_has_a_result_and_refuses_everything(sqlite: Matches) -> None:
    match = play_out(sqlite, start_match(sqlite, M, (BOT, BOT)))

    assert match.result is not None
    assert min(match.result.ranking) == 1
    assert match.result.scores == match.definition.rules.scores(match.state)
    with pytest.raises(MatchOver):
        commands.act(match, SERVICE_SEAT, SERVICE, Pass())
