"""The cookie of an unfinished ceremony: a passkey, or a redirect to a provider."""

from __future__ import annotations

from datetime import timedelta

from litestar.datastructures import Cookie

from api.accounts.sign_in_methods import MINUTES, Kind
from api.http.cookies import CEREMONY, cookie_name, host_cookie
from api.http.page_responses import PageRequest
from projections.platform.settings import Settings


def ceremony_cookie(secret: str, kind: Kind, settings: Settings) -> Cookie:
    """Return the cookie with which the browser finishes the ceremony; a later ceremony replaces it."""
    return host_cookie(CEREMONY, secret, settings, int(timedelta(minutes=MINUTES[kind]).total_seconds()))


def no_ceremony(settings: Settings) -> Cookie:
    """Return a cookie that ends the ceremony."""
    return host_cookie(CEREMONY, "", settings, max_age=0)


def ceremony_of(request: PageRequest, settings: Settings) -> str:
    """Return the secret of the browser's ceremony; empty if none."""
    return request.cookies.get(cookie_name(CEREMONY, settings), "")
