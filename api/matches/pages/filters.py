"""The lobby filters of a reader, stored in a cookie."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.datastructures import Cookie

from api.http.app_state import SETTINGS, TITLES_PLAYED
from api.http.page_responses import PageRequest, person_of
from api.http.preferences import COOKIE_SECONDS
from projections.matches import lobby

COOKIE: Final = "filters"
BETWEEN: Final = "~"
RATED: Final = "rated"
CASUAL: Final = "casual"
KINDS: Final = frozenset({RATED, CASUAL})
STATES: Final = frozenset({*lobby.GOING_ON, "ended"})


class Filters(msgspec.Struct, frozen=True):
    """Title, state and kind of the tables to show; empty if never chosen."""

    title: str = ""
    state: str = ""
    kind: str = ""

    @property
    def word(self) -> str:
        """The cookie value."""
        return BETWEEN.join((self.title, self.state, self.kind))


def filters_of(request: PageRequest, states: Collection[str]) -> Filters:
    """Return the filters of the lobby in the request's cookie; invalid values become "" (all)."""
    parts = request.cookies.get(COOKIE, "").split(BETWEEN)
    if len(parts) != len(Filters.__struct_fields__):
        return Filters()
    title, state, kind = parts
    return Filters(
        title if title in TITLES_PLAYED.of(request) else "",
        state if state in states else "",
        kind if kind in KINDS else "",
    )


def is_rated(request: PageRequest, filters: Filters) -> bool:
    """Return whether rated pools are shown: as filtered, by default only to registered people."""
    person = person_of(request)
    default_kind = CASUAL if person is None or person.is_guest else RATED
    return (filters.kind or default_kind) == RATED


def keep_filters(request: PageRequest, response: Response[Any], filters: Filters) -> Response[Any]:
    """Store the filters in a cookie of the response and return the response."""
    response.set_cookie(
        Cookie(
            key=COOKIE,
            value=filters.word,
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=SETTINGS.of(request).secure_cookies,
        )
    )
    return response
