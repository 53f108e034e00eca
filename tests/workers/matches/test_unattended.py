"""Matches of bots only come after matches of people, and still advance."""

import pytest

from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import seats_to_act
from tests.projections.tables import BOT, at, open_started_match, take_action
from tests.workers.matches.backend import MatchBackend
from workers.matches.duties import UNATTENDED_ACTIONS_MAX
from workers.queues import TURNS, UNATTENDED, UNATTENDED_THOUGHTS, UNATTENDED_WAITING_MAX, URGENT


@pytest.mark.parametrize(
    ("bot", "queue", "actions"),
    [
        ("bot:random@1", UNATTENDED, UNATTENDED_ACTIONS_MAX),
        ("bot:search-quick@5", UNATTENDED_THOUGHTS, 1),
        ("bot:search-strong@6", UNATTENDED_THOUGHTS, 1),
    ],
)
def test_matches_of_bots_have_short_jobs_in_a_later_queue(
    evaluating_backend: MatchBackend, bot: str, queue: str, actions: int
) -> None:
    match = open_started_match(evaluating_backend.matches, 1, (BOT, bot))

    evaluating_backend.issue(0)

    (job_id,) = evaluating_backend.jobs(queue)
    job = evaluating_backend.queue(queue).fetch_job(job_id)
    assert job is not None
    assert list(job.args) == [str(match.id), match.version, actions]


def test_service_steps_of_matches_of_bots_come_after_people(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, (BOT, BOT))
    while seats_to_act(match) != (SERVICE_SEAT,):
        match = take_action(backend.matches, match, seats_to_act(match)[0], 1)

    backend.issue(1)

    assert backend.jobs(URGENT) == []
    assert backend.jobs(UNATTENDED) == [f"service-{match.id}-{match.version}-1"]


def test_many_matches_of_bots_fill_only_their_queue(backend: MatchBackend) -> None:
    for number in range(1, 3 * UNATTENDED_WAITING_MAX):
        open_started_match(backend.matches, number, (BOT, BOT), by=f"person-{number}")
    backend.issue(0)
    first = backend.jobs(UNATTENDED)
    match = open_started_match(backend.matches, 1_000, ("anna", BOT))

    backend.issue(1)

    assert len(first) == UNATTENDED_WAITING_MAX
    assert backend.jobs(UNATTENDED) == first
    assert backend.jobs(TURNS) == [f"bot-{match.id}-{match.version}-1"]


def test_every_match_of_bots_has_its_turn(backend: MatchBackend) -> None:
    """The match that has waited longest is next."""
    count = 2 * UNATTENDED_WAITING_MAX
    matches = [
        open_started_match(backend.matches, number, (BOT, BOT), by=f"person-{number}") for number in range(1, count + 1)
    ]

    backend.issue(0)
    first = backend.jobs(UNATTENDED)
    backend.lose_jobs()
    backend.issue(1)

    assert {job.removeprefix("bot-")[:36] for job in first + backend.jobs(UNATTENDED)} == {
        str(each.id) for each in matches
    }


def test_thinking_bots_do_not_delay_quick_bots(evaluating_backend: MatchBackend) -> None:
    for number in range(1, 2 * UNATTENDED_WAITING_MAX):
        open_started_match(evaluating_backend.matches, number, (BOT, "bot:search-strong@6"), by=f"person-{number}")
    evaluating_backend.issue(0)
    match = open_started_match(evaluating_backend.matches, 1_000, (BOT, BOT))

    evaluating_backend.issue(1)

    assert evaluating_backend.jobs(UNATTENDED) == [f"bot-{match.id}-{match.version}-1"]


def test_a_match_whose_last_person_resigns_waits_behind_people(backend: MatchBackend) -> None:
    match = open_started_match(backend.matches, 1, ("anna", BOT, BOT))

    match = backend.matches.resign(match.id, 0, "anna", at=at(1))
    backend.issue(1)

    assert backend.jobs(TURNS) == []
    assert backend.jobs(UNATTENDED) != []
