"""`esporles prove` and `verify` for players and auditors: proofs of a real service with a witness, checked offline."""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import pytest

from api.transparency.databases import LOCK
from domain.matches.log.log_files import log_bytes, parse_log
from domain.proofs.match_file import ProofFile, parse_proof_file, proof_bytes
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE, VerifierKey
from domain.transparency.policy import parse_policy
from ops.cli import main
from ops.computing.kinds import VERIFY, Trusted, kinds_of
from ops.service_client import ServiceAddress, write_address
from ops.transparency.witness import Witness
from tests.api.service import SERVICE_TOKEN, Person, behind_sockets, settings_in, start_match
from tests.api.transparency.test_witnesses import ORIGIN, cosigners, run_witnesses, settings_with
from tests.transparency.outsiders import Stranger, watched_service
from workers.matches.bot_turn import PLAYERS

WITNESS: Final = "one.example/w"


class Proved(NamedTuple):
    """An ended match in a service with a witness, and its proof as downloaded."""

    data: Path
    match_id: str
    proof: bytes
    log: bytes
    service_key: VerifierKey
    witness: VerifierKey


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Run a command; return exit status, stdout and stderr."""
    status = main([str(arg) for arg in args])
    output = capsys.readouterr()
    return status, output.out, output.err


def play_resignation(auditor: Stranger) -> str:
    """Play a match that a player resigns; wait until it is covered and cosigned."""
    ann, ben = Person(auditor.client), Person(auditor.client)
    match_id = start_match(ann, ben)
    assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
    auditor.covering_checkpoint()
    return match_id


@contextmanager
def witnessed_service(folder: Path) -> Iterator[tuple[Stranger, Path, Witness]]:
    with (
        run_witnesses(folder, "one") as (data, (witness,), addresses),
        watched_service(data, settings_with(data, *addresses)) as auditor,
    ):
        yield auditor, data, witness


@pytest.fixture(scope="module")
def proved_match(tmp_path_factory: pytest.TempPathFactory) -> Proved:
    with witnessed_service(tmp_path_factory.mktemp("proved")) as (auditor, data, witness):
        match_id = play_resignation(auditor)
        auditor.until(lambda: cosigners(auditor, witness.key), bool)
        response = auditor.client.get(f"/api/matches/{match_id}/proof")
        assert (response.status_code, response.headers["content-type"]) == (200, "application/jsonl")
        log = auditor.client.get(f"/api/matches/{match_id}/log").content
        return Proved(data, match_id, response.content, log, auditor.key, witness.key)


@pytest.fixture
def trust(tmp_path: Path, proved_match: Proved) -> Path:
    """Provide the keys of service and witness, as an auditor would have obtained them."""
    path = tmp_path / "keys.txt"
    path.write_text(f"# the service\n{proved_match.service_key}\n# the club\n{proved_match.witness}\n")
    return path


@pytest.fixture
def file(tmp_path: Path, proved_match: Proved) -> Path:
    path = tmp_path / "proof.jsonl"
    path.write_bytes(proved_match.proof)
    return path


def test_a_stranger_checks_a_proof_offline(
    proved_match: Proved, file: Path, trust: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "verify", file, "--trust", trust)

    assert status == 0
    assert f"checked: signature of {ORIGIN} on the checkpoint, with a trusted key" in out
    assert f"checked: cosignature of {WITNESS} at 20" in out
    assert "checked: inclusion: all" in out
    assert "not checked: who acted" in out
    assert "owners of the keys: no trusted keys were given (--trust), so the keys in the file were used" not in out
    assert proved_match.log in proved_match.proof


def test_a_policy_is_required_of_the_checkpoint(
    proved_match: Proved, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its quorum is reached, missed, and malformed."""
    absent, policy = Signer("absent.example/w", b"\x05" * 32, COSIGNATURE).key, tmp_path / "policy"
    lines = f"log {proved_match.service_key}\nwitness a {proved_match.witness}\nwitness b {absent}\n"
    policy.write_text(f"{lines}group g any a b\nquorum g\n")
    status, out, _ = run(capsys, "verify", file, "--policy", policy)

    assert status == 0
    assert f"checked: quorum of the cosignatures: 1 of ({WITNESS}, absent.example/w)" in out
    policy.write_text(f"{lines}group g all a b\nquorum g\n")
    verified = kinds_of(PLAYERS, settings_in(tmp_path))[VERIFY](
        msgspec.json.encode(Trusted(parse_policy(policy.read_bytes())))
    )(file.read_bytes())
    assert b"is below the quorum" in verified
    status, out, _ = run(capsys, "verify", file, "--policy", policy)
    assert (status, "INVALID" in out, f"but has those of {WITNESS} only" in out) == (1, True, True)
    policy.write_text(f"{lines}quorum g\n")
    status, _, error = run(capsys, "verify", file, "--policy", policy)
    assert (status, "line 4: no witness or group 'g' is defined above" in error) == (2, True)
    with pytest.raises(SystemExit):
        run(capsys, "verify", file, "--policy", policy, "--trust", policy)


def test_one_entry_is_proven_by_the_console(
    proved_match: Proved,
    tmp_path: Path,
    trust: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text file in the format of C2SP tlog-proof, verified offline."""
    monkeypatch.setenv("ESPORLES_LOG_ORIGIN", ORIGIN)
    monkeypatch.setenv("ESPORLES_WITNESSES", f"{proved_match.witness} http://witness.invalid")
    out, other = tmp_path / "e.tlog-proof", tmp_path / "p.proof"
    command = ("prove", proved_match.match_id, "--data", proved_match.data, "--out", out, "--entry")
    status, printed, error = run(capsys, *command, 2)
    assert (status, "match    " in printed) == (0, True), error
    status, printed, _ = run(capsys, "verify", out, "--trust", trust)
    assert (status, "checked: inclusion: entry 2 is leaf" in printed) == (0, True)
    other.write_bytes(proved_match.proof)
    assert "is verified alone" in run(capsys, "verify", out, other)[1]
    assert run(capsys, "verify", out, "--head", "0" * 64)[0] == 2
    out.write_bytes(out.read_bytes().replace(b"index ", b"index 1"))
    assert run(capsys, "verify", out)[0] == 1
    status, _, error = run(capsys, *command, 99)
    assert (status, "entries" in error) == (1, True)


def test_the_json_output_has_the_same_content(
    proved_match: Proved, file: Path, trust: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trusted = json.loads(run(capsys, "verify", file, "--trust", trust, "--json")[1])
    own = json.loads(run(capsys, "verify", file, "--json")[1])

    assert (trusted["fault"], trusted["proof"]["isTrusted"], own["proof"]["isTrusted"]) == (None, True, None)
    assert [each["name"] for each in trusted["proof"]["cosigned"]] == [WITNESS]
    assert trusted["proof"]["leavesChecked"] == trusted["entries"]
    assert any(
        each.startswith("owners of the keys: no trusted keys were given (--trust), so the keys in the file were used")
        for each in own["unchecked"]
    )
    assert trusted["proof"]["origin"] == proved_match.service_key.name


def test_the_log_of_a_proof_equals_the_exported_log(
    proved_match: Proved, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(proved_match.log)

    assert run(capsys, "verify", file)[0] == 0
    lines = proved_match.proof.split(b"\n")
    count = parse_log(proved_match.log).header.entries
    assert b"\n".join(lines[1 : count + 2]) + b"\n" == proved_match.log


def test_the_console_proves_a_match_of_a_stopped_service(
    proved_match: Proved,
    tmp_path: Path,
    trust: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ESPORLES_LOG_ORIGIN", ORIGIN)
    monkeypatch.setenv("ESPORLES_WITNESSES", f"{proved_match.witness} http://witness.invalid")
    out = tmp_path / "console.jsonl"
    status, output, _ = run(capsys, "prove", proved_match.match_id, "--data", proved_match.data, "--out", out)

    assert status == 0
    assert f"witnesses  {WITNESS}" in output
    assert out.read_bytes() == proved_match.proof
    assert run(capsys, "verify", out, "--trust", trust)[0] == 0


def test_a_renamed_service_proves_earlier_signatures(
    proved_match: Proved, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cosignatures of witnesses that are not in the settings are left out, because their keys are unknown."""
    out = tmp_path / "console.jsonl"
    status, output, _ = run(capsys, "prove", proved_match.match_id, "--data", proved_match.data, "--out", out)

    assert status == 0
    assert "witnesses  none" in output
    assert parse_proof_file(out.read_bytes()).keys == (proved_match.service_key,)


def test_the_console_proves_a_match_of_a_running_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The match is still running; the proof shows its public part."""
    out = tmp_path / "out.jsonl"
    with behind_sockets(tmp_path) as service:
        token = service.token_of("Ann")
        match_id = service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        write_address(tmp_path, ServiceAddress(str(service.path), SERVICE_TOKEN))

        assert run(capsys, "prove", match_id, "--data", tmp_path, "--out", out)[0] == 0
        status, _, output = run(capsys, "prove", UUID(int=1), "--data", tmp_path, "--out", tmp_path / "none")
    assert (status, "no match" in output) == (1, True)
    assert parse_proof_file(out.read_bytes()).log.header.redacted_for == "spectator"
    assert "unchecked" not in run(capsys, "verify", out)[1]
    status, output, _ = run(capsys, "verify", out)
    assert (status, "not checked: chance: the server seed is hidden" in output) == (0, True)


def test_a_folder_without_a_tree_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "m.jsonl"
    run(capsys, "play", "--title", "el_grande", "--bots", "random", "--players", 2, "--seed", "02", "--out", log)
    assert run(capsys, "import", log, "--data", tmp_path)[0] == 0
    match_id = parse_log(log.read_bytes()).header.match
    command = ("prove", match_id, "--data", tmp_path, "--out", tmp_path / "p.jsonl")

    status, _, output = run(capsys, *command)
    assert (status, ": the service has never run there" in output) == (1, True)
    with watched_service(tmp_path, settings_in(tmp_path)) as auditor:
        auditor.covering_checkpoint()
    assert run(capsys, *command)[0] == 0
    assert run(capsys, "verify", tmp_path / "p.jsonl")[0] == 0


def test_an_entry_beyond_the_tree_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with watched_service(tmp_path) as auditor:
        auditor.covering_checkpoint()
    log = tmp_path / "m.jsonl"
    run(capsys, "play", "--title", "el_grande", "--bots", "random", "--players", 2, "--seed", "02", "--out", log)
    assert run(capsys, "import", log, "--data", tmp_path)[0] == 0
    match_id = parse_log(log.read_bytes()).header.match
    status, _, output = run(capsys, "prove", match_id, "--data", tmp_path, "--out", tmp_path / "p.jsonl")

    assert (status, "entry 1 of the match is not in the tree yet" in output) == (1, True)


def test_a_tournament_that_has_not_ended_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the service this once ended in a traceback."""
    plan = {"name": "Cup", "title": "la_granja", "table": {"rated": False}}
    with watched_service(tmp_path) as auditor:
        status, event = Person(auditor.client).post("/tournaments", {"plan": plan})
        assert status == 201, event
        auditor.covering_checkpoint()
    status, _, output = run(capsys, "prove", event["eventId"], "--data", tmp_path, "--out", tmp_path / "p.jsonl")

    assert (status, "the event 'Cup' has not ended yet" in output) == (1, True)


def verdict(capsys: pytest.CaptureFixture[str], path: Path, content: bytes, *options: object) -> str:
    """Return the reason why a file is false."""
    path.write_bytes(content)
    status, output, _ = run(capsys, "verify", path, *options)
    assert status == 1
    assert output.startswith("INVALID")
    return output


def test_a_checkpoint_from_before_the_match_ended_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with witnessed_service(tmp_path) as (auditor, _, _):
        ann, ben = Person(auditor.client), Person(auditor.client)
        match_id = start_match(ann, ben)
        auditor.covering_checkpoint()
        stale = parse_proof_file(auditor.client.get(f"/api/matches/{match_id}/proof").content)
        assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
        auditor.covering_checkpoint()
        proof = parse_proof_file(auditor.client.get(f"/api/matches/{match_id}/proof").content)
    forged = proof._replace(note=stale.note, checkpoint=stale.checkpoint, keys=stale.keys)

    assert "is not after the previous leaf and below" in verdict(capsys, tmp_path / "p.jsonl", proof_bytes(forged))


def test_the_checkpoint_of_another_service_is_refused(
    proved_match: Proved, tmp_path: Path, trust: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with watched_service(tmp_path / "other", settings_with(tmp_path / "other")) as auditor:
        other_proof = auditor.client.get(f"/api/matches/{play_resignation(auditor)}/proof").content

    assert "is not trusted" in verdict(capsys, tmp_path / "p.jsonl", other_proof, "--trust", trust)
    proof, foreign = parse_proof_file(proved_match.proof), parse_proof_file(other_proof)
    mixed = proof._replace(note=foreign.note, checkpoint=foreign.checkpoint, keys=foreign.keys)
    assert verdict(capsys, tmp_path / "p.jsonl", proof_bytes(mixed))


def test_a_redacted_leaf_is_the_same_leaf(proved_match: Proved) -> None:
    """Salt and position of a leaf do not depend on redaction."""
    proof: ProofFile = parse_proof_file(proved_match.proof)

    assert log_bytes(proof.log) == proved_match.log
    assert [line.version for line in proof.leaves] == list(range(1, len(proof.leaves) + 1))


@contextmanager
def changed_tree(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of the tree to tamper with it outside the service."""
    with closing(sqlite3.connect(folder / "tree.db")) as tree, tree:
        yield tree


def test_a_tampered_entry_is_not_proven(tmp_path: Path) -> None:
    """Another salt in the tree represents any difference between log and tree."""
    with watched_service(tmp_path) as auditor:
        match_id = play_resignation(auditor)
        with changed_tree(tmp_path) as tree:
            tree.execute(
                "UPDATE leaves SET salt = ? WHERE stream = ? AND version = 3", (bytes(16), UUID(match_id).bytes)
            )
        response = auditor.client.get(f"/api/matches/{match_id}/proof")

        assert (response.status_code, response.json()["code"]) == (503, "log/tampered")
        assert "entry 3 was changed" in response.json()["detail"]


def test_a_tampered_tree_proves_nothing(tmp_path: Path) -> None:
    with watched_service(tmp_path) as auditor:
        match_id = play_resignation(auditor)
        with changed_tree(tmp_path) as tree:
            tree.execute("UPDATE tiles SET hashes = zeroblob(length(hashes))")
        response = auditor.client.get(f"/api/matches/{match_id}/proof")

        assert (response.status_code, response.json()["code"]) == (503, "tree/differs")


@pytest.mark.walk
def test_a_match_is_proven_as_soon_as_it_is_covered(tmp_path: Path) -> None:
    """A request waits for the next checkpoint; without a leader of the tree, it is refused."""
    with watched_service(tmp_path) as auditor:
        auditor.covering_checkpoint()
        ann, ben = Person(auditor.client), Person(auditor.client)
        match_id = start_match(ann, ben)
        content = auditor.client.get(f"/api/matches/{match_id}/proof").content
        assert len(parse_proof_file(content).leaves) == 6
    with (tmp_path / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with watched_service(tmp_path) as auditor:
            match_id = start_match(Person(auditor.client), Person(auditor.client))
            response = auditor.client.get(f"/api/matches/{match_id}/proof")

            assert (response.status_code, response.json()["code"]) == (503, "checkpoint/behind")
            assert "entry 1 of the match is not in the tree yet" in response.json()["detail"]


@pytest.mark.parametrize("keys_content", ["", "# nobody\n", "x+y\n", "\x00", b"\xff"])
def test_a_file_without_keys_is_wrong_usage(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], keys_content: str | bytes
) -> None:
    keys = tmp_path / "keys"
    keys.write_bytes(keys_content if isinstance(keys_content, bytes) else keys_content.encode())
    status, _, error = run(capsys, "verify", file, "--trust", keys)

    assert (status, "invalid verifier keys in" in error) == (2, True)
    assert run(capsys, "verify", file, "--trust", tmp_path / "none")[0] == 2
