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
    judging: MatchBackend, bot: str, queue: str, actions: int
) -> None:
    match = open_started_match(judging.matches, 1, (BOT, bot))

    judging.issue(0)

    (job_id,) = judging.jobs(queue)
    job = judging.queue(queue).fetch_job(job_id)
    assert job is not None
    assert list(job.args) == [str(match.id), match.version, actions]


def test_service_steps_of_matches_of_bots_come_after_people(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, (BOT, BOT))
    while seats_to_act(match) != (SERVICE_SEAT,):
        match = take_action(house.matches, match, seats_to_act(match)[0], 1)

    house.issue(1)

    assert house.jobs(URGENT) == []
    assert house.jobs(UNATTENDED) == [f"service-{match.id}-{match.version}-1"]


def test_many_matches_of_bots_fill_only_their_queue(house: MatchBackend) -> None:
    for number in range(1, 3 * UNATTENDED_WAITING_MAX):
        open_started_match(house.matches, number, (BOT, BOT), by=f"person-{number}")
    house.issue(0)
    first = house.jobs(UNATTENDED)
    match = open_started_match(house.matches, 1_000, ("anna", BOT))

    house.issue(1)

    assert len(first) == UNATTENDED_WAITING_MAX
    assert house.jobs(UNATTENDED) == first
    assert house.jobs(TURNS) == [f"bot-{match.id}-{match.version}-1"]


def test_every_match_of_bots_has_its_turn(house: MatchBackend) -> None:
    """The match that has waited longest is next."""
    count = 2 * UNATTENDED_WAITING_MAX
    matches = [
        open_started_match(house.matches, number, (BOT, BOT), by=f"person-{number}") for number in range(1, count + 1)
    ]

    house.issue(0)
    first = house.jobs(UNATTENDED)
    house.lose_jobs()
    house.issue(1)

    assert {job.removeprefix("bot-")[:36] for job in first + house.jobs(UNATTENDED)} == {
        str(each.id) for each in matches
    }


def test_thinking_bots_do_not_delay_quick_bots(judging: MatchBackend) -> None:
    for number in range(1, 2 * UNATTENDED_WAITING_MAX):
        open_started_match(judging.matches, number, (BOT, "bot:search-strong@6"), by=f"person-{number}")
    judging.issue(0)
    match = open_started_match(judging.matches, 1_000, (BOT, BOT))

    judging.issue(1)

    assert judging.jobs(UNATTENDED) == [f"bot-{match.id}-{match.version}-1"]


def test_a_match_whose_last_person_resigns_waits_behind_people(house: MatchBackend) -> None:
    match = open_started_match(house.matches, 1, ("anna", BOT, BOT))

    match = house.matches.resign(match.id, 0, "anna", at=at(1))
    house.issue(1)

    assert house.jobs(TURNS) == []
    assert house.jobs(UNATTENDED) != []
