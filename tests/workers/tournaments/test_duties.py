"""Duties of tournaments: each step issued once, and again when lost."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.aggregate import Match
from domain.matches.rulings.measures import PointsTaken
from domain.pairing.methods import pair_round
from domain.standings.contest import Stage
from domain.tournaments import commands, facts, registration, rounds
from domain.tournaments.plan import Plan
from domain.tournaments.steps import take_step
from projections.loop import FollowerLoop
from projections.matches import outcomes
from projections.matches.results import table_results
from projections.platform.store import ReadStore
from tests.domain.matches.match_helpers import apply_ruling, build_ruling, resume_match
from tests.projections.tables import BOT, at, match_id, matches_in, play_match
from workers.event_duties import LEASE, LEASE_LONGEST, PAIR_LEASE, OrganisingDuties, lease
from workers.queues import TOURNAMENT_SECONDS_MAX, TOURNAMENTS, Queues, impatient_connection, patient_connection

EVENT = match_id(7)
BY = "olga"


class TournamentBackend:
    """A log with its followers and queue."""

    def __init__(self, matches: Matches, store: ReadStore, url: str) -> None:
        self.matches = matches
        self.store = store
        self.connection = Redis.from_url(url)
        self.queues = Queues(patient_connection(url))
        self.duties = OrganisingDuties(store, self.queues)
        self.loop = FollowerLoop(matches, store, (outcomes, self.duties))

    @property
    def event(self) -> commands.TournamentStream:
        return commands.get_tournament(self.matches, EVENT)

    @property
    def queue(self) -> Queue:
        return Queue(TOURNAMENTS, connection=self.connection, serializer=JSONSerializer)

    def take_issued(self, seconds: float = 0) -> list[str]:
        """Return the jobs issued at that time without the event's name, and drop them as a killed worker would."""
        self.loop.catch_up()
        self.duties.issue(at(seconds))
        jobs = self.queue.job_ids
        self.connection.delete(self.queue.key)
        return [job.removeprefix(f"event-{EVENT}-") for job in jobs]

    def opens(self, bots: int = 2, **plan: Any) -> None:
        """Open an event with this number of bots, automatic by default."""
        options: dict[str, Any] = {"auto": True, "stages": (Stage("swiss", 1),), "size": 2} | plan
        commands.open_tournament(self.matches, EVENT, Plan(name="Cup", title="toy", **options), BY, at=at(0))
        for _ in range(bots):
            self.change(lambda state: registration.enter(state, BY, actor=BOT))

    def change(self, decide: commands.Decide) -> None:
        commands.change(self.matches, EVENT, decide, at=at(0))

    def ask(self) -> None:
        """Request the pairing of the next round as the organiser."""
        self.loop.catch_up()
        results = table_results(self.store, EVENT)
        self.change(lambda state: rounds.ask_pairing(state, results, BY))

    def pair(self) -> None:
        last = self.event.state.round
        assert last is not None
        pairing, reasons = pair_round(last.problem, last.way)
        self.change(lambda state: rounds.answer_pairing(state, last.number, pairing, reasons))

    def take(self, step: str) -> None:
        """Take the step as the service does for a job."""
        self.loop.catch_up()
        results = table_results(self.store, EVENT)
        self.change(lambda state: take_step(state, results, step))

    def open_tables(self) -> list[Match]:
        """Return the matches of the latest round."""
        last = self.event.state.round
        assert last is not None
        numbers = range(1, len(last.tables) + 1)
        opened = [commands.open_table(self.matches, EVENT, last.number, number, at=at(0)) for number in numbers]
        return [match for match in opened if match is not None]

    def until_open(self, bots: int = 2, **plan: Any) -> list[Match]:
        """Open an event and start its first round; return the matches."""
        self.opens(bots, **plan)
        self.ask()
        self.pair()
        self.change(lambda state: rounds.publish(state, 1, {}, BY))
        opened = self.open_tables()
        self.take("open")
        return opened


@pytest.fixture
def backend(tmp_path: Path, redis_url: str) -> Iterator[TournamentBackend]:
    store = ReadStore(tmp_path / "reads.db")
    with matches_in(tmp_path / "log.db") as matches:
        backend = TournamentBackend(matches, store, redis_url)
        yield backend
        backend.connection.close()
    store.close()


def test_an_automatic_event_is_led_step_by_step_to_its_end(backend: TournamentBackend) -> None:
    backend.opens(stages=(Stage("swiss", 2),))
    before = backend.take_issued()
    backend.ask()
    steps = [backend.take_issued()]
    for number in (1, 2):
        backend.pair()
        steps.append(backend.take_issued())
        backend.take("publish")
        steps.append(backend.take_issued())
        (match,) = backend.open_tables()
        backend.take("open")
        steps.append(backend.take_issued())
        play_match(backend.matches, match)
        steps.append(backend.take_issued())
        backend.take("close")
        steps.append(backend.take_issued())
        if number == 1:
            backend.take("ask")
            steps.append(backend.take_issued())

    taken = [[job.rpartition("-")[0].rpartition("-")[0] for job in jobs] for jobs in steps]
    first_round = [["pair"], ["publish"], ["open"], [], ["close"], ["ask"]]
    assert before == []
    assert taken == [*first_round, ["pair"], ["publish"], ["open"], [], ["close"], []]
    assert backend.event.state.status == "ended"


def test_a_job_names_event_and_step_with_a_timeout_for_pairing(backend: TournamentBackend) -> None:
    backend.opens()
    backend.ask()
    backend.loop.catch_up()
    backend.duties.issue(at(0))

    (job_id,) = backend.queue.job_ids
    job = backend.queue.fetch_job(job_id)

    assert job_id == f"event-{EVENT}-pair-{backend.event.version}-1"
    assert job is not None
    assert (job.func_name, list(job.args), job.timeout) == (
        "event_step",
        [str(EVENT), "pair", 4],
        TOURNAMENT_SECONDS_MAX,
    )
    assert timedelta(seconds=TOURNAMENT_SECONDS_MAX) < PAIR_LEASE


def test_a_manual_event_gets_only_pairing_and_opening_jobs(backend: TournamentBackend) -> None:
    backend.opens(auto=False)
    backend.ask()
    after_request = backend.take_issued()
    backend.pair()
    after_pairing = backend.take_issued()
    backend.change(lambda state: rounds.publish(state, 1, {}, BY))
    after_publication = backend.take_issued()
    (match,) = backend.open_tables()
    backend.take("open")
    play_match(backend.matches, match)

    assert [after_request, after_pairing, after_publication] == [["pair-4-1"], [], ["open-6-1"]]
    assert backend.take_issued() == []


def test_a_lost_job_is_issued_again_when_its_lease_ends_and_not_before(backend: TournamentBackend) -> None:
    backend.opens()
    backend.ask()
    backend.pair()
    first = backend.take_issued(0)

    before = backend.take_issued(LEASE.total_seconds() - 0.1)
    after = backend.take_issued(LEASE.total_seconds())

    assert (first, before, after) == (["publish-5-1"], [], ["publish-5-2"])


def test_a_failing_step_is_retried_with_backoff(backend: TournamentBackend) -> None:
    backend.opens()
    backend.ask()
    backend.pair()
    times = [seconds for seconds in range(0, 600, 10) if backend.take_issued(seconds)]

    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert pauses[:6] == [10, 10, 10, 20, 40, 60]
    assert set(pauses[6:]) == {LEASE_LONGEST.total_seconds()}
    assert [lease("pair", attempt).total_seconds() for attempt in (1, 3, 4, 5, 9)] == [150, 150, 300, 600, 600]


def test_another_record_makes_the_step_due_at_its_own_version(backend: TournamentBackend) -> None:
    """A job for an earlier version is too late."""
    backend.opens()
    backend.ask()
    first = backend.take_issued(0)
    backend.change(lambda _: facts.Announced(BY, "We begin at noon."))

    assert (first, backend.take_issued(1), backend.take_issued(2)) == (["pair-4-1"], ["pair-5-1"], [])


def test_a_round_is_closed_when_its_last_match_has_ended(backend: TournamentBackend) -> None:
    one, other = backend.until_open(4)
    play_match(backend.matches, one)
    first = backend.take_issued()
    play_match(backend.matches, other)

    assert (first, backend.take_issued()) == ([], ["close-9-1"])


def test_matches_finished_before_the_round_is_open_count(backend: TournamentBackend) -> None:
    """Bots may be faster than the job that opens the tables."""
    backend.opens()
    backend.ask()
    backend.pair()
    backend.take("publish")
    (match,) = backend.open_tables()
    play_match(backend.matches, match)
    before = backend.take_issued()
    backend.take("open")

    assert (before, backend.take_issued()) == (["open-6-1"], ["close-7-1"])


def test_a_table_the_organiser_has_decided_is_not_waited_for(backend: TournamentBackend) -> None:
    one, _ = backend.until_open(4)
    play_match(backend.matches, one)
    commands.rule_table(
        backend.matches,
        EVENT,
        lambda state: rounds.rule_table(state, 1, 2, (1, 0), (1, 2), "Nobody came.", BY),
        at=at(1),
    )

    assert backend.take_issued() == ["close-10-1"]


def test_tables_played_face_to_face_are_over_with_their_results(backend: TournamentBackend) -> None:
    assert backend.until_open(4, face_to_face=True) == []
    backend.change(lambda state: rounds.enter_result(state, 1, 2, (3, 5), (2, 1), BY))
    first = backend.take_issued()
    backend.change(lambda state: rounds.enter_result(state, 1, 1, (4, 4), (1, 1), BY))

    assert (first, backend.take_issued()) == ([], ["close-11-1"])
    backend.take("close")
    assert backend.event.state.status == "ended"


def test_a_replacement_line_must_finish(backend: TournamentBackend) -> None:
    """Whether the match was over before the ruling or not."""
    one, other = backend.until_open(4)
    assert one.started_version is not None
    assert other.started_version is not None
    play_match(backend.matches, one)
    play_match(backend.matches, other, 2)
    resume_match(backend.matches, one.id, one.started_version, match_id(21), "again")
    resume_match(backend.matches, other.id, other.started_version, match_id(22), "from the beginning")
    before = backend.take_issued(0)
    play_match(backend.matches, backend.matches.get(match_id(21)))
    between = backend.take_issued(1)
    play_match(backend.matches, backend.matches.get(match_id(22)))

    assert (before, between, backend.take_issued(2)) == ([], [], ["close-9-1"])
    backend.take("close")
    assert backend.event.state.status == "ended"


def test_a_ruling_on_a_finished_match_issues_the_closing_step(backend: TournamentBackend) -> None:
    """A dispute may have kept the round open, so that earlier jobs failed."""
    (match,) = backend.until_open()
    play_match(backend.matches, match)
    attempts = [backend.take_issued(seconds) for seconds in (0, 10, 20, 30)]
    apply_ruling(backend.matches, match.id, build_ruling("less", PointsTaken(0, 1)))

    assert [jobs[0] for jobs in attempts] == [f"close-7-{attempt}" for attempt in (1, 2, 3, 4)]
    assert backend.take_issued(31) == ["close-7-1"]


def test_forks_and_unrelated_matches_have_no_effect(backend: TournamentBackend) -> None:
    (match,) = backend.until_open()
    fork = play_match(backend.matches, match)
    fork_match(
        backend.matches,
        match.id,
        at_version=fork.version - 4,
        new_id=match_id(21),
        luck="same",
        by=BY,
        at=at(1),
        seats=(BOT, BOT),
    )
    backend.matches.open(match_id(22), title="toy", seats=2, by=BY, at=at(1))
    first = backend.take_issued(0)
    play_match(backend.matches, backend.matches.get(match_id(21)))

    assert (first, backend.take_issued(1)) == (["close-7-1"], [])


@pytest.mark.parametrize("state", ["proposed", "opened", "closed"])
def test_an_event_made_automatic_continues_from_its_state(backend: TournamentBackend, state: str) -> None:
    backend.opens(auto=False, stages=(Stage("swiss", 2),))
    backend.ask()
    backend.pair()
    if state != "proposed":
        backend.change(lambda event: rounds.publish(event, 1, {}, BY))
        (match,) = backend.open_tables()
        play_match(backend.matches, match)
        backend.take("open")
    if state == "closed":
        backend.loop.catch_up()
        results = table_results(backend.store, EVENT)
        backend.change(lambda event: rounds.close_round(event, 1, results, (), BY))
    before = backend.take_issued()
    plan = backend.event.state.plan
    commands.change_plan(
        backend.matches,
        EVENT,
        Plan(name="Cup", title="toy", size=2, stages=plan.stages, auto=True),
        BY,
        at=at(1),
        reason="So.",
    )

    step = {"proposed": "publish", "opened": "close", "closed": "ask"}[state]
    assert before == []
    assert backend.take_issued(1) == [f"{step}-{backend.event.version}-1"]


def test_an_edited_round_is_published_by_the_organiser(backend: TournamentBackend) -> None:
    backend.opens(4)
    backend.ask()
    backend.pair()
    backend.change(lambda state: rounds.swap(state, 1, "e1", "e2", "They asked for it.", BY))

    assert backend.take_issued() == []


def test_a_failed_pairing_waits_for_the_organiser(backend: TournamentBackend) -> None:
    backend.opens(4)
    backend.ask()
    backend.change(lambda state: rounds.fail_pairing(state, 1, "there is no such round"))

    assert backend.take_issued() == []


def test_without_queues_the_step_is_kept_until_they_are_back(backend: TournamentBackend, dead_redis_url: str) -> None:
    backend.opens()
    backend.ask()
    backend.loop.catch_up()
    duties = OrganisingDuties(backend.store, Queues(impatient_connection(dead_redis_url)))

    with pytest.raises(RedisError):
        duties.issue(at(0))

    assert backend.take_issued(0) == ["pair-4-1"]


def test_replaying_the_log_gives_the_same_rows(backend: TournamentBackend, tmp_path: Path) -> None:
    """A new follower continues after any record at which another was killed."""
    backend.until_open(4)
    backend.take_issued()
    replayed = ReadStore(tmp_path / "again.db")
    while FollowerLoop(backend.matches, replayed, (OrganisingDuties(replayed, backend.queues),)).advance():
        pass

    tables = ("SELECT event_id, state, step, version FROM event_duties", "SELECT * FROM event_matches ORDER BY 1")
    assert [replayed.rows(table) for table in tables] == [backend.store.rows(table) for table in tables]
    replayed.close()
