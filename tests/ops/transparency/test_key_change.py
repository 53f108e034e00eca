"""`esporles key` on a real service with a witness: its key changes twice, once after a theft, and all proofs hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from domain.transparency.keys import signatures_of
from domain.transparency.notes import VerifierKey
from ops.cli import main, parser_of
from ops.commands.key_ import run
from ops.console import SUCCESS, Finding, WrongUsage
from tests.api.service import Person, settings_in, start_match
from tests.api.transparency.test_witnesses import ORIGIN, cosigners, run_witnesses, settings_with
from tests.transparency.outsiders import Stranger, watched_service

PASSPHRASE: Final = b"two sheep three figs"


def key(*arguments: str | Path) -> int:
    return run(parser_of("key").parse_args([*map(str, arguments)]), lambda _: PASSPHRASE)


class Changed(NamedTuple):
    """A service whose key has changed: its first key, the proofs of before and after, and the history of keys."""

    folder: Path
    first_key: VerifierKey
    witness: VerifierKey
    proofs: tuple[Path, ...]
    history: Path


def save_proof(auditor: Stranger, file: Path) -> Path:
    """Play a match that a player resigns, and save its proof."""
    ann, ben = Person(auditor.client), Person(auditor.client)
    match_id = start_match(ann, ben)
    assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
    auditor.covering_checkpoint()
    response = auditor.client.get(f"/api/matches/{match_id}/proof")
    assert response.status_code == 200, response.text
    file.write_bytes(response.content)
    return file


def change_key(folder: Path, number: int, *options: str) -> None:
    """Request, sign and install a change with the root key in the folder."""
    request, signed, data = folder / f"request-{number}", folder / f"signed-{number}", folder / "house"
    assert key("request", "--out", request, "--data", data, *options) == SUCCESS
    assert key("sign", request, "--root", folder / "root.key", "--out", signed) == SUCCESS
    assert key("install", signed, "--data", data) == SUCCESS


@pytest.fixture(scope="module")
def changed_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changed]:
    folder = tmp_path_factory.mktemp("changed")
    with pytest.MonkeyPatch.context() as patch, run_witnesses(folder, "one") as (data, (witness,), addresses):
        patch.setenv("ESPORLES_LOG_ORIGIN", ORIGIN)
        settings = settings_with(data, *addresses)
        with watched_service(data, settings) as auditor:
            first_key, first = auditor.key, save_proof(auditor, folder / "first.proof")
        assert key("root", "--out", folder / "root.key", "--name", "root.example/a") == SUCCESS
        change_key(folder, 1, "--root-key", (folder / "root.key").read_text().split("\n")[0])
        change_key(folder, 2)
        with watched_service(data, settings) as auditor:
            second = save_proof(auditor, folder / "second.proof")
            note = auditor.note()
            assert note is not None
            # The witness knows the first key only.
            assert auditor.key != first_key
            assert len(signatures_of(note, [auditor.key, first_key])) == 2
            assert auditor.until(lambda: cosigners(auditor, witness.key), bool) == {witness.key.name}
        change_key(folder, 3, "--reason", "stolen")
        with watched_service(data, settings) as auditor:
            third = save_proof(auditor, folder / "third.proof")
            history = auditor.client.get("/tlog/keys")
            assert history.status_code == 200
        (folder / "keys.jsonl").write_bytes(history.content)
        assert key("history", "--data", data, "--out", folder / "console.jsonl") == SUCCESS
        yield Changed(folder, first_key, witness.key, (first, second, third), folder / "keys.jsonl")


def verify(*arguments: object) -> int:
    return main(["verify", *map(str, arguments)])


@pytest.mark.walk("key change")
@pytest.mark.parametrize("trusted", ["root", "first"])
def test_all_proofs_hold_with_the_root_key_or_the_first_key(
    changed_service: Changed, tmp_path: Path, trusted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = (changed_service.folder / "root.key").read_text().split("\n")[0]
    trust = tmp_path / "trust"
    # The proof of the time before the root key was named is by the first key.
    trust.write_text(f"{changed_service.first_key}\n{root if trusted == 'root' else ''}\n")

    assert verify(*changed_service.proofs, "--trust", trust, "--keys", changed_service.history, "--jobs", 1) == 0, (
        capsys.readouterr().out
    )
    assert verify(changed_service.proofs[2], "--trust", trust) == 0
    assert "2 changes, signed with the root key root.example/a" in capsys.readouterr().out


@pytest.mark.walk("key change")
def test_the_history_is_the_same_on_the_console(changed_service: Changed) -> None:
    console = (changed_service.folder / "console.jsonl").read_bytes()

    assert console.count(b"log.key_changed") == changed_service.history.read_bytes().count(b"log.key_changed") == 2


@pytest.mark.walk("key change")
def test_a_running_service_is_not_changed(changed_service: Changed, tmp_path: Path) -> None:
    data = tmp_path / "house"
    with watched_service(data, settings_in(data)) as auditor:
        save_proof(auditor, tmp_path / "proof")
        with pytest.raises(Finding, match="does not respond"):
            key("install", changed_service.folder / "signed-1", "--data", data)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("request",), "missing --out FILE"),
        (("request", "--out", "x", "--overlap", "-1"), "invalid --overlap -1: expected 0 to 3650 days"),
        (("request", "--out", "x", "--origin", "a b"), "invalid key name 'a b'"),
        (("request", "--out", "x", "--root-key", "nonsense"), "'nonsense' is not a verifier key"),
        (("request", "--out", "x"), "no tree at"),
        (("install",), "missing FILE"),
        (("history",), "missing --out FILE"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((Finding, WrongUsage), match=why):
        key(*arguments, "--data", tmp_path)
