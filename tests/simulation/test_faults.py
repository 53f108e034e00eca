"""A short form of `ops/faults`: the faults without privileges, in sequence and under load."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ops.dev.faulting.faults import FAULTS
from ops.dev.faulting.running import line_of
from ops.temporary_service import ROOT
from tests.seeding import SEED
from tests.simulation.faulting import main, run

SHORT = ("kill", "stop", "missing-reads")
AT_POSTGRES = ("postgres-away",)


def others(*names: str) -> list[str]:
    return [name for name in FAULTS if name not in names]


def once(names: tuple[str, ...]) -> Callable[[int], bool]:
    """Return a condition that holds once each of these faults has occurred."""
    return lambda fault_count: fault_count >= len(names)


@pytest.mark.walk
@pytest.mark.parametrize(("store", "names"), [("sqlite", SHORT), ("postgres", AT_POSTGRES)])
def test_acknowledged_writes_survive_and_matches_continue(store: str, names: tuple[str, ...]) -> None:
    messages = list[str]()

    # Use a separate thread: a browser of an earlier test may have left a running loop in this one.
    with ThreadPoolExecutor(1) as executor:
        outcome = executor.submit(run, store, others(*names), SEED, once(names), messages.append, brief=True).result()

    assert outcome.is_good, "\n".join([*messages, *map(line_of, outcome.happened), *outcome.wrong])
    assert {each.fault for each in outcome.happened} == set(names)
    assert outcome.ending is not None
    assert outcome.ending.checked.acknowledged > len(names)


def test_impossible_faults_are_reported(tmp_path: Path) -> None:
    """Simulate a machine on which file systems cannot be mounted."""
    command = [sys.executable, "-m", "tests.simulation.faulting", "1", "--store", "sqlite"]
    process = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert process.returncode == 2
    assert "ops/faults: mount not found; --without" in process.stderr


def test_an_invalid_duration_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as system_exit:
        main(["0"])

    assert system_exit.value.code == 2
    assert "MINUTES is a number up to" in capsys.readouterr().err
