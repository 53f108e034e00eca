"""Declare the subject notifications to the web process."""

from __future__ import annotations

from typing import Final

from api.notifications import pages, routes
from api.notifications.errors import REFUSALS
from api.web.subjects import Subject

SUBJECT: Final = Subject("notifications", refusals=REFUSALS, routes=(routes.ROUTER,), pages=pages.HANDLERS)
