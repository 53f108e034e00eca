"""Lessons in a browser: begin, continue, guidance, and exclusion from lists and ratings."""

from __future__ import annotations

import html
import re
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.http.ids import IDS
from api.lessons.commands import count_attempts
from api.lessons.guide_panel import result_reasons
from api.lessons.service import LessonService
from api.matches.score_analysis import ScoreAnalysis, ScoreRow
from api.matches.service import MATCHES
from domain.kernel.messages import Message
from domain.lessons.script import find_lesson
from domain.titles.la_granja.actions import ChooseDonkey
from tests.api.service import Person, catch_up
from tests.api.site.test_table_pages import ACTIONS, VERSION, Guest
from tests.seeding import new_id

FIRST: Final = "/learn/la_granja/first"
HTMX: Final = {"HX-Request": "true"}
TABLE: Final = re.compile(r"/tables/([0-9a-f-]{36})/act")


@pytest.fixture
def visitor(client: TestClient[Any]) -> Guest:
    return Guest(client)


def begins(visitor: Guest, path: str = FIRST, **fields: str) -> str:
    """Begin a lesson and return the id of its match."""
    response = visitor.sends(path, fields)
    assert response.status_code == 200, visitor.text
    return str(response.url).rpartition("/tables/")[2]


def chooses(visitor: Guest, match_id: str, action: str, headers: dict[str, str] | None = None) -> Any:
    version = VERSION.search(visitor.goes(f"/tables/{match_id}"))
    assert version
    return visitor.sends(f"/tables/{match_id}/act", {"version": version[1], "action": action}, headers or {})


def buttons(visitor: Guest, match_id: str) -> list[str]:
    return [html.unescape(action) for action in ACTIONS.findall(visitor.goes(f"/tables/{match_id}"))]


def call_service(client: TestClient[Any], ask: Any, *arguments: Any) -> Any:
    """Call the service on its event loop."""
    with client.portal() as portal:
        return portal.call(ask, *arguments)


def test_an_unknown_visitor_learns_as_a_guest(visitor: Guest) -> None:
    assert "Your first match of La Granja" in visitor.goes("/learn")

    match_id = begins(visitor)

    assert "Welcome to your farm." in visitor.text
    offered = buttons(visitor, match_id)
    assert len(offered) == 3
    assert all('"side":"field"' in action for action in offered)
    assert chooses(visitor, match_id, offered[0]).status_code == 200
    assert "Now something to deliver to." in visitor.goes(f"/tables/{match_id}")
    assert "olives will grow there" in visitor.text


def test_actions_outside_the_lesson_are_rejected(visitor: Guest, client: TestClient[Any], ann: Person) -> None:
    match_id = begins(visitor)
    helper = '{"type":"la_granja.play_card","card":17,"side":"helper"}'

    response = chooses(visitor, match_id, helper, HTMX)

    assert response.status_code == 409
    assert "The lesson expects something else now" in visitor.text
    service: LessonService = LessonService(MATCHES.of(client), IDS.of(client))
    lesson = find_lesson("la_granja", "first")
    match = call_service(client, service.begin, lesson, ann.id)
    wanted = {"expectedVersion": match.version, "action": msgspec.json.decode(helper)}
    status, problem = ann.post(f"/matches/{match.id}/actions", wanted)
    assert (status, problem["code"]) == (409, "lesson/not_now")


def test_a_postponed_action_is_explained(visitor: Guest) -> None:
    match_id = begins(visitor)

    response = visitor.client.get(f"/tables/{match_id}/why-not", params={"part": "hand-17-helper"})

    assert response.text == "That comes later. First play one of the marked cards as a field: press its left side."
    assert visitor.client.get(f"/tables/{match_id}/why-not", params={"part": "hand-48-field"}).status_code == 204
    growth = visitor.client.get(f"/tables/{match_id}/why-not?part=growth").text
    assert "Fields grow once per round, after income" in growth
    assert chooses(visitor, match_id, buttons(visitor, match_id)[0]).status_code == 200
    waits = visitor.client.get(f"/tables/{match_id}/why-not", params={"part": "hand-17-field"})
    assert waits.text.startswith("Not yet. First play a barrow")


def test_a_lesson_continues_until_given_up(visitor: Guest) -> None:
    match_id = begins(visitor)
    chooses(visitor, match_id, buttons(visitor, match_id)[0])
    catch_up(visitor.client)
    assert "Continue lesson" in visitor.goes("/learn")

    assert begins(visitor) == match_id
    assert "Now something to deliver to." in visitor.text

    again = begins(visitor, FIRST, givenUp=match_id)

    assert again != match_id
    assert "Welcome to your farm." in visitor.text
    assert begins(visitor) == again


def test_a_task_can_be_retried(visitor: Guest) -> None:
    market = "/learn/la_granja/market"
    match_id = begins(visitor, market)
    assert chooses(visitor, match_id, '{"type":"la_granja.place_stall","cell":3}').status_code == 200
    assert "Count the neighbours" in visitor.goes(f"/tables/{match_id}")
    assert not ACTIONS.findall(visitor.text)

    again = begins(visitor, market, givenUp=match_id)
    assert again != match_id
    assert chooses(visitor, again, '{"type":"la_granja.place_stall","cell":8}').status_code == 200

    assert "Your stall of 4 drove away two stalls" in visitor.goes(f"/tables/{again}")
    catch_up(visitor.client)
    assert 'class="badge good">completed' in visitor.goes("/learn")
    assert begins(visitor, market) != again, "what is solved is begun anew"


def test_lessons_are_unlisted_and_private(
    own_client: TestClient[Any],
) -> None:
    visitor = Guest(own_client)
    match_id = begins(visitor)
    ann = Person(own_client)
    catch_up(own_client)

    assert match_id not in visitor.goes("/")
    assert match_id not in visitor.goes("/tables")
    assert "/tables/" not in visitor.goes("/turns")
    assert ann.get("/matches")[1]["matches"] == []
    assert ann.get(f"/matches/{match_id}")[0] == 404


def test_unknown_lessons_give_an_error(visitor: Guest) -> None:
    assert visitor.sends("/learn/la_granja/tap-dancing", {}).status_code == 404
    assert "This lesson does not exist." in visitor.text
    assert visitor.sends("/learn/chess/first", {}).status_code == 422


def test_bots_follow_the_script(visitor: Guest, client: TestClient[Any]) -> None:
    match_id = begins(visitor, "/learn/la_granja/siesta")

    owed = call_service(client, MATCHES.of(client).duties.read_duty, UUID(match_id))

    assert owed.actions == (ChooseDonkey(3),)
    assert owed.by == "bot:gentle@1"


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7, 8, 9, 1_000])
def test_counting_attempts_takes_few_reads(count: int) -> None:
    reads = list[int]()

    def has(number: int) -> bool:
        reads.append(number)
        return number < count

    assert count_attempts(has) == count
    assert len(reads) < 25


def test_any_ended_match_can_be_practised(client: TestClient[Any], ann: Person) -> None:
    """Practice for puzzles: no script, all actions allowed."""
    service = LessonService(MATCHES.of(client), IDS.of(client))
    parent = call_service(client, service.add_log, find_lesson("la_granja", "market"))
    own = new_id()

    match = call_service(client, service.practise, parent, 296, 0, ann.id, "puzzle/7", own)

    assert (match.id, match.practice, match.table.public) == (own, "puzzle/7", False)
    assert len(ann.legal(str(own))["actions"]) == 3
    assert ann.acts(str(own))[0] == 201


def test_links_to_lessons(visitor: Guest, ann: Person) -> None:
    assert 'href="/learn"' in visitor.goes("/")
    assert 'href="/learn#learn-el_grande"' in visitor.goes("/rules/el_grande")
    assert 'href="/learn#learn-la_granja"' in visitor.goes(f"/tables/{ann.opens()}")


def test_lessons_by_api(client: TestClient[Any]) -> None:
    person = Person(client)
    offered = person.get("/lessons")[1]["lessons"]
    assert offered[0] | {"title": "la_granja", "name": "first", "isTask": False, "standing": None} == offered[0]

    begun = person.post("/lessons/la_granja/first", {})[1]
    lesson = person.get(f"/matches/{begun['matchId']}/lesson")[1]

    assert lesson["lesson"] == "la_granja/first"
    assert lesson["standing"] == "on"
    assert lesson["words"].startswith("**Welcome to your farm.**")
    assert "hand-48-field" in lesson["points"]
    assert {choice["action"]["side"] for choice in lesson["choices"]} == {"field"}
    action = {"expectedVersion": lesson["version"], "action": lesson["choices"][0]["action"]}
    assert person.post(f"/matches/{begun['matchId']}/actions", action)[0] < 300
    assert person.get(f"/matches/{begun['matchId']}/lesson")[1]["answer"].startswith("Good: ")
    assert person.post("/lessons/la_granja/first", {})[1]["matchId"] == begun["matchId"]
    assert person.post("/lessons/la_granja/harvest", {})[0] == 404


def test_an_ordinary_match_has_no_guide(client: TestClient[Any]) -> None:
    person = Person(client)
    match_id = person.opens(2)
    person.post(f"/matches/{match_id}/seats", {"seat": 0})

    assert person.get(f"/matches/{match_id}/lesson")[1]["lesson"] == ""


def test_the_end_of_the_first_match_explains_the_result() -> None:
    market, roofs = ScoreRow(Message("Market"), (5, 9)), ScoreRow(Message("Roof tiles"), (7, 1))
    ending = ScoreAnalysis(sources=(market, roofs), places=(), lines=(), top=10)

    (won,) = result_reasons(0, ending, (1, 2))
    lost, best = result_reasons(0, ending, (2, 1))

    assert won.id.startswith("You won.")
    assert won.args == {"source": Message("Roof tiles"), "own": 7, "other": 1}
    assert lost.id.startswith("Another player won.")
    assert lost.args == {"source": Message("Market"), "own": 5, "other": 9}
    assert best.args == {"source": Message("Roof tiles"), "own": 7}
