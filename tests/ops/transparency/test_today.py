"""`esporles verify FILE --service URL`: an old proof against the tree that its service shows today."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Final

import pytest

from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE
from ops.cli import main
from ops.verifying.today import compare_files
from tests.api.service import behind_sockets
from tests.domain.proofs import test_key_changes
from tests.domain.proofs.test_key_history import history
from tests.ops.transparency.served_log import ServedLog, honest_leaves, labelled_leaf, serve_log
from tests.transparency.outsiders import HOUSE, forge_beginning

WITNESS: Final = Signer("witness.example/club", b"\x05" * 32, COSIGNATURE)
THIEF: Final = Signer(HOUSE.key.name, b"\x07" * 32)
OLD_KEY, NEW_KEY = test_key_changes.OLD, test_key_changes.NEW
OLD: Final = 300
NOW: Final = 1_000 + 2 * 3_600


@pytest.fixture
def log() -> ServedLog:
    return ServedLog(honest_leaves(OLD), WITNESS)


@pytest.fixture
def url(log: ServedLog) -> Iterator[str]:
    with serve_log(log) as url:
        yield url


@pytest.fixture
def proof(log: ServedLog, tmp_path: Path) -> Path:
    """Provide the last line of a proof of today; the other lines are verified elsewhere."""
    return write_end(tmp_path / "match.proof", log, HOUSE)


def write_end(path: Path, log: ServedLog, signer: Signer) -> Path:
    end = {"hashes": [], "checkpoint": str(log.note), "keys": [str(signer.key), str(WITNESS.key)]}
    path.write_text('{"format":"esporles.proof/2"}\n' + json.dumps(end, ensure_ascii=False) + "\n")
    return path


def compare(proof: Path, url: str, now: float = NOW) -> list[tuple[str, str]]:
    return [(each.state, each.text) for each in compare_files([proof], url, None, lambda: now)]


def test_a_tree_that_continues_the_proof_is_checked(log: ServedLog, url: str, proof: Path) -> None:
    log.put(honest_leaves(1_000))
    signed, continued, fresh = compare(proof, url)

    assert signed[0] == continued[0] == fresh[0] == "checked"
    assert "the current tree of 1,000 leaves continues that of the proof (300)" in continued[1]
    assert "2.0 hours ago" in fresh[1]
    assert sum(each.startswith("tile") for each in log.requests) < 8


def test_an_older_tree_is_invalid_with_both_sizes(log: ServedLog, url: str, proof: Path) -> None:
    log.put(honest_leaves(200))
    _, (state, text), _ = compare(proof, url)

    assert state == "INVALID"
    assert "returned to an older tree: the checkpoint of the proof has 300 leaves, the current tree 200" in text


@pytest.mark.parametrize("size", [OLD, 1_000])
def test_another_tree_is_invalid(log: ServedLog, url: str, proof: Path, size: int) -> None:
    log.put([*honest_leaves(OLD)[:-1], labelled_leaf(9_999), *map(labelled_leaf, range(2_000, 2_000 + size - OLD))])
    _, (state, text), _ = compare(proof, url)

    assert state == "INVALID"
    assert "the service has another tree" in text


def test_an_old_cosignature_is_not_current(url: str, proof: Path) -> None:
    _, continued, fresh = compare(proof, url, now=1_000 + 25.5 * 3_600)

    assert continued[0] == "checked"
    assert fresh == ("not checked", "whether the checkpoint is the current one: stale, last cosigned 26 hours ago")


def test_a_cosignature_from_the_future_is_not_current(log: ServedLog, url: str, proof: Path) -> None:
    log.at = NOW + 366 * 86_400

    assert "no known witness has cosigned it until now" in compare(proof, url)[2][1]


def test_another_log_proves_nothing(log: ServedLog, url: str, proof: Path) -> None:
    """A wrong address, or a stranger between reader and service, is no accusation."""
    log.signer = THIEF
    log.put(honest_leaves(200))

    assert [state for state, _ in compare(proof, url)] == ["not checked", "not checked"]


def test_a_successor_of_the_key_is_found_in_the_history_of_keys(log: ServedLog, url: str, proof: Path) -> None:
    """After the overlap of a change, only the new key signs."""
    log.signer = OLD_KEY
    write_end(proof, log, OLD_KEY)
    log.signer = NEW_KEY
    log.put(honest_leaves(1_000))
    assert "not checked: the signature of the current checkpoint" in str(
        compare_files([proof], url, None, lambda: NOW)[0]
    )

    log.answers["keys"] = history()
    signed, continued, _ = compare(proof, url)
    assert signed[0] == continued[0] == "checked"
    assert signed[1].endswith(f"is signed with {NEW_KEY.key}, a successor of the key in the proof")
    log.put(honest_leaves(200))
    assert [state for state, _ in compare(proof, url)][:2] == ["checked", "INVALID"]


def test_several_files_are_compared_with_one_checkpoint(log: ServedLog, url: str, proof: Path) -> None:
    log.put(honest_leaves(1_000))
    findings = compare_files([proof, proof], url, None, lambda: NOW)

    assert [each.state for each in findings] == ["checked"] * 6
    assert log.requests.count("checkpoint") == 1
    assert len(log.requests) == len(set(log.requests))


def test_a_file_without_a_readable_checkpoint_ends_in_a_sentence(url: str, proof: Path) -> None:
    for content in (b"", b"{}", b'{"checkpoint":"","keys":[]}', b"c2sp.org/tlog-proof@v1\nnonsense"):
        proof.write_bytes(content)

        assert compare(proof, url) == [
            ("not checked", f"the tree at {url}, because match.proof has no readable checkpoint")
        ]


def wait_for_nothing(handler: BaseHTTPRequestHandler) -> None:
    """Send nothing until the client closes the connection."""
    handler.rfile.read(1)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


def redirect(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://localhost/other")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def pour(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(10**9))
    handler.end_headers()
    handler.wfile.write(b"x" * 500_000)


@pytest.mark.parametrize(
    "answer", [hang_up, redirect, pour, b"nonsense", b"\xff\xfe", b"a\n1\nb\n\n\xe2\x80\x94 a b\n"]
)
@pytest.mark.parametrize("path", ["checkpoint", "tile/0/001.p/232"])
def test_a_hostile_service_ends_in_a_sentence(
    log: ServedLog, url: str, proof: Path, path: str, answer: bytes | Callable[[BaseHTTPRequestHandler], None]
) -> None:
    log.put(honest_leaves(488))
    log.answers[path] = answer
    findings = compare(proof, url)

    assert findings
    assert all(len(text) < 500 for _, text in findings)
    if path == "checkpoint":
        assert [state for state, _ in findings] == ["not checked"]


def test_a_silent_service_ends_in_a_sentence(log: ServedLog, url: str, proof: Path) -> None:
    log.answers["*"] = wait_for_nothing

    (finding,) = compare_files([proof], url, None, lambda: NOW, seconds=0.05)
    assert (finding.state, "shows no checkpoint" in finding.text) == ("not checked", True)


def run(capsys: pytest.CaptureFixture[str], *options: object) -> tuple[int, Any]:
    status = main(["verify", *map(str, options), "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.walk(one_in=2)
def test_a_proof_is_compared_with_its_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tree is replaced by another one; the console names it without a witness and without its own record."""
    data, file = tmp_path / "house", tmp_path / "match.proof"
    with behind_sockets(data) as service:
        token = service.token_of("Ann")
        match = service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        connection = service.connection()
        for path, content in (("proof", file), ("entries/1/proof", tmp_path / "entry.proof")):
            connection.request("GET", f"/api/matches/{match}/{path}", headers={"Authorization": f"Bearer {token}"})
            content.write_bytes(connection.getresponse().read())
            status, document = run(capsys, content, "--service", f"http://127.0.0.1:{service.port}")
            assert status == 0
            assert [each["state"] for each in document["findings"]] == ["checked", "checked", "not checked"]
        connection.close()
    forge_beginning(data)
    with behind_sockets(data) as service:
        while not service.ask("GET", "/transparency")[1]["size"]:
            pass
        status, document = run(capsys, file, "--service", f"http://127.0.0.1:{service.port}")
    assert status == 1
    assert [each["state"] for each in document["findings"]][:2] == ["checked", "INVALID"]
    assert main(["verify", str(file), "--service", "ftp://example.org"]) == 2
    assert main(["verify", str(file)]) == 0, "the network is used only with the option"
