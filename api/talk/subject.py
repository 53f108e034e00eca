"""Declaration of the chat subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.talk import pages, routes
from api.talk.errors import REFUSALS

SUBJECT: Final = Subject("talk", refusals=REFUSALS, routes=(routes.ROUTER,), pages=pages.HANDLERS)
