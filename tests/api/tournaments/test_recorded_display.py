"""Pages and files of a tournament recorded before `standings: 2` are displayed as before."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.proofs.event_file import parse_event, parts_of
from domain.proofs.match_file import parse_proof_file
from domain.tournaments.state import TOURNAMENT
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from tests.api.service import settings_in
from tests.domain.matches.match_helpers import ALL_TITLES, START
from tests.golden.rulings import load_recorded, no_show_file
from tests.seeding import entropy
from tests.service_app import create_app

EVENT: Final = parse_event(no_show_file())
TOLD: Final = load_recorded("no-show-format-1")
TIE_BREAKS: Final = ("opponents", "share", "wins", "victory_points", "lot")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    """Return a service whose log holds the records and matches of the proof."""
    folder: Path = tmp_path_factory.mktemp("recorded")
    settings, content = settings_in(folder), no_show_file()
    assert settings.log_file is not None
    with (
        closing(open_store(store_env(settings.log_file), titles=ALL_TITLES, entropy=entropy())) as matches,
        closing(ReadStore(settings.reads_url)) as store,
    ):
        matches.transact(lambda batch: batch.restore(TOURNAMENT, EVENT.event.records), at=START)
        for start, end in parts_of(content, EVENT.header):
            matches.save(*parse_proof_file(content[start:end]).log.entries)
        FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()
    with TestClient(create_app(settings, entropy(), ALL_TITLES)) as client:
        yield client


def fetch(service: TestClient[Any], path: str, language: str = "en") -> str:
    response = service.get(path.format(event=EVENT.header.event), headers={"accept-language": language})
    assert response.status_code == 200, response.text
    return response.text


def test_the_api_ranks_and_counts_as_recorded(service: TestClient[Any]) -> None:
    shown = json.loads(fetch(service, "/api/tournaments/{event}/standings"))["standings"]
    lines = json.loads(fetch(service, "/api/tournaments/{event}/crosstable"))["lines"]

    compared = TOLD["standings"][0].keys() - {"points"}
    assert [{key: row[key] for key in compared} for row in shown] == [
        {key: row[key] for key in compared} for row in TOLD["standings"]
    ]
    assert [row["sixtieths"] for row in shown] == [row["points"] for row in TOLD["standings"]]
    assert [(line["entry"], [cell["place"] for cell in line["cells"]]) for line in lines] == [
        (line["entry"], [cell["place"] for cell in line["cells"]]) for line in TOLD["crosstable"]
    ]
    assert [[cell["points"] for cell in line["cells"]] for line in lines] == [
        [None if cell["points"] is None else str(cell["points"] // 60) for cell in line["cells"]]
        for line in TOLD["crosstable"]
    ]


def test_the_file_of_standings_is_as_recorded(service: TestClient[Any]) -> None:
    rows = [*csv.DictReader(fetch(service, "/api/tournaments/{event}/files/standings.csv").splitlines())]

    names = ("rank", "entry", "points", "wins", "played")
    assert [tuple(row[name] for name in names) for row in rows] == [
        tuple(str(row[name]) for name in names) for row in TOLD["standings"]
    ]
    assert [[int(row[name]) for name in TIE_BREAKS] for row in rows] == [row["tieBreaks"] for row in TOLD["standings"]]


def test_the_tournament_report_is_as_recorded(service: TestClient[Any]) -> None:
    shown = fetch(service, "/api/tournaments/{event}/files/event.trf")

    assert nameless(shown) == nameless(TOLD["trf"])


def nameless(report: str) -> list[str]:
    """Return the lines of a tournament report without the names, which accounts of the service have."""
    return [line[:14] + line[47:] if line.startswith("001") else line for line in report.splitlines()]


def test_the_page_of_standings_is_as_recorded(service: TestClient[Any]) -> None:
    page = fetch(service, "/events/{event}/standings")

    rows = re.findall(r'<tr><td class="number rank">(\d+)</td>(.*?)</tr>', page, re.DOTALL)
    cells = [(rank, re.findall(r'<td class="number">(?:<strong>)?([^<]*)', rest)) for rank, rest in rows]
    assert [
        (int(rank), points, wins, victory_points, played) for rank, (points, *_, wins, victory_points, played) in cells
    ] == [
        (row["rank"], str(row["points"]), str(row["wins"]), str(row["tieBreaks"][3]), str(row["played"]))
        for row in TOLD["standings"]
    ]


@pytest.mark.parametrize(("language", "mark"), [("en", "."), ("de", ","), ("cs", ",")])
def test_tie_breaks_have_the_decimal_mark_of_the_language(service: TestClient[Any], language: str, mark: str) -> None:
    page = fetch(service, "/events/{event}/standings", language)

    decimals = re.findall(r'<td class="number">\d+(\D)\d+(?: %)?</td>', page)
    assert {*decimals} == {mark}
