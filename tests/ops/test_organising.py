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

Console = Callable[..., str]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[FullService]:
    with run_full_service(tmp_path) as service:
        write_address(tmp_path, ServiceAddress(str(service.sockets.path), SERVICE_TOKEN))
        yield service


@pytest.fixture
def console(service: FullService, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Console:
    """Return a function that runs a command and returns its output."""

    def run_command(*args: str | Path | int, status: int = 0) -> str:
        assert main([*map(str, args), "--data", str(tmp_path)]) == status
        output = capsys.readouterr()
        return output.out + output.err

    return run_command


def write_content(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_an_event_is_organised_from_the_console(service: FullService, console: Console, tmp_path: Path) -> None:
    plan = {"name": "Cup", "title": "la_granja", "size": 2, "stages": [{"kind": "swiss", "rounds": 1}]}
    event = console("tournament", "open", write_content(tmp_path / "plan.json", plan)).split()[1]
    players = write_content(tmp_path / "players.csv", "name\nJana\nPetr\n")
    assert "2 imported" in console("tournament", "import", event, "players", players)
    assert "already imported, nothing changed" in console("tournament", "import", event, "players", players)
    assert "3 players" in console("tournament", "enter", event, "--name", "Iva")
    assert "4 players" in console("tournament", "enter", event, "--name", "Marek")
    console("tournament", "announce", event, "We begin.")
    console("tournament", "pair", event)
    service.settle()
    console("tournament", "publish", event)
    service.settle()
    console("tournament", "result", event, 1, 1, "--scores", "60,50", "--places", "1,2")
    result = console("tournament", "result", event, 1, 2, "--scores", "40,40", "--places", "1,1", "--reason", "by hand")
    assert "round 1 opened" in result
    assert "round 1 opened" in console("tournament", "penalty", event, "e3", 2, "--reason", "late")
    console("tournament", "penalty", event, "e3", -1, "--reason", "not so late")
    assert "needs a reason" in console("tournament", "penalty", event, "e3", 1, "--reason", " ", status=1)
    assert '"status": "ended"' in console("tournament", "close", event)
    out = tmp_path / "standings.csv"
    console("tournament", "export", event, "standings.csv", "--out", out)

    assert len(out.read_text().splitlines()) == 5
    assert "Cup" in console("tournament", "list")
    assert "POINTS" in console("tournament", "standings", event)
    tournament = json.loads(console("tournament", "show", event, "--json"))
    assert tournament["notices"][0]["text"] == "We begin."
    assert [each["sixtieths"] for each in tournament["penalties"]] == [120, -60]


def test_a_season_is_organised_from_the_console(service: FullService, console: Console, tmp_path: Path) -> None:
    plan = {"name": "Serra", "title": "la_granja", "size": 2}
    league = console("league", "open", write_content(tmp_path / "plan.json", plan)).split()[0]
    out = tmp_path / "fixtures.csv"
    export = ("export", league, "fixtures.csv", "--out", out)
    assert "Serra has no season yet" in console("league", *export, status=1)
    assert "registering, 0 players" in console("league", "season", league, "Spring")
    players = write_content(tmp_path / "players.csv", "player\nbot:greedy@1\n")
    assert "1 imported" in console("league", "import", league, players)
    assert "nothing changed" in console("league", "import", league, players)
    assert "2 players" in console("league", "enter", league, "bot:random@1")
    assert "running, 2 players" in console("league", "draw", league)
    assert "round 1 of 1 open" in console("league", "round", league)
    console("league", "rule", league, 1, 1, 1, "--places", "2,1", "--scores", "30,44", "--reason", "by hand")
    assert "running" in console("league", "penalty", league, "bot:greedy@1", 3, "--reason", "a slow clock")
    assert "needs a reason" in console("league", "penalty", league, "bot:greedy@1", 3, "--reason", "", status=1)
    assert "running" in console("league", "announce", league, "The second round begins on Monday.")
    result = ("result", league, 1, 1, 1, "--places", "1,2", "--scores", "51,44")
    assert "a late or corrected result needs a reason" in console("league", *result, status=1)
    assert "round 1 of 1 open" in console("league", *result, "--reason", "misread")
    rows = "".join(f"1,1,1,{name},{score},1\n" for name, score in (("bot:greedy@1", 40), ("bot:random@1", 40)))
    results = write_content(tmp_path / "results.csv", f"group,round,table,player,score,place\n{rows}")
    correction = ("results", league, results, "--reason", "counted anew")
    assert "1 imported" in console("league", *correction)
    assert "already imported, nothing changed" in console("league", *correction)
    assert "closed" in console("league", "close", league)
    service.follow()
    console("league", *export)

    assert out.read_text().splitlines()[1].endswith("1,40,False,False,True")
    assert "Serra, Spring (closed)" in console("league", "standings", league)
    assert "registering" in console("league", "season", league, "Summer")
    service.follow()
    console("league", *export)
    assert len(out.read_text().splitlines()) == 1
    console("league", *export, "--season", 1)
    assert out.read_text().splitlines()[1].endswith("1,40,False,False,True")


def test_invalid_input_is_explained_with_exit_status_1_or_2(
    service: FullService, console: Console, tmp_path: Path
) -> None:
    unknown_id = "00000000-0000-0000-0000-000000000001"

    assert "as JSON: " in console("tournament", "open", tmp_path / "none.json", status=2)
    missing_folder = tmp_path / "missing" / "standings.csv"
    assert "no such folder" in console(
        "tournament", "export", unknown_id, "standings.csv", "--out", missing_folder, status=2
    )
    assert "invalid --scores 'a'" in console(
        "tournament", "result", unknown_id, 1, 1, "--scores", "a", "--places", "1", status=2
    )
    assert "cannot read" in console("league", "import", unknown_id, tmp_path / "none.csv", status=2)
    assert unknown_id in console("league", "draw", unknown_id, status=1)


def test_organising_a_league_needs_a_running_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["league", "draw", "x", "--data", str(tmp_path)]) == 1
    assert "no service is running on" in capsys.readouterr().err
