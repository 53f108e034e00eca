"""Browser keys are never used for bot accounts."""

from __future__ import annotations

from typing import Any

import pytest
from litestar.testing import TestClient

from api.http.languages import _, use_language
from api.http.refusals import SENTENCES
from tests.api.http.forms import Visitor
from tests.api.service import PASSWORD, Member
from tests.seeding import next_name
from tests.signing import Pen

BROWSERS = Pen("the browser of its owner").key
PROGRAMS = Pen("the program").key


def sign_in(client: TestClient[Any], name: str) -> Visitor:
    visitor = Visitor(client)
    visitor.goes("/sign-in")
    visitor.sends("/sign-in", {"name": name, "password": PASSWORD})
    return visitor


@pytest.fixture
def opener(client: TestClient[Any]) -> Member:
    return Member(client, next_name("Cleo"))


@pytest.fixture
def member(client: TestClient[Any]) -> Member:
    """Return a member without a bot account."""
    return Member(client, next_name("Late"))


@pytest.fixture
def program(client: TestClient[Any]) -> Member:
    """Return a bot account."""
    member = Member(client, next_name("Engine"))
    assert member.post("/me/bot", {})[0] == 204
    return member


def keys_of(person: Member) -> list[str]:
    return [each["key"] for each in person.get("/me/keys")[1]["keys"]]


def test_a_rejected_table_registers_no_key(client: TestClient[Any], program: Member) -> None:
    visitor = sign_in(client, program.name)

    refusal = visitor.sends("/play", {"title": "la_granja", "key": BROWSERS})

    assert refusal.status_code == 403
    assert keys_of(program) == []


@pytest.mark.parametrize("language", ["en", "de", "cs", "uk", "pl"])
def test_errors_are_localised_and_contain_no_id(
    client: TestClient[Any], opener: Member, program: Member, language: str
) -> None:
    visitor = sign_in(client, program.name)

    refusal = visitor.sends("/play", {"title": "la_granja"}, {"Accept-Language": language})
    hints = {"title": "la_granja", "seats": "2", "hints": "true", "seat_2": ""}
    form = visitor.sends("/tables", hints, {"Accept-Language": language})
    plan = {"name": "Cup", "title": "la_granja", "size": 2}
    event = opener.post("/tournaments", {"plan": plan})[1]["eventId"]
    entry = visitor.sends(f"/events/{event}/enter", {}, {"Accept-Language": language})

    with use_language(language):
        assert str(_(SENTENCES["seat/no_bots"])) in refusal.text
        assert str(_(SENTENCES["hints/needs_bots"])) in form.text
        assert _(SENTENCES["event/no_bots"], name=program.name) in entry.text
    for answer in (refusal, form, entry):
        assert 'lang="en">' not in answer.text.partition("<main")[2] or language == "en"
    for answer in (refusal, entry):
        assert program.id not in answer.text


def test_a_taken_seat_registers_no_key(client: TestClient[Any], opener: Member, member: Member) -> None:
    match_id = opener.opens(2)
    opener.sits(match_id, 0)
    visitor = sign_in(client, member.name)

    refusal = visitor.sends(f"/tables/{match_id}/sit", {"seat": "0", "key": BROWSERS})

    assert refusal.status_code == 409
    assert keys_of(member) == []
    assert visitor.sends(f"/tables/{match_id}/sit", {"seat": "1", "key": BROWSERS}).status_code in (200, 303)
    assert keys_of(member) == [BROWSERS]


@pytest.mark.parametrize("by_page", [True, False])
def test_becoming_a_bot_account_gives_up_browser_keys(
    client: TestClient[Any], opener: Member, member: Member, by_page: bool
) -> None:
    """The program does not have these keys; it continues unsigned or registers its own."""
    assert member.post("/me/keys", {"key": BROWSERS})[0] == 201
    if by_page:
        sign_in(client, member.name).sends("/account/bot")
    else:
        member.post("/me/bot", {})
    match_id = opener.opens(2, table={"programs": True})
    member.sits(match_id, 1)

    assert member.get("/me")[1]["role"] == "bot"
    assert keys_of(member) == []
    assert member.post(f"/matches/{match_id}/ready", {})[0] == 201
    assert member.post("/me/keys", {"key": PROGRAMS})[0] == 201


def test_a_browser_cannot_register_a_key_for_a_bot_account(
    client: TestClient[Any], opener: Member, program: Member
) -> None:
    visitor = sign_in(client, program.name)
    match_id = opener.opens(2, table={"programs": True})
    assert 'action="/account/keys" data-register' not in visitor.goes("/account/keys")

    assert visitor.sends("/account/keys", {"key": BROWSERS}).status_code == 403
    assert visitor.sends(f"/tables/{match_id}/sit", {"seat": "1", "key": BROWSERS}).status_code in (200, 303)
    assert visitor.sends(f"/tables/{match_id}/key", {"key": BROWSERS}).status_code == 403
    share = visitor.sends(f"/tables/{match_id}/share", {"commitment": "ab" * 32, "key": BROWSERS})
    assert share.status_code in (200, 303, 409), share.text
    assert keys_of(program) == []
