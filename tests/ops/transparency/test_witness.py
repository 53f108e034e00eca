"""A witness: HTTP responses, storage before each response, and its command."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from domain.transparency.errors import Malformed
from domain.transparency.keys import Signer, cosignature_seconds, is_signed, signatures_of
from domain.transparency.notes import COSIGNATURE, parse_key, parse_note, parse_signatures
from domain.transparency.witnesses import WitnessAddress
from domain.transparency.witnessing import REQUEST_BYTES_MAX
from ops.cli import main, parser_of
from ops.commands.witness_ import run
from ops.console import Finding
from ops.transparency.witness import Answer, NameMissing, WatchedLogs, Witness
from projections.platform.settings import Settings
from tests.domain.transparency.trees import Tree
from tests.open_files import is_open
from tests.seeding import entropy
from tests.transparency.outsiders import HOUSE, ask, request_of, run_json, run_witness, serve_witness, witness_in
from tests.workers.serving import PATIENCE_SECONDS

HOUSES: Final[WatchedLogs] = {HOUSE.key.name: [HOUSE.key]}
TREE: Final = Tree(600)
FORKED: Final = Tree(600, salt="'")


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    witness = witness_in(tmp_path, HOUSES, now=lambda: 1_700_000_000)
    yield witness
    witness.close()


@pytest.fixture
def address(witness: Witness) -> Iterator[WitnessAddress]:
    with serve_witness(witness) as address:
        yield address


def is_cosigned(witness: Witness, request: bytes, body: str) -> bool:
    (signature,) = parse_signatures(body)
    text = parse_note(request.partition(b"\n\n")[2]).text
    return is_signed(witness.key, text, signature) and cosignature_seconds(signature) == 1_700_000_000


def test_a_consistent_extension_is_cosigned(witness: Witness, address: WitnessAddress) -> None:
    for old, size in ((0, 1), (1, 1), (1, 256), (256, 600)):
        request = request_of(TREE, old, size)
        status, body, headers = ask(address.url, "POST", "/add-checkpoint", request)

        assert status == 200, body
        assert is_cosigned(witness, request, body)
        assert headers["content-type"].startswith("text/plain")


def test_each_refusal_has_its_status(address: WitnessAddress) -> None:
    other_key, other_origin = Signer(HOUSE.key.name, b"\x05" * 32), Signer("other.example/tlog", b"\x01" * 32)
    requests = (
        (request_of(TREE, 0, 300), 200),
        (request_of(TREE, 0, 400), 409),
        (request_of(TREE, 200, 400), 409),
        (request_of(FORKED, 300, 400), 422),
        (request_of(FORKED, 300, 300), 422),
        (request_of(TREE, 300, 400).replace(b"old 300", b"old 401"), 400),
        (request_of(TREE, 300, 400, other_key), 403),
        (request_of(TREE, 300, 400, other_origin), 404),
        (b"", 400),
        (b"old 300\n" * 90, 400),
        (request_of(TREE, 300, 400), 200),
    )
    for request, expected in requests:
        status, body, headers = ask(address.url, "POST", "/add-checkpoint", request)

        assert status == expected, (request, body)
        if status == 409:
            assert (body, headers["content-type"]) == ("300\n", "text/x.tlog.size")


def test_unknown_paths_are_refused(witness: Witness, address: WitnessAddress) -> None:
    origin = hashlib.sha256(HOUSE.key.name.encode()).hexdigest()

    assert ask(address.url, "GET", f"/{origin}/checkpoint")[0] == 404
    request = request_of(TREE, 0, 300)
    ask(address.url, "POST", "/add-checkpoint", request)
    status, checkpoint, _ = ask(address.url, "GET", f"/{origin}/checkpoint")
    assert status == 200
    assert len(signatures_of(parse_note(checkpoint.encode()), [HOUSE.key, witness.key])) == 2
    assert ask(address.url, "GET", "/")[:2] == (200, f"{witness.key}\n")
    assert ask(address.url, "HEAD", "/")[:2] == (200, "")
    for method, path, expected in (
        ("GET", "/add-checkpoint", 405),
        ("GET", "/nothing", 404),
        ("GET", f"/{origin.upper()}/checkpoint", 404),
        ("POST", "/", 404),
        ("DELETE", f"/{origin}/checkpoint", 404),
    ):
        assert ask(address.url, method, path)[0] == expected


def test_requests_that_are_too_large_are_refused(address: WitnessAddress) -> None:
    assert ask(address.url, "POST", "/add-checkpoint", b"x" * (REQUEST_BYTES_MAX + 1))[0] == 413
    assert ask(address.url, "POST", "/add-checkpoint", request_of(TREE, 0, 1))[0] == 200


def test_the_second_of_concurrent_requests_sees_the_first(tmp_path: Path) -> None:
    """Both extend the same size consistently; only one may be cosigned."""
    witness, responses = witness_in(tmp_path, HOUSES), list[Answer]()
    witness.add_checkpoint(request_of(TREE, 0, 100))
    requests = [request_of(TREE, 100, size) for size in range(200, 232)]
    threads = [
        threading.Thread(target=lambda each=each: responses.append(witness.add_checkpoint(each))) for each in requests
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    witness.close()

    assert sorted(response.status for response in responses) == [200] + [409] * 31
    (winner,) = {response.body for response in responses if response.status == 409}
    assert 200 <= int(winner) < 232


def test_two_processes_on_one_folder_are_one_witness(tmp_path: Path) -> None:
    first, second = witness_in(tmp_path, HOUSES), witness_in(tmp_path, HOUSES)

    assert first.key == second.key
    assert first.add_checkpoint(request_of(TREE, 0, 100)).status == 200
    assert second.add_checkpoint(request_of(FORKED, 0, 200)).status == 409
    assert second.add_checkpoint(request_of(TREE, 100, 200)).status == 200
    first.close()
    second.close()


def test_responses_are_stored_before_they_are_sent(tmp_path: Path) -> None:
    """The process is killed right after its response; the next one in the folder knows the tree."""
    with run_witness(tmp_path, HOUSE.key) as first:
        assert ask(first.running.url, "POST", "/add-checkpoint", request_of(TREE, 0, 300))[0] == 200
        first.kill()
    with run_witness(tmp_path, HOUSE.key) as second:
        assert second.running.key == first.running.key
        assert ask(second.running.url, "POST", "/add-checkpoint", request_of(FORKED, 0, 400))[:2] == (409, "300\n")
        assert ask(second.running.url, "POST", "/add-checkpoint", request_of(TREE, 300, 600))[0] == 200


def test_a_witness_watches_the_services_of_its_file(tmp_path: Path) -> None:
    other = Signer("keys.example/2026", b"\x07" * 32)
    (tmp_path / "houses").write_text(f"# friends\n\n{HOUSE.key}\n{other.key} another.example/log of ours\n")
    with run_witness(tmp_path) as witness:
        assert witness.running.houses == ("another.example/log of ours", "house.example/tlog")
        assert ask(witness.running.url, "POST", "/add-checkpoint", request_of(TREE, 0, 300))[0] == 200


def test_the_key_is_made_once_and_printed(tmp_path: Path) -> None:
    first = run_json("witness", "--data", tmp_path, "--name", "witness.example/club", "--key")

    assert parse_key(first["key"], [COSIGNATURE]).name == "witness.example/club"
    assert run_json("witness", "--data", tmp_path, "--key") == first
    assert (tmp_path / "witness.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--key"], "requires a name"),
        (["--key", "--name", "two words"], ": spaces and plus signs are not allowed"),
        (["--name", "w", "--house", "nonsense"], "'nonsense' is not a verifier key"),
        (["--name", "w", "--houses", "/nowhere/at/all"], "no such file:"),
        (["--name", "w", "--house", "example.com/foo+530d903a+BOkyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"], "type"),
    ],
)
def test_wrong_usage_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], message: str
) -> None:
    assert main(["witness", "--data", str(tmp_path), *args]) == 2
    assert message in capsys.readouterr().err


def test_a_witness_keeps_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_json("witness", "--data", tmp_path, "--name", "witness.example/club", "--key")

    assert main(["witness", "--data", str(tmp_path), "--name", "other.example", "--key"]) == 2
    assert "is named witness.example/club" in capsys.readouterr().err


def test_an_address_in_use_is_named(
    tmp_path: Path, address: WitnessAddress, capsys: pytest.CaptureFixture[str]
) -> None:
    port = address.url.rpartition(":")[2]

    assert main(["witness", "--data", str(tmp_path / "w"), "--name", "w", "--port", port]) == 1
    assert "cannot listen" in capsys.readouterr().err


def test_the_witness_is_closed_if_its_address_is_in_use(tmp_path: Path, address: WitnessAddress) -> None:
    """The traceback of the refusal, which a caller may keep, refers to the witness."""
    database = tmp_path / "w" / "witness.db"
    args = ["--data", str(database.parent), "--name", "w", "--port", address.url.rpartition(":")[2]]

    with pytest.raises(Finding, match="cannot listen") as error:
        run(parser_of("witness").parse_args(args))

    assert error.tb is not None
    assert database.exists()
    assert not is_open(database)


@pytest.mark.parametrize(("name", "refusal"), [("", NameMissing), ("two words", Malformed)])
def test_the_witness_is_closed_if_its_name_is_refused(tmp_path: Path, name: str, refusal: type[Exception]) -> None:
    database = tmp_path / "witness.db"

    with pytest.raises(refusal) as refused:
        Witness(database, name, HOUSES, entropy(), lambda: 0)

    assert refused.tb is not None
    assert database.exists()
    assert not is_open(database)


def test_an_incomplete_request_times_out(witness: Witness) -> None:
    with serve_witness(witness, Settings(header_seconds=0.2)) as address:
        host, _, port = address.url.removeprefix("http://").rpartition(":")
        with socket.create_connection((host, int(port)), PATIENCE_SECONDS) as slow:
            slow.sendall(b"POST /add-checkpoint HTTP/1.1\r\nHost: wit")

            assert slow.recv(1_024).startswith(b"HTTP/1.1 408 ")
