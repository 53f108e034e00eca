"""`esporles run calculator` and commands with `--workers`: the same results as on one core."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfile
from typing import Any
from uuid import UUID

import pytest

from domain.matches.log.log_files import parse_log
from ops.cli import main
from tests.transparency.outsiders import rewrite, watched_service
from tests.workers.roles import Deployment
from tests.workers.serving import ROOT

BALANCE = ("balance", "--title", "el_grande", "--matches", "30", "--bots", "random", "--players", "2,3")
LADDER = ("ladder", "--title", "el_grande", "--bots", "random,greedy", "--matches", "8")
LAWS = ("bench", "--laws", "--title", "el_grande", "--matches", "10", "--all-laws-every", "5")

Say = Callable[..., tuple[int, Any]]


@pytest.fixture
def deployment(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployment]:
    """Only the queues of a service, known to the commands of this process."""
    monkeypatch.setenv("ESPORLES_REDIS", redis_url)
    with ExitStack() as stack:
        yield Deployment(stack, tmp_path, "", "", redis_url)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command; return its exit status and decoded output."""

    def run(*args: object) -> tuple[int, Any]:
        status = main([*map(str, args), "--json"])
        output = capsys.readouterr()
        return status, json.loads(output.out) if output.out else output.err

    return run


def without_times(document: Any) -> Any:
    """Remove the values that depend on the machine."""
    if isinstance(document, dict):
        return {name: without_times(value) for name, value in document.items() if name not in TIMES}
    return [without_times(value) for value in document] if isinstance(document, list) else document


TIMES = frozenset({"seconds", "times"})


def changed_store(say: Say, folder: Path, corpus: Path) -> None:
    """Create a store with a tampered entry."""
    log = next(path for path in sorted(corpus.iterdir()) if path.name not in {"damaged.jsonl", "nothing.jsonl"})
    assert say("import", log, "--data", folder)[0] == 0
    with watched_service(folder) as auditor:
        auditor.covering_checkpoint()
    match = UUID(str(parse_log(log.read_bytes()).header.match))
    rewrite(folder, match, {9: lambda fact: fact | {"seat": 3}}, chain=False)


@pytest.mark.walk
def test_commands_give_the_same_result_on_one_core_and_on_calculators(
    deployment: Deployment, say: Say, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in sorted((ROOT / "tests" / "golden").glob("*.jsonl"))[:4]:
        copyfile(name, corpus / name.name)
    damaged = corpus / "damaged.jsonl"
    damaged.write_bytes(next(iter(sorted(corpus.iterdir()))).read_bytes().replace(b"seat", b"sead", 1))
    (corpus / "nothing.jsonl").write_bytes(b"")
    commands = [BALANCE, LADDER, LAWS, ("verify", corpus), ("audit", "store", "--data", tmp_path / "data")]
    changed_store(say, tmp_path / "data", corpus)
    on_one_core = [say(*command, "--processes" if command[0] == "audit" else "--jobs", 1) for command in commands]
    for _ in range(2):
        deployment.run("calculator")

    on_calculators = [say(*command, "--workers") for command in commands]

    for command, expected, actual in zip(commands, on_one_core, on_calculators, strict=True):
        assert without_times(actual[1]) == without_times(expected[1]), command
        assert actual[0] == expected[0]
    assert [status for status, _ in on_one_core] == [0, 0, 0, 1, 1]


def test_a_calculator_reports_readiness_and_stops_on_a_signal(deployment: Deployment) -> None:
    calculator = deployment.run("calculator")

    assert calculator.running.role == "calculator"
    assert calculator.stop() == 0


def test_commands_report_missing_calculators_and_queues(
    deployment: Deployment, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert deployment
    status, output = say(*BALANCE, "--workers")
    assert (status, "no calculator is running; start one with `esporles run calculator`, on any host" in output) == (
        1,
        True,
    )
    monkeypatch.delenv("ESPORLES_REDIS")
    status, output = say(*BALANCE, "--workers")
    assert (status, "--workers requires ESPORLES_REDIS" in output) == (2, True)


def test_what_calculators_cannot_do_is_refused(deployment: Deployment, say: Say) -> None:
    assert deployment
    assert say("bench", "rules", "--workers")[0] == 2
