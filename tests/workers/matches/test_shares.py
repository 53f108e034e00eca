"""Fair shares: each account has a few jobs at a time, so that one with many matches does not occupy all workers."""

from collections import Counter

import pytest

from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from tests.projections.tables import BOT, at, match_id, open_started_match, play_match, take_action
from tests.workers.matches.backend import MatchBackend
from workers.matches.duties import ISSUED_MAX, LEASE, PATIENT_ATTEMPTS
from workers.queues import AT_ONCE, THOUGHTS, TURNS, UNATTENDED, URGENT

MANY = 10
LIVE = Table(clock=Clock("per_move", 60))
STEADY = "bot:search-steady@6"


def owners(backend: MatchBackend, queue: str, players: dict[str, str]) -> Counter[str]:
    """Return the number of jobs in a queue by the person whose match they are for."""
    return Counter(players[job.removeprefix("bot-")[:36]] for job in backend.jobs(queue))


def open_tables(backend: MatchBackend, player: str, count: int, first: int = 1, bot: str = BOT) -> dict[str, str]:
    """Open matches of a person against a bot to act; return the person by match."""
    matches = (open_started_match(backend.matches, number, (player, bot)) for number in range(first, first + count))
    return {str(match.id): player for match in matches}


def test_the_matches_of_one_person_have_few_jobs_at_a_time(backend: MatchBackend) -> None:
    players = open_tables(backend, "anna", MANY) | open_tables(backend, "bea", MANY, 100)

    backend.issue(0)

    assert owners(backend, TURNS, players) == {"anna": AT_ONCE[TURNS], "bea": AT_ONCE[TURNS]}


def test_thinking_bots_have_a_separate_share(evaluating_backend: MatchBackend) -> None:
    players = open_tables(evaluating_backend, "anna", MANY, bot=STEADY) | open_tables(
        evaluating_backend, "anna", 1, 100
    )

    evaluating_backend.issue(0)

    assert owners(evaluating_backend, THOUGHTS, players) == {"anna": AT_ONCE[THOUGHTS]}
    assert owners(evaluating_backend, TURNS, players) == {"anna": 1}


def test_the_next_match_has_its_job_when_one_is_done(backend: MatchBackend) -> None:
    """The match that has waited longest is next."""
    matches = [open_started_match(backend.matches, number, ("anna", BOT)) for number in range(1, MANY + 1)]
    backend.issue(0)
    first = backend.jobs()
    backend.lose_jobs()

    take_action(backend.matches, matches[0], 1, 1)
    backend.issue(1)

    assert first == [f"bot-{match.id}-{match.version}-1" for match in matches[: AT_ONCE[TURNS]]]
    next_match = matches[AT_ONCE[TURNS]]
    assert backend.jobs() == [f"bot-{next_match.id}-{next_match.version}-1"]


def test_jobs_that_wait_longer_than_their_lease_still_count(backend: MatchBackend) -> None:
    open_tables(backend, "anna", MANY)

    issued = [backend.issue(seconds) for seconds in (0, 3, 6, 9)]

    assert issued == [AT_ONCE[TURNS], 0, 0, 0]


def test_a_failing_match_does_not_delay_other_matches_of_its_player(backend: MatchBackend) -> None:
    """Its lease grows with each failure, its share does not."""
    failing = open_tables(backend, "anna", AT_ONCE[TURNS])
    for seconds in range(0, 3 * (PATIENT_ATTEMPTS + 8), 3):
        backend.issue(seconds)
        backend.lose_jobs()
    start = 3 * (PATIENT_ATTEMPTS + 8) + 60
    backend.issue(start)
    backend.lose_jobs()
    players = failing | open_tables(backend, "anna", 1, 100)

    backend.issue(start + LEASE.total_seconds())

    assert [job.removeprefix("bot-")[:36] for job in backend.jobs()] == [
        match for match in players if match not in failing
    ]


def test_due_matches_of_one_person_do_not_hide_those_of_others(backend: MatchBackend) -> None:
    """Even if there are more of them than one pass issues."""
    open_tables(backend, "anna", ISSUED_MAX + 1)
    players = open_tables(backend, "bea", 1, ISSUED_MAX + 2)

    backend.issue(0)

    assert set(players) <= {job.removeprefix("bot-")[:36] for job in backend.jobs()}


def test_tables_left_to_bots_count_for_their_opener(backend: MatchBackend) -> None:
    for number in range(1, MANY + 1):
        match = open_started_match(backend.matches, number, ("anna", BOT, BOT))
        backend.matches.resign(match.id, 0, "anna", at=at(1))
    open_started_match(backend.matches, 100, (BOT, BOT))

    backend.issue(1)

    assert len(backend.jobs(UNATTENDED)) == AT_ONCE[UNATTENDED] + 1


def test_steps_of_the_service_count_too(backend: MatchBackend) -> None:
    for number in range(1, MANY + 1):
        match = open_started_match(backend.matches, number, ("anna", BOT))
        while seats_to_act(match) != (SERVICE_SEAT,):
            match = take_action(backend.matches, match, seats_to_act(match)[0], 1)

    backend.issue(1)

    assert len(backend.jobs(URGENT)) == AT_ONCE[URGENT]


def test_expired_waits_are_not_limited(backend: MatchBackend) -> None:
    for number in range(1, MANY + 1):
        match = backend.matches.open(match_id(number), title="toy", seats=2, by="anna", at=at(0), table=LIVE)
        for seat, player in enumerate(("anna", "bea")):
            match = backend.matches.take_seat(match.id, seat, player, at=at(0))

    backend.issue(3_600)

    assert len(backend.jobs(URGENT)) == MANY


@pytest.mark.parametrize("opener", ["anna", SERVICE])
def test_a_table_counts_for_the_player_who_waits_there(backend: MatchBackend, opener: str) -> None:
    """An organiser opens many tables, at each of which another person waits."""
    for number in range(1, MANY + 1):
        match = backend.matches.open(match_id(number), title="toy", seats=2, by=opener, at=at(0))
        person = f"person-{number}"
        match = backend.matches.take_seat(match.id, 0, person, at=at(0))
        match = backend.matches.take_seat(match.id, 1, BOT, at=at(0))
        backend.matches.ready(match.id, 0, person, at=at(0))

    backend.issue(0)

    assert len(backend.jobs()) == MANY


def test_a_finished_match_frees_its_share(backend: MatchBackend) -> None:
    for number in range(1, MANY + 1):
        play_match(backend.matches, open_started_match(backend.matches, number, ("anna", BOT)))
    open_tables(backend, "anna", AT_ONCE[TURNS], 100)

    assert backend.issue(1_000) == AT_ONCE[TURNS]
