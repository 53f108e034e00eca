"""Display preferences are stored in the account or the browser, and never affect shared HTML."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.cookies import SESSION
from api.http.languages import time_element, time_element_for_all, use_language
from api.http.preferences import CHOICES, Preferences, attributes_of, decode_preferences, encode_preferences
from api.quick.pairing import PAIRING
from api.site.pages.pictures import PICTURES, PictureKey
from tests.api.service import PASSWORD, Person, start_match

TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')
ROOT = re.compile(r"<html [^>]*>")
AT = datetime(2031, 5, 4, 14, 5, tzinfo=UTC)


def root_of(client: TestClient[Any], path: str = "/preferences") -> str:
    found = ROOT.search(client.get(path).text)
    assert found
    return found[0]


def sends(client: TestClient[Any], path: str, **fields: str) -> Any:
    token = TOKEN.search(client.get("/preferences").text)
    assert token is not None
    return client.post(path, data={"_csrf_token": token[1], **fields}, follow_redirects=False)


def test_every_preference_survives_encoding() -> None:
    assert {"language", *CHOICES} == set(Preferences.__struct_fields__)
    for name, values in CHOICES.items():
        for value in values:
            chosen = msgspec.convert({name: value}, Preferences)
            assert decode_preferences(encode_preferences(chosen)) == chosen
            assert attributes_of(chosen) == ({} if chosen == Preferences() else {name: value})


@pytest.mark.parametrize(
    "word", ["sound-loud", "sound", "wish-1", "-", "....", "sound-", "language-", "language-x1", "\x00", "a" * 10_000]
)
def test_unknown_preferences_are_ignored(word: str) -> None:
    assert decode_preferences(word) == Preferences()
    assert decode_preferences(f"motion-off.{word[:300]}").motion == "off"


def test_preferences_of_anonymous_readers_are_in_cookies_and_validated(client: TestClient[Any]) -> None:
    answer = sends(client, "/preferences", motion="off", language="cs", theme="dark", hours="12")

    assert (answer.status_code, answer.headers["location"]) == (303, "/preferences?kept=true")
    assert root_of(client) == '<html lang="cs" data-theme="dark" data-motion="off" data-hours="12">'
    assert sends(client, "/preferences", motion="sideways").status_code == 400
    assert sends(client, "/preferences", language="tlh").status_code == 400
    sends(client, "/preferences")
    assert root_of(client) == '<html lang="en">'


def test_preferences_move_from_guest_to_account_and_to_every_browser(client: TestClient[Any]) -> None:
    sends(client, "/language", language="pl")
    sends(client, "/guest")
    sends(client, "/preferences", sound="all", language="pl")
    sends(client, "/sign-up", name="Preferring Pia", password=PASSWORD)
    sends(client, "/appearance", theme="light")
    client.cookies.clear()
    assert root_of(client) == '<html lang="en">'

    sends(client, "/sign-in", name="Preferring Pia", password=PASSWORD)

    assert root_of(client) == '<html lang="pl" data-theme="light" data-sound="all">'
    sends(client, "/sign-out")
    assert root_of(client) == '<html lang="en">', "the browser belongs to somebody else"


def test_a_guest_is_named_in_the_language_of_the_account(client: TestClient[Any]) -> None:
    sends(client, "/guest")
    sends(client, "/preferences", language="en")
    client.cookies.delete("language")
    client.cookies.set("language", "uk")

    page = client.get("/preferences").text

    assert '<html lang="en"' in page
    assert re.findall(r'<span class="who">(\w+) [0-9a-f]{6}</span>', page) == ["Guest"]


def test_signing_up_keeps_the_browsers_preferences(client: TestClient[Any]) -> None:
    sends(client, "/preferences", density="compact")
    sends(client, "/sign-up", name="Preferring Pau", password=PASSWORD)
    client.cookies.clear()

    sends(client, "/sign-in", name="Preferring Pau", password=PASSWORD)

    assert root_of(client) == '<html lang="en" data-density="compact">'


def test_a_new_guest_keeps_the_browsers_preferences(client: TestClient[Any]) -> None:
    sends(client, "/preferences", presence="hidden")
    sends(client, "/quick", pool="el_grande.2.match-600-20.casual")
    (preferences,) = [person.preferences for person in [PEOPLE.of(client).find(waits(client))] if person]

    assert preferences == "presence-hidden"


def waits(client: TestClient[Any]) -> str:
    """Return the guest who waits for a table."""
    ((person, *_),) = PAIRING.of(client).store.rows("SELECT person FROM pooled")
    return str(person)


def test_a_table_is_rendered_once_for_readers_with_different_preferences(client: TestClient[Any]) -> None:
    ann, ben = Person(client), Person(client)
    match_id = start_match(ann, ben)
    people = PEOPLE.of(client)
    (_, drawn_before) = PICTURES.of(client).count_uses()
    pages = []
    for word in (None, "motion-off.hours-12", "motion-off.hours-12.language-de"):
        outsider = people.create_guest(AT)
        if word:
            people.store_preferences(outsider.id, word)
        client.cookies.clear()
        client.cookies.set(SESSION, people.access.start_session(outsider, datetime.now(UTC)))
        pages.append(client.get(f"/tables/{match_id}").text)

    assert [ROOT.findall(page)[0] for page in pages] == [
        '<html lang="en">',
        '<html lang="en" data-motion="off" data-hours="12">',
        '<html lang="de" data-motion="off" data-hours="12">',
    ]
    assert PICTURES.of(client).count_uses()[1] - drawn_before == 2, "one for each language"
    assert not {"motion", "hours"} & set(PictureKey._fields)


@pytest.mark.parametrize(("hours", "expected"), [("usual", "14:05"), ("12", "2:05 pm"), ("24", "14:05")])
def test_times_follow_the_preference_and_shared_times_have_every_format(hours: Any, expected: str) -> None:
    with use_language("en", hours):
        assert expected in time_element(AT)
        for_all = time_element_for_all(AT)
        assert time_element(AT).striptags().count(expected) == 1

    assert re.search(f'<span class="hours-{hours}"><time [^>]*>4 May 2031 {expected} UTC</time></span>', for_all)
    with use_language("cs", "12"):
        assert "2:05" in time_element(AT)
