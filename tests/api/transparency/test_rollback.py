"""A tree that was deleted, or replaced by an older or another one, is neither served nor continued."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from api.accounts.people import People
from api.transparency.beginnings import begin_tree, is_begun, require_begun
from api.transparency.databases import open_tree
from api.transparency.errors import TreeDiffers, TreeMissing
from api.transparency.latest_checkpoint import FILE, LatestCheckpoint
from api.transparency.store import SIGNED, TreeStore
from domain.transparency.announcements import LogBegun, parse_announcement
from domain.transparency.notes import parse_note
from ops.cli import main
from projections.platform.clock import now
from tests.api.service import PASSWORD, Person, settings_in, start_match
from tests.transparency.outsiders import Stranger, watched_service


class LogOf(NamedTuple):
    """A log with entries up to this position."""

    position: int

    def last_position(self) -> int:
        return self.position


class Folders(NamedTuple):
    """Copies of one data folder: early, and late with a larger tree."""

    early: Path
    late: Path
    sizes: tuple[int, int]
    match: str


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    folder = tmp_path_factory.mktemp("rollback")
    early, late = folder / "early", folder / "late"
    with watched_service(early) as stranger:
        match = start_match(Person(stranger.client), Person(stranger.client))
        early_size = stranger.covering_checkpoint().size
    shutil.copytree(early, late)
    with watched_service(late) as stranger:
        Person(stranger.client).opens(2)
        return Folders(early, late, (early_size, stranger.covering_checkpoint().size), match)


@pytest.fixture
def data(folders: Folders, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folders.late, tmp_path / "house"))


def require_withheld(stranger: Stranger, match: str) -> Any:
    """Assert that neither checkpoint nor proof is given out; return the state of the log."""
    assert stranger.client.get("/tlog/checkpoint").status_code == 503
    assert stranger.client.get(f"/api/matches/{match}/proof").json()["code"] == "tree/differs"
    state = stranger.state()
    assert (state["checkpoint"], state["size"]) == (None, 0)
    assert state["fault"] in stranger.client.get("/transparency").text.replace("&#39;", "'")
    return state


def test_a_deleted_tree_is_neither_created_nor_served(folders: Folders, data: Path) -> None:
    (data / "tree.db").unlink()

    with watched_service(data) as stranger:
        fault = require_withheld(stranger, folders.match)["fault"]
        assert start_match(Person(stranger.client), Person(stranger.client)), "matches continue"

    assert f"there is no tree (0 leaves), but {data / FILE} has a signed checkpoint of {folders.sizes[1]}" in fault
    assert "esporles tree new --reason" in fault
    assert not (data / "tree.db").exists()


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_deleted_tree_is_missed_without_a_known_checkpoint(data: Path, *, is_empty: bool) -> None:
    """The log has entries; an empty tree in place of the deleted one changes nothing."""
    settings = settings_in(data)
    for name in ("tree.db", FILE):
        (data / name).unlink()
    if is_empty:
        open_tree(data / "tree.db").close()

    with pytest.raises(TreeMissing, match="but the log has entries up to position 7"):
        require_begun(settings, LogOf(7))
    begin_tree(settings, LogOf(7))
    assert not is_begun(settings.tree_place)


def test_an_older_tree_is_found_by_the_latest_checkpoint(folders: Folders, data: Path) -> None:
    """As with a backup of the tree alone: log, accounts and key are the current ones."""
    shutil.copy(folders.early / "tree.db", data / "tree.db")

    with watched_service(data) as stranger:
        fault = require_withheld(stranger, folders.match)["fault"]

    assert f"the tree has {folders.sizes[0]} leaves" in fault
    assert f"a signed checkpoint of {folders.sizes[1]}" in fault


def test_another_tree_of_the_same_log_is_found_by_the_latest_checkpoint(folders: Folders, data: Path) -> None:
    """A second tree of the same log with other salts, made with the same key, as large as the signed one."""
    latest = LatestCheckpoint(data)
    with closing(TreeStore(data / "tree.db")) as tree:
        signed = tree.checkpoint(SIGNED)
        assert signed is not None
        other = signed.checkpoint._replace(root=b"\x01" * 32).text
        latest.store(signed._replace(text=other))

        with pytest.raises(TreeDiffers, match=f"is another one than that of {folders.sizes[1]} leaves signed in"):
            latest.check(tree)
        latest.store(signed._replace(text=signed.checkpoint._replace(size=5_000).text))
        with pytest.raises(TreeDiffers, match=f"the tree has {folders.sizes[1]} leaves, but .* of 5,000"):
            latest.check(tree)


def test_a_tree_replaced_under_a_running_service_is_not_signed(folders: Folders, data: Path) -> None:
    """The latest checkpoint is compared before each signature, too."""
    with watched_service(data) as stranger:
        note = (data / FILE).read_text()
        (data / FILE).write_text(note.replace(f"\n{folders.sizes[1]}\n", "\n1234\n"))
        Person(stranger.client).opens(2)

        assert "a signed checkpoint of 1,234" in stranger.until_fault()


def test_the_latest_checkpoint_is_signed_and_private(folders: Folders) -> None:
    file = folders.late / FILE

    assert int(parse_note(file.read_bytes()).text.splitlines()[1]) == folders.sizes[1]
    assert file.stat().st_mode & 0o077 == 0
    assert [each.name for each in folders.late.glob("latest*")] == [FILE]


def test_an_unreadable_latest_checkpoint_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("nonsense")

    with pytest.raises(TreeDiffers, match=f"cannot read the latest checkpoint in {tmp_path / FILE}"):
        LatestCheckpoint(tmp_path).load()


def test_a_lost_latest_checkpoint_is_stored_again(folders: Folders, data: Path) -> None:
    (data / FILE).unlink()
    with closing(TreeStore(data / "tree.db")) as tree:
        LatestCheckpoint(data).follow(tree)

    assert (data / FILE).read_text() == (folders.late / FILE).read_text()


def test_an_account_made_before_the_first_start_is_no_alarm(tmp_path: Path) -> None:
    """A console command that writes the first entries also begins the tree."""
    with closing(People(settings_in(tmp_path).people_place)) as people:
        people.create("Anna", PASSWORD, now())
    assert main(["account", "role", "Anna", "--role", "operator", "--data", str(tmp_path)]) == 0
    assert (tmp_path / "tree.db").exists()

    with watched_service(tmp_path) as stranger:
        assert stranger.covering_checkpoint().size > 0
        assert stranger.state()["fault"] is None


def declare(data: Path, *options: str) -> int:
    return main(["tree", "new", "--data", str(data), "--reason", "The disk was lost.", *options])


def test_a_new_tree_is_declared_with_its_reason_and_predecessor(
    folders: Folders, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "tree.db").unlink()
    assert main(["tree", "new", "--data", str(data)]) == 2
    assert declare(data) == 0
    assert f"checkpoint of {folders.sizes[1]} leaves" in capsys.readouterr().out

    with watched_service(data) as stranger:
        size = stranger.covering_checkpoint().size
        leaves = stranger.entries(size)
    begun = parse_announcement(leaves[0])
    assert isinstance(begun, LogBegun)
    assert begun.reason == "The disk was lost."
    assert begun.predecessor == (folders.late / FILE).read_text()
    assert size > folders.sizes[1]


def test_an_earlier_tree_is_set_aside_and_a_checkpoint_can_be_given(
    folders: Folders, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(folders.early / "tree.db", data / "tree.db")
    assert declare(data, "--predecessor", str(data / "log.db")) == 2
    foreign = tmp_path / "foreign"
    foreign.write_text((data / FILE).read_text().replace(f"\n{folders.sizes[1]}\n", "\n9999\n"))
    assert declare(data, "--predecessor", str(foreign)) == 2
    assert "is not signed with the key of this service" in capsys.readouterr().err
    assert declare(data, "--predecessor", str(folders.early / FILE), "--json") == 0
    document = msgspec.json.decode(capsys.readouterr().out)

    assert document["predecessorSize"] == folders.sizes[0]
    with closing(TreeStore(Path(document["earlierTree"]), writable=False)) as earlier:
        assert earlier.size == folders.sizes[0]


def test_the_final_checkpoint_of_a_predecessor_is_no_fault_on_other_hosts(folders: Folders, data: Path) -> None:
    """They have stored it, too. An earlier checkpoint of the new tree is compared as always."""
    assert declare(data) == 0
    shutil.copy(folders.late / FILE, data / FILE)
    latest = LatestCheckpoint(data)
    with closing(TreeStore(data / "tree.db")) as tree:
        latest.follow(tree)
        stored = latest.load_checkpoint()
        assert stored is not None
        assert stored.size == 1
        shutil.copy(folders.early / FILE, data / FILE)
        with pytest.raises(TreeDiffers, match="the tree has 1 leaves"):
            latest.follow(tree)


@pytest.mark.walk
def test_every_host_has_the_latest_checkpoint(tmp_path: Path, fresh_postgres: str) -> None:
    """The databases of a server are restored; each host remembers the signed tree."""
    at_server = {"store": fresh_postgres, "reads": fresh_postgres, "people": fresh_postgres}
    settings = [msgspec.structs.replace(settings_in(tmp_path / name), **at_server) for name in ("one", "other")]
    with watched_service(settings[0].data, settings[0]) as one, watched_service(settings[1].data, settings[1]):
        start_match(Person(one.client), Person(one.client))
        size = one.covering_checkpoint().size
        files = [each.data / FILE for each in settings]
        one.until(
            lambda: [file.exists() and f"\n{size}\n" in file.read_text() for file in files],
            all,
        )

    with closing(open_tree(fresh_postgres)) as tree, tree.transaction():
        tree.change(f"DELETE FROM leaves WHERE number = {size - 1}")
        tree.change("DELETE FROM checkpoints")
    with watched_service(settings[1].data, settings[1]) as other:
        fault = other.state()["fault"]
    assert f"the tree has {size - 1} leaves" in fault
