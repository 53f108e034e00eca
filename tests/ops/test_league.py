"""`esporles league`: lists, standings of a season, and schedules."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.leagues import commands, seasons
from domain.leagues.facts import FixtureRuled
from domain.leagues.plan import Division, LeaguePlan
from ops.cli import main
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from tests.seeding import entropy

ID = UUID(int=5)
START = datetime(2026, 10, 1, tzinfo=UTC)
BOTS = ("bot:greedy@1", "bot:random@1")


def entering(bot: str) -> commands.Decide:
    return lambda league: seasons.enter(league, "org", bot, 0, is_organiser=True)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Provide a data folder with a league of two bots whose first season is over."""
    matches, store = open_store(store_env(tmp_path / "log.db"), entropy=entropy()), ReadStore(tmp_path / "reads.db")
    plan = LeaguePlan(name="Cup", title="el_grande", size=2, divisions=(Division("All", 0, 4),))
    commands.open_league(matches, ID, "org", plan, at=START)
    steps: list[commands.Decide] = [
        lambda league: seasons.open_season(league, "org", "One"),
        *map(entering, BOTS),
        lambda league: seasons.draw(league, "org", {}),
        lambda league: seasons.open_round(league, "org", START),
        lambda league: seasons.rule(league, FixtureRuled("org", 1, 0, 1, (2, 1), (3, 9), reason="So."), {}),
        lambda league: seasons.close_season(league, "org", {}),
    ]
    for step in steps:
        commands.execute(matches, ID, step, at=START)
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    matches.close()
    store.close()
    return tmp_path


def run_json(capsys: pytest.CaptureFixture[str], *args: str | Path | UUID) -> Any:
    assert main(["league", *map(str, args), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def run_text(capsys: pytest.CaptureFixture[str], *args: str | Path | UUID, status: int = 0) -> str:
    assert main(["league", *map(str, args)]) == status
    output = capsys.readouterr()
    return output.out + output.err


def test_leagues_and_standings_are_printed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (league,) = run_json(capsys, "list", "--data", data)["leagues"]
    season = run_json(capsys, "standings", ID, "--data", data)
    text = run_text(capsys, "--data", data, "standings", ID, "--season", "1")
    csv = run_text(capsys, "standings", ID, "--data", data, "--csv")

    assert (league["name"], league["status"], league["players"]) == ("Cup", "closed", 2)
    (group,) = season["season"]["groups"]
    assert [line["pointsText"] for line in group["lines"]] == ["12", "0"]
    assert season["champions"][0][0] == "One"
    assert "Cup, One (closed)" in text
    assert "All, group 1" in text
    assert csv.splitlines()[1].startswith("1,1,All,1,bot:")
    assert "Cup" in run_text(capsys, "list", "--data", data)


def test_schedules_are_shown_exact_or_measured(capsys: pytest.CaptureFixture[str]) -> None:
    exact = run_json(capsys, "designs", "--players", "9", "--size", "3")["choices"]
    approximate = run_json(capsys, "designs", "--players", "8", "--size", "3", "--rounds", "4")

    assert (exact[0]["rounds"], exact[0]["built"]) == (4, "affine space")
    assert approximate["balance"]["playedMin"] == 3
    assert "affine space" in run_text(capsys, "designs", "--players", "9", "--size", "3")
    assert "each pair meets 0 to 1 times" in run_text(
        capsys, "designs", "--players", "8", "--size", "3", "--rounds", "4"
    )
    assert "try --rounds" in run_text(capsys, "designs", "--players", "198", "--size", "4")


def test_invalid_arguments_are_refused(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "invalid league id 'cup'" in run_text(capsys, "standings", "cup", "--data", data, status=2)
    assert "no league" in run_text(capsys, "standings", UUID(int=6), "--data", data, status=1)
    assert "no season 7" in run_text(capsys, "standings", ID, "--season", "7", "--data", data, status=1)
    assert "not 9" in run_text(capsys, "designs", "--players", "12", "--size", "9", status=2)
    assert "no leagues" in run_text(capsys, "list", "--data", tmp_path / "empty")
