"""Declaration of the analyses subject for the web process."""

from __future__ import annotations

from typing import Final

from api.analyses import pages, routes
from api.analyses.errors import REFUSALS
from api.http.subjects import Subject

SUBJECT: Final = Subject("analyses", refusals=REFUSALS, routes=(routes.ROUTER,), pages=pages.HANDLERS)
