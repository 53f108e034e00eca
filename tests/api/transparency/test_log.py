"""The public transparency log: complete, append-only, and without information about its entries."""

from __future__ import annotations

import fcntl
import hashlib
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from domain.matches.log.entries import Entry
from domain.matches.log.records import Record, record_digest
from domain.proofs.entry_file import verify_entry_proof
from domain.roles.state import ROLES
from domain.transparency.announcements import FormatChanged, parse_announcement
from domain.transparency.keys import is_signed
from domain.transparency.labels import LABEL_BYTES, label_from, record_text
from domain.transparency.leaves import LEAF_PREFIX, SALT_BYTES, leaf_of
from domain.transparency.merkle import HASH_BYTES, check_consistency, leaf_hash
from domain.transparency.policy import parse_policy, policy_of_keys
from domain.transparency.proofs import LogProof, check_proof, parse_proof
from projections.platform.clock import now
from tests.api.service import Person, catch_up, make_operator, settings_in, start_match
from tests.transparency.outsiders import Stranger, content_of, salt_of, tree_events, watched_service

FOR_EVER: Final = "public, max-age=31536000, immutable"


@pytest.fixture
def stranger(client: TestClient[Any]) -> Stranger:
    return Stranger(client)


def test_a_stranger_computes_the_root_from_public_tiles(stranger: Stranger, ann: Person, ben: Person) -> None:
    start_match(ann, ben)
    checkpoint = stranger.covering_checkpoint()

    assert stranger.tiles(checkpoint.size).root(checkpoint.size) == checkpoint.root
    assert len(stranger.entries(checkpoint.size)) == checkpoint.size
    assert checkpoint.origin == stranger.key.name == stranger.state()["origin"]


def test_entries_are_found_with_their_salts(stranger: Stranger, ann: Person, ben: Person) -> None:
    """The leaf follows from entry and salt; its proof, written to a file, is valid without the service."""
    match_id = UUID(start_match(ann, ben))
    checkpoint = stranger.covering_checkpoint()
    tiles, note = stranger.tiles(checkpoint.size), stranger.note()
    assert note is not None
    for entry in stranger.matches.entries(match_id):
        number, _ = salt_of(stranger, match_id, entry.version)
        leaf = content_of(stranger, match_id, entry.version, digest_of(entry))
        proof = LogProof(number, tuple(tiles.inclusion(number, checkpoint.size)), note)

        assert check_proof(parse_proof(str(proof).encode()), leaf, stranger.key).checkpoint == checkpoint


def test_one_entry_is_proven_to_its_reader(stranger: Stranger, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    stranger.covering_checkpoint()
    response = stranger.client.get(f"/api/matches/{match_id}/entries/1/proof")

    assert (response.status_code, response.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    report = verify_entry_proof(response.content, policy_of_keys([stranger.key]))
    assert report.is_good, report.fault
    assert (report.match, report.entry) == (match_id, 1)
    for number in (0, 99):
        response = stranger.client.get(f"/api/matches/{match_id}/entries/{number}/proof")
        assert (response.status_code, response.json()["code"]) == (404, "entry/unknown")


def digest_of(event: Entry | Record) -> bytes:
    """Return the digest as specified in `docs/specifications/log.md`."""
    prefix = b"esporles.entry/1\x00" if isinstance(event, Entry) else b"esporles.record/1\x00"
    at = (event.timestamp - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    head = event.originator_id.bytes + event.version.to_bytes(8, "big") + at.to_bytes(8, "big") + event.previous
    return hashlib.sha256(prefix + head + bytes(event.body)).digest()


def test_all_entries_and_records_except_studies_are_leaves(stranger: Stranger, ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
    assert ann.post(f"/matches/{match_id}/annotations", {"title": "Mine"})[0] == 201
    assert ann.post("/leagues", {"plan": {"name": "Liga", "title": "la_granja", "size": 2, "table": {}}})[0] == 201
    checkpoint = stranger.covering_checkpoint()
    events = tree_events(stranger.matches)
    expected = [leaf.content for _, leaf in stranger.store.announcements()]
    assert len(expected) == 1
    for event in events:
        stream = event.line_id if isinstance(event, Entry) else event.stream_id
        number, _ = salt_of(stranger, stream, event.version)
        assert number == len(expected)
        expected.append(content_of(stranger, stream, event.version, digest_of(event)))

    assert stranger.entries(checkpoint.size) == expected
    studies = [
        e for _, e in stranger.matches.read_log_items(0, 100_000) if isinstance(e, Record) and e.tag.startswith("study")
    ]
    assert studies
    assert not any(stranger.store.leaf(study.stream_id, study.version) for study in studies)


def test_the_tree_only_grows(stranger: Stranger, ann: Person, ben: Person) -> None:
    before = stranger.covering_checkpoint()
    start_match(ann, ben)
    after = stranger.covering_checkpoint()
    proof = stranger.tiles(after.size).consistency(before.size, after.size)

    assert after.size > before.size
    check_consistency(before.size, after.size, before.root, after.root, proof)


def test_files_have_cache_headers(stranger: Stranger, ann: Person, ben: Person) -> None:
    start_match(ann, ben)
    size = stranger.covering_checkpoint().size
    checkpoint = stranger.client.get("/tlog/checkpoint")
    tile = stranger.client.get(f"/tlog/tile/0/000.p/{size}")
    entries = stranger.client.get(f"/tlog/tile/entries/000.p/{size}")

    assert checkpoint.headers["content-type"] == "text/plain; charset=utf-8"
    assert checkpoint.headers["cache-control"] == "public, max-age=1"
    ((_, announcement),) = stranger.store.announcements()
    leaf_bytes = len(announcement.content) + (size - 1) * (LABEL_BYTES + HASH_BYTES)
    for answer, length in ((tile, HASH_BYTES * size), (entries, 2 * size + leaf_bytes)):
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["cache-control"] == FOR_EVER
        assert len(answer.content) == length
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/000",
        "tile/0/000.p/255",
        "tile/0/001.p/1",
        "tile/1/000.p/1",
        "tile/63/000.p/1",
        "tile/64/000",
        "tile/00/000",
        "tile/entries/000",
        "tile/entries/x001/000",
        "tile/data/000",
        "tile/0/x999/x999/x999/x999/x999/999",
        "tile/0/0",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/..%2fcheckpoint",
        "tile/0/" + "x001/" * 50 + "000",
        "tile/-1/000",
        "nothing",
    ],
)
def test_missing_files_are_not_found(stranger: Stranger, path: str) -> None:
    stranger.covering_checkpoint()
    response = stranger.client.get(f"/tlog/{path}")

    assert response.status_code == 404, response.text
    assert response.headers["content-type"] == "application/problem+json"


def test_before_anything_is_signed_there_is_no_checkpoint(tmp_path: Path) -> None:
    """Another process has the lock of the folder, so no process keeps this tree yet."""
    with (tmp_path / "tree.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with watched_service(tmp_path) as stranger:
            response = stranger.client.get("/tlog/checkpoint")
            state = stranger.state()

            assert (response.status_code, response.json()["code"]) == (404, "checkpoint/unknown")
            assert (state["size"], state["root"], state["checkpoint"]) == (0, None, None)
            fcntl.flock(lock, fcntl.LOCK_UN)
            # After the lock is released, this process becomes the keeper.
            assert stranger.covering_checkpoint().size > 0


def test_a_guess_cannot_be_confirmed(stranger: Stranger, ann: Person) -> None:
    """A dictionary attack on a short record, trying every person, role and microsecond.

    Even if the true record is among the guesses, no public data confirms it.
    """
    boss = Person(stranger.client)
    make_operator(stranger.client, boss.id)
    assert boss.post("/roles", {"person": ann.id, "role": "arbiter"})[0] == 200
    size = stranger.covering_checkpoint().size
    (true,) = [each for each in tree_events(stranger.matches) if isinstance(each, Record) and ROLES.owns(each)][-1:]
    people, roles = (ann.id, boss.id, Person(stranger.client).id), ("arbiter", "organiser", "operator", "annotator")
    body = msgspec.json.decode(true.body)
    guesses = {
        record_digest(msgspec.structs.replace(true, body=msgspec.json.encode(body | {"person": person, "role": role})))
        for person in people
        for role in roles
    }
    entries = stranger.entries(size)
    halves = {half for entry in entries for half in (entry[:LABEL_BYTES], entry[LABEL_BYTES:])}
    served = set(entries) | halves | {leaf_hash(entry) for entry in entries}
    salts = (b"", bytes(SALT_BYTES), b"\xff" * SALT_BYTES, true.stream_id.bytes)

    where = true.stream_id.bytes + true.version.to_bytes(8, "big")
    guessed_leaves = (
        {
            hashlib.sha256(prefix + salt + where + digest).digest()
            for digest in guesses
            for prefix in (b"", LEAF_PREFIX, b"\x00", b"\x00" + LEAF_PREFIX)
            for salt in salts
        }
        | guesses
        | {leaf_hash(digest) for digest in guesses}
    )
    public = parse_announcement(entries[0])
    assert isinstance(public, FormatChanged)
    text = record_text(public.origin, true.stream_id, true.version)
    known = (b"", text, bytes.fromhex(public.vrf), text + bytes.fromhex(public.vrf), true.stream_id.bytes)
    guessed_labels = {
        label_from(output, true.version) for output in (*known, *(hashlib.sha512(k).digest() for k in known))
    }
    assert record_digest(true) in guesses
    assert not (guessed_leaves | guessed_labels) & served
    # With the salt it is confirmed at once, so the attack would otherwise succeed.
    number, salt = salt_of(stranger, true.stream_id, true.version)
    assert entries[number][LABEL_BYTES:] == leaf_of(salt, true.stream_id, true.version, record_digest(true))


def test_private_tables_cannot_be_found_in_it(stranger: Stranger, ann: Person, ben: Person) -> None:
    """No public data contains information about a private table, not even its id; its leaves look like all others."""
    match_id = UUID(start_match(ann, ben, table={"public": False}))
    size = stranger.covering_checkpoint().size
    served = [*stranger.entries(size), str(stranger.note()).encode(), stranger.client.get("/api/transparency").content]
    everything = b"".join(served)

    for entry in stranger.matches.entries(match_id):
        assert not any(secret in everything for secret in (match_id.bytes, str(match_id).encode(), digest_of(entry)))
    assert {len(entry) for entry in stranger.entries(size)[1:]} == {LABEL_BYTES + HASH_BYTES}
    assert len({entry[:LABEL_BYTES] for entry in stranger.entries(size)}) == size


def test_a_tampered_tree_is_not_served_and_the_service_continues(tmp_path: Path) -> None:
    with watched_service(tmp_path) as stranger:
        stranger.covering_checkpoint()
    with sqlite3.connect(tmp_path / "tree.db") as database:
        database.execute("UPDATE tiles SET hashes = zeroblob(length(hashes))")
    database.close()
    with watched_service(tmp_path) as stranger:
        answers = [stranger.client.get(f"/tlog/{path}") for path in ("checkpoint", "tile/0/000.p/1")]
        ann = Person(stranger.client)

        assert [(each.status_code, each.json()["code"]) for each in answers] == [(503, "tree/differs")] * 2
        assert "a different root" in stranger.state()["fault"]
        assert "Someone has changed it." in stranger.client.get("/transparency").text
        assert start_match(ann, Person(stranger.client))


@pytest.mark.parametrize(
    "statement",
    ["UPDATE checkpoints SET text = 'nonsense'", "UPDATE checkpoints SET signature = '—'", "DELETE FROM tiles"],
)
def test_the_service_starts_with_any_tampered_tree(tmp_path: Path, statement: str) -> None:
    with watched_service(tmp_path) as stranger:
        stranger.covering_checkpoint()
    with sqlite3.connect(tmp_path / "tree.db") as database:
        database.execute(statement)
    database.close()
    with watched_service(tmp_path) as stranger:
        assert stranger.state()["fault"]
        assert stranger.client.get("/tlog/checkpoint").status_code == 503


def test_an_unreadable_tree_is_not_served_and_the_service_continues(tmp_path: Path) -> None:
    (tmp_path / "tree.db").write_bytes(b"nonsense" * 1_000)
    with watched_service(tmp_path) as stranger:
        assert "cannot read tree.db" in stranger.state()["fault"]
        assert stranger.client.get("/tlog/checkpoint").status_code == 503
        assert stranger.client.get("/transparency").status_code == 200
        assert start_match(Person(stranger.client), Person(stranger.client))


def test_a_restart_continues_the_same_tree(tmp_path: Path) -> None:
    with watched_service(tmp_path) as stranger:
        before, key = stranger.covering_checkpoint(), stranger.key
    with watched_service(tmp_path) as stranger:
        assert stranger.checkpoint().root == before.root
        start_match(Person(stranger.client), Person(stranger.client))
        after = stranger.covering_checkpoint()

        assert stranger.key == key
        proof = stranger.tiles(after.size).consistency(before.size, after.size)
        check_consistency(before.size, after.size, before.root, after.root, proof)


def test_the_log_has_the_configured_name(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(settings_in(tmp_path), log_origin="club.example/tlog")
    with watched_service(tmp_path, settings) as stranger:
        note = stranger.until(stranger.note, lambda note: note is not None)
        assert note is not None

        assert stranger.checkpoint().origin == "club.example/tlog"
        assert is_signed(stranger.key, note.text, note.signatures[0])


def test_tables_that_never_begin_are_counted_by_day(own_client: TestClient[Any]) -> None:
    ann, ben = Person(own_client), Person(own_client)
    start_match(ann, ben)
    ann.opens(2)
    ann.opens(2, table={"public": False})
    catch_up(own_client)

    (day,) = own_client.get("/api/transparency/days").json()["days"]
    assert day == {"day": now().date().isoformat(), "opened": 3, "neverBegun": 2}


def test_the_policy_of_the_service_is_published(stranger: Stranger) -> None:
    """As text, in the state, in the discovery document, and on the page."""
    response = stranger.client.get("/tlog/policy")

    assert (response.status_code, response.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert response.text == f"log {stranger.key}\nquorum none\n"
    assert parse_policy(response.content).log_keys == (stranger.key,)
    assert stranger.state()["policy"] == response.text
    found = stranger.client.get("/tlog/service.json").json()
    assert found == {
        "origin": stranger.key.name,
        "key": str(stranger.key),
        "policy": response.text,
        "log": "/tlog/",
        "api": "/api/",
    }
    assert 'href="/tlog/policy"' in stranger.client.get("/transparency").text
