"""Pages of events in a browser without scripts: the organiser's forms, and public pages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.tournaments.pages.context import describe_conflicts
from api.tournaments.pages.plan import PlanForm
from domain.contests.conditions import EntryConditions
from domain.kernel.messages import say
from domain.kernel.values import replace
from domain.pairing.problem import Problem
from domain.tournaments.plan import Plan
from domain.tournaments.state import Round
from tests.api.full_service import FullService, Visitor


@pytest.fixture(scope="module")
def organiser(full_service: FullService) -> Visitor:
    return Visitor(full_service)


@pytest.fixture(scope="module")
def player(full_service: FullService) -> Visitor:
    return Visitor(full_service)


def open_event(organiser: Visitor, **fields: object) -> str:
    """Return the path of a new event."""
    desk = organiser.sends("/events", **{"name": "Vesnický pohár", "size": 2, "rounds": 2, **fields})
    assert re.fullmatch("/events/[0-9a-f-]{36}/desk", desk)
    return desk.removesuffix("/desk")


def publish_round(service: FullService, organiser: Visitor, event: str) -> None:
    organiser.sends(f"{event}/desk/pairing")
    service.settle()
    organiser.sends(f"{event}/desk/publish", round=1)
    service.settle()


def test_tables_of_a_round_show_their_boards_and_are_streamed(
    full_service: FullService, organiser: Visitor, player: Visitor
) -> None:
    event = open_event(organiser, title="el_grande")
    player.sends(f"{event}/enter")
    organiser.sends(f"{event}/desk/enter", bot="random")
    publish_round(full_service, organiser, event)
    before, last_event_id = player.read_first_event(f"{event}/stream")
    match_id = re.search(r"/tables/([0-9a-f-]{36})", before["at_1_1"])
    assert match_id is not None
    player.sends(f"/tables/{match_id[1]}/ready")
    full_service.follow()
    after, last_event_id = player.read_first_event(f"{event}/stream", last_event_id)
    nothing, _ = player.read_first_event(f"{event}/stream", last_event_id)

    assert set(before) == {"rounds", "best", "own", "at_1_1"}
    assert set(after) == {"at_1_1"}, "somebody plays on: nothing else is drawn again"
    assert nothing == {}
    assert "miniature" not in before["at_1_1"]
    assert "Leaders by region" in after["at_1_1"]
    assert "to move" in after["at_1_1"]
    assert "Leaders by region" in player.sees(event)
    assert f'data-stream="{event}/stream"' in player.sees(event)


OWN = {
    "format": "own",
    "stages.0.kind": "heats",
    "stages.0.rounds": 2,
    "stages.1.kind": "final",
    "stages.1.cut": 2,
    "points.2": "5 1,5",
    "bye": "2.5",
    "tieBreaks": ["wins", "", "seeding"],
}


def plan_of(service: FullService, event: str) -> Any:
    status, body = service.ask("GET", event.replace("/events/", "/tournaments/"))
    assert status == 200
    return body["plan"]


def test_stages_points_and_tie_breaks_are_edited_in_the_form(
    full_service: FullService, organiser: Visitor, player: Visitor
) -> None:
    event = open_event(organiser, **OWN)
    plan = plan_of(full_service, event)
    page = organiser.sees(f"{event}/plan")
    organiser.sends(
        f"{event}/plan",
        **OWN | {"name": "Zimní pohár", "size": 2, "stages.2.kind": "swiss", "stages.2.rounds": 1, "cap": 9},
    )
    changed = plan_of(full_service, event)

    assert [(stage["kind"], stage.get("rounds"), stage.get("cut")) for stage in plan["stages"]] == [
        ("heats", 2, None),
        ("final", None, 2),
    ]
    assert plan["scoring"] == {
        "points": [{"size": 2, "points": [300, 90]}],
        "bye": 150,
        "tieBreaks": ["wins", "seeding"],
    }
    assert 'value="5 1.5"' in page
    assert (changed["name"], changed["cap"], changed["stages"][2]) == (
        "Zimní pohár",
        9,
        {"kind": "swiss", "rounds": 1, "carry": False},
    )
    assert changed["seed"] == plan["seed"]
    assert "Points at tables of 2" in player.sees(event)
    assert player.submit_refused(f"{event}/plan", name="Mine")[0] == 403
    player.sees(f"{event}/plan", 403)


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"name": " "}, 400, "name: Fill in this field."),
        ({"size": 9}, 400, "size: Enter a whole number from 2 to 5, not “9”."),
        ({"measure": "luck"}, 400, "measure: “luck” is not an option. Choose one from the list."),
        ({"format": "knockout"}, 400, "format: “knockout” is not an option. Choose one from the list."),
        ({"format": "own"}, 422, "an event has 1 to 8 stages, not 0"),
        (
            {"format": "own", "stages.0.kind": "ladder"},
            400,
            "stages.0.kind: “ladder” is not an option. Choose one from the list.",
        ),
        ({"format": "own", "stages.kind": "heats"}, 400, "stages.kind: This form has no such field."),
        ({"format": "own", "stages.1.kind": "swiss", "stages.1.rounds": "x"}, 400, "stages.1.rounds: Enter a whole"),
        ({"points.4": "12 eight"}, 400, "points.4: Enter points from 0 to 1000 in steps of 1/60, not “eight”."),
        ({"points.4": "12 0.001"}, 400, "points.4: Enter points from 0 to 1000 in steps of 1/60, not “0.001”."),
        ({"points.9": "12"}, 400, "points.9: This form has no such field."),
        ({"points.4": "4 8"}, 422, "the points at tables of 4 must decrease from place to place"),
        ({"tieBreaks": "beauty"}, 400, "tieBreaks: “beauty” is not an option. Choose one from the list."),
        ({"tieBreaks": ["wins", "wins"]}, 422, "a tie-break is named twice"),
    ],
)
def test_an_invalid_plan_is_refused_with_a_message(
    organiser: Visitor, fields: dict[str, object], status: int, sentence: str
) -> None:
    actual_status, page = organiser.submit_refused("/events", **{"name": "Pohár", "size": 4, **fields})

    assert actual_status == status
    assert sentence in page


@pytest.mark.parametrize(
    ("format", "kinds"),
    [
        ("swiss_final", ["swiss", "final"]),
        ("round_robin", ["round_robin"]),
        ("double_elimination", ["elimination"]),
        ("heats_final", ["heats", "final"]),
    ],
)
def test_a_format_becomes_stages(full_service: FullService, organiser: Visitor, format: str, kinds: list[str]) -> None:
    plan = plan_of(full_service, open_event(organiser, format=format))

    assert [stage["kind"] for stage in plan["stages"]] == kinds


def test_conflicts_of_older_logs_are_parsed() -> None:
    why = "these conditions contradict each other at 1 table: e1 and e2 must not meet; e1 and e2 must sit together"
    failed = Round(number=1, stage=0, status="failed", problem=Problem(entrants=(), size=2), way="tables", why=why)
    messages = describe_conflicts(failed, {"e1": "Jana"})

    assert [say(message) for message in messages] == ["Jana and e2 must not meet", "Jana and e2 must sit together"]
    assert describe_conflicts(replace(failed, why="there is no such pairing"), {}) == ()


def test_the_form_of_the_plan_keeps_options_without_a_field() -> None:
    conditions = EntryConditions(listed=True, password=True)
    before = Plan(name="Cup", title="la_granja", conditions=conditions, seed=5)

    after = PlanForm(name="Winter cup", title="la_granja").plan((), before)

    assert (after.name, after.conditions, after.seed) == ("Winter cup", conditions, 5)
