"""The reader's turns: shown in the head of every page, and first in the list of own tables."""

import re
from datetime import timedelta
from typing import Any

import pytest
from litestar.testing import TestClient

from api.http.cookies import SESSION
from api.matches.pages.terms import describe_time_left
from api.site.pages.lobby import OWN_SHOWN
from tests.api.service import Person, catch_up, start_match
from tests.api.site.test_table_pages import Guest
from tests.projections.tables import START


@pytest.fixture
def client(own_client: TestClient[Any]) -> TestClient[Any]:
    """Use a separate service, so that counts are exact."""
    return own_client


def test_turns_are_shown_only_to_their_player(client: TestClient[Any], ann: Person) -> None:
    visitor = Guest(client)
    match_id = visitor.plays_against(ann)
    visitor.until_asked(match_id, ann)
    catch_up(client)

    assert f'href="/tables/{match_id}"' in visitor.goes("/turns")
    assert 'data-count="1"' in visitor.text
    assert visitor.text.count("Guest ") == 1, "the other one"
    assert 'class="badge good">Your turn' in visitor.goes("/")
    session = client.cookies.pop(SESSION)
    assert "/tables/" not in visitor.goes("/turns"), "told to nobody else"
    client.cookies.set(SESSION, session)

    visitor.goes(f"/tables/{match_id}")
    assert visitor.sends(f"/tables/{match_id}/resign").status_code == 200
    catch_up(client)

    assert "/tables/" not in visitor.goes("/turns")
    assert 'class="badge good">Your turn' not in visitor.goes("/")


def test_tables_waiting_for_the_reader_are_listed_first(client: TestClient[Any], ann: Person) -> None:
    visitor = Guest(client)
    waiting = visitor.plays_against(ann)
    visitor.until_asked(waiting, ann)
    visitor.sends("/tables", {"seats": "2"})
    newest = re.findall(r"/tables/([0-9a-f-]{36})", visitor.text)[0]
    catch_up(client)

    page = visitor.goes("/")

    assert page.index(f'href="/tables/{waiting}"') < page.index(f'href="/tables/{newest}"')


def test_own_tables_are_listed_by_the_time_left(client: TestClient[Any], ann: Person, ben: Person) -> None:
    clock = {"kind": "correspondence", "seconds": 0}
    slow, fast = (start_match(ann, ben, table={"clock": clock | {"seconds": days * 86_400}}) for days in (3, 1))
    catch_up(client)

    reader = ann if ann.legal(slow)["actions"] else ben
    page = client.get("/", headers=reader.headers).text

    assert page.index(f'href="/tables/{fast}"') < page.index(f'href="/tables/{slow}"')
    assert "<b>23 hours left</b>" in page
    assert "<b>2 days left</b>" in page


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 minutes left"),
        (90, "1 minute left"),
        (7_199, "119 minutes left"),
        (7_200, "2 hours left"),
        (172_799, "47 hours left"),
        (172_800, "2 days left"),
    ],
)
def test_the_time_left_is_in_the_largest_unit_of_which_two_are_left(seconds: int, words: str) -> None:
    assert describe_time_left(START + timedelta(seconds=seconds), START) == words


def test_own_tables_are_paginated(client: TestClient[Any], ann: Person) -> None:
    tables = [ann.opens() for _ in range(OWN_SHOWN + 1)]
    for match_id in tables:
        ann.sits(match_id, 0)
    catch_up(client)

    def own_part(path: str) -> str:
        return str(client.get(path, headers=ann.headers).text).partition('id="own"')[2].partition("</section>")[0]

    first = own_part("/")
    rest = own_part(re.findall(r'href="(/tables\?own=[0-9]+)"', first)[0])

    assert [match_id for match_id in tables if f"/tables/{match_id}" not in first] == tables[:1]
    assert [match_id for match_id in tables if f"/tables/{match_id}" in rest] == tables[:1]
    assert "?own=" not in rest
