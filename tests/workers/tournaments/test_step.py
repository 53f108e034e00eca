"""Jobs of tournaments: each step is done once, repeated or late jobs have no effect, interrupted ones are completed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from domain.tournaments.commands import get_tournament
from tests.api.full_service import FullService, run_full_service
from workers.tournaments import pair, tournament_step

PLAN: dict[str, Any] = {
    "name": "Spring cup",
    "title": "la_granja",
    "size": 2,
    "stages": [{"kind": "swiss", "rounds": 1}],
    "bot": "bot:random@1",
    "auto": True,
    "seed": 5,
}


class Organiser:
    """The organiser of events, who also runs the jobs."""

    def __init__(self, running_service: FullService) -> None:
        self.running_service = running_service
        self.id, self.token = running_service.guest()

    def does(self, method: str, path: str, body: Any = None) -> Any:
        status, response = self.running_service.ask(method, f"/tournaments{path}", body, self.token)
        assert status in {200, 201}, response
        return response

    def opens(self, bots: int = 4, **plan: Any) -> str:
        """Open an event with bots whose first round is to be paired; return its id."""
        event: str = self.does("POST", "", {"plan": PLAN | plan})["eventId"]
        self.does("POST", f"/{event}/entries", {"bot": "random", "count": bots})
        self.does("POST", f"/{event}/pairings", {})
        return event

    def until(self, event: str, *steps: str) -> None:
        """Take these steps in order."""
        for step in steps:
            assert self.job(event, step)

    def job(self, event: str, step: str, version: int | None = None) -> bool:
        """Run a job for the given or current version after all followers have caught up."""
        self.running_service.follow()
        if version is None:
            duty = self.running_service.service.read_tournament_duty(event)
            version = 0 if duty is None else duty.version
        return tournament_step(self.running_service.service, event, step, version)

    def settle(self, event: str) -> list[str]:
        """Run jobs until the event waits only for its players; return the steps taken."""
        steps: list[str] = []
        while True:
            self.running_service.follow()
            duty = self.running_service.service.read_tournament_duty(event)
            assert duty is not None
            if duty.step in ("", "start"):
                # Tables wait a day for players before they start without them.
                return steps
            assert tournament_step(self.running_service.service, event, duty.step, duty.version)
            steps.append(duty.step)

    def version(self, event: str) -> int:
        return get_tournament(self.running_service.log, UUID(event)).version

    def round(self, event: str) -> Any:
        return self.does("GET", f"/{event}")["rounds"][-1]

    def tables(self, event: str) -> list[UUID]:
        """Return the match ids of the latest round, opened or not."""
        last = get_tournament(self.running_service.log, UUID(event)).state.round
        assert last is not None
        return [table.match for table in last.tables if table.match is not None]


@pytest.fixture(scope="module")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("steps")) as running_service:
        yield running_service


@pytest.fixture(scope="module")
def organiser(running_service: FullService) -> Organiser:
    return Organiser(running_service)


@pytest.mark.parametrize("step", ["pair", "publish", "open"])
def test_a_step_is_taken_once(organiser: Organiser, step: str) -> None:
    event = organiser.opens()
    steps = ("pair", "publish", "open")
    organiser.until(event, *steps[: steps.index(step)])
    before = organiser.version(event)

    first, second = organiser.job(event, step), organiser.job(event, step)

    assert (first, second) == (True, False)
    assert organiser.version(event) == before + 1


@pytest.mark.parametrize("step", ["publish", "open", "close", "ask", "dance"])
def test_a_step_that_is_not_due_has_no_effect(organiser: Organiser, step: str) -> None:
    event = organiser.opens()
    before = organiser.version(event)

    assert not organiser.job(event, step)
    assert organiser.version(event) == before


def test_an_edited_round_is_not_published_by_a_job(organiser: Organiser) -> None:
    """The tournament is automatic, and its round was about to be published when a player was moved."""
    event = organiser.opens()
    organiser.until(event, "pair")
    before = organiser.version(event)
    organiser.does("POST", f"/{event}/rounds/1/swaps", {"reason": "So", "first": "e1", "second": "e4"})

    assert not organiser.job(event, "publish", before)
    assert not organiser.job(event, "publish", organiser.version(event))

    assert (organiser.round(event)["status"], organiser.round(event)["edited"]) == ("proposed", True)
    assert organiser.version(event) == before + 1
    assert organiser.settle(event) == []


@pytest.mark.parametrize("step", ["pair", "publish", "open"])
def test_a_job_for_another_version_has_no_effect(organiser: Organiser, step: str) -> None:
    event = organiser.opens()
    steps = ("pair", "publish", "open")
    organiser.until(event, *steps[: steps.index(step)])
    before = organiser.version(event)
    organiser.does("POST", f"/{event}/announcements", {"text": "We begin at noon."})

    assert not organiser.job(event, step, before)
    assert organiser.version(event) == before + 1
    assert not any(organiser.running_service.log.lines.has(match) for match in organiser.tables(event))
    assert organiser.job(event, step, before + 1)


def test_policy_and_service_agree_on_an_edited_round(organiser: Organiser, running_service: FullService) -> None:
    event = organiser.opens()
    organiser.until(event, "pair")
    organiser.does("POST", f"/{event}/rounds/1/swaps", {"reason": "So", "first": "e1", "second": "e4"})
    running_service.follow()
    duty = running_service.service.read_tournament_duty(event)
    ((step,),) = running_service.store.rows("SELECT step FROM event_duties WHERE event_id = ?", event)

    assert duty is not None
    assert (step, duty.step) == ("", "")


def test_the_listing_agrees_with_the_event_from_the_first_pairing(
    organiser: Organiser, running_service: FullService
) -> None:
    event = organiser.opens()
    running_service.follow()
    listed = {row["eventId"]: row["status"] for row in organiser.does("GET", "")["events"]}

    assert listed[event] == organiser.does("GET", f"/{event}")["status"] == "running"


def test_a_table_is_not_opened_for_an_event_that_has_moved_on(
    organiser: Organiser, running_service: FullService
) -> None:
    event = organiser.opens()
    organiser.until(event, "pair", "publish")
    body = {"expectedVersion": organiser.version(event) - 1}

    assert not running_service.service.post_to_tournament(f"{event}/rounds/1/tables/1/match", body)
    assert not running_service.log.lines.has(organiser.tables(event)[0])


def test_a_missing_event_has_no_duty(organiser: Organiser) -> None:
    assert not organiser.job(str(UUID(int=404)), "pair")


def test_the_first_of_two_pairings_counts(organiser: Organiser, running_service: FullService) -> None:
    event = organiser.opens()
    duty = running_service.service.read_tournament_duty(event)
    assert duty is not None

    first = pair(running_service.service, duty)
    paired = organiser.round(event)["tables"]
    second = pair(running_service.service, duty)

    assert (first, second) == (True, False)
    assert organiser.round(event)["tables"] == paired


def test_a_pairing_of_an_outdated_version_is_refused(organiser: Organiser, running_service: FullService) -> None:
    event = organiser.opens()
    duty = running_service.service.read_tournament_duty(event)
    assert duty is not None
    for entry in ("e1", "e2"):
        organiser.does("POST", f"/{event}/entries/{entry}/withdrawal?reason=gone")
    organiser.does("POST", f"/{event}/pairings", {})

    is_accepted = pair(running_service.service, duty)
    organiser.until(event, "pair")

    assert not is_accepted
    assert [sorted(table["entries"]) for table in organiser.round(event)["tables"]] == [["e3", "e4"]]


def test_a_failed_pairing_is_reported_to_the_organiser(organiser: Organiser) -> None:
    event = organiser.opens(2)
    organiser.does("PUT", f"/{event}/pairs", {"forbidden": [["e1", "e2"]]})
    organiser.does("POST", f"/{event}/pairings", {})
    organiser.until(event, "pair")

    failed_round = organiser.round(event)

    assert failed_round["status"] == "failed"
    assert "e1 and e2 must not meet" in failed_round["why"]
    assert organiser.settle(event) == []


@pytest.mark.parametrize("opened", [0, 1, 2])
def test_the_next_job_opens_the_tables_a_killed_one_left(
    organiser: Organiser, running_service: FullService, opened: int
) -> None:
    event = organiser.opens()
    organiser.until(event, "pair", "publish")
    for number in range(1, opened + 1):
        body = {"expectedVersion": organiser.version(event)}
        assert running_service.service.post_to_tournament(f"{event}/rounds/1/tables/{number}/match", body)
    heads = [running_service.log.get(match_id).head for match_id in organiser.tables(event)[:opened]]

    organiser.until(event, "open")

    matches = [running_service.log.get(match_id) for match_id in organiser.tables(event)]
    assert [(match.status, match.table.event_id) for match in matches] == [("running", event)] * 2
    assert [match.head for match in matches[:opened]] == heads
    assert organiser.round(event)["status"] == "opened"


def test_a_bot_replaces_an_absent_player_and_the_event_continues(
    organiser: Organiser, running_service: FullService
) -> None:
    event = organiser.does("POST", "", {"plan": PLAN})["eventId"]
    person, token = running_service.guest()
    assert running_service.ask("POST", f"/tournaments/{event}/entries", {}, token)[0] == 201
    organiser.does("POST", f"/{event}/entries", {"bot": "random", "count": 1})
    organiser.does("POST", f"/{event}/pairings", {})
    assert organiser.settle(event) == ["pair", "publish", "open"]
    (match_id,) = organiser.tables(event)
    entry_id = next(
        entry["entry"] for entry in organiser.does("GET", f"/{event}")["entries"] if entry["player"] == person
    )
    status = running_service.log.get(match_id).status

    organiser.does("POST", f"/{event}/rounds/1/no-shows", {"entry": entry_id, "reason": "not seen", "bot": True})
    running_service.play(str(match_id))

    assert status == "open"
    assert organiser.settle(event) == ["close"]
    assert organiser.does("GET", f"/{event}")["status"] == "ended"
    rows = organiser.does("GET", f"/{event}/standings")["standings"]
    assert [row["points"] for row in rows if row["entry"] == entry_id] == ["0"]


def test_a_round_is_not_closed_over_an_open_dispute(organiser: Organiser, running_service: FullService) -> None:
    """The job is too early; the step stays due."""
    event = organiser.does("POST", "", {"plan": PLAN})["eventId"]
    people = [running_service.guest() for _ in range(2)]
    for _, token in people:
        assert running_service.ask("POST", f"/tournaments/{event}/entries", {}, token)[0] == 201
    organiser.does("POST", f"/{event}/pairings", {})
    organiser.settle(event)
    (match_id,) = organiser.tables(event)
    for _, token in people:
        assert running_service.ask("POST", f"/matches/{match_id}/ready", {}, token)[0] == 201
    token = people[0][1]
    assert running_service.ask("POST", f"/matches/{match_id}/resignation", {}, token)[0] == 201
    assert (
        running_service.ask("POST", f"/matches/{match_id}/disputes", {"entry": 8, "reason": "By mistake."}, token)[0]
        == 201
    )
    before = organiser.version(event)

    assert not organiser.job(event, "close")

    duty = running_service.service.read_tournament_duty(event)
    assert duty is not None
    assert (duty.step, duty.version) == ("close", before)
