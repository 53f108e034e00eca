"""The subjects of the web process, and their joined declarations."""

from __future__ import annotations

from typing import Final

from api.accounts import subject as accounts
from api.analyses import subject as analyses
from api.archive import subject as archive
from api.circuits import subject as circuits
from api.clubs import subject as clubs
from api.contests import subject as contests
from api.disputes import subject as disputes
from api.documentation import subject as documentation
from api.friends import subject as friends
from api.hints import subject as hints
from api.http import appearance, language
from api.http.errors import OWN_REFUSALS
from api.http.limits import BODY_BYTES_MAX
from api.http.metrics import metrics
from api.http.routing import Router
from api.http.subjects import Subject, join_subjects
from api.integrity import subject as integrity
from api.keys import subject as keys
from api.leagues import subject as leagues
from api.lessons import subject as lessons
from api.matches import subject as matches
from api.notifications import subject as notifications
from api.puzzles import subject as puzzles
from api.quick import subject as quick
from api.rankings import subject as rankings
from api.ratings import subject as ratings
from api.roles import subject as roles
from api.site import subject as site
from api.studies import subject as studies
from api.talk import subject as talk
from api.titles import subject as titles
from api.tournaments import subject as tournaments
from api.transparency import subject as transparency

BASE_SUBJECTS: Final = Subject(
    "http", refusals=OWN_REFUSALS, pages=(*appearance.HANDLERS, *language.HANDLERS), roots=(metrics,)
)
"""Handlers and errors of the HTTP base."""
SUBJECTS: Final = (
    BASE_SUBJECTS,
    # Subjects with a link in the page header, in the order of the links.
    site.SUBJECT,
    tournaments.SUBJECT,
    leagues.SUBJECT,
    circuits.SUBJECT,
    clubs.SUBJECT,
    ratings.SUBJECT,
    archive.SUBJECT,
    studies.SUBJECT,
    roles.SUBJECT,
    # Subjects without such a link.
    accounts.SUBJECT,
    analyses.SUBJECT,
    contests.SUBJECT,
    disputes.SUBJECT,
    documentation.SUBJECT,
    friends.SUBJECT,
    hints.SUBJECT,
    integrity.SUBJECT,
    keys.SUBJECT,
    lessons.SUBJECT,
    matches.SUBJECT,
    notifications.SUBJECT,
    puzzles.SUBJECT,
    quick.SUBJECT,
    rankings.SUBJECT,
    talk.SUBJECT,
    titles.SUBJECT,
    transparency.SUBJECT,
)
JOINED: Final = join_subjects(SUBJECTS)
API: Final = Router(
    "/api",
    route_handlers=list(JOINED.routes),
    security=[{"bearer": []}, {}],
    request_max_body_size=BODY_BYTES_MAX,
)
"""Created once: registering a router copies it with all its handlers, and tests start many services."""
