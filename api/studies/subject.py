"""Declare the subject studies to the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.studies import routes
from api.studies.errors import REFUSALS
from api.studies.pages import panel, studies, writing
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "studies",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=(
        *panel.HANDLERS,
        *studies.HANDLERS,
        *writing.HANDLERS,
    ),
    links=(PageLink("/studies", N_("Studies"), ("/studies", "/puzzles")),),
)
