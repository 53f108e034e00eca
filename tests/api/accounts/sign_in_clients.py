"""Clients without JavaScript, with a software authenticator or an account at a provider."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import socket
import threading
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

import httpx
import msgspec
import uvicorn
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.response import Redirect
from litestar.testing import TestClient
from webauthn.helpers import encode_cbor

from api.accounts.people import PEOPLE, People
from projections.platform.clock import now
from projections.platform.declarations import Secret
from projections.platform.settings import Settings
from tests.api.http.forms import TOKEN, Visitor
from tests.api.service import PASSWORD, settings_in

LINK: Final = re.compile(r'http-equiv="refresh" content="0;url=([^"]+)"')
REFUSED: Final = "The sign-in provider did not confirm who you are. Try again or sign in another way."
AWAY: Final = "The sign-in provider is not responding."


class ProviderClient(Visitor):
    """A client whose person is known at the provider."""

    def __init__(self, client: TestClient[Any]) -> None:
        super().__init__(client)

    def goes_there(self, form: str = "/sign-in/provider", page: str = "/sign-in") -> str:
        """Go to the provider by the button, and return the path to which it redirects back."""
        self.goes(page)
        response = self.sends(form)
        assert response.status_code == 200, response.text
        assert response.headers["cache-control"] == "no-store"
        link = LINK.search(self.text)
        assert link, self.text
        back = httpx.get(unescape(link[1]))
        assert back.status_code == 302, back.text
        return back.headers["location"].removeprefix("http://localhost:8000")

    def comes(self, form: str = "/sign-in/provider", page: str = "/sign-in") -> Any:
        """Go to the provider and back."""
        return self.arrives(self.goes_there(form, page))

    def arrives(self, path: str) -> Any:
        response = self.client.get(path)
        self.text = response.text
        return response

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
WRONG: Final = "No account uses this passkey. Choose another one or sign in another way."
AGAIN: Final = "This took too long or was started in another window. Start again."


class PasskeyClient(Visitor):
    """A client with an authenticator."""

    def __init__(self, client: TestClient[Any]) -> None:
        super().__init__(client)
        self.device = Authenticator()

    def begins(self, path: str) -> Any:
        """Return the WebAuthn options of the service."""
        response = self.client.post(path, data={"_csrf_token": TOKEN.findall(self.text)[0]})
        assert response.status_code == 201, response.text
        assert response.headers["cache-control"] == "no-store"
        return response.json()

    def signs_up(self, account: dict[str, str]) -> None:
        self.goes("/")
        self.sends("/sign-up", account)

    def adds(self, label: str = "") -> Any:
        """Add a passkey to the current account."""
        self.goes("/account")
        credential = self.device.makes(self.begins("/account/passkeys/begin"))
        return self.sends("/account/passkeys", {"credential": credential, "label": label})

    def comes_back(self, answer: Callable[[Any], str] | None = None, **fields: str) -> Any:
        """Sign in with the passkey, or with another response."""
        self.goes("/sign-in")
        options = self.begins("/sign-in/passkey/begin")
        return self.sends("/sign-in/passkey", {"credential": (answer or self.device.signs)(options), **fields})

    @property
    def me(self) -> Any:
        return self.client.get("/api/me").json()["person"]

    def leaves(self) -> None:
        self.client.cookies.clear()
        self.goes("/")


def people_of(holder: Visitor) -> People:
    return PEOPLE.of(holder.client)


def is_refused_with(response: Any, status: int, sentence: str) -> bool:
    return response.status_code == status and sentence in response.text


ORIGIN: Final = "http://localhost:8000"
"""Default origin of a service."""
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def text_of(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(f"{text}===")


class Authenticator:
    """A device with one passkey."""

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
        """Return the response to registration options."""
        self.holder = bytes_of(options["user"]["id"])
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + self._public_key()
        data = self._data(self.flags | ATTESTED) + attested
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": text_of(client_data), "attestationObject": text_of(attestation)})

    def signs(self, options: Any) -> str:
        """Return the response to sign-in options."""
        self.count += 1
        data, client_data = self._data(self.flags), self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": text_of(client_data),
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
        """Return the public key in COSE: EC2 (2), P-256 (1), ES256 (-7)."""
        point = self.key.public_key().public_numbers()
        x, y = point.x.to_bytes(32, "big"), point.y.to_bytes(32, "big")
        return encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})


CLIENT: Final = "esporles"
SECRET: Final = "a secret of theirs"
PATIENCE_SECONDS: Final = 180.0


@dataclass
class AuthorizationRequest:
    """A browser's authorization request, by code."""

    query: dict[str, str]
    is_used: bool = False


@dataclass
class Provider:
    """A fake OpenID provider."""

    port: int
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"}))
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "s-1", "preferred_username": "Ann"})
    lies: dict[str, Any] = field(default_factory=dict)
    """Claims that override the true ones; None omits a claim."""
    algorithm: str = "RS256"
    signing: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)
    refuses: bool = False
    """Whether it redirects back with an error."""
    codes: dict[str, AuthorizationRequest] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """The requested paths."""

    @property
    def issuer(self) -> str:
        return f"http://localhost:{self.port}"

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize?tenant=a",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        } | self.metadata

    def authorize(self, query: dict[str, str]) -> str:
        """Return the path to which the browser is redirected."""
        assert (query["client_id"], query["response_type"], query["code_challenge_method"]) == (CLIENT, "code", "S256")
        assert "openid" in query["scope"].split()
        back = {"state": query["state"], "iss": self.issuer}
        if self.refuses:
            return f"{query['redirect_uri']}?{urlencode(back | {'error': 'access_denied'})}"
        code = f"code-{len(self.codes)}"
        self.codes[code] = AuthorizationRequest(query)
        return f"{query['redirect_uri']}?{urlencode(back | {'code': code, 'session_state': 'whatever'})}"

    def exchange(self, authorization: str, form: dict[str, str]) -> dict[str, Any] | None:
        """Return the tokens for a code, which is valid once."""
        known = b64decode(authorization.removeprefix("Basic ")).decode()
        code = self.codes.get(form.get("code", ""))
        if known != f"{CLIENT}:{SECRET}" or code is None or code.is_used:
            return None
        code.is_used = True
        challenge = urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if challenge != code.query["code_challenge"] or form["redirect_uri"] != code.query["redirect_uri"]:
            return None
        return {"token_type": "Bearer", "access_token": "not for us", "id_token": self.id_token(code.query["nonce"])}

    def id_token(self, nonce: str) -> str:
        at = int(now().timestamp())
        true = {"iss": self.issuer, "aud": CLIENT, "iat": at, "exp": at + 300, "nonce": nonce} | self.person
        claims = {name: value for name, value in (true | self.lies).items() if value is not None}
        header = {"alg": self.algorithm, "kid": "k1"}
        if self.algorithm in {"none", "HS256"}:
            # Tokens that no library signs: unsigned, or with the public key as HMAC secret.
            signing_input = f"{json_text_of(header)}.{json_text_of(claims)}"
            signature = (
                hmac.digest(self.key.as_pem(private=False), signing_input.encode(), "sha256")
                if self.algorithm != "none"
                else b""
            )
            return f"{signing_input}.{urlsafe_b64encode(signature).rstrip(b'=').decode()}"
        return jwt.encode(header, claims, self.signing or self.key, algorithms=[self.algorithm])


def json_text_of(value: Any) -> str:
    return urlsafe_b64encode(msgspec.json.encode(value)).rstrip(b"=").decode()


def application(provider: Provider) -> Litestar:
    @get("/.well-known/openid-configuration")
    async def discovery() -> dict[str, Any]:
        provider.asked.append("discovery")
        return provider.discovery()

    @get("/keys")
    async def keys() -> dict[str, Any]:
        provider.asked.append("keys")
        return {"keys": [{"kty": "strange", "kid": "new"}, *KeySet([provider.key]).as_dict(private=False)["keys"]]}

    @get("/authorize")
    async def authorize(request: Request[Any, Any, Any]) -> Redirect:
        return Redirect(provider.authorize(dict(request.query_params)), status_code=302)

    @post("/token", status_code=200)
    async def token(request: Request[Any, Any, Any]) -> Response[Any]:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        issued = provider.exchange(request.headers.get("authorization", ""), form)
        if issued is None:
            return Response({"error": "invalid_grant"}, status_code=400)
        return Response(issued, media_type=MediaType.JSON)

    return Litestar([discovery, keys, authorize, token], openapi_config=None, logging_config=None)


@contextmanager
def providing() -> Iterator[Provider]:
    """Run the provider in a thread on a free port, until the end of the block."""
    bound = socket.create_server(("127.0.0.1", 0))
    provider = Provider(bound.getsockname()[1])
    config = uvicorn.Config(application(provider), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield provider
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        bound.close()
