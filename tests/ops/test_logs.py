"""Console commands for logs in a newcomer's order: play, verify, show, fork."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from domain.matches.aggregate import Match
from domain.matches.apply import fold
from domain.matches.log.log_files import read_log, write_log
from domain.matches.play.in_memory import fork_log, play_to_end, seeded_origins
from domain.titles import TITLES
from ops.cli import main
from ops.matches import choosers
from tests.domain.matches.match_helpers import forge_entry
from workers.bots import BOTS

PLAY = ["play", "--title", "la_granja", "--bots", "greedy,greedy,random,random", "--seed", "00ff"]


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Run a command in this process; return exit status, stdout and stderr."""
    try:
        status = main(args)
    except SystemExit as system_exit:
        status = system_exit.code if isinstance(system_exit.code, int) else 1
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the log of the README's match."""
    path = tmp_path_factory.mktemp("logs") / "m.jsonl"
    assert main([*PLAY, "--json", "--out", str(path)]) == 0
    return path


def test_the_same_seed_writes_the_same_bytes(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--seed` determines match id, shares, salts, bots and times."""
    second_log = tmp_path / "again.jsonl"

    assert run(capsys, *PLAY, "--out", str(second_log))[0] == 0
    assert second_log.read_bytes() == log.read_bytes()


def test_play_prints_the_result_as_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    """Title, match, scores, ranking, entries and head are the only output."""
    status, out, _ = run(capsys, "play", "--title", "la_granja", "--bots", "random", "--players", "2", "--json")

    document = json.loads(out)
    assert status == 0
    assert document.keys() >= {"title", "match", "scores", "ranking", "entries", "head"}
    assert len(document["scores"]) == 2


def test_a_true_log_is_good(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`verify` exits with 0 and lists its checks; `--head` compares with a head from elsewhere."""
    head = read_log(log).header.head

    status, out, _ = run(capsys, "verify", str(log), "--head", head)
    assert (status, out.split()[0]) == (0, "good")
    assert run(capsys, "verify", str(log), "--head", "0" * 64)[0] == 1


def test_a_changed_byte_is_found_in_its_entry(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Some byte of every tenth entry is changed; the report names that entry, never a later one."""
    lines, rng, changed = log.read_bytes().splitlines(keepends=True), random.Random(7), tmp_path / "bad.jsonl"
    for number in range(1, len(lines), 10):
        position = rng.randrange(len(lines[number]) - 1)
        line = bytearray(lines[number])
        line[position] = rng.choice([byte for byte in range(32, 127) if byte != line[position]])
        changed.write_bytes(b"".join([*lines[:number], bytes(line), *lines[number + 1 :]]))

        status, out, _ = run(capsys, "verify", str(changed), "--json")

        assert (status, json.loads(out)["fault"]["entry"]) == (1, number), f"byte {position} of entry {number}"


def test_show_draws_any_position(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As text for people and as the view for programs; a seat's view hides other hands."""
    status, out, _ = run(capsys, "show", str(log), "--at", "100", "--seat", "1")
    assert status == 0
    assert "farm of seat 3" in out

    document: Any = json.loads(run(capsys, "show", str(log), "--at", "100", "--seat", "1", "--json")[1])
    farms = document["view"]["farms"]
    assert farms[1]["hand"]
    assert not any(farms[seat]["hand"] for seat in (0, 2, 3))


def outcome(match: Match) -> tuple[tuple[int, ...], tuple[int, ...]]:
    assert match.result is not None
    return match.result.scores, match.result.ranking


@pytest.mark.walk
def test_every_fork_with_the_same_luck_and_bots_ends_the_same(tmp_path: Path) -> None:
    """From every entry since the start: same scores, same ranking (DESIGN §3)."""
    path = tmp_path / "short.jsonl"
    assert (
        main(["play", "--title", "la_granja", "--bots", "random,random", "--seed", "0badcafe", "--out", str(path)]) == 0
    )
    log = read_log(path)
    versions = [entry.version for entry in log.entries if b'"type":"action_taken"' in bytes(entry.body)]
    original = fold(TITLES, log.entries)
    for at_version in (versions[0] - 1, *versions[:-1]):
        played = play_to_end(replay(path, at_version), choosers(BOTS, ["bot:random@1"]))

        assert outcome(played.match) == outcome(original), f"forked at {at_version}"


def replay(path: Path, at_version: int) -> Any:
    return fork_log(
        read_log(path), at_version=at_version, luck="same", by="service", origins=seeded_origins(b"fork"), titles=TITLES
    )


def test_the_fork_command_writes_a_log_that_verifies(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It contains the parent's entries verbatim; the same bots with the same luck give the same result."""
    out, parent = tmp_path / "f.jsonl", json.loads(run(capsys, "verify", str(log), "--json")[1])

    status, output, _ = run(
        capsys, "fork", str(log), "--at", "250", "--luck", "same", "--bots", "same", "--out", str(out), "--json"
    )

    document = json.loads(output)
    assert status == 0
    assert (document["scores"], document["ranking"]) == (parent["scores"], parent["ranking"])
    assert out.read_bytes().splitlines()[1:251] == log.read_bytes().splitlines()[1:251]
    assert run(capsys, "verify", str(out))[0] == 0


@pytest.mark.parametrize("command", [["show"], ["fork", "--at", "250", "--bots", "same", "--out", "f.jsonl"]])
def test_false_logs_are_neither_shown_nor_forked(
    command: list[str], log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every digest is correct, but the effect is illegal."""
    forged_log = tmp_path / "false.jsonl"
    forgery = forge_entry(read_log(log), 20, lambda body: body["effects"][1].update(seat=7))
    write_log(forged_log, forgery.entries)

    status, output, err = run(capsys, command[0], str(forged_log), *command[1:])

    assert (status, output) == (1, "")
    assert "entry 20" in err


@pytest.mark.parametrize(
    ("args", "bad_value"),
    [
        (["play", "--title", "chess"], "chess"),
        (["play", "--title", "la_granja", "--bots", "genius"], "genius"),
        (["play", "--title", "la_granja", "--players", "5"], "5"),
        (["play", "--title", "la_granja", "--option", "edition=first"], "first"),
        (["play", "--title", "la_granja", "--option", "colour"], "colour"),
        (["play", "--title", "la_granja", "--seed", "0f0"], "0f0"),
        (["play", "--title", "la_granja", "--seed", "xy"], "xy"),
        (["play", "--title", "la_granja", "--out", "no/such/folder/m.jsonl"], "no/such/folder"),
        (["play", "--title", "la_granja", "--players", "2", "--out", "."], "."),
        (["play", "--title", "la_granja", "--players", "2", "--bots", "random", "--out", "/dev/full"], "/dev/full"),
        (["verify", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["verify", "LOG", "--head", "zz"], "zz"),
        (["show", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["fork", ".", "--at", "9", "--out", "f.jsonl"], "."),
        (["import", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["fork", "LOG", "--at", "250", "--bots", ",".join(["random"] * 5), "--out", "f.jsonl"], "5 bots for 4 seats"),
        (["show", "LOG", "--at", "9999"], "9999"),
        (["show", "LOG", "--seat", "7"], "7"),
        (["fork", "LOG", "--at", "9999", "--out", "f.jsonl"], "9999"),
        (["fork", "LOG", "--at", "1", "--out", "f.jsonl"], "1"),
        (["sing"], "sing"),
    ],
)
def test_wrong_usage_names_the_bad_value_and_exits_with_2(
    args: list[str], bad_value: str, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on stderr, nothing on stdout."""
    status, out, err = run(capsys, *[str(log) if arg == "LOG" else arg for arg in args])

    assert (status, out) == (2, "")
    assert bad_value in err
