"""The job that opens the tables of a league's round, each once, whatever is killed in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from domain.leagues.state import LEAGUE, match_of, tables_to_open
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

    def __init__(self, service: OrganisingService, left: int, *, hears: bool) -> None:
        self._service = service
        self._left = left
        self._hears = hears

    def read_league_duty(self, league_id: str) -> LeagueDuty | None:
        return self._service.read_league_duty(league_id)

    def post_to_league(self, path: str, wanted: Any) -> bool:
        if self._left == 0 and self._hears:
            raise Broken
        taken = self._service.post_to_league(path, wanted)
        if self._left == 0:
            raise Broken
        self._left -= 1
        return taken

    def read_tournament_duty(self, event_id: str) -> TournamentDuty | None:
        return self._service.read_tournament_duty(event_id)

    def post_to_tournament(self, path: str, wanted: Any) -> bool:
        return self._service.post_to_tournament(path, wanted)


UNRATED = {"clock": {"kind": "correspondence", "seconds": 172_800}}


class Organiser:
    """The organiser of leagues, who also runs the jobs."""

    def __init__(self, house: FullService) -> None:
        self.house = house
        self.people = [house.guest() for _ in range(4)]

    def does(self, method: str, path: str, wanted: Any = None) -> Any:
        status, answer = self.house.ask(method, f"/leagues{path}", wanted, self.people[0][1])
        assert status in {200, 201}, answer
        return answer

    def begins(self, **plan: Any) -> str:
        """Create a league of four whose first season is drawn; return its id."""
        wanted = {"name": "Liga", "title": "la_granja", "size": 2, "divisions": DIVISIONS, "table": UNRATED, **plan}
        league: str = self.does("POST", "", {"plan": wanted})["leagueId"]
        self.does("POST", f"/{league}/seasons", {"name": "Spring"})
        for _, token in self.people:
            assert self.house.ask("POST", f"/leagues/{league}/entries", {}, token)[0] == 201
        self.does("POST", f"/{league}/draw", {})
        return league

    def opens(self, **plan: Any) -> str:
        """Create a league with an open first round and no tables yet; return its id."""
        league = self.begins(**plan)
        self.does("POST", f"/{league}/rounds", {})
        return league

    def version(self, league: str) -> int:
        return self.house.log.streams.get(LEAGUE, UUID(league)).version

    def job(self, league: str, version: int | None = None) -> bool:
        return league_step(self.house.service, league, "open", version or self.version(league))

    def matches(self, league: str) -> dict[UUID, tuple[str, tuple[str | None, ...], int]]:
        """Return status, players by seat and number of entries of the league's matches."""
        stream = self.house.log.streams.get(LEAGUE, UUID(league))
        found: dict[UUID, tuple[str, tuple[str | None, ...], int]] = {}
        for group, turn, table in tables_to_open(stream.state, ()):
            match_id = match_of(UUID(league), 1, group, turn, table)
            if self.house.log.lines.has(match_id):
                match = self.house.log.get(match_id)
                found[match_id] = match.status, tuple(info.actor for info in match.seats), match.version
        return found

    def season(self, league: str) -> Any:
        self.house.follow()
        return self.does("GET", f"/{league}/seasons/1")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("leagues")) as house:
        yield house


@pytest.fixture(scope="module")
def organiser(house: FullService) -> Organiser:
    return Organiser(house)


def test_an_open_round_reports_its_open_tables(organiser: Organiser) -> None:
    league = organiser.opens()
    before, matches = organiser.season(league), organiser.matches(league)
    done = organiser.job(league)
    after = organiser.season(league)

    assert matches == {}
    assert before["rounds"] == [{"round": 1, "opened": 0, "tables": 2}]
    assert {fixture["matchId"] for fixture in before["fixtures"]} == {None}
    assert done
    assert after["rounds"] == [{"round": 1, "opened": 2, "tables": 2}]
    shown = {fixture["matchId"] for fixture in after["fixtures"] if fixture["round"] == 1}
    assert shown == {str(match_id) for match_id in organiser.matches(league)}
    assert {status for status, _, _ in organiser.matches(league).values()} == {"open"}


@pytest.mark.parametrize("hears", [True, False])
@pytest.mark.parametrize("left", range(6))
def test_an_interrupted_opening_has_the_same_result(
    organiser: Organiser, house: FullService, left: int, hears: bool
) -> None:
    """All rounds start at once: six tables."""
    league = organiser.opens(atOnce=True)
    version = organiser.version(league)
    schedule = organiser.season(league)["fixtures"]
    with pytest.raises(Broken):
        league_step(Interrupted(house.service, left, hears=hears), league, "open", version)
    half = organiser.matches(league)
    assert organiser.job(league) == (len(half) < 6)
    whole = organiser.matches(league)

    assert len(half) == left + (not hears)
    assert half == {match_id: whole[match_id] for match_id in half}, "what was open has not been touched again"
    assert [(status, version) for status, _, version in whole.values()] == [("open", 3)] * 6
    wanted = [tuple(player["id"] for player in fixture["players"]) for fixture in schedule]
    assert sorted(players for _, players, _ in whole.values()) == sorted(wanted)
    assert not organiser.job(league)
    assert organiser.matches(league) == whole
    assert organiser.version(league) == version


def test_a_job_for_another_version_has_no_effect(organiser: Organiser) -> None:
    league = organiser.opens()
    version = organiser.version(league)
    organiser.does("POST", f"/{league}/announcements", {"text": "We begin."})

    assert not organiser.job(league, version)
    assert organiser.matches(league) == {}
    assert not league_step(organiser.house.service, league, "close", version + 1)
    assert organiser.job(league, version + 1)


def test_a_job_stops_when_the_league_changes(organiser: Organiser, house: FullService) -> None:
    league = organiser.opens()
    owed = house.service.read_league_duty(league)
    assert owed is not None
    path = f"{league}/groups/1/rounds/1/tables/1/match"
    organiser.does("POST", f"/{league}/announcements", {"text": "We begin."})

    assert not house.service.post_to_league(path, {"expectedVersion": owed.version})
    assert organiser.matches(league) == {}
    assert house.service.post_to_league(path, {"expectedVersion": owed.version + 1})
    assert house.service.post_to_league(path, {"expectedVersion": owed.version + 1}), "once more changes nothing"
    assert len(organiser.matches(league)) == 1


def test_missing_leagues_and_leagues_without_duty_are_ignored(organiser: Organiser) -> None:
    gone, drawn = str(UUID(int=404)), organiser.begins()

    assert not league_step(organiser.house.service, gone, "open", 1)
    assert not organiser.job(drawn)


def test_a_table_decided_before_it_was_opened_has_no_match(organiser: Organiser) -> None:
    league = organiser.opens()
    decided = {"group": 1, "round": 1, "table": 1, "places": [1, 2], "scores": [3, 0], "reason": "ill"}
    house, (official, token) = organiser.house, organiser.house.guest()
    house.people.set_role(official, "operator")
    assert house.ask("POST", f"/leagues/{league}/rulings", decided, token)[0] == 201
    assert organiser.season(league)["rounds"] == [{"round": 1, "opened": 1, "tables": 2}]

    assert organiser.job(league)
    assert len(organiser.matches(league)) == 1
    assert not organiser.house.log.lines.has(match_of(UUID(league), 1, 0, 1, 1))
    assert organiser.season(league)["rounds"] == [{"round": 1, "opened": 2, "tables": 2}]


def test_only_the_service_opens_tables(organiser: Organiser, house: FullService) -> None:
    league = organiser.opens()
    token = organiser.people[0][1]
    path = f"/leagues/{league}/groups/1/rounds/1/tables/1/match"

    assert house.ask("POST", path, {"expectedVersion": 1}, token)[0] == 403
    assert house.ask("GET", f"/leagues/{league}/owed", None, token)[0] == 403


def duties(house: FullService, league: str) -> list[tuple[str, int, int, int]]:
    house.follow()
    return house.store.rows("SELECT step, version, attempt, leased_us FROM event_duties WHERE event_id = ?", league)


def test_the_policy_issues_jobs_until_all_tables_are_open(organiser: Organiser, house: FullService) -> None:
    house.settle()
    league = organiser.begins()
    drawn = duties(house, league)
    organiser.does("POST", f"/{league}/rounds", {})
    opened = duties(house, league)
    house.duties.issue(at(0))
    wanted = list(house.wanted.steps)
    house.wanted.steps.clear()
    version = organiser.version(league)

    assert [row[0] for row in drawn] == [""]
    assert [row[:2] for row in opened] == [("open", version)]
    assert wanted == [(LEAGUE_STEP, league, "open", version)]
    (row,) = duties(house, league)
    assert (row[2], row[3]) == (1, microseconds(at(LEASE.total_seconds())))

    # A killed worker opened one of two tables: the next job is issued only after its lease.
    with pytest.raises(Broken):
        league_step(Interrupted(house.service, 1, hears=True), league, "open", version)
    (first,) = organiser.matches(league)
    (row,) = duties(house, league)
    since = microseconds(house.log.get(first).timestamp)
    assert (row[0], row[2], row[3]) == (
        "open",
        1,
        since + microseconds(at(LEASE.total_seconds())) - microseconds(at(0)),
    )
    assert organiser.job(league)
    assert [row[0] for row in duties(house, league)] == [""]


def test_a_played_season_has_no_duty(organiser: Organiser, house: FullService) -> None:
    house.settle()
    league = organiser.does("POST", "", {"plan": {"name": "Bots", "title": "la_granja", "size": 2, "table": UNRATED}})[
        "leagueId"
    ]
    organiser.does("POST", f"/{league}/seasons", {"name": "Spring"})
    for bot in BOTS:
        organiser.does("POST", f"/{league}/entries", {"player": bot})
    organiser.does("POST", f"/{league}/draw", {})
    organiser.does("POST", f"/{league}/rounds", {})
    assert house.settle() == ["open"]
    (match_id,) = organiser.matches(league)
    house.play(str(match_id))
    house.follow()
    organiser.does("POST", f"/{league}/close", {})

    assert house.settle() == []
    assert house.store.rows("SELECT * FROM event_matches WHERE event_id = ?", league) == []
