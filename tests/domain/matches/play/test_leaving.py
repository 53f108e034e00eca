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


def test_a_match_ends_when_one_seat_is_left_and_resigned_seats_are_last(quick: Matches) -> None:
    start_match(quick, M, PEOPLE)
    quick.resign(M, 1, "bea", at=START)
    match = quick.resign(M, 0, "anna", at=START)

    assert match.status == "ended"
    assert match.result is not None
    assert match.result.ranking == (2, 3, 1)
    assert isinstance(facts(quick, M)[-1], MatchEnded)
    with pytest.raises(MatchOver):
        quick.resign(M, 2, "carl", at=START)
    verify_log(quick, M)


def test_the_service_plays_a_resigned_seat_with_first_legal_actions(quick: Matches) -> None:
    match = start_match(quick, M, PEOPLE)
    expected = legal_actions(match, 2)[0]
    match = quick.resign(M, 2, "carl", at=START)

    skipped = facts(quick, M)[-1]
    assert (skipped.seat, skipped.by, skipped.hidden_action.value) == (2, SERVICE, expected)
    with pytest.raises(NotSeated):
        quick.act(M, 2, SERVICE, Pass(), expected_version=match.version, at=START)
    with pytest.raises(NotAllowed, match="resigned already"):
        quick.resign(M, 2, "carl", at=START)
    with pytest.raises(NotAllowed, match="has resigned"):
        quick.replace_seat(M, 2, SERVICE, actor=BOT, at=START)
    while not match.is_over:
        assert 2 not in seats_to_act(match)
        match = act_once(quick, match)
    assert match.result is not None
    assert match.result.ranking[2] == 3
    verify_log(quick, M)


def test_a_player_hands_over_to_a_bot_and_the_service_seats_another(quick: Matches) -> None:
    match = start_match(quick, M, PEOPLE)
    refusals: list[tuple[int, str, str, type[Exception]]] = [
        (0, "anna", "dora", NotSeated),
        (0, "bea", BOT, NotSeated),
        (0, SERVICE, "bea", AlreadySeated),
        (0, SERVICE, "service", UnknownActor),
        (9, SERVICE, BOT, UnknownSeat),
    ]
    for seat, by, actor, refusal in refusals:
        with pytest.raises(refusal):
            quick.replace_seat(M, seat, by, actor=actor, at=START)

    match = quick.replace_seat(M, 0, "anna", actor=BOT, at=START)
    assert match.seats[0].is_bot
    match = quick.replace_seat(M, 0, SERVICE, actor="dora", at=START)
    assert match.seats[0].is_person
    quick.act(M, 0, "dora", legal_actions(match, 0)[0], expected_version=match.version, at=START)
    verify_log(quick, M)


@pytest.mark.parametrize(("policy", "bot"), [("skip", None), ("resign", None), ("bot", BOT)])
def test_running_out_of_time_follows_the_tables_policy(quick: Matches, policy: Any, bot: str | None) -> None:
    match = start_match(quick, M, PEOPLE, table=Table(clock=CLOCKED, time_out=policy))
    first = legal_actions(match, 1)[0]

    after = quick.time_out(M, 1, SERVICE, at=START + timedelta(seconds=60), bot=bot)

    late, consequence = facts(quick, M, match.version)[:2]
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
    verify_log(quick, M)


def test_time_runs_out_only_where_a_clock_runs_and_the_service_says_so(quick: Matches) -> None:
    start_match(quick, M, PEOPLE)
    with pytest.raises(TimeOutRefused, match="this table has no clock"):
        quick.time_out(M, 1, SERVICE, at=START, bot=BOT)
    with pytest.raises(NotAllowed, match="'anna'"):
        quick.time_out(M, 1, "anna", at=START, bot=BOT)
    with pytest.raises(UnknownSeat):
        quick.time_out(M, 5, SERVICE, at=START, bot=BOT)


def test_a_seat_that_owes_nothing_and_a_bot_against_the_policy_are_refused(quick: Matches) -> None:
    match = start_match(quick, M, PEOPLE, table=Table(clock=CLOCKED, time_out="skip"))
    with pytest.raises(TimeOutRefused, match="policy 'skip'"):
        quick.time_out(M, 1, SERVICE, at=START, bot=BOT)
    quick.act(M, 1, "bea", legal_actions(match, 1)[0], expected_version=match.version, at=START)
    with pytest.raises(TimeOutRefused, match="seat 1 owes no action"):
        quick.time_out(M, 1, SERVICE, at=START)


def test_a_pause_starts_when_every_person_asks_and_any_player_ends_it(quick: Matches) -> None:
    start_match(quick, M, ("anna", BOT, "carl"))
    asked = quick.ask_pause(M, 0, "anna", at=START)
    assert asked.status == "running"
    with pytest.raises(PauseRefused, match="seat 0 has already asked for a pause"):
        quick.ask_pause(M, 0, "anna", at=START)

    paused = quick.ask_pause(M, 2, "carl", at=START)

    assert paused.status == "paused"
    assert facts(quick, M)[-1] == Paused(SERVICE)
    assert (seats_to_act(paused), legal_actions(paused, 0)) == ((), ())
    with pytest.raises(NotRunning):
        quick.act(M, 0, "anna", Pass(), expected_version=paused.version, at=START)
    with pytest.raises(NotSeated):
        quick.resume(M, "dora", at=START)
    resumed = quick.resume(M, "anna", at=START)
    assert resumed.status == "running"
    with pytest.raises(PauseRefused, match="not paused"):
        quick.resume(M, "anna", at=START)
    verify_log(quick, M)


def test_a_request_for_a_pause_can_be_withdrawn(quick: Matches) -> None:
    start_match(quick, M, ("anna", BOT, "carl"), table=Table(clock=Clock("increment", 600, 0)))
    left = quick.ask_pause(M, 0, "anna", at=START).clocks
    for seat, by, refusal in ((2, "carl", PauseRefused), (0, "carl", NotSeated), (7, "anna", UnknownSeat)):
        with pytest.raises(refusal):
            quick.withdraw_pause(M, seat, by, at=START)

    later = START + timedelta(seconds=30)
    withdrawn = quick.withdraw_pause(M, 0, "anna", at=later)

    assert facts(quick, M)[-1] == Resumed("anna", withdrawn=0)
    assert (withdrawn.status, withdrawn.pause_asked_by) == ("running", ())
    assert withdrawn.clocks == left, "no clock is given back what has run"
    assert quick.ask_pause(M, 2, "carl", at=later).status == "running", "one wish is not enough again"
    verify_log(quick, M)
    assert quick.ask_pause(M, 0, "anna", at=later).status == "paused"
    with pytest.raises(NotRunning):
        quick.withdraw_pause(M, 0, "anna", at=later)
    verify_log(quick, M)
    assert verify(export_log(quick, M, None), titles=ALL_TITLES).is_good, "a spectator's log is examined, too"


@pytest.mark.parametrize("pauses", [0, 1, 2])
def test_the_number_of_agreed_pauses_is_limited_by_the_table(quick: Matches, pauses: int) -> None:
    start_match(quick, M, ("anna", BOT, "carl"), table=Table(pauses=pauses))
    for _ in range(pauses):
        quick.ask_pause(M, 0, "anna", at=START)
        quick.pause(M, SERVICE, at=START)
        quick.resume(M, SERVICE, at=START)
        quick.ask_pause(M, 0, "anna", at=START)
        assert quick.ask_pause(M, 2, "carl", at=START).status == "paused"
        quick.resume(M, "anna", at=START)

    with pytest.raises(PauseRefused, match=f"agree on at most {pauses} pauses"):
        quick.ask_pause(M, 2, "carl", at=START)
    verify_log(quick, M)


def test_one_person_alone_never_pauses_a_rated_match_with_bots(quick: Matches) -> None:
    table = Table(rated=True, pause_seconds=600)
    start_match(quick, M, ("anna", BOT, BOT), table=table)
    with pytest.raises(PauseRefused, match="seat 0 alone cannot pause a rated match"):
        quick.ask_pause(M, 0, "anna", at=START)

    start_match(quick, uuid(2), ("anna", "bea", BOT), table=table)
    quick.ask_pause(uuid(2), 0, "anna", at=START)
    assert quick.resign(uuid(2), 1, "bea", at=START).status == "running", "the one who has asked is alone now"
    verify_log(quick, uuid(2))

    start_match(quick, uuid(3), ("anna", BOT), table=Table(pause_seconds=600))
    assert quick.ask_pause(uuid(3), 0, "anna", at=START).status == "paused"


def test_a_single_seat_can_pause_a_rated_table_of_an_older_log(quick: Matches) -> None:
    start_match(quick, M, ("anna", BOT), table=Table(rated=True))

    assert quick.ask_pause(M, 0, "anna", at=START).status == "paused"
    verify_log(quick, M)


def test_nobody_resigns_where_the_table_does_not_allow_it_and_a_bot_may_play_on(quick: Matches) -> None:
    start_match(quick, M, PEOPLE, table=Table(resigning=False))
    with pytest.raises(ResignRefused, match="players cannot resign at this table; let a bot take over"):
        quick.resign(M, 0, "anna", at=START)

    assert quick.replace_seat(M, 0, "anna", actor=BOT, at=START).seats[0].is_bot
    verify_log(quick, M)


def test_unset_pause_and_resign_options_are_not_encoded() -> None:
    assert set(msgspec.to_builtins(Table())) == {"clock", "timeOut", "takeBacks", "public", "rated"}


def test_the_service_pauses_and_resumes_for_an_arbiter(quick: Matches) -> None:
    start_match(quick, M, PEOPLE)
    with pytest.raises(NotAllowed, match="ask for a pause"):
        quick.pause(M, "anna", at=START)

    assert quick.pause(M, SERVICE, at=START).status == "paused"
    assert quick.resume(M, SERVICE, at=START).status == "running"
    verify_log(quick, M)


def test_a_resignation_during_a_pause_waits_for_its_skips(quick: Matches) -> None:
    start_match(quick, M, PEOPLE)
    quick.pause(M, SERVICE, at=START)
    paused = quick.resign(M, 0, "anna", at=START)
    assert paused.status == "paused"

    assert 0 not in seats_to_act(quick.resume(M, "bea", at=START))
    verify_log(quick, M)


def test_a_match_ends_in_a_pause_when_one_seat_alone_is_left(quick: Matches) -> None:
    start_match(quick, M, ("anna", "bea"))
    quick.pause(M, SERVICE, at=START)
    match = quick.resign(M, 0, "anna", at=START)

    assert match.status == "ended"
    assert match.result is not None
    assert match.result.ranking == (2, 1)
    verify_log(quick, M)


def test_the_house_seat_does_not_resign_pause_or_take_back(quick: Matches) -> None:
    match = start_match(quick, M, PEOPLE)

    command: Callable[[], Match]
    for command in (
        lambda: quick.resign(M, SERVICE_SEAT, SERVICE, at=START),
        lambda: quick.ask_pause(M, SERVICE_SEAT, SERVICE, at=START),
        lambda: quick.take_back(M, SERVICE_SEAT, SERVICE, to_version=match.version, at=START),
    ):
        with pytest.raises(UnknownSeat, match="no seat -1"):
            command()


def test_a_void_match_is_over(quick: Matches) -> None:
    start_match(quick, M, PEOPLE)
    with pytest.raises(NotAllowed):
        quick.void(M, "anna", at=START)
    match = quick.void(M, SERVICE, at=START, reason="a lost deck")

    assert match.is_over
    late: Callable[[], Match]
    for late in (
        lambda: quick.act(M, 0, "anna", Pass(), expected_version=match.version, at=START),
        lambda: quick.void(M, SERVICE, at=START),
        lambda: quick.resume(M, "anna", at=START),
        lambda: quick.replace_seat(M, 0, SERVICE, actor=BOT, at=START),
    ):
        with pytest.raises(MatchOver):
            late()
    verify_log(quick, M)


def test_time_never_falls_within_a_log(quick: Matches) -> None:
    match = start_match(quick, M, PEOPLE)
    early = START.replace(year=2020)
    after = quick.act(M, 0, "anna", legal_actions(match, 0)[0], expected_version=match.version, at=early)

    assert after.timestamp == match.timestamp


def test_a_finished_match_has_a_result_and_refuses_everything(quick: Matches) -> None:
    match = play_out(quick, start_match(quick, M, (BOT, BOT)))

    assert match.result is not None
    assert min(match.result.ranking) == 1
    assert match.result.scores == match.definition.rules.scores(match.state)
    with pytest.raises(MatchOver):
        commands.act(match, SERVICE_SEAT, SERVICE, Pass())
