"""`esporles audit store`: any tampering with a service's files is found, by stream and entry."""

from __future__ import annotations

import fcntl
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest

from api.transparency.audit_progress import AuditFile
from api.transparency.databases import LOCK
from domain.eventstore.guard import compute_leaf
from domain.eventstore.mapper import ROW_COMPRESSOR
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.log.log_files import parse_log
from domain.roles.audit import AUDIT_STREAM
from domain.transparency.merkle import leaf_hash
from domain.transparency.tiles import WIDTH
from ops.computing.kinds import EXAMINE, examine_spread, kinds_of
from ops.console import Finding
from ops.progress import silence
from ops.service_client import ServiceAddress, write_address
from ops.stores import settings_for
from ops.transparency.store_audit import FILE, TILES, ExaminationStart, examine_store
from tests.api.service import SERVICE_TOKEN, Person, behind_sockets, make_operator
from tests.api.transparency.test_tampered import ATTACKS, richer, two_matches
from tests.ops.transparency.test_prove import run
from tests.transparency.outsiders import change, cut, rewrite, watched_service
from workers.matches.bot_turn import PLAYERS

MATCHES: Final = 5


def audit(capsys: pytest.CaptureFixture[str], folder: Path, *args: object) -> tuple[int, Any]:
    status, output, error = run(capsys, "audit", "store", "--data", folder, "--json", *args)
    assert error == ""
    return status, json.loads(output)


def differences_in(document: Any) -> set[tuple[str | None, int | None]]:
    return {(each.get("stream"), each.get("entry")) for each in document["differences"]}


@pytest.fixture(scope="module")
def original_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, UUID, UUID]:
    """Provide a stopped service with two ended matches, an audit trail, and a fork of the first match."""
    folder = tmp_path_factory.mktemp("untouched")
    changed, other = two_matches(folder)
    with watched_service(folder) as auditor:
        operator, ann = Person(auditor.client), Person(auditor.client)
        make_operator(auditor.client, operator.id)
        for role in ("arbiter", "organiser", "annotator"):
            assert operator.post("/roles", {"person": ann.id, "role": role})[0] == 200
        assert operator.post(f"/matches/{changed}/forks", {"at": 6, "luck": "same"})[0] == 201
        auditor.covering_checkpoint()
    return folder, changed, other


@pytest.fixture
def store_copy(original_store: tuple[Path, UUID, UUID], tmp_path: Path) -> tuple[Path, UUID]:
    folder = tmp_path / "service"
    shutil.copytree(original_store[0], folder)
    return folder, original_store[1]


def test_an_untouched_store_is_good(store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str]) -> None:
    status, document = audit(capsys, store_copy[0])
    leaves = document.pop("leaves")

    assert (status, document) == (
        0,
        {"good": True, "waiting": 0, "differences": [], "count": 0, "resumedAt": 0},
    )
    assert leaves > 20
    assert "good     " in run(capsys, "audit", "store", "--data", store_copy[0])[1]
    assert not (store_copy[0] / FILE).exists()


EXPECTED: Final[dict[str, set[int]]] = {
    "a result chained anew": {8},
    "an action chained anew": {7, 8},
    "an action in its place": {7, 8},
    "its end cut off": {7, 8},
    "deleted": {1, 2, 3, 4, 5, 6, 7, 8},
    "its beginning deleted": {1, 2, 3},
    "a row that cannot be read": {5},
}


@pytest.mark.parametrize("attack", ATTACKS, ids=ATTACKS.keys())
def test_tampering_with_a_match_is_found(
    store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str], attack: str
) -> None:
    folder, changed = store_copy
    ATTACKS[attack](folder, changed)
    status, document = audit(capsys, folder)
    entries = {entry for stream, entry in differences_in(document) if stream == str(changed) and entry is not None}

    assert (status, document["good"]) == (1, False)
    assert entries == EXPECTED[attack]
    result = run(capsys, "audit", "store", "--data", folder)
    assert result[0] == 1
    assert f"INVALID  {changed}, entry {min(entries)}: " in result[1]


def test_missing_records_are_found(store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str]) -> None:
    cut(store_copy[0], AUDIT_STREAM, 2)

    assert differences_in(audit(capsys, store_copy[0])[1]) == {(str(AUDIT_STREAM), 3), (str(AUDIT_STREAM), 4)}


def test_openings_are_checked_against_their_commitments(
    store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str]
) -> None:
    """It is covered by the commitment, not by the digest."""
    folder, changed = store_copy
    query = "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version = 1"
    with closing(sqlite3.connect(folder / "log.db")) as database:
        state = database.execute(query, (changed.hex,)).fetchone()[0]
    plain = ROW_COMPRESSOR.decompress(state)
    salt = json.loads(plain)["secrets"][0][0]
    query = "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = 1"
    change(folder / "log.db", query, ROW_COMPRESSOR.compress(plain.replace(salt.encode(), b"00" * 16)), changed.hex)
    status, document = audit(capsys, folder)

    assert (status, differences_in(document)) == (1, {(str(changed), 1)})


def test_an_entry_without_a_leaf_is_found(store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str]) -> None:
    """The tree claims to have read further than it has."""
    folder, _ = store_copy
    log = folder.with_name("m.jsonl")
    run(capsys, "play", "--title", "el_grande", "--bots", "random", "--players", 2, "--seed", "02", "--out", log)
    assert run(capsys, "import", log, "--data", folder)[0] == 0
    before = audit(capsys, folder)
    change(folder / "tree.db", "UPDATE reading SET position = position + 3")
    status, document = audit(capsys, folder)
    match_id = str(parse_log(log.read_bytes()).header.match)

    assert (before[0], before[1]["differences"], before[1]["waiting"] > 3) == (0, [], True)
    # The first position is the note about the import.
    assert status == 1
    assert differences_in(document) <= {(match_id, 1), (match_id, 2), (match_id, 3)}
    assert document["count"] >= 2


def leaf_of_log(folder: Path, match: UUID, version: int) -> None:
    """Recompute the leaf from the changed log, as an attacker with both files would."""
    with (
        closing(open_store(store_env(folder / "log.db"))) as matches,
        closing(sqlite3.connect(folder / "tree.db")) as tree,
    ):
        event = next(
            e for _, e in matches.read_log_items(0, 10_000) if (e.originator_id, e.version) == (match, version)
        )
        query = "SELECT number, salt, label FROM leaves JOIN labels USING (number) WHERE stream = ? AND version = ?"
        number, salt, label = tree.execute(query, (match.bytes, version)).fetchone()
        leaf = compute_leaf(salt, event)
        with tree:
            tree.execute("UPDATE leaves SET leaf = ? WHERE number = ?", (leaf, number))
            offset = number % WIDTH * 32
            (hashes,) = tree.execute(
                "SELECT hashes FROM tiles WHERE level = 0 AND number = ?", (number // WIDTH,)
            ).fetchone()
            changed = hashes[:offset] + leaf_hash(label + leaf) + hashes[offset + 32 :]
            tree.execute("UPDATE tiles SET hashes = ? WHERE level = 0 AND number = ?", (changed, number // WIDTH))


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE leaves SET salt = zeroblob(16) WHERE number = 5", "differs from its leaf in the tree"),
        ("UPDATE leaves SET leaf = zeroblob(32) WHERE number = 5", "leaf 5 does not match its hash in the tree"),
        ("DELETE FROM leaves WHERE number = 5", "of the leaves 0 to"),
        ("UPDATE leaves SET position = 100000 WHERE number = 5", "are not in the order of the log"),
        (
            (
                "UPDATE checkpoints SET signature = substr(signature, 1, 80)"
                " || CASE substr(signature, 81, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr(signature, 82)"
            ),
            "the latest checkpoint is not signed with the key of this service",
        ),
        ("UPDATE tiles SET hashes = zeroblob(length(hashes))", "has a different root than the signed one"),
    ],
)
def test_tampering_with_the_tree_is_found(
    store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str], statement: str, reason: str
) -> None:
    assert change(store_copy[0] / "tree.db", statement)
    status, document = audit(capsys, store_copy[0])

    assert status == 1
    assert any(reason in each["why"] for each in document["differences"]), document


def test_consistent_tampering_with_log_leaf_and_tile_is_found_by_the_root(
    store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, changed = store_copy
    rewrite(folder, changed, {8: richer})
    leaf_of_log(folder, changed, 8)
    status, document = audit(capsys, folder)

    assert status == 1
    assert "has a different root than the signed one" in document["differences"][0]["why"]


@pytest.mark.parametrize("damage", [b"", b"nonsense" * 1_000, None])
def test_an_unreadable_tree_is_reported(
    store_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str], damage: bytes | None
) -> None:
    tree = store_copy[0] / "tree.db"
    if damage is None:
        tree.unlink()
    else:
        tree.write_bytes(damage)
    status, _, error = run(capsys, "audit", "store", "--data", store_copy[0])

    assert status == 1
    assert error.count("\n") == 1
    assert "the service has never run there" in error or "cannot examine the tree: " in error


def test_the_store_of_a_running_service_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Recently appended entries are awaited."""
    with behind_sockets(tmp_path) as service:
        write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))
        token = service.token_of("Ann")
        for _ in range(3):
            service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)
        status, document = audit(capsys, tmp_path)

    assert (status, document["differences"], document["waiting"]) == (0, [], 0)


def test_a_tree_that_is_not_extended_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another process holds the tree's lock and does not extend it."""
    with watched_service(tmp_path) as auditor:
        auditor.covering_checkpoint()
    with (tmp_path / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with behind_sockets(tmp_path) as service:
            write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))
            service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, service.token_of("Ann"))
            status, document = audit(capsys, tmp_path)

    # The opening of the match, and the commitment to the name if it is recorded already.
    assert status == 1
    assert document["waiting"] in {1, 2}
    assert document["differences"] == [{"why": "the service is running but adds no waiting entries to the tree"}]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, UUID]:
    """Provide a store with more leaves than one piece of work, and its last match."""
    folder = tmp_path_factory.mktemp("large")
    for number in range(MATCHES):
        options = ["--title", "la_granja", "--bots", "random", "--players", "4", "--seed", f"0{number}"]
        command = [sys.executable, "-m", "ops.cli"]
        log = folder / f"{number}.jsonl"
        subprocess.run([*command, "play", *options, "--out", log], check=True, capture_output=True)
        subprocess.run([*command, "import", log, "--data", folder], check=True, capture_output=True)
    with watched_service(folder) as auditor:
        assert auditor.covering_checkpoint().size > TILES * WIDTH
    return folder, UUID(str(parse_log((folder / f"{MATCHES - 1}.jsonl").read_bytes()).header.match))


@pytest.fixture
def large_copy(large: tuple[Path, UUID], tmp_path: Path) -> tuple[Path, UUID]:
    folder = tmp_path / "service"
    shutil.copytree(large[0], folder)
    return folder, large[1]


@pytest.mark.walk("large")
def test_several_processes_give_the_same_result(
    large_copy: tuple[Path, UUID], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, changed = large_copy
    assert audit(capsys, folder, "--processes", 2)[0] == 0
    rewrite(folder, changed, {9: lambda fact: fact | {"seat": 3}}, chain=False)
    by_two, by_one = (audit(capsys, folder, "--processes", count) for count in (2, 1))

    assert by_two == by_one
    assert differences_in(by_one[1]) == {(str(changed), 9), (str(changed), 10)}


class Interrupted(BaseException):
    """Ctrl-C at this moment."""


def interrupt(_done: int, _total: int | None = None, /, what: str = "") -> None:
    raise Interrupted(what)


@pytest.mark.walk("large")
def test_an_interrupted_verification_resumes(large_copy: tuple[Path, UUID]) -> None:
    """With all earlier findings; from the beginning if the tree has been replaced."""
    folder, _ = large_copy
    first = UUID(str(parse_log((folder / "0.jsonl").read_bytes()).header.match))
    rewrite(folder, first, {9: lambda fact: fact | {"seat": 3}}, chain=False)
    settings = settings_for(folder)
    with pytest.raises(Interrupted):
        examine_store(settings, 1, interrupt, is_running=False)
    stored = AuditFile(folder / FILE).load()
    assert stored is not None
    assert (stored.tiles, stored.count, stored.finished) == (TILES, 2, None)
    assert (folder / FILE).stat().st_mode & 0o077 == 0

    examination, resumed_at = examine_store(settings, 1, silence, is_running=False)
    assert (resumed_at, examination.count) == (TILES, 2)
    assert examine_store(settings, 1, silence, is_running=False).resumed_at == 0
    with pytest.raises(Interrupted):
        examine_store(settings, 1, interrupt, is_running=False)
    AuditFile(folder / FILE).save(msgspec.structs.replace(stored, root="0" * 64))
    assert examine_store(settings, 1, silence, is_running=False).resumed_at == 0
    (folder / FILE).write_bytes(b"nonsense")
    assert examine_store(settings, 1, silence, is_running=False).resumed_at == 0


@pytest.mark.walk("large")
def test_several_processes_are_interrupted_together(large_copy: tuple[Path, UUID]) -> None:
    folder, _ = large_copy
    settings = settings_for(folder)
    with pytest.raises(Interrupted):
        examine_store(settings, 2, interrupt, is_running=False)

    assert examine_store(settings, 2, silence, is_running=False).resumed_at == TILES


@pytest.mark.walk("large")
def test_calculators_give_the_same_result_and_resume(large_copy: tuple[Path, UUID]) -> None:
    """Pieces are returned in any order; a killed command requests the same ones, another verification does not."""
    folder, changed = large_copy
    rewrite(folder, changed, {9: lambda fact: fact | {"seat": 3}}, chain=False)
    settings = settings_for(folder)
    specs = list[bytes]()

    def compute_in_reverse(kind: str, spec: bytes, pieces: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
        specs.append(spec)
        compute = kinds_of(PLAYERS, settings)[kind](spec)
        for number in reversed(range(len(pieces))):
            yield number, compute(pieces[number])

    examine_elsewhere = partial(examine_spread, compute_in_reverse)
    with pytest.raises(Interrupted):
        examine_store(settings, 1, interrupt, is_running=False, examine_remotely=examine_elsewhere)
    spread, resumed_at = examine_store(settings, 1, silence, is_running=False, examine_remotely=examine_elsewhere)
    local = examine_store(settings, 1, silence, is_running=False).examination
    examine_store(settings, 1, silence, is_running=False, examine_remotely=examine_elsewhere)

    assert resumed_at == TILES
    assert (spread.differences, spread.count, spread.size) == (local.differences, local.count, local.size)
    assert spread.count == 2
    assert specs[0] == specs[1] != specs[2]


def test_a_calculator_with_another_tree_reports_it(original_store: tuple[Path, UUID, UUID], tmp_path: Path) -> None:
    start = msgspec.json.encode(ExaminationStart(datetime(2026, 1, 1, tzinfo=UTC), 10, "0" * 64))

    with pytest.raises(Finding, match="the tree changed during the examination"):
        kinds_of(PLAYERS, settings_for(original_store[0]))[EXAMINE](start)
    with pytest.raises(Finding, match=": the service has never run there"):
        kinds_of(PLAYERS, settings_for(tmp_path))[EXAMINE](start)
