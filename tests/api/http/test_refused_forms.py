"""A rejected form of an organiser keeps its values and shows the error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.api.full_service import FullService, Visitor, run_full_service


class Fields(HTMLParser):
    """Values of the fields of a page, as a browser would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._select = self._area = self._option = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "select":
            self._select = attributes["name"]
        elif tag == "textarea":
            self._area = attributes["name"]
            self.values[self._area] = ""
        elif tag == "option" and self._select and ("selected" in attributes or self._select not in self.values):
            self.values[self._select] = attributes.get("value", "")
            self._option = "" if "value" in attributes else self._select
        elif (
            tag == "input"
            and "name" in attributes
            and (attributes.get("type") != "checkbox" or "checked" in attributes)
        ):
            self.values[attributes["name"]] = attributes.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"select", "textarea"}:
            self._select = self._area = ""
        self._option = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.values[self._area] += data
        if self._option:
            self.values[self._option] += data


def find_lost_values(page: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Return the current values of fields that differ from the submitted ones."""
    values = Fields(page).values
    return {name: values.get(name) for name, value in sent.items() if values.get(name, "") != str(value)}


@pytest.fixture(scope="module")
def full_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    with run_full_service(tmp_path_factory.mktemp("refused-forms")) as full_service:
        yield full_service


@pytest.fixture(scope="module")
def organiser(full_service: FullService) -> Visitor:
    """Return an operator, who may open rated events."""
    visitor = Visitor(full_service)
    full_service.people.set_role(visitor.id, "operator")
    return visitor


EVENT: dict[str, Any] = {
    "name": "Vesnický <pohár>",
    "title": "el_grande",
    "text": "Přineste si svačinu & pití.",
    "format": "own",
    "rounds": 7,
    "stages.0.kind": "heats",
    "stages.0.rounds": 3,
    "stages.0.advance": 2,
    "stages.2.kind": "final",
    "stages.2.cut": 4,
    "stages.2.carry": "true",
    "measure": "margin",
    "bye": "2.5",
    "points.4": "9 5 3 1",
    "leftover": "bye",
    "registration": "invite",
    "cap": 40,
    "clock": "match-1500-30",
    "bot": "random",
    "lateEntry": "",
    "auto": "true",
    "rated": "true",
    "faceToFace": "",
}


@pytest.mark.parametrize(
    ("wrong", "status", "sentence"),
    [
        ({"points.4": "9 five"}, 400, "points.4: Enter points from 0 to 1000 in steps of 1/60, not “five”."),
        ({"tieBreaks": ["wins", "", "wins"]}, 422, "a tie-break is named twice"),
        ({"stages.2.cut": "many"}, 400, "stages.2.cut: Enter a whole number from 0 to 2000, not “many”."),
        ({"name": " "}, 400, "name: Fill in this field."),
        ({"options.cards": "none"}, 422, "cards"),
        ({"cap": "9" * 5_000, "size": 6}, 400, "size: Enter a whole number from 2 to 5, not “6”."),
    ],
)
def test_a_rejected_event_form_keeps_its_values(
    organiser: Visitor, wrong: dict[str, Any], status: int, sentence: str
) -> None:
    filled = EVENT | wrong
    actual_status, page = organiser.submit_refused("/events", **filled)

    assert actual_status == status
    assert re.search(f'role="alert">.*{re.escape(sentence)}.*<form[^>]*action="/events"', page, re.DOTALL)
    assert set(find_lost_values(page, filled)) <= {"options.cards", "tieBreaks"} | wrong.keys() & {"name", "size"}


def test_a_rejected_form_keeps_the_order_of_tie_breaks(organiser: Visitor) -> None:
    page = organiser.submit_refused("/events", **EVENT | {"tieBreaks": ["wins", "", "wins", "lot"]})[1]
    chosen = [
        re.findall(r'<option value="(\w+)" selected>', select)
        for select in re.findall(r'<select name="tieBreaks".*?</select>', page, re.DOTALL)
    ]

    assert chosen[:4] == [["wins"], [], ["wins"], ["lot"]]


def test_an_empty_number_counts_as_missing(full_service: FullService, organiser: Visitor) -> None:
    event = organiser.sends("/events", **EVENT | {"cap": ""}).removesuffix("/desk")
    status, body = full_service.ask("GET", event.replace("/events/", "/tournaments/"))

    assert (status, body["plan"].get("cap")) == (200, None)


def test_a_rejected_change_of_a_plan_keeps_its_values(organiser: Visitor) -> None:
    event = organiser.sends("/events", **EVENT).removesuffix("/desk")
    wanted = EVENT | {
        "name": "Zimní pohár",
        "measure": "luck",
        "stages.1.kind": "swiss",
        "rated": "",
    }
    status, page = organiser.submit_refused(f"{event}/plan", **wanted)
    html = organiser.sees(f"{event}/plan")

    assert status == 400
    assert "measure: “luck” is not an option. Choose one from the list." in page
    assert f'action="{event}/plan"' in page
    assert set(find_lost_values(page, wanted)) == {"measure", "rounds"}, (
        "a choice there is not; a field of new events alone"
    )
    assert "Zimní" not in html


LEAGUE: dict[str, Any] = {
    "name": "Liga <ostrova>",
    "title": "el_grande",
    "size": 4,
    "divisions": 3,
    "places": 9,
    "moving": 1,
    "roundDays": 21,
    "clock": "match-1500-30",
    "bot": "random",
    "evenSeats": "true",
    "atOnce": "",
    "rated": "",
    "registration": "invite",
    "text": "Hraje se v pátek.",
}


@pytest.mark.parametrize(
    ("wrong", "status", "sentence"),
    [
        ({"moving": 11}, 400, "moving: Enter a whole number from 0 to 10, not “11”."),
        ({"name": " "}, 400, "name: Fill in this field."),
        ({"places": 3}, 409, "a group of 3 does not fill a table of 4"),
        ({"title": "la_granja", "size": 5}, 422, "With these options, the game needs a different number"),
    ],
)
def test_a_rejected_league_form_keeps_its_values(
    organiser: Visitor, wrong: dict[str, Any], status: int, sentence: str
) -> None:
    filled = LEAGUE | wrong
    actual_status, page = organiser.submit_refused("/leagues", **filled)

    assert actual_status == status
    assert re.search(f'role="alert">.*{re.escape(sentence)}.*<form[^>]*action="/leagues"', page, re.DOTALL)
    assert set(find_lost_values(page, filled)) <= wrong.keys() & {"name"}


def test_a_bot_offered_by_the_form_is_accepted(full_service: FullService, organiser: Visitor) -> None:
    league = organiser.sends("/leagues", **LEAGUE)
    status, body = full_service.ask("GET", league)

    assert (status, body["plan"]["bot"]) == (200, "bot:random@1")


def test_an_invalid_number_of_days_is_named_and_other_values_are_kept(organiser: Visitor) -> None:
    status, page = organiser.submit_refused("/leagues", **LEAGUE | {"roundDays": "a week"})

    assert status == 400
    assert "roundDays: Enter a whole number from 1 to 365, not “a week”." in page
    assert find_lost_values(page, LEAGUE | {"roundDays": "a week"}) == {}
