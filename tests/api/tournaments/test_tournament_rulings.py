"""After an arbiter's ruling on a match, the standings are derived again exactly."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.matches.log.log_files import parse_log
from domain.matches.verification.verify import verify
from ops.verifying.match import text
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.matches.results import table_results
from projections.platform.store import ReadStore
from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournaments import ApiPerson, play_round, points, publish_next_round, with_four


@pytest.fixture(scope="module")
def people(full_service: FullService) -> list[ApiPerson]:
    """Return an organiser, who is also an arbiter of the service, and four players."""
    people = [ApiPerson(full_service) for _ in range(5)]
    full_service.people.set_role(people[0].id, "operator")
    return people


def raise_dispute(service: FullService, people: list[ApiPerson], path: str, table: Any) -> str:
    """Dispute the entry before the latest one from the first seat, and return the id of the dispute."""
    names = {entry["entry"]: entry["player"] for entry in people[0].get(path)["entries"]}
    first = next(person for person in people if person.id == names[table["entries"][0]])
    version = first.get(f"/matches/{table['matchId']}")["version"]
    wanted = {"entry": version - 1, "reason": "I was not asked"}
    dispute = first.does("POST", f"/matches/{table['matchId']}/disputes", wanted)["id"]
    service.follow()
    return str(dispute)


def give_ruling(service: FullService, arbiter: ApiPerson, dispute: str, measure: dict[str, Any]) -> None:
    arbiter.does("POST", f"/disputes/{dispute}/arbiter")
    ruling = {"rule": "4.2", "reasons": "So it is.", "measures": [measure]}
    arbiter.does("POST", f"/disputes/{dispute}/rulings", ruling)
    service.follow()


def from_scratch(service: FullService, folder: Path, path: str) -> Any:
    """Return the results of the event by freshly built read models."""
    with closing(ReadStore(f"sqlite:///{folder / 'fresh.sqlite'}")) as store:
        FollowerLoop(service.log, store, tuple(PROJECTIONS.values())).catch_up()
        return table_results(store, UUID(path.rpartition("/")[2]))


def test_a_match_voided_by_a_ruling_counts_for_no_one_and_standings_follow(
    full_service: FullService, people: list[ApiPerson], tmp_path: Path
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = publish_next_round(full_service, organiser, path)
    play_round(full_service, people, path, first)
    organiser.does("POST", f"{path}/rounds/1/closing")
    play_round(full_service, people, path, publish_next_round(full_service, organiser, path))
    before = points(organiser, path)
    table = first["tables"][0]
    winner, loser = table["entries"]
    disputed_table = raise_dispute(full_service, people, path, table)
    give_ruling(full_service, organiser, disputed_table, {"type": "match_voided"})

    event, after = organiser.get(path), points(organiser, path)
    assert event["rounds"][0]["tables"][0]["status"] == "void"
    assert event["rounds"][0]["tables"][0]["places"] is None
    assert int(before[winner]) - int(after[winner]) == 12
    assert {entry: after[entry] for entry in after if entry != winner} == {
        entry: before[entry] for entry in before if entry != winner
    }
    rows = {row["entry"]: row for row in organiser.get(f"{path}/standings")["standings"]}
    assert [rows[entry]["played"] for entry in (winner, loser)] == [1, 1]
    cells = {line["entry"]: line["cells"][0] for line in organiser.get(f"{path}/crosstable")["lines"]}
    assert (cells[winner]["place"], cells[winner]["points"]) == (None, None)
    assert from_scratch(full_service, tmp_path, path) == table_results(
        full_service.store, UUID(path.rpartition("/")[2])
    )
    assert organiser.does("POST", f"{path}/rounds/2/closing")["status"] == "ended"


def test_a_round_waits_for_a_ruling_and_counts_its_result(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    round_ = publish_next_round(full_service, organiser, path)
    play_round(full_service, people, path, round_)
    table = round_["tables"][1]
    dispute = raise_dispute(full_service, people, path, table)
    refusal = organiser.is_refused("POST", f"{path}/rounds/1/closing")
    give_ruling(full_service, organiser, dispute, {"type": "result_set", "scores": [3, 40], "ranking": [2, 1]})
    organiser.does("POST", f"{path}/rounds/1/closing")
    shown = organiser.get(path)["rounds"][0]["tables"][1]

    assert refusal == (409, "tournament/refused", "open dispute at table 2 of round 1")
    assert (shown["scores"], shown["places"], shown["ruled"]) == ([3, 40], [2, 1], True)
    assert [points(organiser, path)[entry] for entry in table["entries"]] == ["0", "12"]


def line_of(service: FullService, match_id: str) -> Any:
    """Return the log of a line as a verified file."""
    status, log = service.fetch("GET", f"/matches/{match_id}/log")
    assert status == 200
    report = verify(parse_log(log), titles=service.log.titles)
    assert report.fault is None, report.fault
    return report


def test_the_event_links_to_the_official_line_after_a_resumption(
    full_service: FullService, people: list[ApiPerson]
) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = publish_next_round(full_service, organiser, path)
    play_round(full_service, people, path, first)
    table = first["tables"][0]
    started = full_service.log.get(UUID(table["matchId"])).started_version
    dispute = raise_dispute(full_service, people, path, table)
    give_ruling(full_service, organiser, dispute, {"type": "line_resumed", "version": started})
    counts = organiser.get(f"/disputes/{dispute}")["officialLine"]

    shown = organiser.get(path)["rounds"][0]["tables"][0]
    assert counts != table["matchId"]
    assert (shown["matchId"], shown["beganAs"], shown["status"]) == (counts, table["matchId"], "playing")
    assert organiser.get(path)["rounds"][0]["tables"][1]["beganAs"] is None
    reader = Visitor(full_service)
    page, pieces = (
        reader.sees(path.replace("/tournaments/", "/events/")),
        reader.read_first_event(path.replace("/tournaments/", "/events/") + "/stream"),
    )
    assert f'href="/tables/{counts}"' in page
    assert table["matchId"] not in page
    assert f'href="/tables/{counts}"' in pieces[0]["at_1_1"]


def test_verify_and_the_pages_agree_on_a_ruled_result(full_service: FullService, people: list[ApiPerson]) -> None:
    organiser, path = people[0], with_four(full_service, people)
    first = publish_next_round(full_service, organiser, path)
    play_round(full_service, people, path, first)
    before = line_of(full_service, first["tables"][0]["matchId"])
    measures: list[dict[str, Any]] = [
        {"type": "result_set", "scores": [3, 40], "ranking": [2, 1]},
        {"type": "match_voided"},
    ]
    for table, measure in zip(first["tables"], measures, strict=True):
        give_ruling(full_service, organiser, raise_dispute(full_service, people, path, table), measure)
    tables = organiser.get(path)["rounds"][0]["tables"]
    reports = [line_of(full_service, table["matchId"]) for table in tables]

    assert (before.ruled, before.ranking) == (False, (1, 2))
    assert [(report.scores, report.ranking, report.ruled) for report in reports] == [
        ((3, 40), (2, 1), True),
        (None, None, True),
    ]
    assert [(table["scores"], table["places"]) for table in tables] == [([3, 40], [2, 1]), (None, None)]
    assert "scores   3, 40 (places 2, 1), as ruled" in text(Path("a.jsonl"), reports[0])
    assert "scores   none: the match was voided by a ruling" in text(Path("a.jsonl"), reports[1])
