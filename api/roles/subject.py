"""Declaration of the roles subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.roles import pages, routes
from api.roles.errors import REFUSALS
from domain.kernel.messages import N_

SUBJECT: Final = Subject(
    "roles",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=pages.HANDLERS,
    links=(
        PageLink(
            "/desk",
            N_("Arbitration"),
            ("/desk", "/disputes"),
            lambda person: person is not None and not person.is_guest,
        ),
    ),
)
