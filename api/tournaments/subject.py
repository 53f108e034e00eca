"""Declare the subject tournaments to the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.tournaments.errors import REFUSALS
from api.tournaments.pages import claims as claims_pages
from api.tournaments.pages import dates as dates_pages
from api.tournaments.pages import event_end, organising, printing, report, screen
from api.tournaments.pages import photos as photos_pages
from api.tournaments.pages import tournaments as tournaments_pages
from api.tournaments.routes import claims as claims_routes
from api.tournaments.routes import dates as dates_routes
from api.tournaments.routes import photos as photos_routes
from api.tournaments.routes import prizes, rounds
from api.tournaments.routes import tournaments as tournaments_routes
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "tournaments",
    refusals=REFUSALS,
    routes=(
        tournaments_routes.ROUTER,
        claims_routes.ROUTER,
        rounds.ROUTER,
        dates_routes.ROUTER,
        prizes.ROUTER,
        photos_routes.ROUTER,
    ),
    pages=(
        *organising.HANDLERS,
        *tournaments_pages.HANDLERS,
        *claims_pages.HANDLERS,
        *photos_pages.HANDLERS,
        *printing.HANDLERS,
        *screen.HANDLERS,
        *report.HANDLERS,
        *dates_pages.HANDLERS,
        *event_end.HANDLERS,
    ),
    links=(PageLink("/events", N_("Tournaments"), ("/events", "/circuits")),),
)
