"""Declare the subject integrity to the web process."""

from __future__ import annotations

from typing import Final

from api.integrity import pages, routes
from api.web.subjects import Subject

SUBJECT: Final = Subject("integrity", routes=(routes.ROUTER,), pages=pages.HANDLERS)
