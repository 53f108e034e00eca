"""Declaration of the keys subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.keys import pages, routes

SUBJECT: Final = Subject("keys", routes=(routes.ROUTER,), pages=pages.HANDLERS)
