"""Declaration of the site subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.site.pages import (
    account_departure,
    actions_ahead,
    after_match,
    audit,
    calendar,
    device,
    explanations,
    lobby,
    player,
    presence,
    replay,
    table,
    table_setup,
    turns,
)
from api.site.readiness import ready
from api.site.routes import accounts, duties
from domain.kernel.messages import N_

PLAY: Final = ("/", "/tables", "/open/", "/cards/", "/rules", "/learn", "/play", "/quick")
"""Path prefixes that belong to the first link."""

SUBJECT: Final = Subject(
    "site",
    routes=(
        accounts.ROUTER,
        duties.ROUTER,
    ),
    pages=(
        *after_match.HANDLERS,
        *presence.HANDLERS,
        *lobby.HANDLERS,
        *player.HANDLERS,
        *replay.HANDLERS,
        *table_setup.HANDLERS,
        *actions_ahead.HANDLERS,
        *device.HANDLERS,
        *explanations.HANDLERS,
        *table.HANDLERS,
        *turns.HANDLERS,
        *audit.HANDLERS,
        *account_departure.HANDLERS,
        *calendar.HANDLERS,
    ),
    roots=(ready,),
    links=(PageLink("/", N_("Play"), PLAY),),
)
