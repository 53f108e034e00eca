"""`esporles key root` and `sign`: the root key in its file, and signatures of requests on the offline computer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.transparency.key_chain import chain_of
from domain.transparency.key_notes import KeyChange, RootNaming
from domain.transparency.keys import Signer
from domain.transparency.notes import VerifierKey, parse_key
from ops.cli import parser_of
from ops.commands.key_ import run
from ops.console import SUCCESS, Finding, WrongUsage
from ops.root_keys import read_root_key
from tests.domain.transparency.key_holders import BEGIN, GOOD_ROOT, change, log_key, sign_text

PASSPHRASE: Final = "two sheep three figs"
OLD, NEW = log_key(0), log_key(1)


def key(*arguments: str | Path, passphrase: str = PASSPHRASE) -> int:
    return run(parser_of("key").parse_args([*map(str, arguments)]), lambda _: passphrase.encode())


def create_root(folder: Path, name: str = "root.example/a") -> VerifierKey:
    file = folder / f"{name[-1]}.key"
    assert key("root", "--out", file, "--name", name) == SUCCESS
    assert file.stat().st_mode & 0o777 == 0o600
    return parse_key(file.read_text().split("\n")[0])


def request_in(folder: Path, text: str, *signers: Signer) -> Path:
    path = folder / "request"
    path.write_text(sign_text(text, *signers))
    return path


def test_a_root_key_names_itself_by_its_fingerprint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert key("root", "--out", tmp_path / "root.key", "--json") == SUCCESS

    shown = msgspec.json.decode(capsys.readouterr().out)
    named = parse_key(shown["key"])
    assert named.name == f"root/{named.public[:8].hex()}"
    assert PASSPHRASE not in (tmp_path / "root.key").read_text()


def test_the_root_key_signs_its_naming_and_a_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = create_root(tmp_path)
    naming = request_in(tmp_path, RootNaming(OLD.key, root).text, OLD)
    options = ("--root", tmp_path / "a.key", "--out")

    assert key("sign", naming, *options, tmp_path / "named") == SUCCESS
    assert f"root {root}" in capsys.readouterr().err
    text = KeyChange(OLD.key, NEW.key, "planned", 4, GOOD_ROOT, BEGIN).text
    assert key("sign", request_in(tmp_path, text, NEW, OLD), *options, tmp_path / "changed") == SUCCESS

    notes = [(leaf, (tmp_path / name).read_text()) for leaf, name in ((2, "named"), (5, "changed"))]
    assert chain_of(notes, NEW.key).roots == (root,)


def test_a_second_root_key_is_signed_by_both(tmp_path: Path) -> None:
    first, second = (create_root(tmp_path, f"root.example/{name}") for name in "ab")
    for name, root, signed in (("a", first, "first"), ("b", second, "half")):
        request = request_in(tmp_path, RootNaming(OLD.key, root).text, OLD)
        assert key("sign", request, "--root", tmp_path / f"{name}.key", "--out", tmp_path / signed) == SUCCESS

    half = tmp_path / "half"
    assert key("sign", half, "--root", tmp_path / "a.key", "--out", tmp_path / "second") == SUCCESS

    notes = [(leaf, (tmp_path / name).read_text()) for leaf, name in ((2, "first"), (5, "second"))]
    assert chain_of(notes, OLD.key).roots == (first, second)


@pytest.mark.parametrize(
    ("passphrase", "arguments", "why"),
    [
        ("too short", ("root", "--out", "new.key"), "at least 16 characters"),
        (PASSPHRASE, ("root", "--out", "a.key"), "a.key exists already"),
        (PASSPHRASE, ("root", "--out", "no/folder"), "cannot write no/folder: No such file"),
        (PASSPHRASE, ("root", "--out", "new.key", "--name", "a b"), "invalid key name 'a b'"),
        (PASSPHRASE, ("root",), "missing --out FILE"),
        (PASSPHRASE, ("sign", "none", "--root", "a.key", "--out", "x"), "cannot read none: No such file"),
        (
            PASSPHRASE,
            ("sign", "a.key", "--root", "a.key", "--out", "x"),
            "no request or signed note about keys in a",
        ),
        (PASSPHRASE, ("sign", "request", "--root", "none", "--out", "x"), "cannot read none: No such file"),
        (PASSPHRASE, ("sign", "request", "--root", "request", "--out", "x"), "no root key in request"),
        (PASSPHRASE, ("sign", "request", "--root", "mixed", "--out", "x"), "is not the key of its first line"),
        (PASSPHRASE, ("sign", "request", "--root", "a.key", "--out", "a.key"), "cannot write a.key: File exists"),
        ("another passphrase", ("sign", "request", "--root", "a.key", "--out", "x"), "wrong passphrase"),
        (PASSPHRASE, ("sign", "forged", "--root", "a.key", "--out", "x"), "is not signed with log.example/tlog"),
        (PASSPHRASE, ("sign", "complete", "--root", "a.key", "--out", "x"), "has nothing to sign in this request"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    passphrase: str,
    arguments: tuple[str, ...],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    create_root(tmp_path)
    text = KeyChange(OLD.key, NEW.key, "stolen", 4, GOOD_ROOT).text
    Path("request").write_text(sign_text(text, NEW))
    Path("forged").write_text(sign_text(text, OLD))
    Path("complete").write_text(change(OLD, NEW, log_key(9), 4, "stolen"))
    Path("mixed").write_text(f"{NEW.key}\n" + Path("a.key").read_text().partition("\n")[2])

    with pytest.raises((Finding, WrongUsage), match=re.escape(why)):
        key(*arguments, passphrase=passphrase)


def test_the_passphrase_comes_from_the_first_line_of_stdin(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ops.cli", "key", "root", "--out", str(tmp_path / "root.key")]

    subprocess.run(command, input=f"{PASSPHRASE}\n", text=True, check=True, stdout=subprocess.DEVNULL)

    assert read_root_key(tmp_path / "root.key", PASSPHRASE.encode()).key.name.startswith("root/")
