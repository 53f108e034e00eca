"""Duties of matches: one job per duty, issued again when lost."""

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from domain.eventstore.forks import fork_match
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from projections.platform.store import ReadStore
from tests.projections.tables import BOT, at, match_id, open_started_match, take_action
from tests.workers.matches.backend import MatchBackend
from workers.matches.duties import (
    ACTIONS_MAX,
    LEASE,
    PATIENT_ATTEMPTS,
    SHOW_PACE,
    UNATTENDED_ACTIONS_MAX,
    MatchDuties,
)
from workers.queues import (
    JOB_SECONDS_MAX,
    THOUGHTS,
    TURNS,
    UNATTENDED,
    URGENT,
    Queues,
    impatient_connection,
)

SECOND = timedelta(seconds=1)


def until_pearls(house: MatchBackend, match: Match) -> Match:
    """Let everyone choose a card, so that the winner of the round is to act."""
    for seat in seats_to_act(match):
        match = take_action(house.matches, match, seat, 1)
    return match


def test_a_bot_to_act_gets_one_job(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT))

    house.issue(0)
    house.issue(1)

    (job_id,) = house.jobs()
    job = house.queue(TURNS).fetch_job(job_id)
    assert job_id == f"bot-{match.id}-{match.version}-1"
    assert job is not None
    assert (job.func_name, list(job.args)) == ("bot_turn", [str(match.id), match.version, ACTIONS_MAX])


@pytest.mark.parametrize(
    ("bot", "queue", "actions", "seconds"),
    [
        ("bot:random@1", TURNS, ACTIONS_MAX, JOB_SECONDS_MAX),
        ("bot:search-quick@5", TURNS, 1, JOB_SECONDS_MAX + 1),
        ("bot:search-steady@6", THOUGHTS, 1, JOB_SECONDS_MAX + 1),
        ("bot:search-strong@6", THOUGHTS, 1, JOB_SECONDS_MAX + 5),
    ],
)
def test_timeouts_and_leases_follow_the_slowest_bot(
    judging: MatchBackend, bot: str, queue: str, actions: int, seconds: int
) -> None:
    house = judging
    match = open_started_match(house.matches, 1, ("anna", bot))
    house.issue(0)
    (job_id,) = house.jobs(queue)
    job = house.queue(queue).fetch_job(job_id)
    house.connection.delete(house.queue(queue).key)

    lease = LEASE.total_seconds() + seconds - JOB_SECONDS_MAX
    house.issue(lease - 0.1)
    before = house.jobs(queue)
    house.issue(lease)

    assert job is not None
    assert (list(job.args), job.timeout) == ([str(match.id), match.version, actions], seconds)
    assert (before, len(house.jobs(queue))) == ([], 1)
    assert lease > seconds


def test_a_queued_job_does_not_count_again_after_its_lease(house: MatchBackend) -> None:
    open_started_match(house.matches, 1, ("anna", BOT))

    assert [house.issue(seconds) for seconds in (0, 1, LEASE.total_seconds())] == [1, 0, 0]
    assert len(house.jobs()) == 1


def test_players_get_no_jobs(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT))
    take_action(house.matches, match, 1, 1)

    house.issue(1)

    assert house.jobs() == []


def test_a_step_of_the_service_gets_a_job(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT))
    while seats_to_act(match) != (SERVICE_SEAT,):
        match = take_action(house.matches, match, seats_to_act(match)[0], 1)

    house.issue(1)

    assert house.jobs() == []
    assert house.jobs(URGENT) == [f"service-{match.id}-{match.version}-1"]


def test_a_finished_match_has_no_duty(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, (BOT, BOT))
    while not match.is_over:
        match = take_action(house.matches, match, seats_to_act(match)[0], 1)

    house.issue(1)

    assert house.jobs() == house.jobs(URGENT) == []


def test_a_lost_job_is_issued_again_when_its_lease_ends_and_not_before(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT))
    house.issue(0)
    house.lose_jobs()

    house.issue(LEASE.total_seconds() - 0.1)
    before = house.jobs()
    house.issue(LEASE.total_seconds())

    assert before == []
    assert house.jobs() == [f"bot-{match.id}-{match.version}-2"]


def test_a_clock_set_back_does_not_delay_bots(house: MatchBackend) -> None:
    """Neither due times nor leases in the future after the clock was set back delay a bot."""
    match = open_started_match(house.matches, 1, ("anna", BOT))

    house.issue(-3_600)
    first = house.jobs()
    house.lose_jobs()
    house.issue(3_600)
    second = house.jobs()
    house.lose_jobs()
    house.issue(60)

    assert first == [f"bot-{match.id}-{match.version}-1"]
    assert second == [f"bot-{match.id}-{match.version}-2"]
    assert house.jobs() == [f"bot-{match.id}-{match.version}-3"]


def test_a_failing_duty_is_retried_with_backoff(house: MatchBackend) -> None:
    open_started_match(house.matches, 1, ("anna", BOT))
    issued = []
    for seconds in range(0, 600, 3):
        house.issue(seconds)
        if house.jobs():
            issued.append(seconds)
        house.lose_jobs()

    pauses = [later - earlier for earlier, later in pairwise(issued)]
    assert pauses[: PATIENT_ATTEMPTS + 3] == [3] * PATIENT_ATTEMPTS + [6, 12, 24]
    assert set(pauses[PATIENT_ATTEMPTS + 4 :]) == {60}


def test_a_job_still_in_its_queue_is_not_issued_again(house: MatchBackend) -> None:
    open_started_match(house.matches, 1, ("anna", BOT))
    house.issue(0)
    first = house.jobs()

    for seconds in (3, 6, 9):
        house.issue(seconds)

    assert house.jobs() == first


def test_the_lease_of_a_running_job_covers_the_next_actions(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, (BOT, BOT))
    house.issue(0)
    house.lose_jobs()

    for _ in range(UNATTENDED_ACTIONS_MAX - 1):
        match = take_action(house.matches, match, seats_to_act(match)[0], 1)
        house.issue(1)

    assert house.jobs(UNATTENDED) == []
    house.issue(3)
    assert house.jobs(UNATTENDED) == [f"bot-{match.id}-{match.version}-1"]


def test_the_next_job_is_issued_at_once_after_the_last_action_of_a_job(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, (BOT, BOT, BOT, BOT), Table())
    house.issue(0)
    house.lose_jobs()
    first = match.version

    while match.version < first + UNATTENDED_ACTIONS_MAX - 1:
        match = take_action(house.matches, match, seats_to_act(match)[0], 1)
    house.issue(1)
    before = house.jobs(UNATTENDED)
    match = take_action(house.matches, match, seats_to_act(match)[0], 1)
    house.issue(1)

    assert before == []
    assert house.jobs(UNATTENDED) != []


def test_a_players_action_between_bots_creates_a_new_duty(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT, BOT))
    house.issue(0)
    house.lose_jobs()

    match = take_action(house.matches, match, 0, 1)
    house.issue(1)

    assert house.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_a_paused_match_has_no_duty_until_it_resumes(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT))
    house.matches.pause(match.id, SERVICE, at=at(1))
    house.issue(1)
    paused = house.jobs()

    match = house.matches.resume(match.id, "anna", at=at(2))
    house.issue(2)

    assert paused == []
    assert house.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_a_fork_has_the_duty_its_finished_parent_lost(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, (BOT, BOT))
    while not match.is_over:
        match = take_action(house.matches, match, seats_to_act(match)[0], 1)

    fork = fork_match(
        house.matches,
        match.id,
        at_version=match.version - 4,
        new_id=match_id(2),
        luck="same",
        by="anna",
        at=at(2),
        seats=(BOT, BOT),
    )
    house.issue(2)

    assert house.jobs(UNATTENDED) == [f"bot-{fork.id}-{fork.version}-1"]


def test_bots_in_demonstrations_play_at_a_slow_pace(house: MatchBackend) -> None:
    match = house.matches.open(match_id(1), title="toy", seats=2, by=SERVICE, at=at(0))
    for seat in range(2):
        match = house.matches.take_seat(match.id, seat, BOT, at=at(0))

    house.issue(0)
    before = house.jobs()
    house.issue(SHOW_PACE.total_seconds())
    first = house.jobs()
    house.lose_jobs()
    match = take_action(house.matches, match, 0, 1)
    house.issue(1 + SHOW_PACE.total_seconds())

    assert before == []
    assert first == [f"bot-{match.id}-{match.version - 1}-1"]
    assert house.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_without_queues_the_duty_is_kept_until_they_are_back(
    house: MatchBackend, tmp_path: Path, dead_redis_url: str
) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT))
    store = ReadStore(tmp_path / "reads.db")
    cut_off = MatchDuties(store, Queues(impatient_connection(dead_redis_url)))
    house.loop.catch_up()

    with pytest.raises(RedisError):
        cut_off.issue(at(0))
    house.issue(0)

    assert house.jobs() == [f"bot-{match.id}-{match.version}-1"]
    store.close()


def test_an_expired_clock_is_reported_once_per_lease(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 60), time_out="skip"))
    take_action(house.matches, match, 0, 10)

    house.issue(59)
    before = house.jobs(URGENT)
    house.issue(60)
    house.issue(61)

    assert before == []
    assert house.jobs(URGENT) == [f"expire-{match.id}-{match.version + 1}-1-1"]


def test_an_action_in_time_cancels_the_report_of_a_clock(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 60), time_out="skip"))
    house.issue(60)
    told = house.jobs(URGENT)
    house.lose_jobs()

    match = take_action(house.matches, match, 0, 61)
    house.issue(64)

    assert len(told) == 2
    assert house.jobs(URGENT) == [f"expire-{match.id}-{match.version}-1-1"]


def test_the_end_of_the_time_to_get_ready_is_reported(house: MatchBackend) -> None:
    table = Table(clock=Clock("per_move", 60))
    match = house.matches.open(match_id(1), title="toy", seats=2, by="anna", at=at(0), table=table)
    for seat, player in enumerate(("anna", "bela")):
        match = house.matches.take_seat(match.id, seat, player, at=at(0))

    house.issue(119)
    before = house.jobs(URGENT)
    house.issue(120)
    house.issue(121)

    assert before == []
    assert house.jobs(URGENT) == [f"deadline-{match.id}-{match.version}-1"]


def test_a_match_with_ready_players_has_no_duty(house: MatchBackend) -> None:
    open_started_match(house.matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 600)))

    house.issue(121)

    assert house.jobs(URGENT) == []


def test_the_end_of_a_pause_is_reported(house: MatchBackend) -> None:
    table = Table(clock=Clock("per_move", 60), pause_seconds=600)
    match = open_started_match(house.matches, 1, ("anna", "bela"), table)
    for seat, player in enumerate(("anna", "bela")):
        match = house.matches.ask_pause(match.id, seat, player, at=at(1))

    house.issue(600)
    before = house.jobs(URGENT)
    house.issue(601)

    assert match.status == "paused"
    assert before == []
    assert house.jobs(URGENT) == [f"deadline-{match.id}-{match.version}-1"]
