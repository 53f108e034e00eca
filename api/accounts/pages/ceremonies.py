"""The cookie by which a browser finishes what it began: a passkey, or the way to a provider and back."""

from __future__ import annotations

from datetime import timedelta

from litestar.datastructures import Cookie

from api.accounts.ways import MINUTES, Kind
from api.http.browser import PageRequest
from api.http.cookies import CEREMONY, cookie_name, host_cookie
from projections.platform.settings import Settings


def ceremony_cookie(secret: str, kind: Kind, settings: Settings) -> Cookie:
    """By this cookie the same browser finishes what it began; the next one it begins takes its place."""
    return host_cookie(CEREMONY, secret, settings, int(timedelta(minutes=MINUTES[kind]).total_seconds()))


def no_ceremony(settings: Settings) -> Cookie:
    """The browser is in the middle of nothing any more."""
    return host_cookie(CEREMONY, "", settings, max_age=0)


def ceremony_of(request: PageRequest, settings: Settings) -> str:
    """The secret of what the browser is in the middle of; empty where there is none."""
    return request.cookies.get(cookie_name(CEREMONY, settings), "")
