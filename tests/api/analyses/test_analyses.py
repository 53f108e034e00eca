"""Analyses of ended matches: done once in parts, shown next to the replay, saved as studies."""

from __future__ import annotations

from functools import cache
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.exceptions import ClientException
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.analyses.schemas import HandIn
from api.analyses.service import ANALYSES, AnalysisService
from api.http.guards import OPERATOR
from api.http.limits import ANALYSES_PER_HOUR, LIMITS
from api.matches.service import MATCHES
from domain.analyses.report import VERSION, pieces_of
from domain.matches.log.log_files import log_bytes
from domain.matches.log.log_files import log_of as file_of
from domain.titles import TITLES
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, start_match
from tests.workers.matches.backend import EVALUATIONS, QUICK, log_of
from workers.analyses.matches import analyse_piece

PLAYED: Final = log_of().match
ENTRIES: Final = len(log_of().entries)
LOOKED: Final = 40
"""Number of analysed entries; the rest is skipped to save time."""
MATCH: Final = f"/matches/{PLAYED.id}"
REPLAY: Final = f"/tables/{PLAYED.id}/replay"


@cache
def piece(first: int, last: int) -> HandIn:
    """Return a worker's result for a range of entries."""
    analysis = analyse_piece(TITLES, EVALUATIONS, log_of().entries, first, min(last, LOOKED), QUICK)
    return HandIn(PLAYED.head, first, VERSION, msgspec.json.encode(analysis).decode())


def hand_in(client: TestClient[Any], wanted: HandIn) -> None:
    service = AnalysisService(MATCHES.of(client), ANALYSES.of(client), LIMITS.of(client), None)  # type: ignore[arg-type]  # no request is made
    client.blocking_portal.call(service.store_results, UUID(str(PLAYED.id)), wanted)


@pytest.fixture(scope="module", autouse=True)
def imported_golden_match(service: TestClient[Any]) -> None:
    """Import the match from a file."""
    operator = Person(service)
    PEOPLE.of(service).set_role(operator.id, OPERATOR)
    response = service.post("/api/logs", content=log_bytes(file_of(log_of().entries)), headers=operator.headers)
    assert response.status_code == 201, response.text
    catch_up(service)


def test_a_match_is_analysed_once_from_its_parts(client: TestClient[Any], ann: Person) -> None:
    assert ann.get(f"{MATCH}/analysis")[1]["stage"] == "none"
    status, body = ann.post(f"{MATCH}/analysis", {})
    assert (status, body["stage"]) == (202, "waiting")
    assert ann.post(f"{MATCH}/analysis", {}) == (status, body)
    beside = Reader(client, ann).goes(f"{REPLAY}?at=20")
    assert "The match is being analysed." in beside

    spans = pieces_of(ENTRIES)
    for first, last in reversed(spans[1:]):
        hand_in(client, piece(first, last))
    half = ann.get(f"{MATCH}/analysis")[1]
    assert (half["stage"], half["piecesDone"], half["pieces"]) == ("waiting", len(spans) - 1, len(spans))
    hand_in(client, piece(*spans[0]))

    done = ann.get(f"{MATCH}/analysis")[1]
    assert done["stage"] == "done"
    entries = [each["entry"] for each in done["decisions"]]
    assert entries == sorted(entries)
    assert len(done["summaries"]) == 2
    assert sum(each["decisions"] for each in done["summaries"]) == len(entries)

    hand_in(client, piece(*spans[0]))
    assert ann.get(f"{MATCH}/analysis")[1] == done, "a job that was done twice changes nothing"
    reads_it(client, ann, done)
    keeps_it(client, ann, done)


def reads_it(client: TestClient[Any], ann: Person, done: Any) -> None:
    """Read the panel of the replay in the reader's language, and the better line step by step."""
    slip = next(each for each in done["decisions"] if each["grade"] in ("inaccuracy", "mistake", "blunder"))
    reader = Reader(client, ann)
    beside = reader.goes(f"{REPLAY}?at={slip['entry']}")
    assert slip["played"]["told"] in beside
    assert f"/tables/{PLAYED.id}/analysis/{slip['entry']}?step=1" in beside
    assert "Summary by seat" in beside

    pages = [reader.goes(f"/tables/{PLAYED.id}/analysis/{slip['entry']}?step={step}") for step in (0, 1, 99)]

    assert all(slip["line"][0] in page for page in pages)
    assert pages[0] != pages[1]
    assert reader.goes(f"/tables/{PLAYED.id}/analysis/1", 404)
    line = f"/tables/{PLAYED.id}/analysis/{slip['entry']}"
    client.get(line)
    tags = [client.get(f"{line}?step={step}").headers["ETag"] for step in (0, 1)]
    statuses = [client.get(f"{line}?step=1", headers={"If-None-Match": tag}).status_code for tag in tags]
    assert statuses == [200, 304]


def keeps_it(client: TestClient[Any], ann: Person, done: Any) -> None:
    """Save it as a study that is marked as an analysis and can be annotated."""
    reader = Reader(client, ann)
    assert "from an analysis" in reader.sends(REPLAY, f"/tables/{PLAYED.id}/analysis/study")
    study_id = reader.at.rpartition("/")[2]

    status, study = ann.get(f"/studies/{study_id}")

    assert (status, study["kind"]) == (200, "analysis")
    slips = [each for each in done["decisions"] if each["grade"] in ("inaccuracy", "mistake", "blunder")]
    assert [mark["entry"] for mark in study["marks"]] == [each["entry"] for each in slips][: len(study["marks"])]
    assert study["variations"][0]["steps"]
    assert ann.post(f"/studies/{study_id}/comments", {"entry": 20, "text": "I see."})[0] == 201
    content = client.get(f"/api/studies/{study_id}/file", headers=ann.headers).content
    assert b'"kind":"analysis"' in content


def test_invalid_parts_and_other_engines_are_rejected(client: TestClient[Any]) -> None:
    good = piece(1, 8)
    with pytest.raises(ClientException, match="invalid piece"):
        hand_in(client, msgspec.structs.replace(good, piece="{}"))
    with pytest.raises(ClientException, match="version=99"):
        hand_in(client, msgspec.structs.replace(good, version=99))


def test_a_running_match_cannot_be_analysed(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)

    status, problem = ann.post(f"/matches/{match_id}/analysis", {})

    assert (status, problem["code"]) == (409, "analysis/not_possible")
    assert "only finished matches" in problem["detail"]
    catch_up(client)
    assert "Analyse this match" not in Reader(client, ann).goes(f"/tables/{match_id}/replay")


def test_analyses_per_person_are_limited(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id, spend = start_match(ann, ben), LIMITS.of(client).spend
    assert ann.post(f"/matches/{match_id}/resignation", {})[0] == 201
    for _ in range(ANALYSES_PER_HOUR):
        client.blocking_portal.call(spend, "analysis", ann.id)

    status, problem = ann.post(f"/matches/{match_id}/analysis", {})

    assert (status, problem["code"]) == (429, "caller/too_many_requests")
    assert "too many analyses in an hour; retry in" in problem["detail"]
    assert ben.post(f"/matches/{match_id}/analysis", {})[0] == 202
