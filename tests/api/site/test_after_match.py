"""After a match: rematch, substitutes by bots, ratings; and confirmation of irreversible actions."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar.testing import TestClient

from api.matches.rematches import next_order
from api.matches.service import MATCHES
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.play.foresight import why_final
from tests.api.matches.test_private import Reader
from tests.api.service import Member, Person, account_of, catch_up, play_rounds, start_match

LIVE: Final[Any] = {"rated": True, "clock": {"kind": "per_move", "seconds": 600}}
TABLE: Final = re.compile(r"/tables/([0-9a-f-]{36})$")


def asks_again(reader: Reader, match_id: str) -> str:
    """Ask for or accept a rematch and return its id."""
    response = reader.sends("/preferences", f"/tables/{match_id}/rematch", ownLuck="false")
    found = TABLE.search(response.headers.get("Location", ""))
    assert response.status_code == 303, response.text
    assert found
    return found[1]


def list_players(person: Person, match_id: str) -> list[str | None]:
    return [seat["player"] and seat["player"]["id"] for seat in person.get(f"/matches/{match_id}")[1]["seats"]]


def after(reader: Reader, match_id: str) -> str:
    answer = reader.goes(f"/tables/{match_id}/after")
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def test_an_accepted_rematch_has_a_new_seating_order(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben, table={"takeBacks": 7})
    of_ann, of_ben, outsider = Reader(client, ann), Reader(client, ben), Reader(client, Person(client))
    assert "Offer rematch" not in after(of_ann, match_id), "not while it goes on"
    assert "Analyse this match" not in after(of_ann, match_id)
    assert of_ann.sends("/preferences", f"/tables/{match_id}/rematch").status_code == 403
    ann.post(f"/matches/{match_id}/resignation", {})
    assert "Offer rematch" in after(of_ann, match_id)
    assert "ematch" not in after(outsider, match_id)
    assert f"/tables/{match_id}/replay?at=" in after(outsider, match_id), "anybody may have it analysed"
    assert outsider.sends("/preferences", f"/tables/{match_id}/rematch").status_code == 403

    again = asks_again(of_ann, match_id)

    assert "Waiting for the others to accept the rematch." in after(of_ann, match_id)
    page = after(of_ben, match_id)
    assert "Rematch offered by" in page
    assert "Accept rematch" in page
    assert asks_again(of_ben, match_id) == again
    assert asks_again(of_ann, match_id) == again, "pressed twice it is the same"
    assert list_players(ann, again) == [ben.id, ann.id]
    match = ann.get(f"/matches/{again}")[1]
    assert (match["table"]["takeBacks"], match["table"]["listed"], match["status"]) == (7, False, "open")
    ann.is_ready(again)
    ben.is_ready(again)
    assert "The rematch has started." in after(of_ben, match_id)


def test_a_rematch_by_api(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    assert ann.post(f"/matches/{match_id}/rematch", {})[0] == 403, "not while it goes on"
    ben.post(f"/matches/{match_id}/resignation", {})
    assert Person(client).post(f"/matches/{match_id}/rematch", {})[0] == 403
    status, rematch = ann.post(f"/matches/{match_id}/rematch", {})
    again = ben.post(f"/matches/{match_id}/rematch", {"ownLuck": True})[1]

    assert (status, rematch["status"]) == (201, "open")
    assert rematch["matchId"] == again["matchId"] != match_id
    assert list_players(ann, again["matchId"]) == [ben.id, ann.id]


def test_a_private_rematch_is_open_to_its_players_and_bots_keep_their_order(
    client: TestClient[Any], ann: Person, ben: Person
) -> None:
    match_id = ann.opens(3, table={"public": False})
    assert ben.post("/invitations", {"secret": ann.invites(match_id)})[0] == 201
    ann.sits(match_id, 0)
    ben.sits(match_id, 1)
    assert ann.post(f"/matches/{match_id}/seats", {"seat": 2, "bot": "random"})[0] == 201
    ann.is_ready(match_id)
    ben.is_ready(match_id)
    for person in (ann, ben):
        person.post(f"/matches/{match_id}/resignation", {})
    match = MATCHES.of(client).writer.matches.get(UUID(match_id))
    bot = match.seats[2].actor
    assert next_order(match) == (bot, ann.id, ben.id)

    again = asks_again(Reader(client, ben), match_id)

    assert list_players(ben, again) == [bot, None, ben.id]
    assert Reader(client, ann).goes(f"/tables/{again}").status_code == 200, "brought along"
    assert Reader(client, Person(client)).goes(f"/tables/{again}").status_code == 404
    assert asks_again(Reader(client, ann), match_id) == again
    assert list_players(ann, again) == [bot, ann.id, ben.id]


def test_a_player_replaced_by_a_bot_is_still_named(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id = start_match(ann, ben)
    assert ann.post(f"/matches/{match_id}/seats/0/player", {"bot": "random"})[0] in {200, 201}
    version = ann.get(f"/matches/{match_id}")[1]["version"]
    ben.post(f"/matches/{match_id}/resignation", {})
    catch_up(client)

    page = unescape(Reader(client, ben).goes(f"/tables/{match_id}").text)

    result = page[page.index("places-list") : page.index("</ol>", page.index("places-list"))]
    name = account_of(client, ann.id).name
    assert f"<b>{name}</b>" in result
    assert f"Random bot took over at entry {version}" in result
    assert "ematch" not in after(Reader(client, ann), match_id), "who left is not asked"


def test_rating_changes_are_shown_with_the_result(client: TestClient[Any]) -> None:
    cleo, dora = Member(client, "Cleo after"), Member(client, "Dora after")
    match_id = start_match(cleo, dora, table=LIVE)
    play_rounds((cleo, dora), match_id, 2)
    cleo.post(f"/matches/{match_id}/resignation", {})
    assert "Updating ratings…" in after(Reader(client, dora), match_id)
    catch_up(client)

    page = after(Reader(client, dora), match_id)

    moved = re.findall(r'href="/players/([^"]+)">([^<]+)</a></th><td class="number">(-?\d+) → <b>(-?\d+)</b>', page)
    assert [each[1] for each in moved] == ["Dora after", "Cleo after"]
    assert int(moved[0][3]) > int(moved[0][2])
    assert int(moved[1][3]) < int(moved[1][2])


def test_irreversible_actions_are_confirmed_unless_disabled(client: TestClient[Any], ann: Person, ben: Person) -> None:
    match_id, tables = start_match(ann, ben), MATCHES.of(client)
    people = (ann, ben)
    while True:
        match = tables.writer.matches.get(UUID(match_id))
        seat = seats_to_act(match)[0]
        closes = tables.drawings[match.title].closes
        chances = [a for a in legal_actions(match, seat) if not closes(a) and why_final(match, seat, a) == "chance"]
        if chances:
            break
        assert people[seat].acts(match_id)[0] == 201
    reader, version = Reader(client, people[seat]), match.version
    fields = {"version": str(version), "action": msgspec.json.encode(chances[0]).decode()}

    response = reader.sends("/preferences", f"/tables/{match_id}/act", **fields)

    assert (response.status_code, tables.writer.matches.get(UUID(match_id)).version) == (200, version)
    assert "you cannot take it back" in response.text
    assert 'name="sure" value="true"' in response.text
    assert reader.sends("/preferences", "/preferences", confirm="never").status_code == 303
    assert reader.sends("/preferences", f"/tables/{match_id}/act", **fields).status_code == 303
    assert tables.writer.matches.get(UUID(match_id)).version > version
