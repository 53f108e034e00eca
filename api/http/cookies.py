"""Names and attributes of the cookies."""

from __future__ import annotations

from typing import Final

from litestar.datastructures import Cookie

from projections.platform.settings import Settings

SESSION: Final = "esporles"
FORMS: Final = "csrftoken"
CEREMONY: Final = "ceremony"
"""The cookie of an unfinished sign-in: a passkey ceremony, or a redirect to a provider."""
HOST_PREFIX: Final = "__Host-"
"""Browsers accept such a cookie only over HTTPS, for one host and all paths, so other subdomains cannot replace it."""


def cookie_name(name: str, settings: Settings) -> str:
    """Return the name of the cookie in the browser."""
    return HOST_PREFIX + name if settings.secure_cookies else name


def host_cookie(name: str, value: str, settings: Settings, max_age: int | None = None) -> Cookie:
    """Return a cookie that is hidden from scripts and other sites; `max_age` 0 deletes it.

    If `max_age` is None, the cookie lasts until the browser is closed.
    """
    return Cookie(
        key=cookie_name(name, settings),
        value=value,
        max_age=max_age,
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )
