"""Typed values of the application."""

from __future__ import annotations

from typing import Any, Final

import pytest
from litestar import Litestar, Request, get
from litestar.testing import TestClient

from api.http.app_state import AppKey, lifetime

NUMBER: Final = AppKey[int]("number")


@get("/number")
async def number(request: Request[Any, Any, Any]) -> int:
    return NUMBER.of(request)


def test_a_value_is_found_from_the_application_a_client_and_a_request() -> None:
    app = Litestar([number])

    assert NUMBER.put(app, 7) == 7

    with TestClient(app) as client:
        assert (NUMBER.of(app), NUMBER.of(client), client.get("/number").json()) == (7, 7, 7)


def test_a_second_value_of_the_same_name_is_refused() -> None:
    app = Litestar([])
    NUMBER.put(app, 7)

    with pytest.raises(RuntimeError, match="already holds a value named number"):
        AppKey[str]("number").put(app, "eight")

    assert NUMBER.of(app) == 7


def test_only_an_existing_value_can_be_replaced() -> None:
    app = Litestar([])
    with pytest.raises(LookupError, match="holds no value named number"):
        NUMBER.replace(app, 8)
    NUMBER.put(app, 7)

    NUMBER.replace(app, 8)

    assert NUMBER.of(app) == 8


def test_a_missing_value_is_named() -> None:
    with pytest.raises(LookupError, match="holds no value named number"):
        NUMBER.of(Litestar([]))


def test_an_application_can_start_again_after_its_lifetime() -> None:
    app = Litestar([])
    AppKey[str]("made").put(app, "at first")

    for value in (7, 8):
        with lifetime(app):
            NUMBER.put(app, value)

    assert dict(app.state) == {"made": "at first"}
