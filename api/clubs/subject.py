"""Declare the subject clubs to the web process."""

from __future__ import annotations

from typing import Final

from api.clubs.errors import REFUSALS
from api.clubs.routes import ROUTER
from api.http.subjects import Subject

SUBJECT: Final = Subject("clubs", refusals=REFUSALS, routes=(ROUTER,))
