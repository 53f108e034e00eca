"""Declare the parts that tournaments and leagues share to the web process."""

from __future__ import annotations

from typing import Final

from api.contests import (
    absence_pages,
    absence_routes,
    alternate_pages,
    alternate_routes,
    condition_pages,
    holiday_pages,
    holiday_routes,
)
from api.contests.errors import REFUSALS
from api.contests.routes import ROUTER
from api.http.subjects import Subject

SUBJECT: Final = Subject(
    "contests",
    refusals=REFUSALS,
    routes=(ROUTER, absence_routes.ROUTER, alternate_routes.ROUTER, holiday_routes.ROUTER),
    pages=(
        *absence_pages.HANDLERS,
        *alternate_pages.HANDLERS,
        *condition_pages.HANDLERS,
        *holiday_pages.HANDLERS,
    ),
)
