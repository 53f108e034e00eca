"""Declaration of the integrity subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.integrity import pages, routes

SUBJECT: Final = Subject("integrity", routes=(routes.ROUTER,), pages=pages.HANDLERS)
