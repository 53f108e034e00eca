"""Declare the subject disputes to the web process."""

from __future__ import annotations

from typing import Final

from api.disputes import pages, pages_of_calls, pages_of_committees, routes, routes_of_calls
from api.disputes.errors import REFUSALS
from api.http.subjects import Subject

SUBJECT: Final = Subject(
    "disputes",
    refusals=REFUSALS,
    routes=(
        routes.ROUTER,
        routes_of_calls.ROUTER,
    ),
    pages=(
        *pages.HANDLERS,
        *pages_of_calls.HANDLERS,
        *pages_of_committees.HANDLERS,
    ),
)
