"""Conditions of entry on pages: the same form part and page for a tournament and a league."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from tests.api.leagues.test_league_pages import Visitor
from tests.api.service import Member, catch_up

Opens = Callable[..., str]
WORD = "between the olive trees"


def open_event_page(organiser: Visitor, **fields: Any) -> str:
    return organiser.sends("/events", name="Village cup", size=2, rounds=2, **fields).removesuffix("/desk")


def open_league_page(organiser: Visitor, **fields: Any) -> str:
    league = organiser.sends("/leagues", name="Village league", size=2, places=4, **fields)
    organiser.sends(f"{league}/desk/season", name="Spring")
    return league


both = pytest.mark.parametrize("opens", [open_event_page, open_league_page])


def conditions_of(contest: str) -> str:
    return f"/contests/{contest.rpartition('/')[2]}/conditions"


@both
def test_a_reader_sees_which_condition_they_do_not_meet_before_they_enter(
    client: TestClient[Any], opens: Opens
) -> None:
    organiser, player = Visitor(client), Visitor(client)
    fields: Any = {"conditions.countries": ["ES", "FR"], "conditions.leavingMax": 20, "conditions.ratedMatches": 0}
    band: Any = {"conditions.ratings.0.title": "la_granja", "conditions.ratings.0.most": 1500}
    contest = opens(organiser, **fields, **band)
    reason = "Only players from Spain and France can join."

    page = player.sees(contest)
    assert "Rating in La Granja of at most 1500" in page
    assert "Left at most 20 % of the last matches early" in page
    assert "Country: Spain and France" in page
    assert f"{reason} State your country in your account." in page
    assert "You do not meet all conditions of entry." in page
    assert f'action="{contest}/enter"' not in page
    assert reason in player.sends(f"{contest}/enter", 409)
    PEOPLE.of(client).countries.set_country(player.person.id, "DE")
    assert f"{reason} Your account states Germany." in player.sees(contest)
    PEOPLE.of(client).countries.set_country(player.person.id, "FR")
    assert f'action="{contest}/enter"' in player.sees(contest)
    player.sends(f"{contest}/enter")


@both
def test_a_wrong_password_is_refused_beside_its_field(client: TestClient[Any], opens: Opens) -> None:
    organiser, player = Visitor(client), Visitor(client)
    contest = opens(organiser)
    page = conditions_of(contest)
    assert 'name="password"' not in player.sees(contest)
    assert "This password is too short." in organiser.sends(f"{page}/password", 400, password="short")

    assert organiser.sends(f"{page}/password", password=WORD) == page
    assert "A password from the organisers" in player.sees(contest)
    refused = player.sends(f"{contest}/enter", 409, password="a wrong word")
    assert "This password is wrong." in refused
    assert "a wrong word" not in refused
    assert 'aria-describedby="join-password-fault"' in refused
    assert "You need a password to join." in player.sends(f"{contest}/enter", 409)
    player.sends(f"{contest}/enter", password=WORD)
    organiser.sends(f"{page}/password")
    assert "There are no conditions of entry." in organiser.sees(page)


@both
def test_organisers_change_the_conditions_and_the_list_of_names(client: TestClient[Any], opens: Opens) -> None:
    organiser, player, other = Visitor(client), Visitor(client), Visitor(client)
    contest = opens(organiser)
    page = conditions_of(contest)
    assert f'href="{page}"' in organiser.sees(contest)
    assert f'href="{page}"' not in player.sees(contest)
    assert "Save list" not in player.sees(page)
    assert player.sends(page, 403)

    assert "No player has this name." in organiser.sends(f"{page}/list", 404, people="Nobody at all")
    assert organiser.sends(f"{page}/list", people=f"\n {player.person.id} \n") == page
    left: Any = {"conditions.leavingMax": "30"}
    assert organiser.sends(page, **left) == page
    shown = organiser.sees(page)
    assert "Only 1 listed player can enter." in shown
    assert 'name="conditions.leavingMax" value="30"' in shown
    assert "You are not on the organisers&#39; list of names." in other.sees(contest)
    player.sends(f"{contest}/enter")
    contradicting: Any = {"conditions.ratings.0.title": "la_granja", "conditions.ratings.0.least": 1600}
    refused = organiser.sends(page, 422, **contradicting, **{"conditions.ratings.0.most": 1500})
    assert "no rating in La Granja is at least 1600 and at most 1500" in refused


def clubs_field(*addresses: str) -> Any:
    return {"conditions.clubs": "\n".join(addresses)}


@both
def test_a_club_is_required_by_its_address_and_chosen_of_several(client: TestClient[Any], opens: Opens) -> None:
    organiser = Visitor(client)
    player, owner = Member(client, f"Kim {opens.__name__}"), Member(client, f"Lea {opens.__name__}")
    names = [f"{name} {opens.__name__}" for name in ("Palma", "Serra", "Port")]
    ids = [owner.post("/clubs", {"name": name, "admission": "open"})[1]["id"] for name in names]
    contest = opens(organiser)
    page = conditions_of(contest)
    assert "&#39;Palma&#39; is neither the id nor the address of a club" in organiser.sends(
        page, 422, **clubs_field("Palma")
    )
    wanted = clubs_field(*(f"https://esporles.example/clubs/{each}/" for each in ids[:2]))
    assert organiser.sends(page, **wanted) == page
    assert f"Club: {names[0]}, {names[1]}" in organiser.sees(contest)
    assert f"/clubs/{ids[0]}\n/clubs/{ids[1]}</textarea>" in organiser.sees(page)

    for club_id in (ids[2], *ids[:2]):
        assert player.post(f"/clubs/{club_id}/membership", {})[0] == 200
    catch_up(client)
    entering = Visitor(client, player)
    shown = entering.sees(contest)
    assert [name in shown.partition('name="clubId"')[2].partition("</select>")[0] for name in names] == [1, 1, 0]
    entering.sends(f"{contest}/enter", clubId=ids[1])

    assert f'<a href="/clubs/{ids[1]}">{names[1]}</a>' in entering.sees(
        f"{contest}/people" if contest.startswith("/events") else contest
    )
