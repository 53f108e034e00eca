"""Absences over the API and on the page, for a tournament and a league by the same routes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.api.contests.test_entry_conditions import CONTESTS, a_league, a_tournament, contest_of, enter, put
from tests.api.leagues.test_league_pages import Visitor
from tests.api.service import Member, Person, catch_up

OpenContest = Callable[..., str]
both = pytest.mark.parametrize("open_contest", CONTESTS)


def in_days(days: int) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def remove(person: Person, path: str, **query: str) -> tuple[int, Any]:
    response = person.client.delete(f"/api{path}", params=query, headers=person.headers)
    return response.status_code, response.json()


@both
def test_a_player_states_changes_and_takes_back_an_absence(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann)
    player = Member(client, f"Away {open_contest.__name__}")
    enter(player, path)
    absences = f"{contest_of(path)}/absences"
    period = {"starts": in_days(3), "ends": in_days(9)}

    status, shown = put(player, f"{absences}/me", {"rounds": [2], "periods": [period]})

    assert status == 200, shown
    assert (shown["own"]["rounds"], len(shown["own"]["periods"]), shown["people"]) == ([2], 1, None)
    assert [each["name"] for each in ann.get(absences)[1]["people"]] == [player.name]
    assert put(player, f"{absences}/me", {"rounds": [1]})[1]["own"]["rounds"] == [1]
    assert remove(player, f"{absences}/me")[1]["own"]["rounds"] == []
    assert remove(player, f"{absences}/me")[1]["detail"] == "state the rounds or the dates of the absence"


@both
def test_an_impossible_absence_is_refused_with_its_value(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann)
    player, stranger = Member(client, f"P {open_contest.__name__}"), Member(client, f"S {open_contest.__name__}")
    enter(player, path)
    absences = f"{contest_of(path)}/absences"
    past, empty = {"starts": in_days(-9), "ends": in_days(-3)}, {"starts": in_days(4), "ends": in_days(3)}

    assert put(player, f"{absences}/me", {"periods": [past]})[:1] == (409,)
    assert "is over" in put(player, f"{absences}/me", {"periods": [past]})[1]["detail"]
    assert put(player, f"{absences}/me", {"periods": [empty]})[0] == 422
    assert put(player, f"{absences}/me", {"rounds": [121]})[0] == 400
    status, problem = put(stranger, f"{absences}/me", {"rounds": [1]})
    assert (status, problem["detail"]) == (409, "only players who take part state absences")
    assert put(stranger, f"{absences}/{player.name}", {"rounds": [1]})[0] == 403
    assert stranger.get(absences)[1]["own"] is None


@both
def test_an_organiser_states_an_absence_with_a_reason_on_the_record(
    client: TestClient[Any], ann: Person, open_contest: OpenContest
) -> None:
    path = open_contest(ann)
    player = Member(client, f"Ill {open_contest.__name__}")
    enter(player, path)
    absences = f"{contest_of(path)}/absences"
    status, problem = put(ann, f"{absences}/{player.name}", {"rounds": [1]})
    assert (status, problem["detail"]) == (409, "an absence of another player needs a reason")

    assert put(ann, f"{absences}/{player.name}", {"rounds": [1], "reason": "In hospital."})[0] == 200
    assert player.get(absences)[1]["own"]["rounds"] == [1]
    catch_up(client)
    (act,) = ann.get(f"{path}/record")[1]["acts"]
    assert (act["kind"], act["reason"]) == ("absences_stated", "In hospital.")


def test_a_round_after_the_last_one_is_refused(client: TestClient[Any], ann: Person) -> None:
    path = a_tournament(ann)
    player = Member(client, "Late")
    enter(player, path)

    status, problem = put(player, f"{contest_of(path)}/absences/me", {"rounds": [3]})
    assert (status, problem["detail"]) == (409, "there is no round 3; the last one is round 2")


def test_a_league_without_a_season_has_no_players(ann: Person) -> None:
    path = a_league(ann)
    absences = f"{contest_of(path)}/absences"

    assert ann.get(absences)[1]["people"] == []
    assert put(ann, f"{absences}/nobody", {"rounds": [1]})[0] == 404


def open_event_page(organiser: Visitor) -> str:
    return organiser.sends("/events", name="Village cup", size=2, rounds=2).removesuffix("/desk")


def open_league_page(organiser: Visitor) -> str:
    league = organiser.sends("/leagues", name="Village league", size=2, places=4)
    organiser.sends(f"{league}/desk/season", name="Spring")
    return league


@pytest.mark.parametrize("opens", [open_event_page, open_league_page])
def test_the_page_states_days_and_rounds_and_shows_them_to_organisers(
    client: TestClient[Any], opens: Callable[[Visitor], str]
) -> None:
    organiser, player = Visitor(client), Visitor(client)
    contest = opens(organiser)
    player.sends(f"{contest}/enter")
    page = f"/contests/{contest.rpartition('/')[2]}/absences"
    assert f'href="{page}"' in player.sees(contest)
    days: dict[str, Any] = {"periods.0.first": "2031-07-01", "periods.0.last": "2031-07-03"}

    assert player.sends(page, rounds=2, **days) == page
    shown = player.sees(page)
    assert 'name="periods.0.last" value="2031-07-03"' in shown
    assert 'value="2" checked' in shown
    assert "1 Jul 2031 – 3 Jul 2031" in organiser.sees(page)
    half: dict[str, Any] = {"periods.0.first": "2031-07-01"}
    refused = player.sends(page, 400, **half)
    assert "Enter the first and the last day." in refused
    assert player.sends(f"{page}/taking-back") == page
    assert "No player has stated an absence." in organiser.sees(page)
