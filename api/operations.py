"""Every operation of the API, as the subjects have them."""

from __future__ import annotations

from typing import Final

from api.accounts import routes
from api.analyses import routes as analysis_routes
from api.archive import routes as archive_routes
from api.disputes import routes as dispute_routes
from api.disputes import routes_of_calls
from api.friends import routes as friend_routes
from api.hints import routes as hint_routes
from api.integrity import routes as integrity_routes
from api.keys import routes as key_routes
from api.leagues import routes as league_routes
from api.lessons import routes as lesson_routes
from api.matches.routes import duties, forks, invitations, logs, matches, one_device, rematches, seats
from api.notifications import routes as notification_routes
from api.quick import routes as quick_routes
from api.ratings import routes as rating_routes
from api.roles import routes as role_routes
from api.site.routes import accounts as account_routes
from api.site.routes import duties as hinted_duties
from api.studies import routes as study_routes
from api.talk import routes as talk_routes
from api.tournaments.routes import claims, dates, photos, prizes, rounds, tournaments
from api.transparency import routes as transparency_routes
from api.web.limits import BODY_BYTES_MAX
from api.web.routing import Router

API: Final = Router(
    "/api",
    route_handlers=[
        routes.ROUTER,
        account_routes.ROUTER,
        matches.ROUTER,
        seats.ROUTER,
        one_device.ROUTER,
        rematches.ROUTER,
        invitations.ROUTER,
        logs.ROUTER,
        duties.ROUTER,
        hinted_duties.ROUTER,
        key_routes.ROUTER,
        role_routes.ROUTER,
        integrity_routes.ROUTER,
        analysis_routes.ROUTER,
        hint_routes.ROUTER,
        dispute_routes.ROUTER,
        routes_of_calls.ROUTER,
        forks.ROUTER,
        notification_routes.ROUTER,
        study_routes.ROUTER,
        league_routes.ROUTER,
        rating_routes.ROUTER,
        archive_routes.ROUTER,
        tournaments.ROUTER,
        claims.ROUTER,
        rounds.ROUTER,
        dates.ROUTER,
        prizes.ROUTER,
        photos.ROUTER,
        transparency_routes.ROUTER,
        talk_routes.ROUTER,
        friend_routes.ROUTER,
        lesson_routes.ROUTER,
        quick_routes.ROUTER,
    ],
    security=[{"bearer": []}, {}],
    request_max_body_size=BODY_BYTES_MAX,
)
"""Made once: who registers a router copies it with all it holds, and there are as many services as tests."""
