"""The job that opens the tables of a league's round, each once, whatever is killed in between."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.leagues.duties import tables_to_open
from domain.leagues.state import LEAGUE, match_of
from domain.matches.log.entries import microseconds
from tests.api.full_service import FullService, run_full_service
from tests.projections.tables import at
from workers.client import LeagueDuty, OrganisingService, TournamentDuty
from workers.event_duties import LEASE
from workers.leagues import league_step
from workers.queues import LEAGUE_STEP

BOTS = ("bot:random@1", "bot:greedy@1")
DIVISIONS = [{"name": "All", "groups": 0, "places": 4}]


class Broken(Exception):
    """The worker was killed."""


class Interrupted:
    """A service client whose worker dies after a number of tables, before or after the last response."""

    def __init__(self, service: OrganisingService, remaining: int, *, receives_response: bool) -> None:
        self._service = service
        self._remaining = remaining
        self._receives_response = receives_response

    def read_league_duty(self, league_id: str) -> LeagueDuty | None:
        return self._service.read_league_duty(league_id)

    def post_to_league(self, path: str, body: Any) -> bool:
        if self._remaining == 0 and self._receives_response:
            raise Broken
        accepted = self._service.post_to_league(path, body)
        if self._remaining == 0:
            raise Broken
        self._remaining -= 1
        return accepted

    def read_tournament_duty(self, event_id: str) -> TournamentDuty | None:
        return self._service.read_tournament_duty(event_id)

    def post_to_tournament(self, path: str, body: Any) -> bool:
        return self._service.post_to_tournament(path, body)

    def post_to_circuit(self, path: str, body: Any) -> bool:
        return self._service.post_to_circuit(path, body)

    def read_log(self, match_id: str) -> bytes | None:
        return self._service.read_log(match_id)


UNRATED = {"clock": {"kind": "correspondence", "seconds": 172_800}}


class Organiser:
    """The organiser of leagues, who also runs the jobs."""

    def __init__(self, running_service: FullService) -> None:
        self.running_service = running_service
        self.people = [running_service.guest() for _ in range(4)]

    def does(self, method: str, path: str, body: Any = None) -> Any:
        status, response = self.running_service.ask(method, f"/leagues{path}", body, self.people[0][1])
        assert status in {200, 201}, response
        return response

    def begins(self, **plan: Any) -> str:
        """Create a league of four whose first season is drawn; return its id."""
        body = {"name": "Liga", "title": "la_granja", "size": 2, "divisions": DIVISIONS, "table": UNRATED, **plan}
        league: str = self.does("POST", "", {"plan": body})["leagueId"]
        self.does("POST", f"/{league}/seasons", {"name": "Spring"})
        for _, token in self.people:
            assert self.running_service.ask("POST", f"/leagues/{league}/entries", {}, token)[0] == 201
        self.does("POST", f"/{league}/draw", {})
        return league

    def opens(self, **plan: Any) -> str:
        """Create a league with an open first round and no tables yet; return its id."""
        league = self.begins(**plan)
        self.does("POST", f"/{league}/rounds", {})
        return league

    def version(self, league: str) -> int:
        return self.running_service.log.streams.get(LEAGUE, UUID(league)).version

    def job(self, league: str, version: int | None = None) -> bool:
        return league_step(self.running_service.service, league, "open", version or self.version(league))

    def matches(self, league: str) -> dict[UUID, tuple[str, tuple[str | None, ...], int]]:
        """Return status, players by seat and number of entries of the league's matches."""
        stream = self.running_service.log.streams.get(LEAGUE, UUID(league))
        matches: dict[UUID, tuple[str, tuple[str | None, ...], int]] = {}
        for group, turn, table in tables_to_open(stream.state, ()):
            match_id = match_of(UUID(league), 1, group, turn, table)
            if self.running_service.log.lines.has(match_id):
                match = self.running_service.log.get(match_id)
                matches[match_id] = match.status, tuple(info.actor for info in match.seats), match.version
        return matches

    def season(self, league: str) -> Any:
        self.running_service.follow()
        return self.does("GET", f"/{league}/seasons/1")


@pytest.fixture(scope="module")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("leagues")) as running_service:
        yield running_service


@pytest.fixture(scope="module")
def organiser(running_service: FullService) -> Organiser:
    return Organiser(running_service)


def test_an_open_round_reports_its_open_tables(organiser: Organiser) -> None:
    league = organiser.opens()
    before, matches = organiser.season(league), organiser.matches(league)
    is_done = organiser.job(league)
    after = organiser.season(league)

    assert matches == {}
    assert before["rounds"] == [{"round": 1, "opened": 0, "tables": 2}]
    assert {fixture["matchId"] for fixture in before["fixtures"]} == {None}
    assert is_done
    assert after["rounds"] == [{"round": 1, "opened": 2, "tables": 2}]
    match_ids = {fixture["matchId"] for fixture in after["fixtures"] if fixture["round"] == 1}
    assert match_ids == {str(match_id) for match_id in organiser.matches(league)}
    assert {status for status, _, _ in organiser.matches(league).values()} == {"open"}


@pytest.mark.parametrize("receives_response", [True, False])
@pytest.mark.parametrize("remaining", range(6))
def test_an_interrupted_opening_has_the_same_result(
    organiser: Organiser, running_service: FullService, remaining: int, receives_response: bool
) -> None:
    """All rounds start at once: six tables."""
    league = organiser.opens(atOnce=True)
    version = organiser.version(league)
    schedule = organiser.season(league)["fixtures"]
    with pytest.raises(Broken):
        league_step(
            Interrupted(running_service.service, remaining, receives_response=receives_response),
            league,
            "open",
            version,
        )
    before = organiser.matches(league)
    assert organiser.job(league) == (len(before) < 6)
    after = organiser.matches(league)

    assert len(before) == remaining + (not receives_response)
    assert before == {match_id: after[match_id] for match_id in before}, "what was open has not been touched again"
    assert [(status, version) for status, _, version in after.values()] == [("open", 3)] * 6
    expected = [tuple(player["id"] for player in fixture["players"]) for fixture in schedule]
    assert sorted(players for _, players, _ in after.values()) == sorted(expected)
    assert not organiser.job(league)
    assert organiser.matches(league) == after
    assert organiser.version(league) == version


def test_a_job_for_another_version_has_no_effect(organiser: Organiser) -> None:
    league = organiser.opens()
    version = organiser.version(league)
    organiser.does("POST", f"/{league}/announcements", {"text": "We begin."})

    assert not organiser.job(league, version)
    assert organiser.matches(league) == {}
    assert not league_step(organiser.running_service.service, league, "close", version + 1)
    assert organiser.job(league, version + 1)


def test_a_job_stops_when_the_league_changes(organiser: Organiser, running_service: FullService) -> None:
    league = organiser.opens()
    duty = running_service.service.read_league_duty(league)
    assert duty is not None
    path = f"{league}/groups/1/rounds/1/tables/1/match"
    organiser.does("POST", f"/{league}/announcements", {"text": "We begin."})

    assert not running_service.service.post_to_league(path, {"expectedVersion": duty.version})
    assert organiser.matches(league) == {}
    assert running_service.service.post_to_league(path, {"expectedVersion": duty.version + 1})
    assert running_service.service.post_to_league(path, {"expectedVersion": duty.version + 1}), (
        "once more changes nothing"
    )
    assert len(organiser.matches(league)) == 1


def test_missing_leagues_and_leagues_without_duty_are_ignored(organiser: Organiser) -> None:
    missing, without_round = str(UUID(int=404)), organiser.begins()

    assert not league_step(organiser.running_service.service, missing, "open", 1)
    assert not organiser.job(without_round)


def test_a_table_decided_before_it_was_opened_has_no_match(organiser: Organiser) -> None:
    league = organiser.opens()
    ruling = {"group": 1, "round": 1, "table": 1, "places": [1, 2], "scores": [3, 0], "reason": "ill"}
    running_service, (operator, token) = organiser.running_service, organiser.running_service.guest()
    running_service.people.set_role(operator, "operator")
    assert running_service.ask("POST", f"/leagues/{league}/rulings", ruling, token)[0] == 201
    assert organiser.season(league)["rounds"] == [{"round": 1, "opened": 1, "tables": 2}]

    assert organiser.job(league)
    assert len(organiser.matches(league)) == 1
    assert not organiser.running_service.log.lines.has(match_of(UUID(league), 1, 0, 1, 1))
    assert organiser.season(league)["rounds"] == [{"round": 1, "opened": 2, "tables": 2}]


def test_only_the_service_opens_tables(organiser: Organiser, running_service: FullService) -> None:
    league = organiser.opens()
    token = organiser.people[0][1]
    path = f"/leagues/{league}/groups/1/rounds/1/tables/1/match"

    assert running_service.ask("POST", path, {"expectedVersion": 1}, token)[0] == 403
    assert running_service.ask("GET", f"/leagues/{league}/owed", None, token)[0] == 403


def duties(running_service: FullService, league: str) -> list[tuple[str, int, int, int]]:
    running_service.follow()
    return running_service.store.rows(
        "SELECT step, version, attempt, leased_us FROM event_duties WHERE event_id = ?", league
    )


def test_the_policy_issues_jobs_until_all_tables_are_open(organiser: Organiser, running_service: FullService) -> None:
    running_service.settle()
    league = organiser.begins()
    before = duties(running_service, league)
    organiser.does("POST", f"/{league}/rounds", {})
    after = duties(running_service, league)
    running_service.duties.issue(at(0))
    jobs = list(running_service.wanted.steps)
    running_service.wanted.steps.clear()
    version = organiser.version(league)

    assert [row[0] for row in before] == [""]
    assert [row[:2] for row in after] == [("open", version)]
    assert jobs == [(LEAGUE_STEP, league, "open", version)]
    (row,) = duties(running_service, league)
    assert (row[2], row[3]) == (1, microseconds(at(LEASE.total_seconds())))

    # A killed worker opened one of two tables: the next job is issued only after its lease.
    with pytest.raises(Broken):
        league_step(Interrupted(running_service.service, 1, receives_response=True), league, "open", version)
    (first,) = organiser.matches(league)
    (row,) = duties(running_service, league)
    since = microseconds(running_service.log.get(first).timestamp)
    assert (row[0], row[2], row[3]) == (
        "open",
        1,
        since + microseconds(at(LEASE.total_seconds())) - microseconds(at(0)),
    )
    assert organiser.job(league)
    assert [row[0] for row in duties(running_service, league)] == [""]


def test_a_played_season_has_no_duty(organiser: Organiser, running_service: FullService) -> None:
    running_service.settle()
    league = organiser.does("POST", "", {"plan": {"name": "Bots", "title": "la_granja", "size": 2, "table": UNRATED}})[
        "leagueId"
    ]
    organiser.does("POST", f"/{league}/seasons", {"name": "Spring"})
    for bot in BOTS:
        organiser.does("POST", f"/{league}/entries", {"player": bot})
    organiser.does("POST", f"/{league}/draw", {})
    organiser.does("POST", f"/{league}/rounds", {})
    assert running_service.settle() == ["open"]
    (match_id,) = organiser.matches(league)
    running_service.play(str(match_id))
    running_service.follow()
    organiser.does("POST", f"/{league}/close", {})

    assert running_service.settle() == []
    assert running_service.store.rows("SELECT * FROM event_matches WHERE event_id = ?", league) == []


def test_the_service_opens_the_registration_of_a_schedule_once(
    organiser: Organiser, running_service: FullService
) -> None:
    """The job of the next step is refused before its time."""
    service = running_service.service
    starts = datetime.now(UTC) + timedelta(days=16)
    body = {"name": "Yearly", "title": "la_granja", "size": 2, "divisions": DIVISIONS, "table": UNRATED}
    body |= {"bot": "bot:random@1", "schedule": {"starts": starts.isoformat(), "breakDays": 30}}
    league: str = organiser.does("POST", "", {"plan": body})["leagueId"]
    running_service.follow()
    duty = service.read_league_duty(league)

    assert duty is not None
    assert (duty.step, duty.tables) == ("register", ())
    assert league_step(service, league, "register", duty.version)
    assert not league_step(service, league, "register", duty.version)
    running_service.follow()
    shown = organiser.does("GET", f"/{league}")["seasons"]
    assert [(season["status"], season["name"]) for season in shown] == [("registering", "Season 1")]
    assert datetime.fromisoformat(shown[0]["starts"]) == starts
    assert service.read_league_duty(league).step == "propose"  # type: ignore[union-attr]
    assert not league_step(service, league, "propose", organiser.version(league))
    refused = running_service.ask("POST", f"/leagues/{league}/draw", {}, organiser.people[0][1])
    assert refused[1]["detail"].startswith("season 1 is drawn by its schedule, at ")
