"""A provider of identities, as OpenID Connect speaks with one: discovery, the code with PKCE, the ID token.

Loaded late: a service that asks no provider never needs it. What a provider says of itself is asked anew each time, so
that none of its keys outlives it; a person signs in seldom enough.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
from authlib.oauth2.auth import ClientAuth
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri, prepare_token_request
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from api.accounts.provider import Known, Pending, ProviderAway, ProviderRefused
from api.accounts.ways import Identity
from projections.platform.setting_values import is_safe_url

PATIENCE_SECONDS: Final = 10.0
"""A provider that takes longer is away."""
ANSWER_BYTES_MAX: Final = 256 * 1024
SUBJECT_LENGTH_MAX: Final = 255
"""OpenID Connect Core, 2."""
SUGGESTION_LENGTH_MAX: Final = 80
LEEWAY_SECONDS: Final = 60
"""So far may the clocks of both sides be apart."""
ALGORITHMS: Final = [f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)]
"""Signatures by a key that the provider alone has: neither none, nor what whoever knows the public key could make."""
SCOPE: Final = "openid profile"
BASIC, POST = "client_secret_basic", "client_secret_post"
FORM_TYPE: Final = "application/x-www-form-urlencoded"


class Discovered(msgspec.Struct, frozen=True):
    """What a provider says of itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = (BASIC,)


class Issued(msgspec.Struct, frozen=True):
    """What it gives for a code; the token of access is not used and not kept."""

    id_token: str
    access_token: str = ""


class Provider:
    """The provider that the operator has chosen. `ProviderAway` when it does not answer as one, `ProviderRefused` when
    what it answers does not hold."""

    def __init__(self, issuer: str, client: str, secret: str, back: str) -> None:
        self._issuer = issuer
        self._client = client
        self._secret = secret
        self._back = back
        self._http = httpx.AsyncClient(timeout=PATIENCE_SECONDS)

    async def close(self) -> None:
        await self._http.aclose()

    async def address(self, pending: Pending) -> str:
        """Where the browser goes to say who sits at it."""
        found = await self._discover()
        return str(
            prepare_grant_uri(
                found.authorization_endpoint,
                self._client,
                "code",
                redirect_uri=self._back,
                scope=SCOPE,
                state=pending.state,
                nonce=pending.nonce,
                code_challenge=create_s256_code_challenge(pending.verifier),
                code_challenge_method="S256",
            )
        )

    async def identify(self, code: str, pending: Pending) -> Known:
        """Who it is, for the code that the browser brought back."""
        found = await self._discover()
        issued = await self._exchange(found, code, pending.verifier)
        keys = await self._fetch("GET", found.jwks_uri)
        return self._read(issued, keys, pending.nonce)

    async def _discover(self) -> Discovered:
        address = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        found: Discovered = self._decode(await self._fetch("GET", address), Discovered)
        if found.issuer != self._issuer:
            raise ProviderAway(f"the provider calls itself {found.issuer!r} and not {self._issuer!r}")
        if not all(map(is_safe_url, (found.authorization_endpoint, found.token_endpoint, found.jwks_uri))):
            raise ProviderAway("the provider names an address that is not https")
        return found

    async def _exchange(self, found: Discovered, code: str, verifier: str) -> Issued:
        methods = found.token_endpoint_auth_methods_supported
        method = next((each for each in (BASIC, POST) if each in methods), BASIC)
        body = prepare_token_request("authorization_code", redirect_uri=self._back, code=code, code_verifier=verifier)
        headers = {"Content-Type": FORM_TYPE, "Accept": "application/json"}
        auth = ClientAuth(self._client, self._secret, method)
        address, headers, body = auth.prepare("POST", found.token_endpoint, headers, body)
        issued: Issued = self._decode(await self._fetch("POST", address, headers, body), Issued)
        return issued

    async def _fetch(
        self, method: str, address: str, headers: dict[str, str] | None = None, body: str | None = None
    ) -> bytes:
        """The body of an answer of 200; nothing is followed elsewhere, and nothing endless is read."""
        host, found = urlsplit(address).netloc, bytearray()
        try:
            async with (
                asyncio.timeout(PATIENCE_SECONDS),
                self._http.stream(method, address, headers=headers, content=body) as answer,
            ):
                async for chunk in answer.aiter_bytes():
                    found += chunk
                    if len(found) > ANSWER_BYTES_MAX:
                        raise ProviderAway(f"{host} answers more than {ANSWER_BYTES_MAX} bytes")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as fault:
            raise ProviderAway(f"{host} does not answer: {type(fault).__name__}") from fault
        if method == "POST" and 400 <= answer.status_code < 500:
            raise ProviderRefused(f"{host} refuses the code: status {answer.status_code}")
        if answer.status_code != 200:
            raise ProviderAway(f"{host} answers with status {answer.status_code}")
        return bytes(found)

    def _decode(self, body: bytes, kind: type[Any]) -> Any:
        try:
            return msgspec.json.decode(body, type=kind)
        except (ValueError, RecursionError) as fault:
            raise ProviderAway(f"the provider does not answer as one: {fault}") from fault

    def _read(self, issued: Issued, keys: bytes, nonce: str) -> Known:
        """Whom the ID token names, once its signature and all its claims hold (OpenID Connect Core, 3.1.3.7)."""
        registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
        try:
            known = KeySet.import_key_set(msgspec.json.decode(keys))
            token = jwt.decode(issued.id_token, known, algorithms=ALGORITHMS, registry=registry)
            claims = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"essential": True, "value": self._issuer},
                    "aud": {"essential": True, "value": self._client},
                    "nonce": {"essential": True, "value": nonce},
                },
                {"nonce": nonce, "client_id": self._client, "access_token": issued.access_token},
            )
            claims.validate(leeway=LEEWAY_SECONDS)
        except (JoseError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as fault:
            raise ProviderRefused(f"the ID token does not hold: {type(fault).__name__}: {fault}") from fault
        subject, suggested = claims["sub"], claims.get("preferred_username")
        if not subject or len(subject) > SUBJECT_LENGTH_MAX:
            raise ProviderRefused("the ID token names nobody")
        name = suggested[:SUGGESTION_LENGTH_MAX] if isinstance(suggested, str) else ""
        return Known(Identity(self._issuer, subject), name)
