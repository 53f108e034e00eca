"""Chats at tables and in events: readers, mutes, moderation and erasure."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION
from api.matches.service import MATCHES
from api.talk.state import TALK
from tests.api.disputes.test_disputes import raises, rules
from tests.api.service import Member, Person, catch_up, make_operator, session_of, settings_in, start_match
from tests.seeding import entropy, next_name
from tests.service_app import create_app

PLAN = {"name": "Cup", "title": "la_granja", "size": 2}


def list_texts(reader: Person, room: str) -> list[str]:
    """Return the texts that a reader sees in a room, latest first."""
    status, body = reader.get(f"/talk/{room}")
    assert status == 200, body
    return [each["words"] for each in body["messages"]]


def says(writer: Person, room: str, words: str) -> str:
    status, message = writer.post(f"/talk/{room}", {"words": words})
    assert status == 201, message
    return str(message["id"])


@pytest.fixture
def zoe(client: TestClient[Any]) -> Member:
    return Member(client, next_name("Zoe"))


@pytest.fixture
def operator(client: TestClient[Any]) -> Member:
    member = Member(client, next_name("Olga"))
    make_operator(client, member.id)
    return member


def test_only_players_read_the_chat_of_their_table(ann: Person, ben: Person, zoe: Member) -> None:
    match_id = start_match(ann, ben)
    room = f"players/{match_id}"
    before = ann.get(f"/matches/{match_id}")[1]

    says(ann, room, "<script>alert(1)</script> ¡Hola!")
    says(ben, room, "Hi")

    assert list_texts(ann, room) == ["Hi", "<script>alert(1)</script> ¡Hola!"]
    assert [zoe.get(f"/talk/{room}")[1]["code"], zoe.post(f"/talk/{room}", {"words": "x"})[1]["code"]] == [
        "talk/not_yours"
    ] * 2
    assert ann.client.get(f"/api/talk/{room}").status_code == 403
    assert ann.get(f"/matches/{match_id}")[1] == before, "the log of the match knows nothing of it"


def test_players_read_the_spectators_chat_only_after_the_match(ann: Person, ben: Person, zoe: Member) -> None:
    match_id = start_match(ann, ben)
    room = f"spectators/{match_id}"
    guest = Person(ann.client)

    says(zoe, room, "Ann should take the die")
    meanwhile = [person.get(f"/talk/{room}")[0] for person in (ann, ben, guest)]
    ann.post(f"/matches/{match_id}/resignation", {})

    assert meanwhile == [403, 403, 403], "a guest may be one of the players"
    assert list_texts(ann, room) == list_texts(guest, room) == list_texts(zoe, room) == ["Ann should take the die"]
    assert guest.post(f"/talk/{room}", {"words": "so did I"})[0] == 403, "only accounts talk there"


def test_the_spectators_chat_of_a_replaced_line_opens_when_the_new_line_ends(
    client: TestClient[Any], ann: Person, ben: Person, zoe: Member, operator: Member
) -> None:
    match_id = start_match(ann, ben)
    for _ in range(4):
        (ann, ben)[ann.get(f"/matches/{match_id}")[1]["toAct"][0]].acts(match_id)
    version = ann.get(f"/matches/{match_id}")[1]["version"]
    room = f"spectators/{match_id}"
    says(zoe, room, "Ann should take the die")
    status, ruled = rules(operator, raises(ann, match_id, version), {"type": "line_resumed", "version": version - 1})
    assert status == 201, ruled

    meanwhile = [person.get(f"/talk/{room}")[0] for person in (ann, ben)]
    line = MATCHES.of(client).writer.matches.get(UUID(match_id)).docket.superseded_by
    ann.post(f"/matches/{line}/resignation", {})

    assert meanwhile == [403, 403]
    assert list_texts(ann, room) == ["Ann should take the die"]


def test_a_table_can_have_no_chat(ann: Person, ben: Person, zoe: Member) -> None:
    match_id = start_match(ann, ben, table={"talk": False})

    answers = [
        ann.post(f"/talk/players/{match_id}", {"words": "x"}),
        zoe.post(f"/talk/spectators/{match_id}", {"words": "x"}),
    ]

    assert [(status, body["code"]) for status, body in answers] == [(409, "talk/off")] * 2
    assert ann.get(f"/talk/players/{match_id}")[1]["isSilent"]


def test_the_chat_of_a_private_table_is_unknown_to_others(ann: Person, ben: Person, zoe: Member) -> None:
    match_id = start_match(ann, ben, table={"public": False})

    assert [zoe.get(f"/talk/{kind}/{match_id}")[0] for kind in ("players", "spectators")] == [404, 404]
    assert ann.get(f"/talk/players/{match_id}")[0] == 200


def test_phrases_are_localised_for_each_reader(ann: Person, ben: Person) -> None:
    room = f"players/{start_match(ann, ben)}"

    assert ann.post(f"/talk/{room}", {"phrase": "well_played"})[0] == 201

    client = ben.client
    client.cookies = {SESSION: session_of(client, ben.id)}

    def read(language: str) -> str:
        page = client.get(f"/talk/{room}", headers={"Accept-Language": language}).text
        return page.partition('<span class="said-words">')[2].partition("<")[0]

    assert len({read(language) for language in ("en", "de", "cs", "pl", "uk")}) == 5
    assert read("de") == "Gut gespielt!"
    assert ben.get(f"/talk/{room}")[1]["messages"][0]["phrase"] == "well_played"
    assert ann.post(f"/talk/{room}", {"phrase": "curse"})[1]["code"] == "talk/refused"
    assert ann.post(f"/talk/{room}", {"phrase": "thanks", "words": "and more"})[1]["code"] == "talk/refused"


@pytest.mark.parametrize("words", ["", " \n", "x" * 501, "\n".join("x" * 9)])
def test_an_invalid_message_is_rejected(ann: Person, ben: Person, words: str) -> None:
    room = f"players/{start_match(ann, ben)}"

    status, body = ann.post(f"/talk/{room}", {"words": words})

    assert (status, body["code"]) == (422, "talk/refused")
    assert list_texts(ann, room) == []


def test_a_repeated_message_is_rejected(ann: Person, ben: Person) -> None:
    room = f"players/{start_match(ann, ben)}"
    says(ann, room, "Your turn")

    assert ann.post(f"/talk/{room}", {"words": "Your turn"})[1]["code"] == "talk/said_already"
    assert list_texts(ben, room) == ["Your turn"]


def test_messages_are_rate_limited(tmp_path: Any) -> None:
    settings = settings_in(tmp_path)
    assert settings.messages_per_minute == 20
    with TestClient(create_app(settings, entropy())) as client:
        ann, ben = Person(client), Person(client)
        first, second = (f"players/{start_match(ann, ben)}" for _ in range(2))
        for number in range(20):
            says(ann, (first, second)[number % 2], f"{number}")
        # The allowance grows while a slow machine sends.
        more = (client.post(f"/api/talk/{first}", json={"words": "more"}, headers=ann.headers) for _ in range(20))
        response = next(each for each in more if each.status_code != 201)

        assert (response.status_code, "too many messages" in response.json()["detail"]) == (429, True)
        assert int(response.headers["Retry-After"]) > 0
        assert len(list_texts(ben, first)) == 10
        says(ben, first, "calm down")


def test_messages_of_a_muted_person_are_hidden_without_their_knowledge(ann: Person, ben: Person) -> None:
    room = f"players/{start_match(ann, ben)}"
    says(ben, room, "What a silly move")

    status, _ = put(ann, f"/talk/boundaries/{ben.id}", {"kind": "mute"})
    hears, is_heard = list_texts(ann, room), list_texts(ben, room)
    known = ann.get("/talk/boundaries")[1]
    assert ann.delete(f"/talk/boundaries/{ben.id}")[0] == 204

    assert (status, hears, is_heard) == (204, [], ["What a silly move"])
    assert [(each["person"]["id"], each["kind"]) for each in known] == [(ben.id, "mute")]
    assert list_texts(ann, room) == ["What a silly move"]
    assert put(ann, f"/talk/boundaries/{ann.id}", {})[1]["code"] == "talk/refused"
    assert put(ann, "/talk/boundaries/nobody", {})[0] == 404


def put(person: Person, path: str, wanted: Any) -> tuple[int, Any]:
    response = person.client.put(f"/api{path}", json=wanted, headers=person.headers)
    return response.status_code, response.json() if response.content else None


def test_mentions_are_stored_unless_the_sender_is_muted(ann: Person, ben: Person, zoe: Member) -> None:
    match_id = start_match(zoe, ben)
    talk = TALK.of(ann.client)
    before = [mention.number for mention in talk.store.mentions_after(0, 1_000)]
    last = before[-1] if before else 0
    name = ben.get("/me")[1]["person"]["name"]

    message_id = says(zoe, f"players/{match_id}", f"@{name}, it is you; @nobody and @{zoe.name} are not")
    put(ben, f"/talk/boundaries/{zoe.id}", {"kind": "mute"})
    says(zoe, f"players/{match_id}", f"@{name} still")

    mentions = talk.store.mentions_after(last)
    assert [(each.person, each.by, each.message) for each in mentions] == [(ben.id, zoe.id, message_id)]
    assert mentions[0].room.about == UUID(match_id)


def test_officials_remove_a_reported_message_with_a_record(
    ann: Person, ben: Person, zoe: Member, operator: Member
) -> None:
    match_id = start_match(ann, ben)
    room = f"players/{match_id}"
    says(ann, room, "before")
    bad = says(ben, room, "Something unspeakable")

    assert zoe.post(f"/talk/messages/{bad}/reports", {"reason": "x"})[0] == 403, "who cannot read it"
    assert ann.post(f"/talk/messages/{bad}/reports", {"reason": "Insults me"})[0] == 204
    assert ann.get("/talk/reports")[0] == 403
    waiting = operator.get("/talk/reports")[1]
    assert [(each["message"]["words"], each["reason"], each["by"]["id"]) for each in waiting][-1:] == [
        ("Something unspeakable", "Insults me", ann.id)
    ]
    assert ben.post(f"/talk/messages/{bad}/removal", {"reason": "mine"})[0] == 403
    assert operator.post(f"/talk/messages/{bad}/removal", {"reason": "An insult"})[0] == 204

    shown = ann.get(f"/talk/{room}")[1]["messages"][0]
    assert (shown["words"], shown["isRemoved"], shown["person"]["id"]) == ("", True, ben.id)
    assert bad not in {each["message"]["id"] for each in operator.get("/talk/reports")[1]}
    catch_up(ann.client)
    line = operator.get("/audit")[1]["lines"][0]
    assert (line["kind"], line["details"]["author"], line["details"]["reason"], line["matchId"]) == (
        "message_removed",
        ben.id,
        "An insult",
        match_id,
    )
    assert "unspeakable" not in json.dumps(line)


def test_exports_of_a_chat_are_recorded(ann: Person, ben: Person, operator: Member) -> None:
    match_id = start_match(ann, ben)
    room = f"players/{match_id}"
    says(ann, room, "¡Hola!")

    response = operator.client.get(f"/api/talk/{room}/file", headers=operator.headers)
    by_player = ann.get(f"/talk/{room}/file")

    assert [json.loads(line)["words"] for line in response.text.splitlines()] == ["¡Hola!"]
    assert by_player[0] == 403
    catch_up(ann.client)
    line = operator.get("/audit")[1]["lines"][0]
    assert (line["kind"], line["details"]["room"], line["details"]["messages"]) == ("talk_exported", room, 1)


def test_an_official_who_plays_cannot_moderate(ann: Person, operator: Member) -> None:
    match_id = start_match(ann, operator)
    bad = says(ann, f"players/{match_id}", "Hm")
    operator.post(f"/talk/messages/{bad}/reports", {})

    assert operator.post(f"/talk/messages/{bad}/removal", {"reason": "x"})[0] == 403
    assert operator.get(f"/talk/players/{match_id}/file")[0] == 403


def test_officials_can_dismiss_a_report(ann: Person, ben: Person, operator: Member) -> None:
    bad = says(ben, f"players/{start_match(ann, ben)}", "Meh")
    ann.post(f"/talk/messages/{bad}/reports", {})

    assert operator.delete(f"/talk/messages/{bad}/reports")[0] == 204
    assert bad not in {each["message"]["id"] for each in operator.get("/talk/reports")[1]}


def test_the_entrants_of_an_event_talk_with_its_officials(ann: Person, ben: Person, operator: Member) -> None:
    event = operator.post("/tournaments", {"plan": PLAN})[1]["eventId"]
    room = f"entrants/{event}"
    ann.post(f"/tournaments/{event}/entries", {})

    says(ann, room, "When do we begin?")
    bad = says(operator, room, "At ten.")

    assert list_texts(ann, room) == list_texts(operator, room) == ["At ten.", "When do we begin?"]
    assert ben.get(f"/talk/{room}")[0] == 403
    assert ann.get(f"/talk/entrants/{UUID(int=1)}")[0] == 404
    assert ann.post(f"/talk/messages/{bad}/reports", {})[0] == 204
    assert [each["event"] for each in operator.get("/talk/reports")[1]][-1:] == [event]


def test_erasing_a_person_deletes_their_messages(ann: Person, ben: Person, zoe: Member) -> None:
    match_id = start_match(zoe, ben)
    room = f"players/{match_id}"
    says(zoe, room, "Goodbye")
    bens = says(ben, room, "Bye")
    put(zoe, f"/talk/boundaries/{ann.id}", {"kind": "block"})
    zoe.post(f"/talk/messages/{bens}/reports", {"reason": "too short"})

    assert zoe.delete("/me")[0] == 204

    assert list_texts(ben, room) == ["Bye"]
    store = TALK.of(ann.client).store
    tables = {"messages": "person", "mentions": "person", "boundaries": "person", "reports": "person"}
    rows = {table: store.rows(f"SELECT 1 FROM {table} WHERE {column} = ?", zoe.id) for table, column in tables.items()}
    assert list(rows.values()) == [[]] * len(tables)
