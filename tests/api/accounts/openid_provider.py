"""A small provider of identities behind a real socket: it says whatever a test wants it to say."""

from __future__ import annotations

import hashlib
import hmac
import socket
import threading
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

import msgspec
import uvicorn
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.response import Redirect

from api.http.clock import now

CLIENT: Final = "esporles"
SECRET: Final = "a secret of theirs"
PATIENCE_SECONDS: Final = 180.0


@dataclass
class Asked:
    """What a browser came with, for one code."""

    query: dict[str, str]
    is_used: bool = False


@dataclass
class Provider:
    """Who says they are whom, and how truly."""

    port: int
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k1", "use": "sig"}))
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "s-1", "preferred_username": "Ann"})
    lies: dict[str, Any] = field(default_factory=dict)
    """Claims that are put over the true ones; `None` leaves one out."""
    algorithm: str = "RS256"
    signing: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)
    refuses: bool = False
    """Whether it sends people back with an error."""
    codes: dict[str, Asked] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for."""

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
        """Where the browser is sent back to."""
        assert (query["client_id"], query["response_type"], query["code_challenge_method"]) == (CLIENT, "code", "S256")
        assert "openid" in query["scope"].split()
        back = {"state": query["state"], "iss": self.issuer}
        if self.refuses:
            return f"{query['redirect_uri']}?{urlencode(back | {'error': 'access_denied'})}"
        code = f"code-{len(self.codes)}"
        self.codes[code] = Asked(query)
        return f"{query['redirect_uri']}?{urlencode(back | {'code': code, 'session_state': 'whatever'})}"

    def exchange(self, authorization: str, form: dict[str, str]) -> dict[str, Any] | None:
        """The tokens for a code; each is good once, for who asked for it."""
        known = b64decode(authorization.removeprefix("Basic ")).decode()
        asked = self.codes.get(form.get("code", ""))
        if known != f"{CLIENT}:{SECRET}" or asked is None or asked.is_used:
            return None
        asked.is_used = True
        challenge = urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if challenge != asked.query["code_challenge"] or form["redirect_uri"] != asked.query["redirect_uri"]:
            return None
        return {"token_type": "Bearer", "access_token": "not for us", "id_token": self.id_token(asked.query["nonce"])}

    def id_token(self, nonce: str) -> str:
        at = int(now().timestamp())
        true = {"iss": self.issuer, "aud": CLIENT, "iat": at, "exp": at + 300, "nonce": nonce} | self.person
        claims = {name: value for name, value in (true | self.lies).items() if value is not None}
        header = {"alg": self.algorithm, "kid": "k1"}
        if self.algorithm in {"none", "HS256"}:
            # What no library signs: nothing at all, and with the public key as if it were a secret.
            said = f"{text_of(header)}.{text_of(claims)}"
            made = (
                hmac.digest(self.key.as_pem(private=False), said.encode(), "sha256")
                if self.algorithm != "none"
                else b""
            )
            return f"{said}.{urlsafe_b64encode(made).rstrip(b'=').decode()}"
        return jwt.encode(header, claims, self.signing or self.key, algorithms=[self.algorithm])


def text_of(value: Any) -> str:
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
    """The provider in a thread, on a free port, until the end of the block."""
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
