"""Declaration of the friends subject for the web process."""

from __future__ import annotations

from typing import Final

from api.friends import pages, routes
from api.http.subjects import Subject

SUBJECT: Final = Subject("friends", routes=(routes.ROUTER,), pages=pages.HANDLERS)
