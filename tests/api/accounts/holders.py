"""Somebody with an authenticator beside a browser without scripts, and what is looked for in answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from litestar.testing import TestClient

from api.accounts.people import PEOPLE, People
from tests.api.accounts.authenticator import Authenticator
from tests.api.house import PASSWORD
from tests.api.web.forms import TOKEN, Visitor

ANN: Final = {"name": "Ann", "password": PASSWORD}
BEN: Final = {"name": "Ben", "password": PASSWORD}
WRONG: Final = "This passkey does not open an account here."
AGAIN: Final = "This took too long, or was begun in another window. Begin again."


class Holder(Visitor):
    """Somebody at a browser with an authenticator beside it."""

    def __init__(self, client: TestClient[Any]) -> None:
        super().__init__(client)
        self.device = Authenticator()

    def begins(self, path: str) -> Any:
        """What the service asks the authenticator."""
        answer = self.client.post(path, data={"_csrf_token": TOKEN.findall(self.text)[0]})
        assert answer.status_code == 201, answer.text
        assert answer.headers["cache-control"] == "no-store"
        return answer.json()

    def signs_up(self, account: dict[str, str]) -> None:
        self.goes("/")
        self.sends("/sign-up", account)

    def adds(self, label: str = "") -> Any:
        """A passkey for the account one is signed in to."""
        self.goes("/account")
        made = self.device.makes(self.begins("/account/passkeys/begin"))
        return self.sends("/account/passkeys", {"credential": made, "label": label})

    def comes_back(self, answer: Callable[[Any], str] | None = None, **fields: str) -> Any:
        """Signs in by the passkey, or by another answer."""
        self.goes("/sign-in")
        asked = self.begins("/sign-in/passkey/begin")
        return self.sends("/sign-in/passkey", {"credential": (answer or self.device.signs)(asked), **fields})

    @property
    def me(self) -> Any:
        return self.client.get("/api/me").json()["person"]

    def leaves(self) -> None:
        self.client.cookies.clear()
        self.goes("/")


def people_of(holder: Visitor) -> People:
    return PEOPLE.of(holder.client)


def refused(answer: Any, status: int, sentence: str) -> bool:
    return answer.status_code == status and sentence in answer.text
