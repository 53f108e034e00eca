"""Somebody who is known at a provider, at a browser without scripts."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
from litestar.testing import TestClient

from projections.platform.declarations import Secret
from projections.platform.settings import Settings
from tests.api.accounts.openid_provider import CLIENT, SECRET
from tests.api.house import settings_in
from tests.api.web.forms import Visitor

LINK: Final = re.compile(r'http-equiv="refresh" content="0;url=([^"]+)"')
REFUSED: Final = "The other side did not say who you are, or what it said does not hold."
AWAY: Final = "The other side cannot be reached just now."


class Comer(Visitor):
    """Somebody at a browser who is known at the provider."""

    def __init__(self, client: TestClient[Any]) -> None:
        super().__init__(client)

    def goes_there(self, form: str = "/sign-in/provider", page: str = "/sign-in") -> str:
        """Presses the button, and is led to the provider, which sends the browser back: the address it is sent to."""
        self.goes(page)
        answer = self.sends(form)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        there = LINK.search(self.text)
        assert there, self.text
        back = httpx.get(unescape(there[1]))
        assert back.status_code == 302, back.text
        return back.headers["location"].removeprefix("http://localhost:8000")

    def comes(self, form: str = "/sign-in/provider", page: str = "/sign-in") -> Any:
        """There and back."""
        return self.arrives(self.goes_there(form, page))

    def arrives(self, path: str) -> Any:
        answer = self.client.get(path)
        self.text = answer.text
        return answer

    @property
    def me(self) -> Any:
        return self.client.get("/api/me").json()["person"]

    def leaves(self) -> None:
        self.client.cookies.clear()
        self.goes("/")


def settings_with(folder: Path, issuer: str) -> Settings:
    return msgspec.structs.replace(
        settings_in(folder),
        openid_issuer=issuer,
        openid_client=CLIENT,
        openid_secret=Secret(SECRET),
        openid_label="Chess Club",
    )
