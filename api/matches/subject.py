"""Registration of the subject matches with the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.matches.errors import REFUSALS
from api.matches.pages import closing
from api.matches.pages import forks as forks_pages
from api.matches.pages import invitations as invitations_pages
from api.matches.routes import duties, logs, matches, one_device, rematches, seats
from api.matches.routes import forks as forks_routes
from api.matches.routes import invitations as invitations_routes

SUBJECT: Final = Subject(
    "matches",
    refusals=REFUSALS,
    routes=(
        matches.ROUTER,
        seats.ROUTER,
        one_device.ROUTER,
        rematches.ROUTER,
        invitations_routes.ROUTER,
        logs.ROUTER,
        duties.ROUTER,
        forks_routes.ROUTER,
    ),
    pages=(
        *closing.HANDLERS,
        *invitations_pages.HANDLERS,
        *forks_pages.HANDLERS,
    ),
)
