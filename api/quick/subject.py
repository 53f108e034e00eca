"""Declaration of the quick pairing subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.quick import pages, routes

SUBJECT: Final = Subject("quick", routes=(routes.ROUTER,), pages=pages.HANDLERS)
