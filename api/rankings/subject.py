"""Declaration of ranking lists for the web process."""

from __future__ import annotations

from typing import Final

from api.http.subjects import Subject
from api.rankings import routes
from api.rankings.errors import REFUSALS
from api.rankings.pages import administration, lists

SUBJECT: Final = Subject(
    "rankings",
    refusals=REFUSALS,
    routes=(routes.ROUTER,),
    pages=(*lists.HANDLERS, *administration.HANDLERS),
)
