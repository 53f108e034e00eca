"""`esporles tournament` and `esporles league` for organisers, with a running service."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ops.cli import main
from ops.service_client import ServiceAddress, write_address
from tests.api.full_service import FullService, run_full_service
from tests.api.service import SERVICE_TOKEN

Says = Callable[..., str]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[FullService]:
    with run_full_service(tmp_path) as house:
        write_address(tmp_path, ServiceAddress(str(house.sockets.path), SERVICE_TOKEN))
        yield house


@pytest.fixture
def says(house: FullService, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Says:
    """Return a function that runs a command and returns its output."""

    def run_command(*words: str | Path | int, status: int = 0) -> str:
        assert main([*map(str, words), "--data", str(tmp_path)]) == status
        told = capsys.readouterr()
        return told.out + told.err

    return run_command


def write_content(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_an_event_is_organised_from_the_console(house: FullService, says: Says, tmp_path: Path) -> None:
    plan = {"name": "Cup", "title": "la_granja", "size": 2, "stages": [{"kind": "swiss", "rounds": 1}]}
    event = says("tournament", "open", write_content(tmp_path / "plan.json", plan)).split()[1]
    players = write_content(tmp_path / "players.csv", "name\nJana\nPetr\n")
    assert "2 imported" in says("tournament", "import", event, "players", players)
    assert "already imported, nothing changed" in says("tournament", "import", event, "players", players)
    assert "3 players" in says("tournament", "enter", event, "--name", "Iva")
    assert "4 players" in says("tournament", "enter", event, "--name", "Marek")
    says("tournament", "announce", event, "We begin.")
    says("tournament", "pair", event)
    house.settle()
    says("tournament", "publish", event)
    house.settle()
    says("tournament", "result", event, 1, 1, "--scores", "60,50", "--places", "1,2")
    told = says("tournament", "result", event, 1, 2, "--scores", "40,40", "--places", "1,1", "--reason", "by hand")
    assert "round 1 opened" in told
    assert "round 1 opened" in says("tournament", "penalty", event, "e3", 2, "--reason", "late")
    says("tournament", "penalty", event, "e3", -1, "--reason", "not so late")
    assert "needs a reason" in says("tournament", "penalty", event, "e3", 1, "--reason", " ", status=1)
    assert '"status": "ended"' in says("tournament", "close", event)
    out = tmp_path / "standings.csv"
    says("tournament", "export", event, "standings.csv", "--out", out)

    assert len(out.read_text().splitlines()) == 5
    assert "Cup" in says("tournament", "list")
    assert "POINTS" in says("tournament", "standings", event)
    shown = json.loads(says("tournament", "show", event, "--json"))
    assert shown["notices"][0]["text"] == "We begin."
    assert [each["sixtieths"] for each in shown["penalties"]] == [120, -60]


def test_a_season_is_organised_from_the_console(house: FullService, says: Says, tmp_path: Path) -> None:
    plan = {"name": "Serra", "title": "la_granja", "size": 2}
    league = says("league", "open", write_content(tmp_path / "plan.json", plan)).split()[0]
    out = tmp_path / "fixtures.csv"
    export = ("export", league, "fixtures.csv", "--out", out)
    assert "Serra has no season yet" in says("league", *export, status=1)
    assert "registering, 0 players" in says("league", "season", league, "Spring")
    players = write_content(tmp_path / "players.csv", "player\nbot:greedy@1\n")
    assert "1 imported" in says("league", "import", league, players)
    assert "nothing changed" in says("league", "import", league, players)
    assert "2 players" in says("league", "enter", league, "bot:random@1")
    assert "running, 2 players" in says("league", "draw", league)
    assert "round 1 of 1 open" in says("league", "round", league)
    says("league", "rule", league, 1, 1, 1, "--places", "2,1", "--scores", "30,44", "--reason", "by hand")
    assert "running" in says("league", "penalty", league, "bot:greedy@1", 3, "--reason", "a slow clock")
    assert "needs a reason" in says("league", "penalty", league, "bot:greedy@1", 3, "--reason", "", status=1)
    assert "running" in says("league", "announce", league, "The second round begins on Monday.")
    result = ("result", league, 1, 1, 1, "--places", "1,2", "--scores", "51,44")
    assert "a late or corrected result needs a reason" in says("league", *result, status=1)
    assert "round 1 of 1 open" in says("league", *result, "--reason", "misread")
    rows = "".join(f"1,1,1,{name},{score},1\n" for name, score in (("bot:greedy@1", 40), ("bot:random@1", 40)))
    results = write_content(tmp_path / "results.csv", f"group,round,table,player,score,place\n{rows}")
    again = ("results", league, results, "--reason", "counted anew")
    assert "1 imported" in says("league", *again)
    assert "already imported, nothing changed" in says("league", *again)
    assert "closed" in says("league", "close", league)
    house.follow()
    says("league", *export)

    assert out.read_text().splitlines()[1].endswith("1,40,False,False,True")
    assert "Serra, Spring (closed)" in says("league", "standings", league)
    assert "registering" in says("league", "season", league, "Summer")
    house.follow()
    says("league", *export)
    assert len(out.read_text().splitlines()) == 1
    says("league", *export, "--season", 1)
    assert out.read_text().splitlines()[1].endswith("1,40,False,False,True")


def test_invalid_input_is_explained_with_exit_status_1_or_2(house: FullService, says: Says, tmp_path: Path) -> None:
    nothing = "00000000-0000-0000-0000-000000000001"

    assert "as JSON: " in says("tournament", "open", tmp_path / "none.json", status=2)
    nowhere = tmp_path / "missing" / "standings.csv"
    assert "no such folder" in says("tournament", "export", nothing, "standings.csv", "--out", nowhere, status=2)
    assert "invalid --scores 'a'" in says(
        "tournament", "result", nothing, 1, 1, "--scores", "a", "--places", "1", status=2
    )
    assert "cannot read" in says("league", "import", nothing, tmp_path / "none.csv", status=2)
    assert nothing in says("league", "draw", nothing, status=1)


def test_organising_a_league_needs_a_running_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["league", "draw", "x", "--data", str(tmp_path)]) == 1
    assert "no service is running on" in capsys.readouterr().err
