"""Tables on one device over HTTP: only the opener acts, with the view of the seat that has the device."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from random import Random
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.guards import Caller
from api.matches.service import MATCHES
from domain.matches.aggregate import Match, seats_to_act, view
from domain.matches.facts import is_local
from domain.matches.seats.one_device import find_local_seat_to_act
from tests.api.full_service import Visitor as SocketVisitor
from tests.api.http.forms import Visitor
from tests.api.service import Person, behind_sockets, catch_up, settings_in

STRETCHES: Final = 10
RANDOM_MAX: Final = 2
"""After this many actions in a turn the first legal one is taken, which closes or declines."""
ONE: Final[dict[str, Any]] = {
    "table": {"oneDevice": True},
    "players": [{"name": "Ann"}, {"name": "Ben"}, {"bot": "random"}],
}


class DevicePlayers:
    """The people around a device, using its opener's account."""

    def __init__(self, opener: Person, title: str, **table: Any) -> None:
        self.opener = opener
        self.client = opener.client
        wanted: dict[str, Any] = {"title": title, **ONE, "table": {"oneDevice": True, **table}}
        self.match_id = opener.opens(3, **wanted)
        self.held = ""

    @property
    def fold(self) -> Match:
        match: Match = MATCHES.of(self.client).writer.matches.get(UUID(self.match_id))
        return match

    def get(self, path: str = "", held: str | None = None) -> Any:
        headers = {"Esporles-Held": self.held if held is None else held}
        status, body = self.opener.get(
            f"/matches/{self.match_id}{path}", **(headers if headers["Esporles-Held"] else {})
        )
        assert status == 200, body
        return body

    def passes(self, seat: int) -> Any:
        status, passed = self.opener.post(f"/matches/{self.match_id}/pass", {"seat": seat})
        assert status == 200, passed
        self.held = passed["held"]
        return passed

    def passes_on(self) -> int:
        """Let bots and the service play, then pass the device to the next seat and return it."""
        self.house_plays()
        seat = find_local_seat_to_act(self.fold)
        assert seat is not None
        self.passes(seat)
        return seat

    def acts(self, random: Random | None = None) -> None:
        legal = self.get("/legal-actions")
        chosen = (legal["actions"][0] if random is None else random.choice(legal["actions"]))["action"]
        wanted = {"expectedVersion": legal["version"], "action": chosen}
        status, match = self.opener.post(f"/matches/{self.match_id}/actions", wanted, **{"Esporles-Held": self.held})
        assert status == 201, match

    def house_plays(self) -> None:
        house_plays(self.client, UUID(self.match_id))


def house_plays(client: TestClient[Any], match_id: UUID) -> None:
    """Take the decisions of bots and the service."""
    tables, by, call = MATCHES.of(client), Caller(is_service=True), client.blocking_portal.call
    owed = call(tables.duties.read_duty, match_id)
    while owed.seat is not None:
        owed = call(tables.duties.take_owed, match_id, by, owed.actions[-1], owed.version, owed.seat)


def problem(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["code"]


def secrets_of(match_id: str, client: TestClient[Any]) -> list[tuple[tuple[int, ...], str]]:
    """Return the audience and salt of each hidden value."""
    entries = tuple(MATCHES.of(client).writer.matches.entries(UUID(match_id)))
    salts = {opening.commitment: opening.salt for entry in entries for opening in entry.secrets}
    bodies = [body for entry in entries for body in find_hidden(json.loads(bytes(entry.body)))]
    return [(tuple(body["audience"]), salts[body["commitment"]]) for body in bodies]


def find_hidden(value: Any) -> list[Any]:
    if isinstance(value, dict):
        if list(value) == ["commitment", "audience"]:
            return [value]
        value = list(value.values())
    return [found for each in value for found in find_hidden(each)] if isinstance(value, list) else []


def as_json(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def view_as_json(match: Match, seat: int | None) -> Any:
    return as_json(view(match, seat))


def others_of(match_id: str, client: TestClient[Any], seat: int) -> list[str]:
    """Return the salts of values hidden from the seat, which must not occur in its responses."""
    return [salt for audience, salt in secrets_of(match_id, client) if audience != (seat,)]


@pytest.mark.parametrize("title", ["la_granja", "el_grande"])
def test_responses_never_contain_values_of_other_seats(ann: Person, title: str) -> None:
    table, random, outsider, stretches = DevicePlayers(ann, title), Random(title), Person(ann.client), list[str]()
    while len(stretches) < STRETCHES:
        table.house_plays()
        match = table.fold
        seat = next(seat for seat in seats_to_act(match) if is_local(match.seats[seat].actor))
        # Without the device, only public information is visible, even with an expired token.
        for word in ("", *stretches[-1:], *random.sample(stretches, min(1, len(stretches)))):
            covered = table.get(held=word)
            assert (covered["seat"], covered["view"]) == (None, view_as_json(match, None))
        # With the device, only this seat's view is visible.
        passed = table.passes(seat)
        assert (passed["match"]["seat"], passed["match"]["view"]) == (seat, view_as_json(match, seat))
        assert passed["held"] not in stretches
        stretches.append(passed["held"])
        text = json.dumps([passed, *map(table.get, ("", "/legal-actions", f"/at/{match.version}", "/entries"))])
        text += ann.client.get(f"/api/matches/{table.match_id}/log", headers=ann.headers).text
        hidden = others_of(table.match_id, ann.client, seat)
        assert hidden
        assert not [salt for salt in hidden if salt in text]
        assert table.get("/entries") == outsider.get(f"/matches/{table.match_id}/entries")[1]
        action_count = 0
        while (match := table.fold).status == "running" and find_local_seat_to_act(match) == seat:
            action_count += 1
            table.acts(random if action_count <= RANDOM_MAX else None)
            table.house_plays()


def test_it_begins_with_the_names_and_the_bots_that_were_asked_for(ann: Person) -> None:
    table = DevicePlayers(ann, "el_grande", public=False)
    shown = table.get()

    seated = [(seat["player"]["kind"], seat["player"]["name"]) for seat in shown["seats"]]
    assert (shown["status"], shown["table"]["oneDevice"], shown["seat"]) == ("running", True, None)
    assert seated == [("local", "Ann"), ("local", "Ben"), ("bot", "Random bot")]
    catch_up(ann.client)
    own = [match["matchId"] for match in ann.get("/me/data")[1]["matches"]]
    assert table.match_id in own


def test_other_tables_do_not_name_players(ann: Person) -> None:
    def opens(**wanted: Any) -> tuple[int, str]:
        return problem(ann.post("/matches", {"title": "la_granja", "seats": 3, **ONE, **wanted}))

    assert opens(table={"oneDevice": True, "rated": True}) == (409, "table/one_device")
    assert opens(table={"oneDevice": True, "clock": {"kind": "per_move", "seconds": 60}}) == (409, "table/one_device")
    assert opens(table={}) == (409, "table/one_device")
    assert opens(seats=4) == (422, "seats/wrong_count")
    assert opens(players=[{"name": "Ann"}, {"bot": "random"}, {"bot": "random"}]) == (409, "table/one_device")
    both = {"name": "Ben", "bot": "random"}
    assert opens(players=[{"name": "Ann"}, {"name": "Ben"}, both]) == (409, "table/one_device")
    assert opens(players=[{"name": "Ann"}, {}, {"bot": "random"}])[0] == 400
    assert opens(players=[{"name": "Ann"}, {"name": "ann"}, {"bot": "random"}])[0] == 409
    assert opens(players=[{"name": "Ann"}, {"name": "Ben"}, {"bot": "nobody"}]) == (422, "actor/unknown")
    assert ann.get("/me/data")[1]["localGuests"] == []


def test_the_same_key_opens_it_once(ann: Person) -> None:
    wanted: dict[str, Any] = {"title": "la_granja", "seats": 3, **ONE}
    first, again = (ann.post("/matches", wanted, **{"Idempotency-Key": "kitchen"}) for _ in range(2))
    other = {**wanted, "players": [{"name": "Ann"}, {"bot": "random"}, {"name": "Ben"}]}

    assert first[1]["matchId"] == again[1]["matchId"]
    assert problem(ann.post("/matches", other, **{"Idempotency-Key": "kitchen"})) == (409, "match/exists")
    names = [each["name"] for each in ann.get("/me/data")[1]["localGuests"] if each["matchId"] == first[1]["matchId"]]
    assert sorted(names) == ["Ann", "Ben"]


def test_only_its_opener_acts_and_only_for_the_seat_that_has_the_device(ann: Person, ben: Person) -> None:
    table = DevicePlayers(ann, "la_granja")
    table.house_plays()
    seat, path = find_local_seat_to_act(table.fold), f"/matches/{table.match_id}"
    assert seat is not None
    before = table.fold.version

    assert problem(ben.post(f"{path}/pass", {"seat": seat})) == (403, "seat/not_yours")
    assert problem(ann.post(f"{path}/pass", {"seat": 1 - seat})) == (409, "seat/not_held")
    assert problem(ann.get(f"{path}/legal-actions")) == (409, "seat/not_held")
    table.passes(seat)
    word: Any = {"Esporles-Held": table.held}
    assert ben.get(path, **word)[1]["seat"] is None
    assert problem(ben.get(f"{path}/legal-actions", **word)) == (403, "seat/not_yours")
    for what in ("pause", "ready", "share", "rematch"):
        assert ann.post(f"{path}/{what}", {}, **word)[0] in {403, 409}, what
    assert ben.post(f"{path}/seats", {"seat": 0})[0] == 409
    assert table.fold.version == before
    table.acts()
    assert table.fold.version > before


def test_take_backs_and_resignations_apply_to_the_seat_with_the_device(ann: Person) -> None:
    table = DevicePlayers(ann, "el_grande")
    seat = table.passes_on()
    path = f"/matches/{table.match_id}"

    assert problem(ann.post(f"{path}/resignation", {})) == (409, "seat/not_held")
    assert ann.post(f"{path}/seats/{1 - seat}/player", {"bot": "random"}, **{"Esporles-Held": table.held})[0] == 409
    assert ann.post(f"{path}/resignation", {}, **{"Esporles-Held": table.held})[0] == 201
    assert table.fold.seats[seat].resigned


def test_responses_for_a_seat_are_not_cached(ann: Person) -> None:
    table = DevicePlayers(ann, "la_granja")
    seat = table.passes_on()

    response = ann.client.get(f"/api/matches/{table.match_id}", headers=ann.headers | {"Esporles-Held": table.held})

    assert (response.json()["seat"], response.headers["Cache-Control"]) == (seat, "no-store")


def test_erasing_the_opener_removes_names_and_voids_the_match(client: TestClient[Any]) -> None:
    opener = Person(client)
    table = DevicePlayers(opener, "la_granja")
    names = [each["name"] for each in opener.get("/me/data")[1]["localGuests"]]
    assert opener.delete("/me")[0] in {200, 204}

    shown = client.get(f"/api/matches/{table.match_id}").json()

    assert sorted(names) == ["Ann", "Ben"]
    assert shown["status"] == "void"
    assert [seat["player"]["name"] for seat in shown["seats"]][:2] == ["deleted account", "deleted account"]
    assert not PEOPLE.of(client).local_guests.local_names(seat["player"]["id"] for seat in shown["seats"])


FORM: Final = {
    "title": "la_granja",
    "seats": "3",
    "seat_3": "random",
    "oneDevice": "true",
    "name_1": "Ann",
    "name_2": "Ben",
}


def test_the_page_is_covered_until_somebody_takes_the_device_and_whenever_it_comes_again(
    client: TestClient[Any],
) -> None:
    visitor = Visitor(client)
    visitor.sends("/tables", FORM)
    match_id = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]
    path = f"/tables/{match_id}"
    table = MATCHES.of(client).writer.matches.get(UUID(match_id))
    seat = find_local_seat_to_act(table)
    assert seat is not None
    name = ("Ann", "Ben")[seat]

    covered = visitor.goes(path)
    assert f"Pass the device to <b>{name}</b>" in covered
    assert 'name="action"' not in covered
    assert "one device" in covered
    assert client.get(path).headers["Cache-Control"] == "no-store"
    uncovered = visitor.sends(f"{path}/pass", {"seat": str(seat)}).text
    assert 'name="action"' in uncovered
    assert f"/act?held={seat}.0" in uncovered
    assert 'name="action"' not in visitor.goes(path)
    assert 'name="action"' not in visitor.goes(f"{path}?held={seat}.0")


def test_a_form_without_names_comes_back_with_a_sentence(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    visitor.sends("/tables", {**FORM, "name_2": ""})

    assert "a name has 2 to 40 characters" in visitor.text.lower()
    assert 'value="Ann"' in visitor.text


def test_the_form_asks_neither_for_a_clock_nor_for_what_concerns_others(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    ticked = 'name="oneDevice" value="true" checked'
    assert ticked in visitor.goes("/open/la_granja?oneDevice=true")
    assert ticked not in visitor.goes("/open/la_granja")

    visitor.sends("/tables", {**FORM, "clock": "match-600-20", "rated": "true", "hints": "true", "leaving": "bot"})

    opened = table_in(visitor)
    assert (opened.table.is_one_device, opened.table.clock.kind, opened.table.rated) == (True, "none", False)
    assert (opened.table.has_hints, opened.table.resigning) == (False, False)


def test_a_match_that_has_ended_is_played_again_by_the_same_people(client: TestClient[Any]) -> None:
    visitor = Visitor(client)
    visitor.sends("/tables", {**FORM, "title": "el_grande", "private": "true", "takeBacks": "5"})
    first, path = table_in(visitor), f"/tables/{table_in(visitor).id}"
    # The first seat is handed over and its name kept; the other resigns, and bots play to the end.
    for action in ("hand-over", "resign"):
        house_plays(client, first.id)
        seat = find_local_seat_to_act(MATCHES.of(client).writer.matches.get(first.id))
        visitor.sends(f"{path}/pass", {"seat": str(seat)})
        visitor.sends(re.findall(rf'action="({path}/{action}\?held=[^"]+)"', visitor.text)[0], {})
    house_plays(client, first.id)

    form = re.findall(r'<form method="post" action="/tables">.*?</form>', visitor.goes(path))[0]
    fields = re.findall(r'<input type="hidden" name="([^"_][^"]*)" value="([^"]*)"', form)
    visitor.sends("/tables", {name: html.unescape(value) for name, value in fields})

    again = table_in(visitor)
    assert again.id != first.id
    assert (again.table, again.options, again.title) == (first.table, first.options, first.title)
    assert [player for name, player in fields if name.startswith(("name", "seat_"))] == ["Ann", "Ben", "random"]


def table_in(visitor: Visitor) -> Match:
    """Return the match of the current page."""
    found = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]
    match: Match = MATCHES.of(visitor.client).writer.matches.get(UUID(found))
    return match


ACTION: Final = re.compile(r'<button id="action-\d+" name="action" value="([^"]+)"')


def test_the_stream_of_a_seat_covers_the_page_when_its_turn_is_over(tmp_path: Path) -> None:
    with behind_sockets(tmp_path, settings_in(tmp_path), heartbeat_seconds=3_600.0) as sockets:
        visitor = SocketVisitor(sockets)
        form = {"title": "el_grande", "seats": "2", "oneDevice": "true", "name_1": "Ann", "name_2": "Ben"}
        path = visitor.sends("/tables", **form)
        tables = MATCHES.of(sockets).writer.matches
        match_id = UUID(path.removeprefix("/tables/"))
        first = find_local_seat_to_act(tables.get(match_id))
        assert first is not None
        with visitor.listens(f"{path}/stream?held={1 - first}.0") as pieces:
            assert "Pass the device to" in next(pieces)["actions"]
        with visitor.listens(f"{path}/stream?held={first}.0") as pieces:
            shown = next(pieces)["actions"]
            while find_local_seat_to_act(tables.get(match_id)) == first:
                action = html.unescape(ACTION.findall(shown)[0])
                version = tables.get(match_id).version
                visitor.sends(f"{path}/act?held={first}.0", version=version, action=action, sure="true")
                shown = next(piece["actions"] for piece in pieces if "actions" in piece)
    assert "Pass the device to" in shown
    assert "data-holds" not in shown
    assert not ACTION.findall(shown)
