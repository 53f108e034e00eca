"""The console plays and examines titles from outside the product."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ops.cli import main
from tests.titles.launcher import load_players

SEED = "0badcafe"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """Return the parsed JSON output of the command."""
    status = main([*map(str, arguments), "--json"], load_players)
    output = capsys.readouterr()
    assert status == 0, output.err
    return json.loads(output.out)


@pytest.fixture
def log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the log of a match between bots, played by the console."""
    path = tmp_path / "match.jsonl"
    played = run(capsys, "play", "--title", "corsairs", "--bots", "random,random", "--seed", SEED, "--out", path)
    assert (played["title"], len(played["scores"])) == ("corsairs", 2)
    return path


def test_a_match_is_verified_and_shown(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = run(capsys, "verify", log)
    assert (report["title"], report["status"], report["fault"]) == ("corsairs", "ended", None)

    shown = run(capsys, "show", log, "--at", 12, "--seat", 1)
    assert (shown["title"], shown["at"], shown["view"]["seat"]) == ("corsairs", 12, 1)
    assert main(["show", str(log), "--at", "12"], load_players) == 0
    assert '"prize"' in capsys.readouterr().out, "the plain drawing"


def test_a_fork_is_continued(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fork = run(capsys, "fork", log, "--at", 12, "--bots", "same", "--seed", SEED, "--out", tmp_path / "fork.jsonl")

    assert (fork["title"], len(fork["scores"])) == ("corsairs", 2)
    assert run(capsys, "verify", tmp_path / "fork.jsonl")["fault"] is None


def test_a_match_is_imported_and_exported(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = tmp_path / "data", tmp_path / "out.jsonl"
    match_id = run(capsys, "import", log, "--data", data)["match"]

    assert run(capsys, "rebuild", "boards", "--data", data)["rebuilt"]["boards"] > 0
    assert run(capsys, "export", match_id, "--whole", "--out", out, "--data", data)["header"]["title"] == "corsairs"
    assert run(capsys, "verify", out)["fault"] is None


def test_results_of_its_logs_are_read(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same bot in both seats has no rating; only folding the log reveals that."""
    assert main(["ratings", "backtest", str(log)], load_players) == 1
    assert "no results to test on" in capsys.readouterr().err


def test_the_laws_hold_in_parallel_processes(capsys: pytest.CaptureFixture[str]) -> None:
    (laws,) = run(capsys, "bench", "--laws", "--title", "corsairs", "--matches", 3, "--jobs", 1)["runs"]

    assert (laws["title"], laws["matches"], laws["broken"]) == ("corsairs", 3, [])
    assert laws["nodes"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "--title", "corsairs", "--bots", "greedy,random"),
        ("tournament", "simulate", "--title", "corsairs", "--bots", "random,greedy"),
    ],
    ids=["play", "simulate"],
)
def test_a_bot_that_cannot_play_it_is_refused(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments, load_players) == 2
    assert "the bot 'greedy' cannot play corsairs" in capsys.readouterr().err


def test_the_console_of_the_product_does_not_know_it(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The additional titles of a command do not leak into the next one."""
    assert main(["play", "--title", "corsairs", "--bots", "random,random"]) == 2
    assert main(["verify", str(log)]) == 1
    assert "corsairs" in capsys.readouterr().err


def test_no_command_reads_the_list_itself() -> None:
    commands = sorted((Path(__file__).parent.parent.parent / "ops" / "commands").glob("*.py"))
    assert len(commands) > 15
    assert not [path.name for path in commands if re.search(r"import .*\b(TITLES|BOTS)\b", path.read_text())]
