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


def until_pearls(backend: MatchBackend, match: Match) -> Match:
    """Let everyone choose a card, so that the winner of the round is to act."""
    for seat in seats_to_act(match):
        match = take_action(backend.matches, match, seat, 1)
    return match


def test_a_bot_to_act_gets_one_job(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT))

    backend.issue(0)
    backend.issue(1)

    (job_id,) = backend.jobs()
    job = backend.queue(TURNS).fetch_job(job_id)
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
    evaluating_backend: MatchBackend, bot: str, queue: str, actions: int, seconds: int
) -> None:
    backend = evaluating_backend
    match = open_started_match(backend.matches, 1, ("anna", bot))
    backend.issue(0)
    (job_id,) = backend.jobs(queue)
    job = backend.queue(queue).fetch_job(job_id)
    backend.connection.delete(backend.queue(queue).key)

    lease = LEASE.total_seconds() + seconds - JOB_SECONDS_MAX
    backend.issue(lease - 0.1)
    before = backend.jobs(queue)
    backend.issue(lease)

    assert job is not None
    assert (list(job.args), job.timeout) == ([str(match.id), match.version, actions], seconds)
    assert (before, len(backend.jobs(queue))) == ([], 1)
    assert lease > seconds


def test_a_queued_job_does_not_count_again_after_its_lease(backend: MatchBackend) -> None:
    open_started_match(backend.matches, 1, ("anna", BOT))

    assert [backend.issue(seconds) for seconds in (0, 1, LEASE.total_seconds())] == [1, 0, 0]
    assert len(backend.jobs()) == 1


def test_players_get_no_jobs(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT))
    take_action(backend.matches, match, 1, 1)

    backend.issue(1)

    assert backend.jobs() == []


def test_a_step_of_the_service_gets_a_job(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT))
    while seats_to_act(match) != (SERVICE_SEAT,):
        match = take_action(backend.matches, match, seats_to_act(match)[0], 1)

    backend.issue(1)

    assert backend.jobs() == []
    assert backend.jobs(URGENT) == [f"service-{match.id}-{match.version}-1"]


def test_a_finished_match_has_no_duty(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, (BOT, BOT))
    while not match.is_over:
        match = take_action(backend.matches, match, seats_to_act(match)[0], 1)

    backend.issue(1)

    assert backend.jobs() == backend.jobs(URGENT) == []


def test_a_lost_job_is_issued_again_when_its_lease_ends_and_not_before(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT))
    backend.issue(0)
    backend.lose_jobs()

    backend.issue(LEASE.total_seconds() - 0.1)
    before = backend.jobs()
    backend.issue(LEASE.total_seconds())

    assert before == []
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-2"]


def test_a_clock_set_back_does_not_delay_bots(backend: MatchBackend) -> None:
    """Neither due times nor leases in the future after the clock was set back delay a bot."""
    match = open_started_match(backend.matches, 1, ("anna", BOT))

    backend.issue(-3_600)
    first = backend.jobs()
    backend.lose_jobs()
    backend.issue(3_600)
    second = backend.jobs()
    backend.lose_jobs()
    backend.issue(60)

    assert first == [f"bot-{match.id}-{match.version}-1"]
    assert second == [f"bot-{match.id}-{match.version}-2"]
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-3"]


def test_a_failing_duty_is_retried_with_backoff(backend: MatchBackend) -> None:
    open_started_match(backend.matches, 1, ("anna", BOT))
    issued = []
    for seconds in range(0, 600, 3):
        backend.issue(seconds)
        if backend.jobs():
            issued.append(seconds)
        backend.lose_jobs()

    pauses = [later - earlier for earlier, later in pairwise(issued)]
    assert pauses[: PATIENT_ATTEMPTS + 3] == [3] * PATIENT_ATTEMPTS + [6, 12, 24]
    assert set(pauses[PATIENT_ATTEMPTS + 4 :]) == {60}


def test_a_job_still_in_its_queue_is_not_issued_again(backend: MatchBackend) -> None:
    open_started_match(backend.matches, 1, ("anna", BOT))
    backend.issue(0)
    first = backend.jobs()

    for seconds in (3, 6, 9):
        backend.issue(seconds)

    assert backend.jobs() == first


def test_the_lease_of_a_running_job_covers_the_next_actions(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, (BOT, BOT))
    backend.issue(0)
    backend.lose_jobs()

    for _ in range(UNATTENDED_ACTIONS_MAX - 1):
        match = take_action(backend.matches, match, seats_to_act(match)[0], 1)
        backend.issue(1)

    assert backend.jobs(UNATTENDED) == []
    backend.issue(3)
    assert backend.jobs(UNATTENDED) == [f"bot-{match.id}-{match.version}-1"]


def test_the_next_job_is_issued_at_once_after_the_last_action_of_a_job(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, (BOT, BOT, BOT, BOT), Table())
    backend.issue(0)
    backend.lose_jobs()
    first = match.version

    while match.version < first + UNATTENDED_ACTIONS_MAX - 1:
        match = take_action(backend.matches, match, seats_to_act(match)[0], 1)
    backend.issue(1)
    before = backend.jobs(UNATTENDED)
    match = take_action(backend.matches, match, seats_to_act(match)[0], 1)
    backend.issue(1)

    assert before == []
    assert backend.jobs(UNATTENDED) != []


def test_a_players_action_between_bots_creates_a_new_duty(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT, BOT))
    backend.issue(0)
    backend.lose_jobs()

    match = take_action(backend.matches, match, 0, 1)
    backend.issue(1)

    assert backend.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_a_paused_match_has_no_duty_until_it_resumes(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT))
    backend.matches.pause(match.id, SERVICE, at=at(1))
    backend.issue(1)
    paused = backend.jobs()

    match = backend.matches.resume(match.id, "anna", at=at(2))
    backend.issue(2)

    assert paused == []
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_a_fork_has_the_duty_its_finished_parent_lost(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, (BOT, BOT))
    while not match.is_over:
        match = take_action(backend.matches, match, seats_to_act(match)[0], 1)

    fork = fork_match(
        backend.matches,
        match.id,
        at_version=match.version - 4,
        new_id=match_id(2),
        luck="same",
        by="anna",
        at=at(2),
        seats=(BOT, BOT),
    )
    backend.issue(2)

    assert backend.jobs(UNATTENDED) == [f"bot-{fork.id}-{fork.version}-1"]


def test_bots_in_demonstrations_play_at_a_slow_pace(backend: MatchBackend) -> None:
    match = backend.matches.open(match_id(1), title="toy", seats=2, by=SERVICE, at=at(0))
    for seat in range(2):
        match = backend.matches.take_seat(match.id, seat, BOT, at=at(0))

    backend.issue(0)
    before = backend.jobs()
    backend.issue(SHOW_PACE.total_seconds())
    first = backend.jobs()
    backend.lose_jobs()
    match = take_action(backend.matches, match, 0, 1)
    backend.issue(1 + SHOW_PACE.total_seconds())

    assert before == []
    assert first == [f"bot-{match.id}-{match.version - 1}-1"]
    assert backend.jobs() == [f"bot-{match.id}-{match.version}-1"]


def test_without_queues_the_duty_is_kept_until_they_are_back(
    backend: MatchBackend, tmp_path: Path, dead_redis_url: str
) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT))
    store = ReadStore(tmp_path / "reads.db")
    duties = MatchDuties(store, Queues(impatient_connection(dead_redis_url)))
    backend.loop.catch_up()

    with pytest.raises(RedisError):
        duties.issue(at(0))
    backend.issue(0)

    assert backend.jobs() == [f"bot-{match.id}-{match.version}-1"]
    store.close()


def test_an_expired_clock_is_reported_once_per_lease(backend: MatchBackend) -> None:
    match = open_started_match(
        backend.matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 60), time_out="skip")
    )
    take_action(backend.matches, match, 0, 10)

    backend.issue(59)
    before = backend.jobs(URGENT)
    backend.issue(60)
    backend.issue(61)

    assert before == []
    assert backend.jobs(URGENT) == [f"expire-{match.id}-{match.version + 1}-1-1"]


def test_an_action_in_time_cancels_the_report_of_a_clock(backend: MatchBackend) -> None:
    match = open_started_match(
        backend.matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 60), time_out="skip")
    )
    backend.issue(60)
    reports = backend.jobs(URGENT)
    backend.lose_jobs()

    match = take_action(backend.matches, match, 0, 61)
    backend.issue(64)

    assert len(reports) == 2
    assert backend.jobs(URGENT) == [f"expire-{match.id}-{match.version}-1-1"]


def test_the_end_of_the_time_to_get_ready_is_reported(backend: MatchBackend) -> None:
    table = Table(clock=Clock("per_move", 60))
    match = backend.matches.open(match_id(1), title="toy", seats=2, by="anna", at=at(0), table=table)
    for seat, player in enumerate(("anna", "bela")):
        match = backend.matches.take_seat(match.id, seat, player, at=at(0))

    backend.issue(119)
    before = backend.jobs(URGENT)
    backend.issue(120)
    backend.issue(121)

    assert before == []
    assert backend.jobs(URGENT) == [f"deadline-{match.id}-{match.version}-1"]


def test_a_match_with_ready_players_has_no_duty(backend: MatchBackend) -> None:
    open_started_match(backend.matches, 1, ("anna", "bela"), Table(clock=Clock("per_move", 600)))

    backend.issue(121)

    assert backend.jobs(URGENT) == []


def test_the_end_of_a_pause_is_reported(backend: MatchBackend) -> None:
    table = Table(clock=Clock("per_move", 60), pause_seconds=600)
    match = open_started_match(backend.matches, 1, ("anna", "bela"), table)
    for seat, player in enumerate(("anna", "bela")):
        match = backend.matches.ask_pause(match.id, seat, player, at=at(1))

    backend.issue(600)
    before = backend.jobs(URGENT)
    backend.issue(601)

    assert match.status == "paused"
    assert before == []
    assert backend.jobs(URGENT) == [f"deadline-{match.id}-{match.version}-1"]
