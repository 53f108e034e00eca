"""Declare the subject leagues to the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.leagues.errors import REFUSALS
from api.leagues.pages import leagues, organising, prizes, sheets
from api.leagues.routes.leagues import ROUTER
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "leagues",
    refusals=REFUSALS,
    routes=(ROUTER,),
    pages=(
        *organising.HANDLERS,
        *prizes.HANDLERS,
        *leagues.HANDLERS,
        *sheets.HANDLERS,
    ),
    links=(PageLink("/leagues", N_("Leagues")),),
)
