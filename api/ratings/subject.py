"""Declaration of the ratings subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.ratings import pages, routes
from api.ratings.errors import REFUSALS
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "ratings",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=pages.HANDLERS,
    links=(PageLink("/rankings", N_("Leaderboards"), ("/rankings", "/players")),),
)
