"""El Grande on the server: drafts and secret choices stay hidden, and the page draws every part of the board."""

import json
import re
from itertools import count
from typing import Any, Final, get_args
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from api.titles.el_grande import drawing, wording
from domain.kernel.rules import Seat
from domain.matches.aggregate import view
from domain.titles.el_grande.actions import SECRET_ACTIONS, Action
from domain.titles.el_grande.components import AREA_NAMES, REGIONS
from domain.titles.el_grande.state import Step
from domain.titles.el_grande.view import View
from tests.api.service import Person

VARIANTS: Final = {"cards": "2023", "veterans": "all", "new_regency": "yes", "shift_of_power": "yes", "short": "yes"}
SECRETS: Final = {f"el_grande.{re.sub(r'(?<!^)(?=[A-Z])', '_', kind.__name__).lower()}" for kind in SECRET_ACTIONS}


def table_of(client: TestClient[Any], seats: int, **options: str) -> tuple[str, list[Person]]:
    """Return a running match of El Grande and its players."""
    people = [Person(client) for _ in range(seats)]
    match_id = people[0].opens(seats, title="el_grande", options=options)
    for seat, person in enumerate(people):
        person.sits(match_id, seat)
    for person in people:
        person.is_ready(match_id)
    return match_id, people


def entries_of(person: Person, match_id: str) -> list[Any]:
    entries: list[Any] = person.get(f"/matches/{match_id}/entries")[1]["entries"]
    return entries


def plays_on(match_id: str, people: list[Person], wanted: set[str]) -> list[tuple[int, Any]]:
    """Play until all of these kinds of action were taken, preferring secret ones; return their seats and actions."""
    secret = list[tuple[int, Any]]()
    for number in count():
        match = people[0].get(f"/matches/{match_id}")[1]
        if match["status"] != "running" or wanted <= {action["type"] for _, action in secret}:
            break
        seat = match["toAct"][-1]
        legal = people[seat].legal(match_id)["actions"]
        liked = [position for position, each in enumerate(legal) if each["action"]["type"] in SECRETS]
        index = liked[-1] if liked else number % len(legal)
        if liked:
            secret.append((seat, legal[index]["action"]))
        assert people[seat].acts(match_id, index)[0] == 201
    return secret


def test_grey_cards_are_passed_at_once_and_unseen(client: TestClient[Any]) -> None:
    """EG-20.1, EG-13.3: others see that a seat has chosen; only the seat sees the choice."""
    match_id, people = table_of(client, 3, **VARIANTS)

    action = people[1].legal(match_id)["actions"][0]["action"]
    assert people[1].acts(match_id)[0] == 201

    matches = [person.get(f"/matches/{match_id}")[1] for person in people]
    assert all(match["view"]["players"][1]["hasChosen"] for match in matches)
    assert [match["view"]["players"][1]["choice"] for match in matches] == [None, action["card"], None]
    assert matches[0]["toAct"] == [0, 2]
    own, other = (entries_of(people[seat], match_id)[-1] for seat in (1, 0))
    assert action["card"] in json.dumps(own)
    assert action["card"] not in json.dumps(other)


def test_drafts_and_secret_choices_stay_hidden_from_others(client: TestClient[Any]) -> None:
    """EG-12.2, EG-21.3: entries sent to others hide secret actions until they are announced or revealed."""
    wanted, secret = {"el_grande.pass_grey_card", "el_grande.choose_source"}, list[tuple[int, Any]]()
    while not wanted <= {action["type"] for _, action in secret}:
        # Not every match requires a draft; try another one.
        match_id, people = table_of(client, 2, **VARIANTS)
        secret = plays_on(match_id, people, wanted)

    sent = [{entry["version"]: entry for entry in entries_of(person, match_id)} for person in people]
    hidden = {version: entry["body"] for version, entry in sent[0].items() if "hiddenAction" in entry["body"]}
    for version, body in hidden.items():
        readers = [{opening["commitment"] for opening in reader[version].get("secrets", ())} for reader in sent]
        assert [body["hiddenAction"]["commitment"] in opened for opened in readers] == [
            seat == body["seat"] for seat in range(2)
        ]
    assert len(hidden) == len(secret)


def drafts(match_id: str, people: list[Person]) -> int | None:
    """Play until a seat has drafted a line; return the seat, or None at the end of the match."""
    for number in count():
        match = people[0].get(f"/matches/{match_id}")[1]
        if match["status"] != "running":
            return None
        seat: int = match["toAct"][0]
        legal = people[seat].legal(match_id)["actions"]
        drafts = [position for position, each in enumerate(legal) if each["action"]["type"].endswith("choose_source")]
        assert people[seat].acts(match_id, drafts[0] if drafts else number % len(legal))[0] == 201
        if drafts:
            return seat
    raise AssertionError("a match has no end")


def test_a_draft_is_only_in_its_own_view(client: TestClient[Any]) -> None:
    """EG-12.2."""
    seat = None
    while seat is None:
        # Not every match requires a draft; try another one.
        match_id, people = table_of(client, 2, short="yes")
        seat = drafts(match_id, people)

    views = [person.get(f"/matches/{match_id}")[1]["view"] for person in people]
    assert views[seat]["draft"] is not None
    assert views[1 - seat]["draft"] is None
    assert client.get(f"/api/matches/{match_id}").json()["view"]["draft"] is None


def test_the_page_draws_all_regions_and_the_own_hand(client: TestClient[Any]) -> None:
    match_id, people = table_of(client, 5, **VARIANTS)

    page = client.get(f"/tables/{match_id}").text

    assert "Your hand" not in page
    assert all(f'aria-label="{AREA_NAMES[name]}: ' in page for name in (*REGIONS, "castillo"))
    with client.portal() as portal:
        match = portal.call(MATCHES.of(client).reading.get, UUID(match_id))
    seen = view(match, Seat(2))
    assert isinstance(seen, View)
    picture = drawing.picture(seen)
    assert [player.seat for player in picture["seated"]] == [2, 3, 4, 0, 1]
    assert [card.value for card in picture["hand"] if not card.is_grey] == list(range(13, 0, -1))
    assert sum(card.is_grey for card in picture["hand"]) == 3
    regions = {land.area.id: land for land in picture["lands"]}
    assert set(regions["galicia"].neighbours) == {"Castilla", "Navarra"}
    assert sum(region.area.is_kings for region in regions.values()) == 1
    assert picture["standing"] == "setup · pass a grey card"
    assert people[0].get(f"/matches/{match_id}")[0] == 200


def test_every_action_has_a_heading_and_every_step_a_word() -> None:
    assert set(wording.HEADINGS) == set(get_args(Action))
    assert set(wording.STEP_NAMES) <= set(get_args(Step))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"title": "whist", "bots": "1"}, "whist"),
        ({"title": "la_granja", "bots": "4"}, "5"),
        ({"title": "el_grande", "bots": "1", "options.cards": "2006", "options.veterans": "all"}, "veterans"),
        ({"title": "el_grande", "bots": "1", "options.queen": "yes"}, "queen"),
    ],
)
def test_invalid_options_in_the_lobby_are_named(client: TestClient[Any], fields: dict[str, str], expected: str) -> None:
    token = re.findall(r'name="_csrf_token" value="([0-9a-f]+)"', client.get("/").text)[0]

    answer = client.post("/play", data={"_csrf_token": token, **fields})

    assert 400 <= answer.status_code < 500
    assert expected in answer.text


def test_a_visitor_creates_a_match_of_el_grande_with_variants(client: TestClient[Any]) -> None:
    token = re.findall(r'name="_csrf_token" value="([0-9a-f]+)"', client.get("/").text)[0]
    ticked = {f"options.{name}": value for name, value in VARIANTS.items()}

    answer = client.post("/play", data={"_csrf_token": token, "title": "el_grande", "bots": "4", **ticked})

    match = client.get(f"/api/matches/{re.findall(r'/tables/([0-9a-f-]{36})', str(answer.url))[0]}").json()
    assert (match["title"], len(match["seats"])) == ("el_grande", 5)
    assert VARIANTS.items() <= match["options"].items()
