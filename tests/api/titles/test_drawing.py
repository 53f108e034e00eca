"""Drawing: every button has a heading, and a title without a drawing is shown as a list."""

from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import msgspec
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.guards import Caller
from api.matches.schemas import LegalAction
from api.matches.service import MATCHES
from api.site.pages import fragments
from api.titles.drawing import PLAIN, load_drawings
from api.titles.el_grande.title import DRAWING as EL_GRANDE
from api.titles.la_granja import drawing as la_granja
from api.titles.sentences import sentences
from domain.kernel.messages import Message
from domain.matches.aggregate import view
from domain.titles import TITLES
from domain.titles.el_grande.actions import EndTurn, PlaceCaballeros
from domain.titles.la_granja.actions import Action, Pass
from domain.titles.la_granja.view import View
from projections.matches.narration import GOES_ON
from tests.api.service import Person, catch_up, settings_in, start_match
from tests.service_app import create_app


def test_every_action_of_la_granja_has_a_heading() -> None:
    assert set(la_granja.HEADINGS) == set(get_args(Action))


def test_a_title_without_a_drawing_is_drawn_plainly() -> None:
    drawing = load_drawings({"whist": TITLES["la_granja"]})["whist"]

    assert drawing is PLAIN
    assert drawing.picture({"trumps": "hearts"}) == {"fields": {"trumps": "hearts"}}
    assert drawing.heading(Pass()) == "Actions"
    assert PLAIN not in load_drawings(TITLES).values()


def choice(action: Any) -> LegalAction:
    return LegalAction(action, type(action).__name__)


def test_closing_actions_are_last_and_have_a_separate_key() -> None:
    """The first key must not end a turn by accident, so the other keys are numbered without it."""
    legal = [choice(action) for action in (EndTurn(), PlaceCaballeros("castilla", 1), PlaceCaballeros("aragon", 1))]

    groups = fragments.group_buttons(legal, EL_GRANDE)

    assert [group.is_closing for group in groups] == [False, True]
    assert [(button.index, button.key) for group in groups for button in group.buttons] == [
        (1, "1"),
        (2, "2"),
        (0, "0"),
    ]


def test_a_line_without_content_is_omitted_once_another_follows(
    client: TestClient[Any],
) -> None:
    ann, ben = Person(client), Person(client)
    match_id = UUID(start_match(ann, ben))
    catch_up(client)
    with client.portal() as portal:
        tables = MATCHES.of(client)
        caller = Caller(PEOPLE.of(client).find(ann.id))
        shown = portal.call(tables.reading.show, match_id, caller)
        followed = portal.call(fragments.load_narration, tables, shown, caller)
    newest = followed.lines[0]
    goes_on = (Message(GOES_ON, {"player": Message("Player {number}", {"number": 1})}),)
    quiet = [msgspec.structs.replace(newest, version=newest.version + step, narration=goes_on) for step in (3, 2, 1)]

    known = fragments.NarrationAndClocks([*quiet, *followed.lines], (), shown.version)
    narration = fragments.narration_fields(known, shown, ("Ann", "Ben"), PLAIN)["told"]

    assert [line.version for line in narration] == [newest.version + 3, *(line.version for line in followed.lines)]
    assert narration[0].sentences == ("Ann continues",)


def test_narration_uses_the_names_of_players() -> None:
    message = Message("{player} takes {goods}", {"player": Message("Player {number}", {"number": 2}), "goods": "1 pig"})

    assert sentences([message], ("Ann", "Ben")) == ("Ben takes 1 pig",)


def test_the_market_is_drawn_inside_its_frame(client: TestClient[Any]) -> None:
    ann, ben = Person(client), Person(client)
    match_id = UUID(start_match(ann, ben))
    with client.portal() as portal:
        match = portal.call(MATCHES.of(client).reading.get, match_id)
    seen = view(match, 0)
    assert isinstance(seen, View)

    picture = la_granja.picture(seen)
    market = picture["market"].context(*picture["market"].values)

    left, top, width, height = map(float, market["view_box"].split())
    assert len(market["hexes"]) == len(seen.market)
    assert all(left < hex.x < left + width and top < hex.y < top + height for hex in market["hexes"])
    assert picture["hand"].values[1] == seen.farms[0].hand
    assert picture["own"].values[1] == seen.farms[0]
    assert la_granja.picture(msgspec.structs.replace(seen, seat=None))["hand"] is None


def test_a_title_without_a_drawing_can_be_watched_and_played(
    tmp_path: Path,
) -> None:
    drawings = {**load_drawings(TITLES), "el_grande": PLAIN}
    with TestClient(create_app(settings_in(tmp_path), drawings=drawings)) as client:
        plays_without_a_drawing(client)


def plays_without_a_drawing(client: TestClient[Any]) -> None:
    ann, ben = Person(client), Person(client)
    match_id = ann.opens(2, title="el_grande")
    for seat, person in enumerate((ann, ben)):
        person.sits(match_id, seat)
    ann.is_ready(match_id)
    ben.is_ready(match_id)

    page = client.get(f"/tables/{match_id}")

    assert page.status_code == 200
    assert "<h1>El Grande</h1>" in page.text
    assert "<h2>The table</h2>" in page.text
