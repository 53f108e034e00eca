"""Declare the subject quick to the web process."""

from __future__ import annotations

from typing import Final

from api.quick import pages, routes
from api.web.subjects import Subject

SUBJECT: Final = Subject("quick", routes=(routes.ROUTER,), pages=pages.HANDLERS)
