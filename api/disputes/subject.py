"""Declare the subject disputes to the web process."""

from __future__ import annotations

from typing import Final

from api.disputes import call_pages, call_routes, committee_pages, pages, routes
from api.disputes.errors import REFUSALS
from api.http.subjects import Subject

SUBJECT: Final = Subject(
    "disputes",
    refusals=REFUSALS,
    routes=(
        routes.ROUTER,
        call_routes.ROUTER,
    ),
    pages=(
        *pages.HANDLERS,
        *call_pages.HANDLERS,
        *committee_pages.HANDLERS,
    ),
)
