"""The bot that replaces a player who hands over: the plain one wherever the result counts."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.api.full_service import FullService, Visitor
from tests.api.tournaments.test_tournaments import ApiPerson, publish_next_round, with_four

RATED: Final[Any] = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
CLOCK: Final[Any] = {"clock": {"kind": "per_move", "seconds": 600}}
PLAIN: Final = "greedy"
"""The first bot of the settings."""


def start_match(service: FullService, people: list[ApiPerson], table: Any) -> str:
    """Start a match of two people."""
    first, second = people[:2]
    match = first.does("POST", "/matches", {"title": "la_granja", "seats": 2, "table": table})["matchId"]
    for seat, person in enumerate((first, second)):
        person.does("POST", f"/matches/{match}/seats", {"seat": seat})
    for person in (first, second):
        person.does("POST", f"/matches/{match}/ready")
    return f"/matches/{match}"


def of_an_event(service: FullService, people: list[ApiPerson]) -> tuple[ApiPerson, str, int]:
    """Return a player of a table of an event that has begun, its match and the seat."""
    organiser, path = people[0], with_four(service, people)
    table = publish_next_round(service, organiser, path)["tables"][0]
    players = {entry["entry"]: entry["player"] for entry in organiser.get(path)["entries"]}
    known = {person.id: person for person in people}
    sitting = [known[players[entry]] for entry in table["entries"]]
    for person in sitting:
        person.does("POST", f"/matches/{table['matchId']}/ready")
    return sitting[1], f"/matches/{table['matchId']}", 1


@pytest.fixture(scope="module")
def members(full_service: FullService) -> list[ApiPerson]:
    """Return two people with accounts, who may play rated."""
    found = []
    for name in ("Zora", "Zeno"):
        person = ApiPerson(full_service)
        person.token = full_service.sockets.token_of(name)
        found.append(person)
    return found


@pytest.mark.parametrize("bot", ["search-strong", "search-quick", "random"])
def test_a_strong_bot_may_not_take_over_at_an_event(
    full_service: FullService, people: list[ApiPerson], bot: str
) -> None:
    player, match, seat = of_an_event(full_service, people)

    refusal = player.is_refused("POST", f"{match}/seats/{seat}/player", {"bot": bot})

    assert refusal[:2] == (409, "seat/plain_bot")
    assert f"only the bot '{PLAIN}' can take over" in refusal[2]
    assert player.get(match)["seats"][seat]["player"]["id"] == player.id
    handed = player.does("POST", f"{match}/seats/{seat}/player", {"bot": PLAIN})
    assert handed["seats"][seat]["player"]["id"] == "bot:greedy@2"


def test_a_strong_bot_may_not_take_over_at_a_rated_table(full_service: FullService, members: list[ApiPerson]) -> None:
    match = start_match(full_service, members, RATED)

    refusal = members[0].is_refused("POST", f"{match}/seats/0/player", {"bot": "search-strong"})

    assert refusal[:2] == (409, "seat/plain_bot")
    assert members[0].does("POST", f"{match}/seats/0/player", {"bot": PLAIN})


def test_any_bot_may_take_over_at_a_casual_table(full_service: FullService, people: list[ApiPerson]) -> None:
    match = start_match(full_service, people, CLOCK)

    assert people[0].does("POST", f"{match}/seats/0/player", {"bot": "random"})


def test_handing_over_the_seat_of_another_player_is_refused(full_service: FullService, people: list[ApiPerson]) -> None:
    player, match, seat = of_an_event(full_service, people)

    assert player.is_refused("POST", f"{match}/seats/{1 - seat}/player", {"bot": "random"})[1] == "seat/not_yours"
    assert player.is_refused("POST", f"{match}/seats/9/player", {"bot": "random"})[1] == "seat/unknown"


def test_a_seat_handed_over_by_choice_is_last_in_the_event(full_service: FullService, people: list[ApiPerson]) -> None:
    """The other player resigns later, and is ranked before it."""
    player, match, seat = of_an_event(full_service, people)
    other = next(each for each in people if each.id == player.get(match)["seats"][1 - seat]["player"]["id"])
    player.does("POST", f"{match}/seats/{seat}/player", {"bot": PLAIN})
    ended = other.does("POST", f"{match}/resignation")
    full_service.follow()
    event = f"/tournaments/{ended['table']['event']}"
    table = player.get(event)["rounds"][0]["tables"][0]
    standings = player.get(f"{event}/standings")["standings"]

    assert (ended["status"], ended["ranking"][seat]) == ("ended", 1)
    assert (table["places"][seat], table["handedOver"]) == (2, [table["entries"][seat]])
    assert standings[0]["entry"] == table["entries"][1 - seat]
    assert [row["points"] for row in standings if row["entry"] == table["entries"][seat]] == ["0"]
    assert "bot took over" in Visitor(full_service).sees(event.replace("/tournaments/", "/events/"))
