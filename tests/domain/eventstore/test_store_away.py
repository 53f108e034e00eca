"""A missing PostgreSQL server is reported quickly, and used again when it is back."""

from collections.abc import Callable, Iterator
from contextlib import closing
from time import monotonic
from typing import Any, TypeVar

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError

from domain.eventstore.application import Matches
from domain.eventstore.circuit_breaker import RESPONSE_TIMEOUT
from domain.eventstore.group_commit import Group, run_alone
from domain.eventstore.opening import open_store
from domain.eventstore.postgres_recorder import FailFastPostgresRecorder
from domain.eventstore.retry import OutcomeUnknown, ResponseTimeout, StoreUnavailable
from domain.eventstore.store_settings import store_env
from tests.domain.eventstore.faulty_stores import faulty
from tests.domain.eventstore.postgres import Server, commits_held, fresh_database, stoppable_server
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, act_once, start_match, uuid
from tests.seeding import entropy


@pytest.fixture
def server() -> Iterator[Server]:
    with stoppable_server() as server:
        yield server


R = TypeVar("R")


def once_back(ask: Callable[[], R]) -> R:
    """Return the first result soon after the server is back."""
    until = monotonic() + 30
    while True:
        try:
            return ask()
        except ResponseTimeout:
            assert monotonic() < until


@pytest.fixture
def impatient() -> Iterator[None]:
    """Set a timeout, as for callers that must respond."""
    before = RESPONSE_TIMEOUT.set(0.3)
    yield
    RESPONSE_TIMEOUT.reset(before)


def test_requests_fail_while_the_server_is_gone_and_succeed_later(server: Server) -> None:
    env = store_env(fresh_database(server.address, "away"))
    matches = open_store(env, titles=ALL_TITLES, entropy=entropy())
    match = start_match(matches, uuid(1), (BOT, BOT))
    server.stop()
    with pytest.raises(StoreUnavailable):
        act_once(matches, match)
    with pytest.raises(StoreUnavailable):
        matches.get(uuid(1))
    server.start()

    assert once_back(lambda: matches.get(uuid(1))).version == match.version
    match = act_once(matches, match)
    # Connections from before the restart fail; the request is retried.
    server.stop()
    server.start()
    assert matches.get(uuid(1)).head == match.head
    matches.close()


@pytest.mark.usefixtures("impatient")
def test_a_hanging_server_is_waited_for_until_the_timeout_only(server: Server) -> None:
    env = store_env(fresh_database(server.address, "still"))
    with closing(open_store(env, titles=ALL_TITLES, entropy=entropy())) as matches:
        match = start_match(matches, uuid(1), (BOT, BOT))
        recorder = matches.log.recorder
        assert isinstance(recorder, FailFastPostgresRecorder)
        with server.frozen():
            with pytest.raises(ResponseTimeout, match="timeout waiting for the database"):
                matches.get(uuid(1))
            with pytest.raises(ResponseTimeout):
                recorder.has_grown({uuid(1): 1})
            with pytest.raises(ResponseTimeout, match="no response from the server"):
                act_once(matches, match)

        assert once_back(lambda: matches.get(uuid(1))).head == match.head
        assert act_once(matches, match).version > match.version


@pytest.mark.usefixtures("impatient")
def test_a_group_waits_once_for_a_hanging_server(server: Server) -> None:
    env = store_env(fresh_database(server.address, "groups"))
    with closing(open_store(env, titles=ALL_TITLES, entropy=entropy())) as matches:
        start_match(matches, uuid(1), (BOT, BOT))

        def look(matches: Matches) -> int:
            return matches.get(uuid(1)).version

        with server.frozen():
            group = Group(matches)
            group.add(look)
            results = [*group.store(), run_alone(matches, look)]
        assert [type(each.refusal) for each in results] == [ResponseTimeout, ResponseTimeout]
        assert once_back(lambda: matches.get(uuid(1))).version


@pytest.mark.usefixtures("impatient")
def test_a_commit_without_an_answer_leaves_open_whether_it_is_stored(server: Server) -> None:
    log = fresh_database(server.address, "open")
    with closing(open_store(store_env(log), titles=ALL_TITLES, entropy=entropy())) as matches:
        match = start_match(matches, uuid(1), (BOT, BOT))
        with commits_held(log), pytest.raises(OutcomeUnknown):
            act_once(matches, match)
        assert once_back(lambda: matches.get(uuid(1))).version == match.version + 1

        recorder = matches.log.recorder
        assert isinstance(recorder, FailFastPostgresRecorder)
        with commits_held(log), pytest.raises(OutcomeUnknown), recorder.lock_out_writers():
            act_once(matches, matches.get(uuid(1)))
        assert once_back(lambda: matches.get(uuid(1))).version == match.version + 2


def test_a_conflict_of_unknown_origin_is_not_a_rejection(server: Server) -> None:
    """The rows may be the caller's: an earlier attempt may have stored them."""
    log = fresh_database(server.address, "taken")
    with closing(open_store(store_env(log), titles=ALL_TITLES, entropy=entropy())) as matches:
        match = start_match(matches, uuid(1), (BOT, BOT))

        def taken_and_gone(_insert: Any) -> Any:
            server.stop()
            raise IntegrityError("the place is taken")

        faulty(matches).faults = iter([taken_and_gone])
        with pytest.raises(OutcomeUnknown):
            act_once(matches, match)
        server.start()


def test_a_lock_timeout_is_reported(server: Server) -> None:
    log = fresh_database(server.address, "locked")
    with closing(open_store(store_env(log), titles=ALL_TITLES, entropy=entropy())) as matches:
        match = start_match(matches, uuid(1), (BOT, BOT))
        with psycopg.connect(log) as other:
            other.execute("LOCK TABLE matches_events IN EXCLUSIVE MODE")
            with pytest.raises(StoreUnavailable, match="lock timeout"):
                act_once(matches, match)
        assert act_once(matches, match).version > match.version
