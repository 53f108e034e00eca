"""Declaration of the hints subject for the web process."""

from __future__ import annotations

from typing import Final

from api.hints import pages, routes
from api.http.subjects import Subject

SUBJECT: Final = Subject("hints", routes=(routes.ROUTER,), pages=pages.HANDLERS)
