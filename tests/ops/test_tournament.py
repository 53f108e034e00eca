"""`esporles tournament`: a whole event of bots, and refusals."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from ops.cli import main
from ops.temporary_service import isolated_environment
from projections.platform.settings import VARIABLES, Settings

SIMULATE = ("tournament", "simulate", "--title", "la_granja")


SMALL: Final = ("--players", "4", "--rounds", "2", "--size", "2", "--bots", "random", "--seed", "16", "--json")
UNKILLED: Final = (
    802,
    [("Random bot 2", "24"), ("Random bot 3", "12"), ("Random bot 4", "12"), ("Random bot 1", "0")],
)
"""Entries and standings of that event without interruption; only rules and pairing change them."""
COMMAND: Final = (sys.executable, "-m", "ops.cli", *SIMULATE, *SMALL)
FIRST_TABLE_OVER: Final = b"of 2 tables over"


def kill_after_the_first_table(environment: Mapping[str, str]) -> None:
    """Run the command at a terminal, and kill it when the terminal shows a finished table."""
    terminal, process_end = os.openpty()
    with subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL, stderr=process_end, env=environment) as process:
        os.close(process_end)
        output = b""
        while FIRST_TABLE_OVER not in output:
            output += os.read(terminal, 4096)
        process.kill()
    os.close(terminal)


@pytest.mark.walk
def test_an_event_of_a_killed_command_is_resumed_with_the_same_result(tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path), "TERM": "xterm", "COLUMNS": "200"}
    kill_after_the_first_table(environment)
    assert len(list(tmp_path.glob("esporles-event-*"))) == 1, "what has been played is kept"

    process = subprocess.run(COMMAND, stdout=subprocess.PIPE, env=environment, check=True)

    report = json.loads(process.stdout)
    assert 0 < report["taken_up"] < 4
    assert (report["matches"], report["rounds"], report["lost"], report["doubled"]) == (4, 2, [], [])
    assert (report["entries"], [(row["name"], row["points"]) for row in report["standings"]]) == UNKILLED
    assert not list(tmp_path.glob("esporles-event-*")), "the event is over"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--players", "1"), "invalid --players 1: expected a number from 2 to 1000"),
        (("--rounds", "0"), "invalid --rounds 0: expected a number from 1 to 60"),
        (("--size", "6"), "invalid --size 6: expected a number from 2 to 5"),
        (("--bots", "greedy,clever"), "unknown bot 'clever'"),
        (("--option", "edition"), "invalid --option 'edition': expected K=V"),
    ],
)
def test_invalid_simulations_are_refused(
    args: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SIMULATE, *args]) == 2
    assert sentence in capsys.readouterr().err


def test_a_temporary_service_shares_nothing_with_a_running_one() -> None:
    environment = {name: "of a running service" for variable in VARIABLES.values() for name in variable.names}

    assert Settings.from_environment(isolated_environment(environment)) == Settings(demo=False)
    assert isolated_environment({"HOME": "/root", **environment}) == {"HOME": "/root", "ESPORLES_DEMO": "0"}


def test_without_a_service_there_are_no_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "list", "--data", str(tmp_path)]) == 1
    assert "no service is running on" in capsys.readouterr().err
    assert main(["tournament", "standings", "x", "--data", str(tmp_path)]) == 1
