"""Declare the subject clubs to the web process."""

from __future__ import annotations

from typing import Final

from api.clubs.errors import REFUSALS
from api.clubs.pages import clubs, organising
from api.clubs.routes import ROUTER
from api.http.page_links import PageLink
from api.http.subjects import Subject
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "clubs",
    refusals=REFUSALS,
    routes=(ROUTER,),
    pages=(*organising.HANDLERS, *clubs.HANDLERS),
    links=(PageLink("/clubs", N_("Clubs")),),
)
