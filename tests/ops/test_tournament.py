"""`esporles tournament`: a whole event of bots, and what it refuses."""

import json
from pathlib import Path

import pytest

from ops.cli import main
from ops.throwaway import alone_in
from projections.settings import VARIABLES, Settings

SIMULATE = ("tournament", "simulate", "--title", "la_granja")


def test_a_whole_event_of_bots_is_played_and_nothing_is_lost_or_doubled(capsys: pytest.CaptureFixture[str]) -> None:
    status = main([*SIMULATE, "--players", "4", "--rounds", "1", "--size", "2", "--bots", "random", "--json"])

    report = json.loads(capsys.readouterr().out)
    assert status == 0
    assert (report["matches"], report["rounds"], report["lost"], report["doubled"]) == (2, 1, [], [])
    points = [int(row["points"]) for row in report["standings"]]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 24, "12 a table: a winner's, or 6 each when the place is shared"
    assert report["entries"] > 100


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--players", "1"), "--players takes a number from 2 to 1000, not 1"),
        (("--rounds", "0"), "--rounds takes a number from 1 to 60, not 0"),
        (("--size", "6"), "--size takes a number from 2 to 5, not 6"),
        (("--bots", "greedy,clever"), "there is no bot 'clever'"),
        (("--option", "edition"), "--option takes K=V, not 'edition'"),
    ],
)
def test_what_no_event_can_be_simulated_with_is_refused(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SIMULATE, *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_a_service_of_its_own_shares_nothing_with_one_that_runs_already() -> None:
    running = {name: "of a house that people use" for variable in VARIABLES.values() for name in variable.names}

    assert Settings.from_environment(alone_in(running)) == Settings(demo=False)
    assert alone_in({"HOME": "/root", **running}) == {"HOME": "/root", "ESPORLES_DEMO": "0"}


def test_without_a_service_there_are_no_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "list", "--data", str(tmp_path)]) == 1
    assert "no service is running on" in capsys.readouterr().err
    assert main(["tournament", "standings", "x", "--data", str(tmp_path)]) == 1
