"""Guarantees of both kinds of store (DESIGN §5): one winner per version, atomic writes, durability."""

import multiprocessing
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier
from urllib.parse import urlencode
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.eventstore.opening import open_store
from domain.eventstore.postgres_recorder import FailFastPostgresRecorder, SharedPostgresFactory
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import SERVICE_SEAT
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.errors import MatchExists, MatchOver, NoSuchEntry, NoSuchMatch, NotSeated, StaleVersion
from domain.matches.facts import SERVICE
from domain.matches.log.entries import ALL, check_chain
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    ALL_TITLES,
    BOT,
    START,
    act_once,
    next_action,
    play_out,
    start_match,
    toy_log,
    uuid,
)
from tests.domain.matches.toy import Pass
from tests.seeding import entropy

Opened = Callable[[], Matches]
PEOPLE = ("anna", "bea", "carl")


def test_a_reopened_store_has_the_same_match(matches: Matches, reopen_store: Opened) -> None:
    live = play_out(matches, start_match(matches, uuid(1), ("anna", BOT, BOT)))

    assert reopen_store().get(uuid(1)).head == live.head
    for name in ("state", "seats", "result", "action_counts", "turn", "key", "timestamp", "status"):
        assert getattr(reopen_store().get(uuid(1)), name) == getattr(live, name), name


def test_the_line_of_a_finished_match_is_whole_and_verifies(matches: Matches) -> None:
    match = play_out(matches, start_match(matches, uuid(1), ("anna", BOT, BOT)))

    assert check_chain(matches.entries(uuid(1))).hex() == match.head
    assert verify(export_log(matches, uuid(1), ALL), titles=ALL_TITLES).is_good


def test_a_la_granja_match_is_stored_and_verifies(matches: Matches) -> None:
    play_out(matches, start_match(matches, uuid(1), (BOT, BOT), title="la_granja"))

    assert verify(export_log(matches, uuid(1), ALL), titles=ALL_TITLES).is_good


def test_another_process_sees_later_appends(matches: Matches, reopen_store: Opened) -> None:
    match = start_match(matches, uuid(1), ("anna", BOT, BOT))
    other = reopen_store()
    assert other.get(uuid(1)).version == match.version

    moved = act_once(matches, match)
    assert other.get(uuid(1)).head == moved.head
    again = act_once(other, other.get(uuid(1)))
    assert act_once(matches, matches.get(uuid(1))).version == again.version + 1


def test_a_writer_reads_new_entries_before_it_decides(matches: Matches, reopen_store: Opened) -> None:
    match = start_match(matches, uuid(1), (BOT, BOT, BOT))
    behind = reopen_store()
    assert behind.get(uuid(1)).version == match.version
    moved = act_once(matches, match)

    seat, by, action = next_action(moved)
    assert behind.act(uuid(1), seat, by, action, expected_version=moved.version, at=START).version > moved.version


def test_of_twenty_writers_with_one_expected_version_exactly_one_wins(matches: Matches) -> None:
    match = start_match(matches, uuid(1), ("anna", "bea"))
    match = next_with_choice(matches, match)
    seat = seats_to_act(match)[0]
    choices = legal_actions(match, seat)
    gate = Barrier(20)

    def hammer(index: int) -> bool:
        gate.wait()
        action = choices[index % len(choices)]
        by = PEOPLE[seat]
        try:
            matches.act(match.id, seat, by, action, expected_version=match.version, at=START)
        except StaleVersion:
            return False
        return True

    with ThreadPoolExecutor(20) as pool:
        won = list(pool.map(hammer, range(20)))

    winners = [index for index, is_winner in enumerate(won) if is_winner]
    assert len({index % len(choices) for index in winners}) == 1, "only the first action and its repetitions succeed"
    assert matches.get(match.id).version == match.version + 1
    check_chain(matches.entries(match.id))


def next_with_choice(matches: Matches, match: Match) -> Match:
    """Play until a single seat has several actions."""
    while len(seats_to_act(match)) > 1 or len(legal_actions(match, seats_to_act(match)[0])) < 2:
        match = act_once(matches, match)
    return match


def test_all_seats_choosing_at_the_same_moment_succeed(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE)
    gate = Barrier(3)

    def choose(seat: int) -> int:
        action = legal_actions(match, seat)[0]
        gate.wait()
        return matches.act(match.id, seat, PEOPLE[seat], action, expected_version=match.version, at=START).version

    with ThreadPoolExecutor(3) as pool:
        versions = list(pool.map(choose, range(3)))

    assert sorted(versions) == [match.version + 1, match.version + 2, match.version + 3]
    check_chain(matches.entries(match.id))


def test_a_repeated_identical_action_gets_the_first_answer(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE)
    action = legal_actions(match, 1)[0]
    first = matches.act(match.id, 1, "bea", action, expected_version=match.version, at=START)
    second = matches.act(match.id, 0, "anna", legal_actions(match, 0)[0], expected_version=first.version, at=START)

    again = matches.act(match.id, 1, "bea", action, expected_version=match.version, at=START)

    assert (again.version, again.head) == (first.version, first.head)
    assert matches.get(match.id).version == second.version


def test_another_action_of_the_same_seat_at_a_stale_version_is_refused(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE)
    matches.act(match.id, 1, "bea", legal_actions(match, 1)[0], expected_version=match.version, at=START)

    with pytest.raises(StaleVersion, match=f"is at version {match.version + 1}, not {match.version}") as stale:
        matches.act(match.id, 1, "bea", legal_actions(match, 1)[1], expected_version=match.version, at=START)
    assert stale.value.version == match.version + 1


def test_a_stale_action_is_refused_when_what_is_legal_has_changed(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE)
    while len(seats_to_act(match)) > 1:
        match = act_once(matches, match)
    early = act_once(matches, match)
    winner = seats_to_act(early)[0]
    other = (winner + 1) % 3
    match = matches.act(early.id, winner, PEOPLE[winner], Pass(), expected_version=early.version, at=START)
    card = legal_actions(match, other)[0]

    with pytest.raises(StaleVersion):
        matches.act(early.id, other, PEOPLE[other], card, expected_version=early.version, at=START)
    assert matches.act(match.id, other, PEOPLE[other], card, expected_version=match.version, at=START)


@pytest.mark.parametrize("version", [-(10**30), -3, 0, 999, 2**63, 10**30])
def test_a_version_the_match_never_had_is_stale(matches: Matches, version: int) -> None:
    match = start_match(matches, uuid(1), PEOPLE)

    with pytest.raises(StaleVersion):
        matches.act(match.id, 0, "anna", legal_actions(match, 0)[0], expected_version=version, at=START)


def test_a_repeated_step_of_the_house_gets_the_first_answer_and_another_is_rejected(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (BOT, BOT))
    while seats_to_act(match) != (SERVICE_SEAT,):
        match = act_once(matches, match)
    last = legal_actions(match, SERVICE_SEAT)[0]
    over = matches.act(match.id, SERVICE_SEAT, SERVICE, last, expected_version=match.version, at=START)
    assert over.is_over

    repeated = matches.act(match.id, SERVICE_SEAT, SERVICE, last, expected_version=match.version, at=START)
    assert repeated.version == match.version + 1
    with pytest.raises(MatchOver):
        matches.act(match.id, SERVICE_SEAT, SERVICE, last, expected_version=over.version, at=START)
    assert matches.get(match.id).version == over.version


def test_only_the_service_acts_for_the_house_and_bots_for_their_own_seats(matches: Matches) -> None:
    match = start_match(matches, uuid(1), ("anna", BOT))

    for by in ("anna", "bea", SERVICE, "bot:greedy@1"):
        with pytest.raises(NotSeated):
            matches.act(match.id, 1, by, legal_actions(match, 1)[0], expected_version=match.version, at=START)
    with pytest.raises(NotSeated, match="the service"):
        matches.act(match.id, SERVICE_SEAT, "anna", Pass(), expected_version=match.version, at=START)


def test_opening_again_with_the_same_arguments_returns_the_same_match(matches: Matches) -> None:
    first = matches.open(uuid(1), title="toy", seats=2, by="anna", at=START)

    assert matches.open(uuid(1), title="toy", seats=2, by="anna", at=START).head == first.head
    with pytest.raises(MatchExists):
        matches.open(uuid(1), title="toy", seats=3, by="anna", at=START)


def test_getting_ready_is_idempotent(matches: Matches) -> None:
    matches.open(uuid(1), title="toy", seats=2, by="anna", at=START)
    matches.take_seat(uuid(1), 0, "anna", at=START)
    once = matches.ready(uuid(1), 0, "anna", at=START)

    assert matches.ready(uuid(1), 0, "anna", at=START).version == once.version


def test_unknown_matches_and_entries_are_refused_by_name(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE)

    with pytest.raises(NoSuchMatch, match=str(uuid(2))):
        matches.get(uuid(2))
    for version in (0, match.version + 1):
        with pytest.raises(NoSuchEntry, match=str(version)):
            matches.at(uuid(1), version)


def test_past_positions_are_the_same_with_warm_and_cold_caches(matches: Matches, reopen_store: Opened) -> None:
    match = play_out(matches, start_match(matches, uuid(1), (BOT, BOT, BOT, BOT)))
    other = reopen_store()

    for version in range(1, match.version + 1):
        warm, cold = matches.at(uuid(1), version), other.at(uuid(1), version)
        assert warm.version == cold.version == version
        assert (warm.head, warm.state) == (cold.head, cold.state)


def test_followers_read_all_entries_in_order(matches: Matches) -> None:
    heard: list[int] = []
    grown: dict[UUID, int] = {}

    def hear(position: int, versions: Mapping[UUID, int]) -> None:
        heard.append(position)
        grown.update(versions)

    matches.dependencies.on_append = hear
    ended = play_out(matches, start_match(matches, uuid(1), (BOT, BOT)))
    fork = fork_match(matches, uuid(1), at_version=9, new_id=uuid(2), luck="same", by="anna", at=START)

    entries, after = [], 0
    while page := matches.read_log_items(after, 7):
        entries += page
        after = page[-1][0]

    assert [entry for _, entry in entries] == [
        *matches.entries(uuid(1)),
        *matches.entries(uuid(2), after=9),
    ]
    positions = [position for position, _ in entries]
    assert positions == sorted(set(positions))
    assert matches.last_position() == positions[-1] == heard[-1]
    assert (ended.version, fork.version) == (len(matches.entries(uuid(1))), 10)
    assert grown == {uuid(1): ended.version, uuid(2): fork.version}


def test_an_empty_store_has_position_zero(matches: Matches) -> None:
    assert matches.last_position() == 0
    assert matches.read_log_items(0, 10) == []


def test_caches_can_be_cleared(matches: Matches) -> None:
    match = start_match(matches, uuid(1), PEOPLE)
    matches.lines.clear_caches()

    assert matches.get(uuid(1)).head == match.head


def test_no_more_matches_are_kept_in_memory_than_allowed(database: str) -> None:
    matches = open_store(store_env(database), titles=ALL_TITLES, matches_kept=2, entropy=entropy())
    heads = [start_match(matches, uuid(number), PEOPLE).head for number in range(1, 5)]

    assert [matches.get(uuid(number)).head for number in range(1, 5)] == heads
    assert matches.lines.cached_count == 2
    matches.close()


def test_many_forks_and_imports_at_the_same_moment_all_succeed(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (BOT, BOT))
    log = toy_log()
    gate = Barrier(8)

    def fork(number: int) -> None:
        gate.wait()
        fork_match(matches, uuid(1), at_version=match.version, new_id=uuid(number), luck="fresh", by="anna", at=START)
        import_log(matches, log, by="anna", at=START)
        matches.open(uuid(99), title="toy", seats=2, by="anna", at=START)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fork, range(10, 18)))

    assert len(matches.lines.notes(uuid(1))) == 8
    assert len(matches.lines.notes(log.header.match)) == 1
    assert matches.get(uuid(99)).version == 1
    assert all(matches.get(uuid(number)).version == match.version + 1 for number in range(10, 18))


def hammer_from_another_process(database: str, count: int) -> None:
    """Act on the current state from a second process, until enough actions are taken."""
    matches = open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())
    done = 0
    while done < count and not (match := matches.get(uuid(1))).is_over:
        seat, by, action = next_action(match)
        try:
            matches.act(match.id, seat, by, action, expected_version=match.version, at=START)
        except (StaleVersion, MatchOver):
            continue
        done += 1
    matches.close()


def test_several_processes_write_one_match_on_postgresql(fresh_postgres: str) -> None:
    database = fresh_postgres
    matches = open_store(store_env(database), titles=ALL_TITLES, entropy=entropy())
    start_match(matches, uuid(1), (BOT, BOT, BOT, BOT))
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=hammer_from_another_process, args=(database, 500)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)

    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert matches.get(uuid(1)).is_over
    assert verify(export_log(matches, uuid(1), ALL), titles=ALL_TITLES).is_good
    matches.close()


def test_sqlite_syncs_at_every_commit_and_reads_while_it_writes(sqlite: Matches, tmp_path: Path) -> None:
    with sqlite.log.recorder.datastore.transaction(commit=False) as cursor:  # type: ignore[attr-defined]  # SQLite's own
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone()[0] == 2
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone()[0] == "wal"
    with sqlite3.connect(tmp_path / "quick.sqlite") as beside:
        assert beside.execute("SELECT count(*) FROM stored_events").fetchone() == (0,)
    beside.close()


def test_the_file_of_the_log_is_for_its_owner_alone(sqlite: Matches, tmp_path: Path) -> None:
    """The file contains all hands and server seeds; SQLite's companion files inherit its mode."""
    start_match(sqlite, uuid(1), PEOPLE)

    files = sorted(tmp_path.glob("quick.sqlite*"))
    assert len(files) == 3
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * 3


def test_a_postgresql_address_is_parsed() -> None:
    names = ("POSTGRES_DBNAME", "POSTGRES_HOST", "POSTGRES_PORT", "POSTGRES_USER", "POSTGRES_PASSWORD")
    for address, parts in {
        "postgresql://user:word@db.example:6000/esporles": ["esporles", "db.example", "6000", "user", "word"],
        "postgres://a%40b:%2Fw@[::1]/my%20db": ["my db", "::1", "5432", "a@b", "/w"],
        "postgresql://esporles@/postgres?host=/run/pg": ["postgres", "/run/pg", "5432", "esporles", ""],
        "postgresql://": ["postgres", "127.0.0.1", "5432", "postgres", ""],
    }.items():
        settings = store_env(address)
        assert settings["PERSISTENCE_MODULE"] == "domain.eventstore.postgres_recorder:SharedPostgresFactory"
        assert [settings[name] for name in names] == parts


def test_parameters_of_an_address_reach_the_driver(fresh_postgres: str) -> None:
    """Especially certificate checks: they must not be dropped silently."""
    query = "application_name=a%20log&options=-c%20statement_timeout%3D7000"
    with closing(open_store(store_env(f"{fresh_postgres}&{query}"), titles=ALL_TITLES, entropy=entropy())) as matches:
        assert isinstance(matches.log.recorder, FailFastPostgresRecorder)
        with matches.log.recorder.datastore.get_connection() as connection:
            sql = "SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS timeout"
            assert connection.execute(sql).fetchone() == {"name": "a log", "timeout": "7s"}
    parameters = {"sslmode": "verify-full", "sslrootcert": "/etc/esporles/ca.pem"}
    factory = SharedPostgresFactory(store_env(f"postgresql://db.example/log?{urlencode(parameters)}"))
    with closing(factory):
        assert isinstance(factory.datastore.pool.kwargs, dict)
        assert parameters.items() <= factory.datastore.pool.kwargs.items()


def test_the_postgresql_driver_is_loaded_lazily() -> None:
    """Importing the driver would use up much of the start time of every process."""
    loaded = (
        "import sys, domain.eventstore.application, domain.eventstore.store_settings; print('psycopg' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)

    assert result.stdout == "False\n"
