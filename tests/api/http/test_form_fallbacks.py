"""Loading the address of a form with GET redirects to a page with the form."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from api.http.guards import API_PATH

EXAMPLE = "00000000-0000-0000-0000-000000000001"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/account/tokens", "/account"),
        ("/account/keys/give-up", "/account/keys"),
        ("/play", "/"),
        (f"/tables/{UUID(int=1)}/sit", f"/tables/{UUID(int=1)}"),
        ("/sign-in/passkey/begin", "/sign-in"),
    ],
)
def test_a_form_address_redirects_to_its_page(client: TestClient[Any], path: str, target: str) -> None:
    visited, response = {path}, client.get(path, follow_redirects=False)
    while (
        response.status_code == 303
        and response.headers["location"] not in visited
        and response.headers["location"] != target
    ):
        visited.add(response.headers["location"])
        response = client.get(response.headers["location"], follow_redirects=False)

    assert (response.status_code, response.headers["location"]) == (303, target)


def test_no_page_address_answers_405_to_a_browser(client: TestClient[Any]) -> None:
    """The target may ask for a sign-in or be missing."""
    paths = {
        "".join(f"/{each if isinstance(each, str) else EXAMPLE}" for each in route.path_components)
        for route in client.app.routes
        if isinstance(route, HTTPRoute) and "POST" in route.methods and not route.path.startswith(API_PATH)
    }
    assert len(paths) > 100
    refused = {path for path in sorted(paths) if client.get(path, follow_redirects=False).status_code == 405}

    assert refused == set()


def test_the_api_answers_405_with_the_allowed_methods(client: TestClient[Any]) -> None:
    response = client.get("/api/accounts", follow_redirects=False)

    assert (response.status_code, response.headers["allow"]) == (405, "OPTIONS, POST")
