"""Declare the subject circuits to the web process."""

from __future__ import annotations

from typing import Final

from api.circuits.errors import REFUSALS
from api.circuits.pages import circuits, organising
from api.circuits.routes import ROUTER
from api.http.subjects import Subject

SUBJECT: Final = Subject(
    "circuits", refusals=REFUSALS, routes=(ROUTER,), pages=(*circuits.HANDLERS, *organising.HANDLERS)
)
