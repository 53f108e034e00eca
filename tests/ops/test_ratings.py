"""`esporles ratings`: lists, recomputation and back-tests on stored results, logs and files."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from api.accounts.people import People
from domain.matches.log.entries import NO_DIGEST, Entry
from domain.matches.log.log_files import write_log
from domain.ratings.ladder import RatedResult
from ops.cli import main
from projections.catalogue import prepare
from projections.platform.store import ReadStore
from projections.ratings import ladders

START = datetime(2026, 10, 1, tzinfo=UTC)


def result(number: int, players: Sequence[str]) -> RatedResult:
    """Return a result in alphabetical order of the players."""
    places = tuple(1 + sum(other < player for other in players) for player in players)
    return RatedResult(UUID(int=number), "la_granja", START + timedelta(hours=number), tuple(players), places)


def result_line(ended_at: str = "2026-01-01T00:00:00Z", places: str = "[1, 2]") -> bytes:
    """Return a line of a file of results."""
    players = '"title": "t", "players": ["a", "b"]'
    return f'{{"matchId": "{UUID(int=1)}", {players}, "endedAt": "{ended_at}", "places": {places}}}'.encode()


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    """Provide a data folder with twenty unrated results."""
    people = People(tmp_path / "people.db")
    ann = people.create_guest(START)
    people.close()
    store = ReadStore(tmp_path / "reads.db")
    prepare(store)
    with store.transaction() as transaction:
        for number in range(1, 21):
            players = (ann.id, "bot:greedy@1", "bot:random@1")[: 2 + number % 2]
            rated_result = result(number, players)
            ladders.note(transaction, str(rated_result.match_id), rated_result)
    yield tmp_path
    store.close()


def run_json(capsys: pytest.CaptureFixture[str], *args: str | Path, status: int = 0) -> Any:
    assert main(["ratings", *map(str, args), "--json"]) == status
    return json.loads(capsys.readouterr().out)


def run_text(capsys: pytest.CaptureFixture[str], *args: str | Path, status: int = 0) -> str:
    assert main(["ratings", *map(str, args)]) == status
    output = capsys.readouterr()
    return output.out + output.err


def test_pending_results_are_rated_and_listed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = run_json(capsys, "list", "--data", data)
    recomputed = run_json(capsys, "recompute", "--data", data)
    lists = run_json(capsys, "--data", data, "list")
    (three_seats,) = run_json(
        capsys, "list", "--data", data, "--title", "la_granja", "--seats", "3", "--month", "2026-10"
    )["lists"]

    assert (before["pending"], before["lists"]) == (20, [])
    assert recomputed == {"results": 20, "model": "plackett-luce", "differences": [], "written": False}
    assert lists["pending"] == 0
    assert [(each["seats"], len(each["people"]), len(each["bots"])) for each in lists["lists"]] == [
        (2, 1, 1),
        (3, 1, 2),
    ]
    assert three_seats["month"] == "2026-10"
    assert "Guest" in run_text(capsys, "list", "--data", data)


def test_wrong_ratings_are_found_and_repaired(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_text(capsys, "recompute", "--data", data)
    store = ReadStore(data / "reads.db")
    with store.transaction() as transaction:
        statement = "UPDATE rating_players SET detail = REPLACE(CAST(detail AS TEXT), '\"wins\":', '\"wins\":1')"
        assert transaction.change(statement + " WHERE player = 'bot:random@1'") == 1
    store.close()

    report = run_json(capsys, "recompute", "--data", data, status=1)
    assert report["differences"] == ["la_granja, 3 seats: bot:random@1"]
    assert "1 ratings differ" in run_text(capsys, "recompute", "--data", data, "--write", status=1)
    assert "all ratings are identical" in run_text(capsys, "recompute", "--data", data)


def test_a_back_test_of_stored_results_compares_all_models(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "backtest", "--data", data)
    losses = {report["model"]: report["pairLogLoss"] for report in document["reports"]}
    text = run_text(capsys, "backtest", "--data", data, "--model", "elo")

    assert losses["plackett-luce"] < losses["elo"] < losses["null"]
    assert "calibration of elo" in text
    assert "null" not in text


def test_a_back_test_of_files_and_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Duplicates in a folder and a file of results count once; logs without a result are ignored."""
    folder = tmp_path / "logs"
    folder.mkdir()
    log = folder / "a.jsonl"
    play = ["play", "--title", "el_grande", "--bots", "random,greedy", "--seed", "01", "--out", str(log)]
    assert main(play) == 0
    results = folder / "results.jsonl"
    lines = [msgspec.json.encode(result(number, ("ann", "ben"))) for number in (1, 2, 2)]
    results.write_bytes(b"\n".join([*lines, b""]))
    capsys.readouterr()

    document = run_json(capsys, "backtest", folder, results)

    assert document["results"] == 3
    assert document["reports"][0]["matches"] == 3


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"type":"resigned","seat":0}', "entry 1: a log begins with match_opened, not with resigned"),
        (b'{"type":"match_opened","title":"chess"}', "unknown game 'chess'"),
        (b'{"type":"match_opened","title":"la_granja"}', "entry 1: its body is not a fact of this title"),
    ],
)
def test_a_log_that_cannot_be_replayed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: bytes, message: str
) -> None:
    path = tmp_path / "m.jsonl"
    opening = Entry(
        originator_id=UUID(int=1), originator_version=1, timestamp=START, previous=NO_DIGEST, body=msgspec.Raw(body)
    )
    write_log(path, [opening])

    assert f"{path}: {message}" in run_text(capsys, "backtest", path, status=1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"players": []}', "line 1"),
        (result_line(places="[1]"), "2 players, but 1 places"),
        (result_line(places="[1, 3]"), "invalid places 1, 3"),
        (result_line(ended_at="2026-01-01T00:00:00"), "no time zone"),
    ],
)
def test_invalid_files_of_results_are_refused_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes, message: str
) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(line)

    assert message in run_text(capsys, "backtest", path, status=1)


def test_invalid_arguments_are_wrong_usage(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "invalid --month 'november'" in run_text(capsys, "list", "--data", data, "--month", "november", status=2)
    assert "invalid --seats 9" in run_text(capsys, "list", "--data", data, "--seats", "9", status=2)
    assert "no such file or folder" in run_text(capsys, "backtest", tmp_path / "gone", status=2)
    empty = tmp_path / "empty"
    assert "no results to test on" in run_text(capsys, "backtest", "--data", empty, status=1)
    assert "no rated players yet" in run_text(capsys, "list", "--data", empty)
