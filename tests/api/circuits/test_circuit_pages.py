"""Pages of circuits, without JavaScript: open, change, add and withdraw events, name the final, refuse bad input."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.cookies import SESSION
from projections.platform.clock import now
from tests.api.circuits.test_circuits import LEAGUE, MISSING, add, open_circuit, open_event, put
from tests.api.http.forms import Visitor
from tests.api.service import Person, catch_up

FIELDS = {
    "name": "Grand Prix",
    "table.0.size": "1",
    "table.0.points": "10, 6; 4",
    "table.1.size": "8",
    "table.1.points": "",
    "terms.0.kind": "",
    "terms.0.factor": "0",
    "terms.0.places": "1",
    "best": "2",
    "perTitle": "1",
    "resultsMin": "2",
    "participantsMin": "0",
    "tieBreaks": "wins",
    "qualify": "4",
    "answerDays": "7",
    "text": "Four islands.",
}
FORMULA = {"table.0.points": "", "terms.0.kind": "top", "terms.0.factor": "5", "terms.0.places": "3"}


class Reader(Visitor):
    """A reader of pages with a person's session."""

    def __init__(self, person: Person) -> None:
        people = PEOPLE.of(person.client)
        account = people.find(person.id)
        assert account is not None
        person.client.cookies.set(SESSION, people.access.start_session(account, now()))
        super().__init__(person.client)

    def reads(self, path: str) -> str:
        return unescape(self.goes(path))

    def presses(self, path: str, fields: dict[str, str], status: int = 200) -> str:
        """Send a form, follow its redirect and return the page; `status` is the status of the answer."""
        response = self.sends(path, fields)
        assert response.status_code == status, response.text
        return unescape(response.text)


def test_a_circuit_is_opened_and_changed_on_pages(client: TestClient[Any], ann: Person) -> None:
    reader = Reader(ann)
    assert "Create a circuit" in reader.reads("/circuits")
    page = reader.presses("/circuits", FIELDS)
    catch_up(client)
    (circuit,) = ann.get("/circuits?limit=1")[1]["circuits"]
    path = f"/circuits/{circuit['circuitId']}"

    assert "<h1>Grand Prix</h1>" in page
    assert "10 · 6 · 4" in page
    assert "the 2 best results of each player, at most 1 of one game" in page
    assert "4 players qualify. The final has not been announced yet." in page
    assert ">Grand Prix</a>" in reader.reads("/circuits")
    assert 'value="10 6 4"' in reader.reads(f"{path}/plan")
    changed = reader.presses(f"{path}/plan", {**FIELDS, **FORMULA})
    assert "5 points for the best 3 places only" in changed
    catch_up(client)
    assert "changed the settings" in reader.reads(f"{path}/record")


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        (
            {"table.0.points": "10 six"},
            400,
            "Enter whole points from first place down, separated by spaces, not “10 six”.",
        ),
        (
            {"table.0.points": "6 10"},
            409,
            "from 1 participants on, place 2 earns 10 points, more than the place before",
        ),
        ({"terms.0.kind": "size"}, 400, "Fill in this field."),
        ({"terms.0.factor": "3"}, 400, "Fill in this field."),
        ({"terms.0.kind": "size", "terms.0.factor": "3"}, 409, "either a table of points or a formula, not both"),
        ({"table.0.points": ""}, 409, "state the points by place, in a table or by a formula"),
        ({"resultsMin": "3"}, 409, "a rank needs 3 results, but only the best 2 count"),
        ({"best": "101"}, 400, "Enter a whole number from 0 to 100, not “101”."),
    ],
)
def test_a_plan_that_contradicts_itself_is_shown_again(
    ann: Person, fields: dict[str, str], status: int, sentence: str
) -> None:
    page = Reader(ann).presses("/circuits", {**FIELDS, **fields}, status)

    assert sentence in page
    assert "Four islands." in page


def test_events_are_added_and_withdrawn_on_pages(client: TestClient[Any], ann: Person, ben: Person) -> None:
    circuit, event, foreign = open_circuit(ann), open_event(ann, name="Spring cup"), open_event(ben)
    league = str(ann.post("/leagues", {"plan": LEAGUE})[1]["leagueId"])
    catch_up(client)
    reader = Reader(ann)
    desk = f"{circuit}/desk"
    assert "Spring cup</option>" in reader.reads(circuit)
    page = reader.presses(f"{desk}/contests", {"contest": f"/events/{event}", "weight": "150"})
    assert "150 %" in page
    season = f"http://localhost/leagues/{league}/seasons/1#fixtures"
    assert "Serra, 1" in reader.presses(f"{desk}/contests", {"contest": "", "address": season, "weight": "100"})
    catch_up(client)
    assert f'href="{circuit}"' in reader.reads(f"/events/{event}")
    assert f'href="{circuit}"' in reader.reads(f"/leagues/{league}")

    itself = {"contest": circuit, "weight": "100"}
    assert "cannot contain itself" in reader.presses(f"{desk}/contests", itself, 409)
    refused = reader.presses(f"{desk}/contests", {"contest": f"/events/{foreign}", "weight": "100"}, 403)
    assert "You do not have the role that this requires." in refused
    assert "Fill in this field." in reader.presses(f"{desk}/contests", {"weight": "100"}, 400)
    league_alone = {"contest": "", "address": f"/leagues/{league}", "weight": "100"}
    assert f"“/leagues/{league}” is not the address" in reader.presses(f"{desk}/contests", league_alone, 400)
    reader.presses(f"{desk}/contests", {"address": f"/events/{MISSING}", "weight": "100"}, 403)
    assert "is not over" in reader.presses(f"{desk}/standings", {}, 409)
    withdrawn = reader.presses(f"{desk}/withdrawal", {"contest": f"/events/{event}", "reason": "Too few players."})
    assert "Spring cup</a>: Too few players." in withdrawn


def test_the_final_is_named_and_taken_back_on_pages(client: TestClient[Any], ann: Person, ben: Person) -> None:
    circuit, final = open_circuit(ann), open_event(ann, name="Grand final")
    catch_up(client)
    reader = Reader(ann)
    desk = f"{circuit}/desk"
    assert "Grand final" in reader.presses(f"{desk}/final", {"contest": f"/events/{final}"})
    catch_up(client)
    assert "(final)" in reader.reads(f"/events/{final}")
    assert "the standings are not official yet" in reader.presses(f"{desk}/invitations", {}, 409)
    assert "The final has not been announced yet." in reader.presses(f"{desk}/final", {})

    other = Reader(ben)
    assert "Organiser's desk" not in other.reads(circuit)
    assert put(ben, f"{circuit}/final", {"contest": None})[0] == 403
    other.presses(f"{desk}/standings", {}, 403)
    assert "only organisers of the circuit" in other.reads(f"{circuit}/plan")


def test_a_circuit_in_another_one_is_linked_both_ways(client: TestClient[Any], ann: Person) -> None:
    outer, inner = open_circuit(ann, name="Outer"), open_circuit(ann, name="Inner")
    assert add(ann, outer, inner.removeprefix("/circuits/"), "circuit")[0] == 201
    catch_up(client)
    reader = Reader(ann)

    assert f'href="{inner}">Inner</a>' in reader.reads(outer)
    assert f'Counts for: <a href="{outer}">Outer</a>' in reader.reads(inner)
    assert "There are no results yet." in reader.reads(f"{inner}?before=50&limit=10")
