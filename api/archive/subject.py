"""Declaration of the archive subject for the web process."""

from __future__ import annotations

from typing import Final

from api.archive import pages, routes
from api.archive.errors import REFUSALS
from api.http.page_links import PageLink
from api.http.subjects import Subject
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "archive",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=pages.HANDLERS,
    links=(PageLink("/archive", N_("Archive"), ("/archive", "/explorer")),),
)
