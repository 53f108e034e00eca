"""The faults of `ops/faults` in a short form: those that need no privilege, one after the other, under a load."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ops.dev.faulting.faults import FAULTS
from ops.dev.faulting.running import line_of
from ops.throwaway import ROOT
from tests.seeding import SEED
from tests.simulation.faulting import main, run

SHORT = ("kill", "stop", "missing-reads")
AT_POSTGRES = ("postgres-away",)


def others(*names: str) -> list[str]:
    return [name for name in FAULTS if name not in names]


def once(names: tuple[str, ...]) -> Callable[[int], bool]:
    """Until each has happened once."""
    return lambda happened: happened >= len(names)


@pytest.mark.walk
@pytest.mark.parametrize(("store", "names"), [("sqlite", SHORT), ("postgres", AT_POSTGRES)])
def test_nothing_acknowledged_is_lost_and_every_match_goes_on(store: str, names: tuple[str, ...]) -> None:
    said = list[str]()

    # In a thread of its own: a browser of the tests before may have left a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        outcome = apart.submit(run, store, others(*names), SEED, once(names), said.append, brief=True).result()

    assert outcome.is_good, "\n".join([*said, *map(line_of, outcome.happened), *outcome.wrong])
    assert {each.fault for each in outcome.happened} == set(names)
    assert outcome.ending is not None
    assert outcome.ending.checked.acknowledged > len(names)


def test_what_cannot_be_broken_here_is_said_and_not_left_out(tmp_path: Path) -> None:
    """As on a machine that lets nobody mount a file system."""
    command = [sys.executable, "-m", "tests.simulation.faulting", "1", "--store", "sqlite"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "ops/faults: there is no mount here; --without" in done.stderr


def test_a_time_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["0"])

    assert refused.value.code == 2
    assert "MINUTES is a number up to" in capsys.readouterr().err
