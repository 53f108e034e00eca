"""The partitioned log in PostgreSQL: one order over all partitions, unique versions per stream."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, ProgrammingError

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.partitions import CopyDiffers
from domain.eventstore.postgres_recorder import FailFastPostgresRecorder
from domain.eventstore.store_settings import store_env
from tests.domain.eventstore.commands import open_and_sit
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, act_once, start_match, uuid
from tests.seeding import entropy

TABLE = "matches_events"


@pytest.fixture
def open_in(fresh_postgres: str) -> Iterator[Callable[[int], Matches]]:
    """Return a function that opens the store, with this many partitions if it is new."""
    opened = list[Matches]()

    def open_divided(partitions: int) -> Matches:
        opened.append(open_store(store_env(fresh_postgres, partitions), titles=ALL_TITLES, entropy=entropy()))
        return opened[-1]

    yield open_divided
    for matches in opened:
        matches.close()


def recorder_of(matches: Matches) -> FailFastPostgresRecorder:
    assert isinstance(matches.log.recorder, FailFastPostgresRecorder)
    return matches.log.recorder


def rows(server: str, sql: str) -> list[Any]:
    with psycopg.connect(server) as connection:
        return connection.execute(sql).fetchall()


def play_alternately(matches: Matches) -> list[Any]:
    """Play matches alternately and return the log as followers read it."""
    tables = [start_match(matches, uuid(number), (BOT, BOT)) for number in range(1, 9)]
    for _ in range(3):
        tables = [act_once(matches, match) for match in tables]
    return matches.read_log_items(0, 10_000)


def test_a_match_is_in_one_part_and_the_order_is_over_all(
    open_in: Callable[[int], Matches], fresh_postgres: str
) -> None:
    matches = open_in(4)
    happened = play_alternately(matches)

    assert recorder_of(matches).partitions() == 4
    assert [position for position, _ in happened] == sorted({position for position, _ in happened})
    spread = rows(fresh_postgres, f"SELECT originator_id, count(DISTINCT tableoid) FROM {TABLE} GROUP BY 1")
    assert {parts for _, parts in spread} == {1}
    assert len(rows(fresh_postgres, f"SELECT DISTINCT tableoid FROM {TABLE}")) > 1
    (plan,) = zip(
        *rows(fresh_postgres, f"EXPLAIN SELECT * FROM {TABLE} WHERE originator_id = '{uuid(1)}'"), strict=True
    )
    assert len({part for part in range(4) if any(f"{TABLE}_{part}" in line for line in plan)}) == 1


def test_stream_versions_are_unique_in_their_partition(open_in: Callable[[int], Matches]) -> None:
    matches = open_in(4)
    match = start_match(matches, uuid(1), (BOT, BOT))
    events = matches.log.recorder.select_events(match.id)

    with pytest.raises(IntegrityError):
        recorder_of(matches).insert_events(events[-1:])


def test_no_position_appears_below_one_already_read(open_in: Callable[[int], Matches]) -> None:
    """Writers append to several partitions concurrently; followers miss nothing."""
    writers, reader = [open_in(4) for _ in range(3)], open_in(4)
    with ThreadPoolExecutor(3) as threads:
        work = [
            threads.submit(partial(open_and_sit, 10 * number + table), matches)
            for number, matches in enumerate(writers, 1)
            for table in range(8)
        ]
        positions, position = list[int](), 0
        while True:
            is_done = all(each.done() for each in work)
            while page := reader.read_log_items(position, 5):
                position = page[-1][0]
                positions += [at for at, _ in page]
            if is_done:
                break

    assert positions == [at for at, _ in reader.read_log_items(0, 1_000)]
    assert len(positions) == 3 * 8 * 2


@pytest.mark.parametrize("steps", [(1, 8), (8, 3, 1), (4, 4)])
def test_a_store_is_divided_and_goes_on(
    open_in: Callable[[int], Matches], fresh_postgres: str, steps: tuple[int, ...]
) -> None:
    matches = open_in(steps[0])
    happened = play_alternately(matches)
    assert recorder_of(matches).partitions() == steps[0]
    for step in steps[1:]:
        divided = recorder_of(matches).repartition(step)
        assert divided == (step, len(rows(fresh_postgres, f"SELECT 1 FROM {TABLE}")))

    with closing(open_store(store_env(fresh_postgres), titles=ALL_TITLES, entropy=entropy())) as other:
        assert recorder_of(other).partitions() == steps[-1]
        assert other.read_log_items(0, 10_000) == happened
        for store in (matches, other):
            act_once(store, store.get(uuid(1)))
        newer = matches.read_log_items(happened[-1][0], 10)
        assert [position for position, _ in newer] == [happened[-1][0] + 1, happened[-1][0] + 2]
    named = rows(fresh_postgres, "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relname LIKE '%before%'")
    assert named == []


def test_a_failed_repartitioning_changes_nothing(open_in: Callable[[int], Matches], fresh_postgres: str) -> None:
    matches = open_in(1)
    happened = play_alternately(matches)
    with psycopg.connect(fresh_postgres, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {TABLE}_2 (something_else INTEGER)")

    with pytest.raises(ProgrammingError, match="already exists"):
        recorder_of(matches).repartition(4)

    assert recorder_of(matches).partitions() == 1
    assert matches.read_log_items(0, 10_000) == happened


def test_a_copy_that_differs_is_rejected(open_in: Callable[[int], Matches], fresh_postgres: str) -> None:
    """The copy is changed by a trigger of the server."""
    matches = open_in(1)
    happened = play_alternately(matches)
    with psycopg.connect(fresh_postgres, autocommit=True) as connection:
        connection.execute(LOSE_ROWS)

    with pytest.raises(CopyDiffers):
        recorder_of(matches).repartition(4)

    assert matches.read_log_items(0, 10_000) == happened


LOSE_ROWS = """
CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION make_lose() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    CREATE TRIGGER losing BEFORE INSERT ON matches_events FOR EACH ROW WHEN (NEW.notification_id = 5)
        EXECUTE FUNCTION lose();
END $$;
CREATE EVENT TRIGGER making ON ddl_command_end WHEN TAG IN ('ALTER SEQUENCE') EXECUTE FUNCTION make_lose();
"""
