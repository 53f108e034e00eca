"""People without scripts at a browser, with an authenticator of software or an account at a provider."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from litestar.testing import TestClient
from webauthn.helpers import encode_cbor

from api.accounts.people import PEOPLE, People
from projections.platform.declarations import Secret
from projections.platform.settings import Settings
from tests.api.accounts.openid_provider import CLIENT, SECRET
from tests.api.house import PASSWORD, settings_in
from tests.api.http.forms import TOKEN, Visitor

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


ORIGIN: Final = "http://localhost:8000"
"""Where a service stands that was told nothing else."""
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def text_of(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(f"{text}===")


class Authenticator:
    """One device with one passkey: what it says of itself, and what it signs with."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential = secrets.token_bytes(16)
        self.count = 0
        self.domain = "localhost"
        self.origin = ORIGIN
        self.flags = PRESENT | VERIFIED
        self.holder = b""

    @property
    def id(self) -> str:
        return text_of(self.credential)

    def makes(self, options: Any) -> str:
        """The answer to what the service asks where a passkey is to be made."""
        self.holder = bytes_of(options["user"]["id"])
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + self._public_key()
        data = self._data(self.flags | ATTESTED) + attested
        made = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._client_data("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": text_of(said), "attestationObject": text_of(made)})

    def signs(self, options: Any) -> str:
        """The answer to what the service asks where somebody signs in."""
        self.count += 1
        data, said = self._data(self.flags), self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": text_of(said),
                "authenticatorData": text_of(data),
                "signature": text_of(signature),
                "userHandle": text_of(self.holder),
            }
        )

    def _answer(self, response: dict[str, str]) -> str:
        return json.dumps({"id": self.id, "rawId": self.id, "type": "public-key", "response": response})

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.domain.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _public_key(self) -> bytes:
        """In COSE: an elliptic curve (2) of P-256 (1), for ES256 (-7)."""
        point = self.key.public_key().public_numbers()
        x, y = point.x.to_bytes(32, "big"), point.y.to_bytes(32, "big")
        return encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
