"""Cursors of rankings and histories: pages without loss, and refusals that name the parameter."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.ratings.ladder import month_of, period_of
from projections.platform.clock import now
from tests.api.growing_site import ASKED, ASKED_MATCHES, fill_site
from tests.api.service import settings_in
from tests.service_app import create_app

RANKING: Final = "/api/rankings/el_grande/4"
HISTORY: Final = f"/api/players/{ASKED}"
COUNT: Final = 40


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Any]]:
    settings = settings_in(tmp_path_factory.mktemp("cursors"))
    with TestClient(create_app(settings)) as client:
        fill_site(settings, COUNT)
        yield client


def pages(client: TestClient[Any], path: str, field: str, limit: int, **query: str) -> list[Any]:
    """Return the items of all pages."""
    found, cursor = list[Any](), None
    while True:
        parameters = {"limit": limit} | query | ({} if cursor is None else {"before": cursor})
        response = client.get(path, params=parameters)
        assert response.status_code == 200, response.text
        found += response.json()[field]
        cursor = response.json()["next"]
        if cursor is None:
            return found


def text_of(cursor: str) -> str:
    return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()


def cursor_of(content: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


@pytest.mark.parametrize("month", ["", month_of(period_of(now()) - 3)])
def test_pages_of_a_ranking_equal_the_whole_list(site: TestClient[Any], month: str) -> None:
    whole = pages(site, RANKING, "people", 100, month=month)

    assert len(whole) > 20
    assert pages(site, RANKING, "people", 3, month=month) == whole
    lines = site.get(f"{RANKING}/list.csv", params={"month": month}).text.splitlines()
    bots = site.get(RANKING, params={"month": month}).json()["bots"]
    assert len(lines) == 1 + len(whole) + len(bots)


def test_pages_of_a_history_equal_the_whole_one(site: TestClient[Any]) -> None:
    whole = pages(site, HISTORY, "history", 100)

    assert len(whole) == ASKED_MATCHES
    assert pages(site, HISTORY, "history", 2) == whole
    assert whole == sorted(whole, key=lambda move: str(move["endedAt"]), reverse=True)


def test_a_cursor_contains_no_match(site: TestClient[Any]) -> None:
    """A match can be private, and its id is then named only to its players."""
    page = site.get(HISTORY, params={"limit": 2}).json()

    (of, (ended, seen)) = json.loads(text_of(page["next"]))

    assert of.startswith("history ")
    assert (isinstance(ended, int), seen) == (True, 1)
    assert str(UUID(page["history"][-1]["matchId"])) not in text_of(page["next"])


BAD: Final = {
    "17": "an integer, as in former versions",
    "": "nothing",
    "é": "another alphabet",
    "%00": "a character that no cursor has",
    "bm8": "no JSON",
    cursor_of(["ranking la_granja 4 ", [0, 0, -1000, "x"]]): "another ranking",
    cursor_of(["ranking el_grande 4 2026-01", [0, 0, -1000, "x"]]): "another month",
    cursor_of(["ranking el_grande 4 ", [3, 0, -1000, "x"]]): "no such part",
    cursor_of(["ranking el_grande 4 ", [0, 0, 2**63, "x"]]): "a number that no database stores",
    cursor_of(["ranking el_grande 4 ", [0, 0, -1000, "x", 1]]): "too many fields",
    cursor_of(["history ann", [1, 1]]): "another list",
    cursor_of(["x" * 500, []]): "too long",
}


@pytest.mark.parametrize("cursor", BAD, ids=BAD.values())
@pytest.mark.parametrize("path", [RANKING, "/rankings/el_grande/4", HISTORY])
def test_a_bad_cursor_is_refused_with_its_parameter(site: TestClient[Any], path: str, cursor: str) -> None:
    response = site.get(path, params={"before": cursor}, headers={"Accept": "application/json"})

    assert response.status_code == 400, response.text
    if path.startswith("/api"):
        assert [fault["path"] for fault in response.json()["errors"]] == ["before"]
    else:
        assert "before" in response.text
