"""Registration of the subject transparency with the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.transparency import pages, routes, verifier_pages
from api.transparency.errors import REFUSALS
from api.transparency.routes import TLOG

SUBJECT: Final = Subject(
    "transparency",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=(
        *pages.HANDLERS,
        *verifier_pages.HANDLERS,
    ),
    roots=(TLOG,),
)
