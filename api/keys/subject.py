"""Declare the subject keys to the web process."""

from __future__ import annotations

from typing import Final

from api.keys import pages, routes
from api.web.subjects import Subject

SUBJECT: Final = Subject("keys", routes=(routes.ROUTER,), pages=pages.HANDLERS)
