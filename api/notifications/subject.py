"""Declaration of the notifications subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.notifications import pages, routes
from api.notifications.errors import REFUSALS

SUBJECT: Final = Subject("notifications", refusals=REFUSALS, routes=(routes.ROUTER,), pages=pages.HANDLERS)
