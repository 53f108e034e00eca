"""The calendar of a person at a secret address."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar
from litestar.testing import TestClient

from tests.api.contests.test_entry_conditions import a_tournament, put
from tests.api.contests.test_holidays import BY_POST, PageReader
from tests.api.leagues.test_league_results import start_league
from tests.api.service import Person, catch_up, start_match

PAGE = "/account/calendar"
OpenContest = Callable[[TestClient[Any], Person, Person, Person], str]


def address_of(reader: PageReader) -> str:
    """Return the path of the address on the page; "" if there is none."""
    found = re.search(r'value="https?://[^/"]+(/calendars/[^"]+)"', reader.sees(PAGE))
    return found[1] if found else ""


def dates_at(client: TestClient[Any], address: str) -> dict[str, Any]:
    """Return the dates at an address by their UID."""
    response = client.get(address)
    assert (response.status_code, response.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert response.headers["cache-control"] == "private, no-store"
    return {str(each["uid"]): each for each in Calendar.from_ical(response.content).walk("VEVENT")}


def test_an_address_can_be_renewed_and_removed(client: TestClient[Any], ann: Person) -> None:
    reader = PageReader(client, ann)
    assert address_of(reader) == ""

    reader.sends(PAGE)
    first = address_of(reader)
    assert dates_at(client, first) == {}
    reader.sends(PAGE)
    second = address_of(reader)
    assert first != second
    assert client.get(first).status_code == 404
    assert dates_at(client, second) == {}

    reader.sends(f"{PAGE}/removal")
    assert address_of(reader) == ""
    for address in (first, second, "/calendars/nothing", f"{second}x"):
        assert client.get(address).status_code == 404


def test_the_calendar_has_the_ends_of_turns_by_correspondence(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    match_id = start_match(ann, ben, table=BY_POST | {"public": False})
    start_match(ann, ben)
    mover, other = (ann, ben) if ann.legal(match_id)["actions"] else (ben, ann)
    catch_up(client)
    addresses = dict[str, str]()
    for person in (mover, other):
        reader = PageReader(client, person)
        reader.sends(PAGE)
        addresses[person.id] = address_of(reader)

    turn = dates_at(client, addresses[mover.id])[f"{match_id}-turn@esporles"]

    assert str(turn["summary"]) == "Esporles: Your turn ends: La Granja"
    left = turn["dtend"].dt - datetime.now(UTC)
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)
    assert f"/tables/{match_id}" in str(turn["description"])
    assert dates_at(client, addresses[other.id]) == {}


def in_a_tournament(client: TestClient[Any], organiser: Person, player: Person, _: Person) -> str:
    """Return the UID of the first round of a tournament that a player has entered."""
    path = a_tournament(organiser)
    starts = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    status, shown = put(organiser, f"{path}/calendar", {"calendar": {"rounds": [{"starts": starts}]}, "reason": ""})
    assert status == 200, shown
    assert player.post(f"{path}/entries", {})[0] == 201
    catch_up(client)
    return f"{path.rpartition('/')[2]}-round-1@esporles"


def in_a_season(client: TestClient[Any], organiser: Person, player: Person, other: Person) -> str:
    """Return the UID of the first round of a season in which a player plays."""
    path = start_league(client, organiser, player, other)
    catch_up(client)
    return f"{path.rpartition('/')[2]}-season-1-round-1@esporles"


@pytest.mark.parametrize("enter", [in_a_tournament, in_a_season])
def test_the_calendar_has_the_dates_of_contests_for_their_players_only(
    client: TestClient[Any], ann: Person, ben: Person, enter: OpenContest
) -> None:
    organiser = Person(client)
    uid = enter(client, organiser, ann, ben)
    found = list[bool]()
    for person in (ann, organiser):
        reader = PageReader(client, person)
        reader.sends(PAGE)
        found.append(uid in dates_at(client, address_of(reader)))

    assert found == [True, False]
