"""The lobby and table pages: lists and filters, opening a table, and outdated actions."""

from __future__ import annotations

import html
import re
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION
from api.http.preferences import COOKIE as PREFERENCES
from api.matches.service import MATCHES
from api.titles.offers import bots_and_titles, build_offers
from domain.titles import TITLES
from projections.platform.clock import now
from projections.platform.settings import Settings
from tests.api.http.forms import Visitor
from tests.api.service import AT_FIRST, Member, Person, catch_up, session_of
from tests.seeding import new_id

ACTIONS: Final = re.compile(r'<button id="action-\d+" name="action" value="([^"]+)"')
VERSION: Final = re.compile(r'name="version" value="(\d+)"')
HTMX: Final = {"HX-Request": "true"}


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that counts are exact."""
    return own_client


class Guest(Visitor):
    """A guest who plays without confirmations."""

    def __init__(self, client: TestClient[Any]) -> None:
        super().__init__(client)
        client.cookies.set(PREFERENCES, "confirm-never")

    def plays_against(self, person: Person) -> str:
        """Start a table with the guest on the first seat and return its id."""
        self.sends("/tables", {"seats": "2"})
        match_id = re.findall(r"/tables/([0-9a-f-]{36})", self.text)[0]
        person.sits(match_id, 1)
        person.is_ready(match_id)
        self.goes(f"/tables/{match_id}")
        self.sends(f"/tables/{match_id}/ready")
        return str(match_id)

    def until_asked(self, match_id: str, other: Person) -> tuple[str, list[str]]:
        """Let the other player act until it is the guest's turn; return version and actions on the page."""
        while not (actions := ACTIONS.findall(self.goes(f"/tables/{match_id}"))):
            assert other.acts(match_id)[0] == 201
        version = VERSION.search(self.text)
        assert version
        return version[1], [html.unescape(action) for action in actions]


@pytest.fixture
def visitor(client: TestClient[Any]) -> Guest:
    return Guest(client)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["a plain form", "htmx"])
def test_an_outdated_action_is_answered_with_the_changes_and_the_table(
    visitor: Guest, ann: Person, headers: dict[str, str]
) -> None:
    match_id = visitor.plays_against(ann)
    version, actions = visitor.until_asked(match_id, ann)
    assert visitor.sends(f"/tables/{match_id}/act", {"version": version, "action": actions[0]}).status_code == 200
    catch_up(visitor.client)

    response = visitor.sends(f"/tables/{match_id}/act", {"version": version, "action": actions[-1]}, headers)

    assert response.status_code == 409
    assert "The match has moved on" in visitor.text
    assert re.search(r"notice warn.*<li>Guest", visitor.text, re.DOTALL)
    assert ann.get(f"/matches/{match_id}")[1]["head"] in visitor.text
    if headers:
        assert response.headers["HX-Reswap"] == "none"
        assert 'id="actions" hx-swap-oob' in visitor.text
    else:
        assert "<h1>La Granja</h1>" in visitor.text


def test_an_illegal_action_is_rejected_with_a_message(visitor: Guest, ann: Person) -> None:
    match_id = visitor.plays_against(ann)
    version, _ = visitor.until_asked(match_id, ann)
    head = ann.get(f"/matches/{match_id}")[1]["head"]

    response = visitor.sends(
        f"/tables/{match_id}/act", {"version": version, "action": '{"type":"la_granja.final_sale"}'}, HTMX
    )

    assert response.status_code == 422
    assert "You cannot do this now" in visitor.text
    assert ann.get(f"/matches/{match_id}")[1]["head"] == head


def test_a_taken_seat_is_answered_with_the_table(visitor: Guest, ann: Person) -> None:
    match_id = ann.opens(2)
    ann.sits(match_id, 0)
    visitor.sends("/guest")

    response = visitor.sends(f"/tables/{match_id}/sit", {"seat": "0"})

    assert response.status_code == 409
    assert "The match has moved on" in visitor.text
    assert ">Join<" in visitor.text


def test_the_set_up_page_offers_what_the_title_allows(visitor: Guest) -> None:
    granja, grande = visitor.goes("/open/la_granja"), visitor.goes("/open/el_grande")

    assert "1 (solo)" in granja
    assert 'name="options.edition"' in granja
    assert 'name="seat_5"' not in granja
    assert 'name="seat_5"' in grande
    assert 'name="options.veterans"' in grande
    assert visitor.client.get("/open/chess").status_code == 422


def test_bots_are_described_by_their_strength(visitor: Guest) -> None:
    """Without a chosen title, the description covers all titles."""
    strong = "Strong search bot: thinks for up to 5 seconds"

    assert f"{strong}, wins 6 of 10 two-player matches" in visitor.goes("/open/la_granja")
    assert f"{strong}, wins 7 of 10 two-player matches" in visitor.goes("/open/el_grande")
    descriptions = {bot: each.id for bot, each, _ in bots_and_titles(build_offers(TITLES, Settings().bots))}
    assert descriptions["search-strong"] == strong


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"options.cards": "2006", "options.veterans": "all"}, 422),
        ({"seats": "9"}, 400),
        ({"seats": "0"}, 400),
        ({"seat_2": "deep thought"}, 422),
        ({"clock": "sundial"}, 400),
        ({"timeOut": "shout"}, 400),
        ({"takeBacks": "99"}, 400),
        ({"pauses": "whenever"}, 400),
        ({"leaving": "by the window"}, 400),
        ({"options.colour": "red"}, 422),
        ({"colour": "red"}, 400),
    ],
)
def test_an_invalid_table_form_keeps_its_values(visitor: Guest, fields: dict[str, str], status: int) -> None:
    response = visitor.sends("/tables", {"title": "el_grande", "seats": "3", "options.short": "yes", **fields})

    assert response.status_code == status
    assert all(name.removeprefix("options.") in visitor.text for name in fields)
    assert 'name="options.short" value="yes" checked' in visitor.text
    assert MATCHES.of(visitor.client).writer.matches.last_position() == AT_FIRST


@pytest.mark.parametrize(("seats", "status"), [("0", 400), ("-1", 400), ("5", 422)])
def test_a_table_of_la_granja_has_one_to_four_seats(visitor: Guest, seats: str, status: int) -> None:
    """Fewer than one seat is not a solo game."""
    response = visitor.sends("/tables", {"title": "la_granja", "seats": seats})

    assert response.status_code == status
    assert MATCHES.of(visitor.client).writer.matches.last_position() == AT_FIRST


def test_a_table_has_the_requested_options(visitor: Guest, ann: Person) -> None:
    wanted = {"title": "el_grande", "seats": "3", "seat_3": "random", "clock": "turn-86400", "timeOut": "skip"}
    wanted |= {"takeBacks": "0", "rated": "yes", "options.short": "yes", "pauses": "2", "leaving": "bot"}
    wanted |= {"absenceDays": "14"}
    visitor.client.cookies.set(SESSION, session_of(visitor.client, Member(visitor.client, "Cleo").id))
    visitor.goes("/open/el_grande")
    visitor.sends("/tables", wanted | {"leavingMax": "10"})
    match_id = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]

    match = ann.get(f"/matches/{match_id}")[1]

    assert (match["status"], match["options"]["short"], match["table"]["rated"]) == ("open", "yes", True)
    assert match["table"]["clock"]["kind"] == "correspondence"
    assert (match["table"]["timeOut"], match["table"]["takeBacks"]) == ("skip", 0)
    assert [(seat["player"] or {}).get("kind") for seat in match["seats"]] == ["person", None, "bot"]
    assert (match["table"]["pauses"], match["table"]["resigning"]) == (2, False)
    assert (match["table"]["leavingMax"], match["table"]["absenceDays"]) == (10, 14)
    assert "players who leave at most 10 % of their matches" in visitor.text
    for terms in (
        "1 day per turn",
        "no take-backs",
        "2 pauses",
        "no resigning: a bot takes over",
        "up to 14 days of holiday",
    ):
        assert terms in visitor.text


def tables_in(text: str) -> set[str]:
    return set(re.findall(r'href="/tables/([0-9a-f-]{36})"', text))


def test_tables_are_filtered_and_private_ones_are_hidden(visitor: Guest, ann: Person) -> None:
    public = ann.opens(2, title="el_grande")
    private = ann.opens(2, table={"public": False})
    open_granja = ann.opens(3)
    catch_up(visitor.client)

    everything, grande = visitor.goes("/tables"), visitor.goes("/tables?title=el_grande")
    running, nonsense = visitor.goes("/tables?status=running"), visitor.goes("/tables?status=nonsense")

    assert {public, open_granja} <= tables_in(everything)
    assert private not in tables_in(everything)
    assert public in tables_in(grande)
    assert open_granja not in tables_in(grande)
    assert "No tables right now" in running
    assert tables_in(nonsense) == tables_in(everything)
    assert open_granja in visitor.goes("/")


def test_the_gentle_bot_is_the_default_for_newcomers(visitor: Guest) -> None:
    chosen = re.compile(r'<option value="(gentle|greedy)" selected>')
    newcomer = visitor.goes("/")
    visitor.sends("/tables", {"seats": "2"})

    assert chosen.findall(newcomer) == ["gentle", "gentle"]
    assert chosen.findall(visitor.goes("/")) == ["greedy", "greedy"]


def test_an_empty_lobby_explains_the_demonstration(visitor: Guest, ann: Person) -> None:
    match_id = ann.opens(2)
    assert ann.post(f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"})[0] == 201
    catch_up(visitor.client)
    assert "ops/serve --demo" in visitor.goes("/")

    ann.sits(match_id, 0)
    catch_up(visitor.client)
    assert "ops/serve --demo" not in visitor.goes("/")


def test_tables_are_paginated_without_repetition(visitor: Guest) -> None:
    matches, opened = MATCHES.of(visitor.client).writer.matches, []
    for number in range(103):
        title = "el_grande" if number % 2 else "la_granja"
        opened.append(str(matches.open(new_id(), title=title, seats=2, by="somebody", at=now()).id))
    catch_up(visitor.client)
    path, listed = "/tables?status=open", list[str]()

    while path:
        links = re.findall(r'class="table-link" href="/tables/([0-9a-f-]{36})"', visitor.goes(path))
        listed += links
        older = re.search(r'href="(\?[^"]*before=\d+[^"]*)"', visitor.text)
        path = f"/tables{html.unescape(older[1])}" if older else ""

    assert listed == opened[::-1]
    grande = visitor.goes("/tables?title=el_grande")
    assert len(tables_in(grande)) == 50


def test_the_theme_is_remembered_and_validated(visitor: Guest) -> None:
    visitor.sends("/appearance", {"theme": "dark", "back": "/tables"})
    assert '<html lang="en" data-theme="dark"' in visitor.text
    assert "Tables" in visitor.text

    assert visitor.sends("/appearance", {"theme": "pink"}).status_code == 400
    visitor.sends("/appearance", {"theme": "auto", "back": "https://elsewhere.example/"})
    assert "data-theme" not in visitor.text
    visitor.client.cookies.set("theme", "pink")
    assert "data-theme" not in visitor.goes("/")


def test_files_are_sent_compressed_and_pages_are_not(visitor: Guest) -> None:
    sheet = visitor.client.get("/static/esporles.css", headers={"Accept-Encoding": "gzip"})
    page = visitor.client.get("/", headers={"Accept-Encoding": "gzip"})

    assert sheet.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in page.headers


def test_a_table_shows_its_options_and_rejects_disabled_ones(visitor: Guest, ann: Person) -> None:
    visitor.sends("/tables", {"seats": "2", "pauses": "0", "leaving": "bot"})
    match_id = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]
    ann.sits(match_id, 1)
    ann.is_ready(match_id)
    visitor.sends(f"/tables/{match_id}/ready")

    assert "Pauses are not allowed at this table." in visitor.goes(f"/tables/{match_id}")
    assert f'action="/tables/{match_id}/pause"' not in visitor.text
    assert f'action="/tables/{match_id}/resign"' not in visitor.text
    assert f'action="/tables/{match_id}/hand-over"' in visitor.text
    assert visitor.sends(f"/tables/{match_id}/pause").status_code == 409
    assert "This table cannot be paused now" in visitor.text
    assert visitor.sends(f"/tables/{match_id}/resign").status_code == 409
    assert "You cannot resign at this table" in visitor.text
    assert ann.post(f"/matches/{match_id}/pause", {})[1]["code"] == "pause/refused"
    assert ann.post(f"/matches/{match_id}/resignation", {})[1]["code"] == "resign/refused"
