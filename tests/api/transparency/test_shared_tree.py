"""The tree in PostgreSQL for several hosts: one keeper, all hosts serve it, a deposed keeper writes nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import psycopg
import pytest

from api.http.app_state import SETTINGS
from api.transparency.databases import LEADER, LeaderLock, connect
from api.transparency.errors import TreeContinued, TreeDiffers
from api.transparency.leader import TreeLeader
from api.transparency.service import TRANSPARENCY
from api.transparency.store import PUBLISHED, TreeStore
from ops.cli import main
from ops.progress import silence
from ops.transparency.store_audit import examine_store
from projections.leaves import TreeLeaves
from projections.platform.database import DatabaseUnavailable
from projections.platform.settings import Settings
from tests.api.service import Person, settings_in
from tests.api.transparency.test_sequencer import AT, SIGNER, Log, sequence_all, sequencer_of
from tests.domain.eventstore.postgres import with_one_connection
from tests.seeding import entropy, new_id
from tests.transparency.outsiders import Stranger, watched_service


@pytest.fixture
def log() -> Log:
    log = Log()
    log.append(*["entry"] * 30)
    return log


@pytest.fixture
def stores(fresh_postgres: str) -> Iterator[tuple[TreeStore, TreeStore]]:
    """Open the tree as two hosts do."""
    with closing(TreeStore(fresh_postgres)) as one, closing(TreeStore(fresh_postgres)) as other:
        yield one, other


def cut_off_leader(server: str) -> None:
    """Let the server end the keeper's connection, as when its host is gone."""
    with psycopg.connect(server, autocommit=True) as connection:
        sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s"
        assert connection.execute(sql, (LEADER,)).fetchall() == [(True,)]


def test_another_process_becomes_keeper_when_the_first_releases_the_lock(stores: tuple[TreeStore, TreeStore]) -> None:
    one, other = stores

    assert one.try_to_lead()
    assert not other.try_to_lead()
    assert (one.is_leader, other.is_leader) == (True, False)
    one.stop_leading()
    assert other.try_to_lead()
    assert not one.try_to_lead()


def test_the_server_ends_the_connection_of_a_hanging_keeper(fresh_postgres: str) -> None:
    with closing(connect(fresh_postgres)) as writer:
        assert LeaderLock(fresh_postgres).take(writer)
        assert writer.rows("SHOW idle_session_timeout") == [("4s",)]


def test_a_disconnected_keeper_writes_nothing(
    stores: tuple[TreeStore, TreeStore], log: Log, fresh_postgres: str
) -> None:
    one, other = stores
    assert one.try_to_lead()
    old = sequence_all(log, one)
    one.send_heartbeat()
    cut_off_leader(fresh_postgres)
    with pytest.raises(DatabaseUnavailable):
        one.send_heartbeat()
    log.append("entry")

    assert other.try_to_lead()
    with pytest.raises(DatabaseUnavailable):
        old.append_batch()
    assert not one.is_leader
    assert sequence_all(log, other).sign(AT)
    assert [leaf.version for _, leaf in one.newest(100)] == list(range(1, 32))


def test_a_deposed_keeper_is_stopped_by_the_position(stores: tuple[TreeStore, TreeStore], log: Log) -> None:
    """Even without a working lock: nothing is appended twice, and no outdated checkpoint is signed or published."""
    one, other = stores
    old, first = sequence_all(log, one), sequencer_of(log, one).sign(AT)
    assert first is not None
    log.append("entry")
    new = sequence_all(log, other)
    second = new.sign(AT)
    assert second is not None

    for write in (old.append_batch, lambda: one.store_checkpoint(first, 30), lambda: one.publish(first)):
        with pytest.raises(TreeContinued):
            write()
        with pytest.raises(TreeContinued):
            write()

    other.publish(second)
    assert one.checkpoint(PUBLISHED) == second
    assert one.size == 31


class CountedStore(TreeStore):
    """A tree store that counts attempts to take the lock."""

    looks = 0

    def try_to_lead(self) -> bool:
        self.looks += 1
        return super().try_to_lead()


def test_other_processes_are_not_woken_by_appends(
    stores: tuple[TreeStore, TreeStore], log: Log, fresh_postgres: str, tmp_path: Path
) -> None:
    assert stores[0].try_to_lead()
    wake, settings = threading.Event(), Settings(data=tmp_path)
    with closing(CountedStore(fresh_postgres)) as store:
        keeper = TreeLeader(log, store, SIGNER, settings, entropy(), wake, others_append=True, poll_seconds=3_600.0)
        for _ in range(100):
            wake.set()
        keeper.close()

    assert store.looks == 1, "at its start"


@pytest.fixture
def hosts(tmp_path: Path, fresh_postgres: str) -> Iterator[tuple[Stranger, Stranger]]:
    """Start two services of one installation, each with a separate folder."""
    at_server = {"store": fresh_postgres, "reads": fresh_postgres, "people": fresh_postgres}
    with ExitStack() as stack:
        folders = (tmp_path / "one", tmp_path / "other")
        settings = [msgspec.structs.replace(settings_in(folder), **at_server) for folder in folders]
        one, other = (stack.enter_context(watched_service(each.data, each)) for each in settings)
        yield one, other


def leads(stranger: Stranger) -> bool:
    return TRANSPARENCY.of(stranger.client).is_leader


@pytest.mark.walk
def test_every_host_serves_what_one_of_them_continues(hosts: tuple[Stranger, Stranger], fresh_postgres: str) -> None:
    one, other = hosts
    assert [leads(each) for each in hosts] == [True, False]
    Person(other.client)
    before = other.covering_checkpoint()
    assert one.checkpoint() == before
    assert one.entries(before.size) == other.entries(before.size)

    cut_off_leader(fresh_postgres)
    for each in hosts:
        person = Person(each.client)
        assert person.post("/matches", {"title": "la_granja", "seats": 2})[0] == 201
        after = each.covering_checkpoint()

    assert after.size > before.size
    assert one.tiles(after.size).root(before.size) == before.root
    one.until(lambda: [leads(each) for each in hosts], lambda found: sorted(found) == [False, True])
    settings = SETTINGS.of(one.client)
    found = examine_store(settings, 1, silence, is_running=True).examination
    assert (found.count, found.size >= after.size) == (0, True)


def test_a_tree_moves_from_a_file_to_a_server(
    tmp_path: Path, fresh_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a move of the log to PostgreSQL, with the tree still in the folder."""
    at_server = msgspec.structs.replace(settings_in(tmp_path), store=fresh_postgres)
    before = msgspec.structs.replace(at_server, tree=f"sqlite:///{tmp_path / 'tree.db'}")
    with watched_service(tmp_path, before) as stranger:
        Person(stranger.client).post("/matches", {"title": "la_granja", "seats": 2})
        known, key = stranger.covering_checkpoint(), stranger.key
    monkeypatch.setenv("ESPORLES_STORE", fresh_postgres)

    assert main(["move", "--data", str(tmp_path)]) == 0

    with watched_service(tmp_path, at_server) as stranger:
        Person(stranger.client).post("/matches", {"title": "la_granja", "seats": 2})
        now = stranger.covering_checkpoint()
        assert stranger.key == key
        assert now.size > known.size
        assert stranger.tiles(now.size).root(known.size) == known.root
    assert main(["audit", "store", "--data", str(tmp_path)]) == 0


def find_connections(connection: psycopg.Connection[tuple[int]]) -> set[int]:
    """Return the process ids of other connections to the database; closed ones may remain for a moment."""
    others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    return {pid for (pid,) in connection.execute(others).fetchall()}


def test_without_a_tree_there_is_no_audit(fresh_postgres: str) -> None:
    with pytest.raises(TreeDiffers, match="no tree in the tree on the server"):
        TreeStore(fresh_postgres, writable=False)
    with closing(TreeLeaves(fresh_postgres)) as leaves, psycopg.connect(fresh_postgres, autocommit=True) as onlooker:
        assert leaves.streams() == []
        connections = find_connections(onlooker)
        assert leaves.read_leaves(new_id()) == {}
        assert find_connections(onlooker) <= connections, "nobody connects anew for every look"


def test_new_leaves_guard_at_once_and_a_missing_server_is_an_error(
    stores: tuple[TreeStore, TreeStore], log: Log, fresh_postgres: str
) -> None:
    one, _ = stores
    with closing(TreeLeaves(fresh_postgres)) as leaves:
        sequence_all(log, one)
        (_, leaf) = one.newest(1)[0]

        assert leaves.read_leaves(leaf.stream)[leaf.version].leaf == leaf.leaf
        assert len(leaves.streams()) == 7
    with closing(TreeLeaves("postgresql://nobody@127.0.0.1:1/nowhere")) as leaves, pytest.raises(DatabaseUnavailable):
        leaves.read_leaves(leaf.stream)


def test_a_tree_without_a_connection_for_writing_is_closed(fresh_postgres: str) -> None:
    """Readers have the only one; the traceback of the error, which a caller may keep, refers to it."""
    with with_one_connection(fresh_postgres) as address:
        with pytest.raises(DatabaseUnavailable, match="too many connections") as refused:
            TreeStore(address, writable=False)
        assert refused.tb is not None
