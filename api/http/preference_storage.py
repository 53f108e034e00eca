"""Storage of display preferences: in the account, and in cookies for readers who are not signed in."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Response
from litestar.datastructures import Cookie

from api.http.app_state import SETTINGS
from api.http.identity import CALLER_ACCOUNTS
from api.http.page_responses import PageRequest, person_of
from api.http.preferences import (
    COOKIE,
    COOKIE_SECONDS,
    DEFAULTS,
    LANGUAGE_COOKIE,
    THEME_COOKIE,
    Preferences,
    encode_preferences,
    preferences_of,
)

SHOWN_TO_SCRIPTS: Final = frozenset({THEME_COOKIE})
"""Cookies that scripts may read: the theme switch updates the page at once."""


async def store_preferences(request: PageRequest, response: Response[Any], **changes: object) -> Response[Any]:
    """Store changed preferences in the reader's account, if any, and in cookies; return the response."""
    accounts = CALLER_ACCOUNTS.of(request)
    preferences = msgspec.structs.replace(preferences_of(request), **changes)
    if (person := person_of(request)) is not None:
        await accounts.store_preferences(person, encode_preferences(preferences))
    for cookie in cookies_of(preferences, is_secure=SETTINGS.of(request).secure_cookies):
        response.set_cookie(cookie)
    return response


def cookies_of(preferences: Preferences, *, is_secure: bool) -> tuple[Cookie, ...]:
    """Return the cookies for the preferences; defaults delete their cookie."""
    other_preferences = msgspec.structs.replace(preferences, language=DEFAULTS.language, theme=DEFAULTS.theme)
    values = {
        LANGUAGE_COOKIE: preferences.language,
        THEME_COOKIE: preferences.theme,
        COOKIE: encode_preferences(other_preferences),
    }
    return tuple(
        Cookie(
            key=name,
            value=value,
            max_age=COOKIE_SECONDS if value else 0,
            httponly=name not in SHOWN_TO_SCRIPTS,
            samesite="lax",
            secure=is_secure,
        )
        for name, value in values.items()
    )
