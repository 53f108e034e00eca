"""An OpenID Connect provider: discovery, authorization code with PKCE, ID token.

Imported lazily, because most services have no provider. Discovery and keys are fetched for every sign-in, so that no
revoked key stays valid; sign-ins are rare enough.
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

from api.accounts.provider import Pending, ProviderIdentity, ProviderRefused, ProviderUnavailable
from api.accounts.sign_in_methods import Identity
from projections.platform.setting_values import is_safe_url

TIMEOUT_SECONDS: Final = 10.0
"""Timeout of a request to the provider."""
RESPONSE_BYTES_MAX: Final = 256 * 1024
SUBJECT_LENGTH_MAX: Final = 255
"""Maximum length of a subject (OpenID Connect Core, 2)."""
SUGGESTION_LENGTH_MAX: Final = 80
LEEWAY_SECONDS: Final = 60
"""Tolerated clock difference."""
ALGORITHMS: Final = [f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)]
"""Asymmetric signature algorithms. `none` and HMAC are excluded."""
SCOPE: Final = "openid profile"
BASIC, POST = "client_secret_basic", "client_secret_post"
FORM_TYPE: Final = "application/x-www-form-urlencoded"


class ProviderMetadata(msgspec.Struct, frozen=True):
    """Provider metadata from discovery."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: tuple[str, ...] = (BASIC,)


class TokenResponse(msgspec.Struct, frozen=True):
    """The token response; the access token is not used or stored."""

    id_token: str
    access_token: str = ""


class Provider:
    """The configured provider.

    Raises `ProviderUnavailable` if it does not answer correctly, and `ProviderRefused` if a response is invalid.
    """

    def __init__(self, issuer: str, client: str, secret: str, return_address: str) -> None:
        self._issuer = issuer
        self._client = client
        self._secret = secret
        self._return_address = return_address
        self._http = httpx.AsyncClient(timeout=TIMEOUT_SECONDS)

    async def close(self) -> None:
        """Close the HTTP client."""
        await self._http.aclose()

    async def address(self, pending: Pending) -> str:
        """Return the authorization URL for the browser (code flow with PKCE).

        Raises `ProviderUnavailable` as `identify` does.
        """
        found = await self._discover()
        return str(
            prepare_grant_uri(
                found.authorization_endpoint,
                self._client,
                "code",
                redirect_uri=self._return_address,
                scope=SCOPE,
                state=pending.state,
                nonce=pending.nonce,
                code_challenge=create_s256_code_challenge(pending.verifier),
                code_challenge_method="S256",
            )
        )

    async def identify(self, code: str, pending: Pending) -> ProviderIdentity:
        """Exchange the code that the browser returned for an ID token, and return the identity in it.

        Raises `ProviderRefused` if the code or the token is not valid, `ProviderUnavailable` if the provider does not
        answer as expected.
        """
        found = await self._discover()
        issued = await self._exchange(found, code, pending.verifier)
        keys = await self._fetch("GET", found.jwks_uri)
        return self._read(issued, keys, pending.nonce)

    async def _discover(self) -> ProviderMetadata:
        """Return the provider's metadata, fetched on each call.

        Raises `ProviderUnavailable` if it cannot be fetched or read, for another issuer, and for an unsafe URL.
        """
        address = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
        found: ProviderMetadata = self._decode(await self._fetch("GET", address), ProviderMetadata)
        if found.issuer != self._issuer:
            raise ProviderUnavailable(f"unexpected issuer {found.issuer!r} of the provider, not {self._issuer!r}")
        if not all(map(is_safe_url, (found.authorization_endpoint, found.token_endpoint, found.jwks_uri))):
            raise ProviderUnavailable("the provider has an endpoint without https")
        return found

    async def _exchange(self, found: ProviderMetadata, code: str, verifier: str) -> TokenResponse:
        """Exchange the code for tokens, with the client authentication that the provider supports.

        Raises `ProviderRefused` for a rejected code, `ProviderUnavailable` without a valid response.
        """
        methods = found.token_endpoint_auth_methods_supported
        method = next((each for each in (BASIC, POST) if each in methods), BASIC)
        body = prepare_token_request(
            "authorization_code", redirect_uri=self._return_address, code=code, code_verifier=verifier
        )
        headers = {"Content-Type": FORM_TYPE, "Accept": "application/json"}
        auth = ClientAuth(self._client, self._secret, method)
        address, headers, body = auth.prepare("POST", found.token_endpoint, headers, body)
        issued: TokenResponse = self._decode(await self._fetch("POST", address, headers, body), TokenResponse)
        return issued

    async def _fetch(
        self, method: str, address: str, headers: dict[str, str] | None = None, body: str | None = None
    ) -> bytes:
        """Return the body of a 200 response, without following redirects and with a limit of size and time.

        Raises `ProviderRefused` for a POST with a status from 400 to 499, `ProviderUnavailable` for any other failure.
        """
        host, content = urlsplit(address).netloc, bytearray()
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                self._http.stream(method, address, headers=headers, content=body) as response,
            ):
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if len(content) > RESPONSE_BYTES_MAX:
                        raise ProviderUnavailable(f"the response of {host} has more than {RESPONSE_BYTES_MAX} bytes")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as fault:
            raise ProviderUnavailable(f"no response from {host}: {type(fault).__name__}") from fault
        if method == "POST" and 400 <= response.status_code < 500:
            raise ProviderRefused(f"{host} rejected the code with status {response.status_code}")
        if response.status_code != 200:
            raise ProviderUnavailable(f"{host} responded with status {response.status_code}")
        return bytes(content)

    def _decode(self, body: bytes, kind: type[Any]) -> Any:
        """Decode JSON into the type; raise `ProviderUnavailable` if it does not fit."""
        try:
            return msgspec.json.decode(body, type=kind)
        except (ValueError, RecursionError) as fault:
            raise ProviderUnavailable(f"invalid response from the provider: {fault}") from fault

    def _read(self, issued: TokenResponse, keys: bytes, nonce: str) -> ProviderIdentity:
        """Return the identity in the ID token.

        Raises `ProviderRefused` if a signature, claim or the subject is not valid. The checks follow OpenID Connect
        Core, 3.1.3.7. The suggested name is truncated, "" if missing.
        """
        registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
        try:
            key_set = KeySet.import_key_set(msgspec.json.decode(keys))
            token = jwt.decode(issued.id_token, key_set, algorithms=ALGORITHMS, registry=registry)
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
            raise ProviderRefused(f"invalid ID token: {type(fault).__name__}: {fault}") from fault
        subject, suggested = claims["sub"], claims.get("preferred_username")
        if not subject or len(subject) > SUBJECT_LENGTH_MAX:
            raise ProviderRefused("the ID token has no subject")
        name = suggested[:SUGGESTION_LENGTH_MAX] if isinstance(suggested, str) else ""
        return ProviderIdentity(Identity(self._issuer, subject), name)
