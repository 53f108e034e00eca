"""A monitor: honest logs that grow, broken promises with evidence, and logs that hang, lie or vanish."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.request import urlopen

import pytest

from domain.transparency.evidence import check_evidence, parse_evidence
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE
from domain.transparency.policy import policy_of_keys
from domain.transparency.tiles import Tile
from ops.cli import main
from ops.transparency.log_client import LogClient
from ops.transparency.monitor import QUORUM_SECONDS, STALE_SECONDS, Look, Monitor
from projections.platform.clock import now
from tests.api.service import PATIENCE_SECONDS, Sockets, behind_sockets
from tests.ops.transparency.served_log import (
    ANNOUNCEMENT,
    TRUST,
    Clock,
    ServedLog,
    commitment,
    following,
    honest_leaves,
    kinds,
    labelled_leaf,
    serve_log,
)
from tests.transparency.outsiders import HOUSE, ask, console
from tests.workers.serving import process_of

WITNESS: Final = Signer("witness.example/club", b"\x02" * 32, COSIGNATURE)
WITNESSED: Final = policy_of_keys([HOUSE.key, WITNESS.key])


def evidence_of(folder: Path, look: Look) -> str:
    """Return what the evidence of the only finding proves, checked without the log."""
    (finding,) = look.findings
    return check_evidence(parse_evidence((folder / "evidence" / finding.file).read_bytes()))


def test_a_growing_log_is_followed_and_its_tree_recomputed(tmp_path: Path) -> None:
    """Only new leaves are fetched; the state survives a restart."""
    log = ServedLog(honest_leaves(700))
    with following(tmp_path, log) as look:
        assert (look().size, look().is_good) == (700, True)
    log.add(*map(labelled_leaf, range(700, 1_300)))
    log.requests.clear()
    with following(tmp_path, log) as look:
        first = look()
    assert (first.size, first.is_good, first.root) == (1_300, True, log.note.text.split()[2] and first.root)
    assert "tile/entries/002.p/188" not in log.requests[:4]
    assert log.requests[:4] == ["checkpoint", "tile/entries/002", "tile/entries/003", "tile/entries/004"]


def test_a_log_that_begins_empty_is_followed(tmp_path: Path) -> None:
    log = ServedLog()
    with following(tmp_path, log) as look:
        assert look().is_good
        log.put([ANNOUNCEMENT, labelled_leaf(1)])
        assert (look().size, look().is_good) == (2, True)


def test_two_leaves_with_one_label_are_proven(tmp_path: Path) -> None:
    """Two histories of one entry: both have the label that the key of labels gives."""
    log = ServedLog(honest_leaves(300))
    with following(tmp_path, log) as look:
        assert look().is_good
        log.add(labelled_leaf(300), labelled_leaf(301, label="17"))
        found = look()
        assert kinds(found) == ["double_label"]
        assert evidence_of(tmp_path, found) == (
            f"{HOUSE.key.name} has signed two leaves for one entry or record: 17 and 301"
        )
        assert look() == found


def test_a_wrong_leaf_is_not_lost_if_its_evidence_cannot_be_written(tmp_path: Path) -> None:
    log = ServedLog([*honest_leaves(300), labelled_leaf(300, label="17")])
    (tmp_path / "evidence").touch()
    with following(tmp_path, log) as look:
        with pytest.raises(FileExistsError):
            look()
        (tmp_path / "evidence").unlink()
        assert kinds(look()) == ["double_label"]


def test_a_rollback_is_kept_with_both_checkpoints(tmp_path: Path) -> None:
    log = ServedLog(honest_leaves(300))
    with following(tmp_path, log) as look:
        look()
        log.put(honest_leaves(200))
        found = look()
        assert (kinds(found), found.size) == (["rollback"], 300)
        assert "has signed trees of 200 and 300 leaves" in evidence_of(tmp_path, found)
        log.put(honest_leaves(400))
        assert (look().size, kinds(look())) == (400, ["rollback"])


@pytest.mark.parametrize("size", [300, 200, 500])
def test_another_history_is_proven_whatever_its_size(tmp_path: Path, size: int) -> None:
    log = ServedLog(honest_leaves(300))
    other = honest_leaves(size)
    other[40] = labelled_leaf(40, label="forged")
    with following(tmp_path, log) as look:
        look()
        log.put(other)
        found = look()
        assert (kinds(found), found.size) == (["two_trees"], 300)
        assert "has signed" in evidence_of(tmp_path, found)
        log.put(honest_leaves(301))
        assert look().size == 301


@pytest.mark.parametrize("path", ["tile/0/000", "tile/entries/000", "tile/1/000.p/2"])
def test_a_rewritten_tile_is_found(tmp_path: Path, path: str) -> None:
    log = ServedLog(honest_leaves(600))
    with following(tmp_path, log) as look:
        assert look().is_good
        content = log.content(path)
        assert content is not None
        log.answers[path] = content[:-1] + bytes([content[-1] ^ 1])
        found = look()
        assert kinds(found) == ["served"]
        assert f"{path} was rewritten" in found.findings[0].reason


@pytest.mark.parametrize("path", ["tile/entries/001.p/44", "tile/0/001.p/44"])
def test_new_leaves_or_tiles_that_do_not_give_the_root_are_found(tmp_path: Path, path: str) -> None:
    log = ServedLog(honest_leaves(300))
    content = log.content(path)
    assert content is not None
    log.answers[path] = content[:-1] + bytes([content[-1] ^ 1])
    with following(tmp_path, log) as look:
        found = look()
        assert kinds(found) == ["served"]
        del log.answers[path]
        assert look().size == 300


@pytest.mark.parametrize(
    ("leaf", "reason"),
    [
        (commitment(9), "it has 32 bytes, expected 64"),
        (labelled_leaf(9) + b"x", "it has 65 bytes, expected 64"),
        (ANNOUNCEMENT, "labels were announced before, at leaf 3"),
        (ANNOUNCEMENT + b" ", "is not in canonical form"),
    ],
)
def test_a_wrong_leaf_is_proven(tmp_path: Path, leaf: bytes, reason: str) -> None:
    log = ServedLog([*honest_leaves(20), leaf])
    with following(tmp_path, log) as look:
        found = look()
        assert (kinds(found), found.size) == (["leaf"], 21)
        assert reason in found.findings[0].reason
        assert "has signed a tree with the wrong leaf 20" in evidence_of(tmp_path, found)


def hang(handler: BaseHTTPRequestHandler) -> None:
    """Return one byte, and then nothing until the client gives up."""
    handler.wfile.write(b"H")
    handler.rfile.read(1)


def drip(handler: BaseHTTPRequestHandler, beginning: bytes = b"HTTP/1.0 200 OK\r\n") -> None:
    """Return a header that never ends, faster than a socket times out."""
    handler.wfile.write(beginning)
    try:
        while not threading.Event().wait(0.01):
            handler.wfile.write(b"X: y\r\n")
    except OSError:
        handler.close_connection = True


def drip_content(handler: BaseHTTPRequestHandler) -> None:
    """Return content that never ends, before the connection is closed."""
    drip(handler, b"HTTP/1.0 200 OK\r\n\r\n")


def send_forever(handler: BaseHTTPRequestHandler) -> None:
    """Return gigabytes without stating the length."""
    handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
    try:
        while True:
            handler.wfile.write(b"x" * 65_536)
    except OSError:
        handler.close_connection = True


def redirect(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://169.254.169.254/")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


FALSE: Final = str(ServedLog(honest_leaves(9)).note).replace("house.example/tlog\n9", "house.example/tlog\n8").encode()


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        (hang, "unreachable", "checkpoint: TimeoutError: "),
        (drip, "unreachable", "checkpoint: TimeoutError: no complete response within 0 seconds"),
        (drip_content, "unreachable", "checkpoint: TimeoutError: no complete response within 0 seconds"),
        (send_forever, "unreachable", "checkpoint: more than 100,000 bytes"),
        (redirect, "unreachable", "status 302, redirects to http://169.254.169.254/"),
        (b"", "invalid", "no empty line between text and signatures"),
        (FALSE, "invalid", "invalid signature of house.example/tlog"),
        (str(ServedLog().note).replace("house", "other").encode(), "invalid", "is not signed with a trusted key"),
    ],
)
def test_a_log_that_hangs_or_lies_is_shown_and_stops_nothing(
    tmp_path: Path, answer: Any, kind: str, reason: str
) -> None:
    log = ServedLog(honest_leaves(9))
    log.answers["checkpoint"] = answer
    with following(tmp_path, log, seconds=0.1 if answer in (hang, drip, drip_content) else 30.0) as look:
        shown = look()
    assert [each.kind for each in shown.conditions] == [kind]
    assert reason in shown.conditions[0].reason
    log.answers.clear()
    with following(tmp_path, log) as look:
        assert (look().size, look().is_good) == (9, True)


def test_a_log_that_vanishes_is_shown(tmp_path: Path) -> None:
    with following(tmp_path, ServedLog(honest_leaves(9))) as look:
        look()
    monitor = Monitor(LogClient("http://127.0.0.1:9"), tmp_path, TRUST, Clock())
    assert "ConnectionRefusedError" in monitor.look().conditions[0].reason
    monitor.close()


def test_bundles_are_limited(tmp_path: Path) -> None:
    log = ServedLog(honest_leaves(9))
    log.answers["tile/entries/000.p/9"] = send_forever
    with following(tmp_path, log) as look:
        assert look().conditions[0].reason == "tile/entries/000.p/9: more than 2,200,000 bytes"


def test_a_stale_log_is_shown(tmp_path: Path) -> None:
    """By the newest cosignature of a trusted witness, or without witnesses by the last change."""
    clock, log = Clock(), ServedLog(honest_leaves(9), WITNESS)
    with following(tmp_path / "w", log, WITNESSED, clock) as look, following(tmp_path / "n", log, TRUST, clock) as bare:
        assert (look().is_good, bare().is_good) == (True, True)
        clock.seconds += STALE_SECONDS + 1
        assert [kinds(look()), kinds(bare())] == [["stale"], ["stale"]]
        log.at = clock.seconds
        assert [kinds(look()), kinds(bare())] == [[], ["stale"]]
        log.add(labelled_leaf(9))
        assert [kinds(look()), kinds(bare())] == [[], []]


def test_a_checkpoint_below_the_quorum_is_shown_after_a_while(tmp_path: Path) -> None:
    clock, log = Clock(), ServedLog(honest_leaves(9))
    with following(tmp_path, log, WITNESSED, clock) as look:
        assert kinds(look()) == ["below_quorum"]
        log.witnesses = (WITNESS,)
        assert kinds(look()) == []
        log.witnesses = ()
        log.add(labelled_leaf(9))
        assert kinds(look()) == []
        clock.seconds += QUORUM_SECONDS + 1
        shown = look()
        assert (kinds(shown), shown.size) == (["below_quorum"], 10)
        assert "lacks a cosignature of 1 of (witness.example/club)" in shown.conditions[0].reason


def test_a_partial_bundle_may_be_replaced_by_the_full_one(tmp_path: Path) -> None:
    log = ServedLog(honest_leaves(300))
    with following(tmp_path, log) as look:
        full = ServedLog(honest_leaves(512)).content("tile/entries/001")
        assert full is not None
        log.answers = {"tile/entries/001": full, f"tile/entries/{Tile(1, 44).path}": lambda each: each.send_error(404)}
        assert look().size == 300


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str]:
    status = main(["monitor", *map(str, args)])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def wait_for_growth(service: Sockets, size: int) -> int:
    """Wait until the signed tree of a service is larger than a size; return its size."""
    deadline = monotonic() + PATIENCE_SECONDS
    while (signed := int(service.ask("GET", "/transparency")[1]["size"])) <= size:
        assert monotonic() < deadline, "nothing was signed"
    return signed


@pytest.mark.walk
def test_the_command_follows_a_real_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its policy, over growth; its tree announces labels."""
    with behind_sockets(tmp_path / "house") as service:
        url, policy = f"http://127.0.0.1:{service.port}", tmp_path / "policy"
        policy.write_bytes(urlopen(f"{url}/tlog/policy").read())
        token = service.people.access.issue_token(service.people.create_guest(now()), "", now())[1]
        sizes = [0]
        for _ in range(2):
            assert service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[0] == 201
            signed = wait_for_growth(service, sizes[-1])
            status, out = run(capsys, url, "--once", "--json", "--policy", policy, "--data", tmp_path / "m")
            assert (status, json.loads(out)["conditions"], json.loads(out)["findings"]) == (0, [], [])
            sizes.append(json.loads(out)["size"])
            assert sizes[-1] >= signed


def test_the_command_shows_findings_and_checks_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = ServedLog([*honest_leaves(300), labelled_leaf(300, label="17")])
    with serve_log(log) as url:
        status, out = run(capsys, url, "--once", "--house", HOUSE.key, "--data", tmp_path)
    assert (status, "NOT GOOD: house.example/tlog, 301 leaves verified" in out) == (1, True)
    (file,) = (tmp_path / "evidence").iterdir()
    status, out = run(capsys, "--check", file)
    assert (status, f"key      {HOUSE.key}" in out) == (0, True)
    assert "PROVEN   house.example/tlog has signed two leaves for one entry or record: 17 and 300" in out
    file.write_text(file.read_text().replace('"index": 17', '"index": 18'))
    status, out = run(capsys, "--check", file)
    assert (status, "nothing is proven: the proof does not lead to the root" in out) == (1, True)


def test_a_running_monitor_shows_its_last_look(tmp_path: Path) -> None:
    """The command in a process of its own: a page, JSON and metrics."""
    log = ServedLog([*honest_leaves(20), labelled_leaf(20, label="17")])
    with serve_log(log) as url:
        command = console("monitor", url, "--house", HOUSE.key, "--data", tmp_path, "--port", 0, "--json")
        with process_of(command) as (_, output):
            address = json.loads(output.line())["url"]
            deadline = monotonic() + PATIENCE_SECONDS
            while (status := json.loads(ask(address, "GET", "/status.json")[1])) is None:
                assert monotonic() < deadline
            assert (status["size"], status["isGood"], status["findings"][0]["kind"]) == (21, False, "double_label")
            assert "NOT GOOD: house.example/tlog, 21 leaves verified" in ask(address, "GET", "/")[1]
            assert "esporles_monitor_findings 1.0" in ask(address, "GET", "/metrics")[1]
            assert ask(address, "POST", "/status.json")[0] == ask(address, "GET", "/x")[0] == 404


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "invalid address of a log None"),
        (("ftp://x",), "invalid address of a log 'ftp://x'"),
        (("http://x.example",), "the key of the log is required"),
        (("http://x.example", "--house", "x"), "'x' is not a verifier key"),
        (("http://x.example", "--house", WITNESS.key), "unsupported type"),
        (("http://x.example", "--house", HOUSE.key, "--every", "0"), "must be greater than 0"),
        (("--check", "missing"), "cannot read missing"),
        (("--check", __file__), "evidence cannot be read"),
    ],
)
def test_wrong_usage_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: tuple[object, ...], message: str
) -> None:
    status, out = run(capsys, *args, "--data", tmp_path)
    assert (status, message in out) == (2, True), out
