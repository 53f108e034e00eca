"""The cookies of the service: what they are called, and who is given them back."""

from __future__ import annotations

from typing import Final

from litestar.datastructures import Cookie

from projections.platform.settings import Settings

SESSION: Final = "esporles"
FORMS: Final = "csrftoken"
CEREMONY: Final = "ceremony"
"""By which a browser finishes what it began: a passkey, or the way to a provider and back."""
HOST_PREFIX: Final = "__Host-"
"""A browser takes such a cookie only over https, for this host alone and for all its paths: no other host of the domain
can put one of its own in its place."""


def cookie_name(name: str, settings: Settings) -> str:
    """What the cookie is called in the browser."""
    return HOST_PREFIX + name if settings.secure_cookies else name


def host_cookie(name: str, value: str, settings: Settings, max_age: int | None = None) -> Cookie:
    """A cookie that scripts and other sites never see; `max_age` 0 takes it away."""
    return Cookie(
        key=cookie_name(name, settings),
        value=value,
        max_age=max_age,
        path="/",
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )
