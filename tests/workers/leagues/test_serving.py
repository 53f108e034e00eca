"""Rounds of a league in a whole service whose processes are killed: every table is opened exactly once."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

import pytest

from tests.workers.serving import DEADLINE_SECONDS, Client, Serving, serving

PLAYERS: Final = 10
TABLES: Final = 45
"""Everyone meets everyone at a table of two, and all rounds start at once."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("data")) as service:
        yield service


@pytest.fixture(scope="module")
def players(service: Serving) -> list[Client]:
    return [service.player() for _ in range(PLAYERS)]


def begin_league(players: list[Client]) -> tuple[Client, str]:
    """Start a league whose rounds were just opened; return its organiser and path."""
    divisions = [{"name": "All", "groups": 0, "places": PLAYERS}]
    plan = {
        "name": "Liga",
        "title": "el_grande",
        "size": 2,
        "table": {"rated": False},
        "atOnce": True,
        "divisions": divisions,
    }
    path = f"/leagues/{players[0].post('/leagues', {'plan': plan})['leagueId']}"
    players[0].post(f"{path}/seasons", {"name": "Spring"})
    for player in players:
        player.post(f"{path}/entries", {})
    players[0].post(f"{path}/draw", {})
    players[0].post(f"{path}/rounds", {})
    return players[0], path


def wait_for_tables(client: Client, path: str, count: int) -> Any:
    """Poll until this many tables are open; return the season."""
    deadline = monotonic() + DEADLINE_SECONDS
    while True:
        season = client.get(f"{path}/seasons/1")
        if sum(each["opened"] for each in season["rounds"]) >= count:
            return season
        assert monotonic() < deadline, f"only these tables are open: {season['rounds']}"


@pytest.mark.walk
@pytest.mark.parametrize("killed", [("worker-1", "worker-2"), ("follower",), ("valkey",), ("service",)])
def test_a_round_is_opened_although_processes_are_killed(
    service: Serving, players: list[Client], killed: tuple[str, ...]
) -> None:
    organiser, path = begin_league(players)
    wait_for_tables(organiser, path, 3)
    service.kill(*killed)

    season = wait_for_tables(organiser, path, TABLES)

    assert sum(each["tables"] for each in season["rounds"]) == TABLES
    ids = [fixture["matchId"] for fixture in season["fixtures"]]
    assert len(set(ids)) == TABLES
    for fixture in season["fixtures"]:
        match = organiser.get(f"/matches/{fixture['matchId']}")
        seats = [seat["player"]["id"] for seat in match["seats"]]
        assert match["status"] == "open"
        assert seats == [player["id"] for player in fixture["players"]]
