"""What every answer says beside its content: what no page of ours does, and for whom it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from api.web.inputs import allow
from projections.platform.settings import Settings

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
PERSONAL: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie, Accept-Language"}
"""The same address shows every reader something else: no cache on the way may answer in our place."""
OVER_TLS: Final = {"Strict-Transport-Security": "max-age=31536000"}
"""For a year a browser asks this host over https alone, whatever a link or somebody on the way says."""


def usual_headers(settings: Settings) -> Mapping[str, str]:
    """Those of an answer that is for its reader alone."""
    return SECURITY_HEADERS | PERSONAL | (OVER_TLS if settings.secure_cookies else {})


def raw(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as a server takes them."""
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def is_held(scope: Scope) -> bool:
    """The request says with which seat of a match a device is: what that seat sees stays in no cache."""
    return b"held=" in scope["query_string"] or any(name == b"esporles-held" for name, _ in scope["headers"])


async def secure(message: Message, scope: Scope) -> None:
    """Every answer forbids what no page of ours does, and is for its reader alone unless it says otherwise."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        if is_held(scope):
            headers["Cache-Control"] = "no-store"
        usual = usual_headers(scope["litestar_app"].state.settings)
        is_shared = "Cache-Control" in headers
        for name, value in usual.items():
            if not (is_shared and name in PERSONAL):
                headers.setdefault(name, value)
        if (allowed := headers.get("Allow")) is not None:
            known = scope["litestar_app"].state.methods.get(scope.get("path_template"))
            headers["Allow"] = allow(known or allowed.split(", "))
