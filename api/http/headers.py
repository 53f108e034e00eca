"""Response headers: security policy and caching."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from litestar.types import Scope

from api.http.app_state import AppKey
from api.http.inputs import allow_header
from api.http.raw_headers import find_header
from projections.platform.settings import Settings

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
RawHeader = tuple[bytes, bytes]
CACHE_CONTROL: Final = b"cache-control"
ALLOW: Final = b"allow"
PERSONAL: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie, Accept-Language"}
"""Responses depend on the reader, so shared caches must not store them."""
OVER_TLS: Final = {"Strict-Transport-Security": "max-age=31536000"}
"""Browsers use only HTTPS for this host for a year (HSTS)."""


def usual_headers(settings: Settings) -> Mapping[str, str]:
    """Return the default headers of a response for one reader."""
    return SECURITY_HEADERS | PERSONAL | (OVER_TLS if settings.secure_cookies else {})


def encode_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers as pairs of bytes with lower-case names."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def encode_with_names(headers: Iterable[tuple[str, str]]) -> tuple[list[RawHeader], frozenset[bytes]]:
    """Return headers as pairs of bytes, and their names."""
    found = encode_headers(headers)
    return found, frozenset(name for name, _ in found)


def names_device_seat(scope: Scope) -> bool:
    """Return whether the request names the seat that uses a shared device; such responses are never cached."""
    return b"held=" in scope["query_string"] or find_header(scope, b"esporles-held") is not None


class SecurityHeaders:
    """Adds default headers to responses: script and frame restrictions, and cache control."""

    def __init__(self, settings: Settings) -> None:
        defaults = usual_headers(settings)
        self._personal: Final = encode_with_names(defaults.items())
        self._shared: Final = encode_with_names(
            (name, value) for name, value in defaults.items() if name not in PERSONAL
        )

    def add(self, headers: Iterable[RawHeader], scope: Scope, methods: Mapping[str, Iterable[str]]) -> list[RawHeader]:
        """Return the headers, in lower case, with missing defaults added and `Allow` completed.

        Responses to requests that name a device seat are never cached. `methods` are the methods of every path
        template.
        """
        result = [(name.lower(), value) for name, value in headers]
        names = {name for name, _ in result}
        if ALLOW in names:
            result = [
                (name, complete_allow(value, scope, methods) if name == ALLOW else value) for name, value in result
            ]
        if names_device_seat(scope):
            result = [each for each in result if each[0] != CACHE_CONTROL] + [(CACHE_CONTROL, b"no-store")]
            names.add(CACHE_CONTROL)
        defaults, default_names = self._shared if CACHE_CONTROL in names else self._personal
        return result + (
            defaults if default_names.isdisjoint(names) else [each for each in defaults if each[0] not in names]
        )


RESPONSE_HEADERS: Final = AppKey[SecurityHeaders]("security_headers")


def complete_allow(value: bytes, scope: Scope, methods: Mapping[str, Iterable[str]]) -> bytes:
    """Return the methods of the route. The framework lists one router's methods where several routers share a path."""
    allowed = methods.get(str(scope.get("path_template")))
    return allow_header(allowed or value.decode("latin-1").split(", ")).encode("latin-1")
