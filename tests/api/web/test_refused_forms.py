"""A form of an organiser that is refused comes back as it was filled in, with what was refused beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.api.tournaments.events import Running, running
from tests.api.web.visiting import Visitor


class Fields(HTMLParser):
    """What the fields of a page hold, as a browser would send it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._select = self._area = self._option = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "select":
            self._select = given["name"]
        elif tag == "textarea":
            self._area = given["name"]
            self.values[self._area] = ""
        elif tag == "option" and self._select and ("selected" in given or self._select not in self.values):
            self.values[self._select] = given.get("value", "")
            self._option = "" if "value" in given else self._select
        elif tag == "input" and "name" in given and (given.get("type") != "checkbox" or "checked" in given):
            self.values[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"select", "textarea"}:
            self._select = self._area = ""
        self._option = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.values[self._area] += data
        if self._option:
            self.values[self._option] += data


def lost(page: str, sent: dict[str, Any]) -> dict[str, Any]:
    """The fields that do not come back as they were sent: name, and what stands there now."""
    held = Fields(page).values
    return {name: held.get(name) for name, value in sent.items() if held.get(name, "") != str(value)}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("refused-forms")) as house:
        yield house


@pytest.fixture(scope="module")
def organiser(house: Running) -> Visitor:
    return Visitor(house)


EVENT: dict[str, Any] = {
    "name": "Vesnický <pohár>",
    "title": "el_grande",
    "text": "Přineste si svačinu & pití.",
    "format": "own",
    "rounds": 7,
    "stage_1_kind": "heats",
    "stage_1_rounds": 3,
    "stage_1_advance": 2,
    "stage_3_kind": "final",
    "stage_3_cut": 4,
    "stage_3_carry": "1",
    "measure": "margin",
    "bye": "2.5",
    "points_4": "9 5 3 1",
    "tie_1": "wins",
    "tie_2": "",
    "tie_3": "seeding",
    "leftover": "bye",
    "registration": "invite",
    "cap": 40,
    "clock": "match-1500-30",
    "bot": "random",
    "late_entry": "",
    "auto": "1",
    "rated": "1",
    "face_to_face": "",
}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"points_4": "9 five"}, "points for tables of 4: 'five' is no number"),
        ({"tie_3": "wins"}, "a tie-break is named twice"),
        ({"stage_3_cut": "many"}, "stage 3: cut takes a number from 0 to"),
        ({"name": " "}, "the name of an event has 1 to 120 characters"),
        ({"option.cards": "none"}, "cards"),
    ],
)
def test_a_new_event_that_is_refused_loses_nothing_that_was_filled_in(
    organiser: Visitor, wrong: dict[str, Any], sentence: str
) -> None:
    filled = EVENT | wrong
    status, page = organiser.is_refused("/events", **filled)

    assert status == 422
    assert re.search(f'role="alert">.*{re.escape(sentence)}.*<form[^>]*action="/events"', page, re.DOTALL)
    assert set(lost(page, filled)) <= {"option.cards"}


def test_a_number_that_cannot_be_read_is_named_and_the_rest_is_kept(organiser: Visitor) -> None:
    status, page = organiser.is_refused("/events", **EVENT | {"cap": ""})

    assert status == 422
    assert "cap: '' is no whole number" in page
    assert lost(page, EVENT | {"cap": ""}) == {"cap": "0"}


def test_a_plan_that_is_not_changed_comes_back_as_it_was_to_be(organiser: Visitor) -> None:
    event = organiser.sends("/events", **EVENT).removesuffix("/desk")
    wanted = EVENT | {
        "name": "Zimní pohár",
        "measure": "luck",
        "stage_2_kind": "swiss",
        "rated": "",
    }
    status, page = organiser.is_refused(f"{event}/plan", **wanted)
    kept = organiser.sees(f"{event}/plan")

    assert status == 422
    assert "measure='luck' is not one of" in page
    assert f'action="{event}/plan"' in page
    assert set(lost(page, wanted)) == {"measure", "rounds"}, "a choice there is not; a field of new events alone"
    assert "Zimní" not in kept


LEAGUE: dict[str, Any] = {
    "name": "Liga <ostrova>",
    "title": "el_grande",
    "size": 4,
    "divisions": 3,
    "places": 9,
    "moving": 1,
    "round_days": 21,
    "clock": "match-1500-30",
    "bot": "random",
    "even_seats": "yes",
    "at_once": "",
    "rated": "",
    "invite": "yes",
    "text": "Hraje se v pátek.",
}


@pytest.mark.parametrize(
    ("wrong", "status", "sentence"),
    [
        ({"moving": 11}, 409, "there are 0 to 10 players who go up and down, not 11"),
        ({"name": " "}, 409, "the name of a league has 1 to 120 characters"),
        ({"places": 3}, 409, "a group of 3 does not fill one table of 4"),
        ({"title": "la_granja", "size": 5}, 422, "With these options the title is played by another number"),
    ],
)
def test_a_new_league_that_is_refused_loses_nothing_that_was_filled_in(
    organiser: Visitor, wrong: dict[str, Any], status: int, sentence: str
) -> None:
    filled = LEAGUE | wrong
    found, page = organiser.is_refused("/leagues", **filled)

    assert found == status
    assert re.search(f'role="alert">.*{re.escape(sentence)}.*<form[^>]*action="/leagues"', page, re.DOTALL)
    assert lost(page, filled) == {}


def test_a_bot_that_the_form_offers_is_taken(house: Running, organiser: Visitor) -> None:
    league = organiser.sends("/leagues", **LEAGUE)
    status, shown = house.ask("GET", league)

    assert (status, shown["plan"]["bot"]) == (200, "bot:random@1")


def test_days_that_are_no_number_are_named_and_the_rest_is_kept(organiser: Visitor) -> None:
    status, page = organiser.is_refused("/leagues", **LEAGUE | {"round_days": "a week"})

    assert status == 409
    assert "round_days: 'a week' is no whole number" in page
    assert lost(page, LEAGUE) == {"round_days": "14"}
