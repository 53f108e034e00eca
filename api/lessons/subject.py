"""Declaration of the lessons subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.lessons import pages, routes
from api.lessons.errors import REFUSALS

SUBJECT: Final = Subject("lessons", refusals=REFUSALS, routes=(routes.ROUTER,), pages=pages.HANDLERS)
