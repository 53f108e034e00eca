"""Declaration of the site subject for the web process."""

from __future__ import annotations

from typing import Final

from api.http.page_links import PageLink
from api.http.subjects import Subject
from api.site.pages import (
    afterwards,
    ahead,
    attending,
    audit,
    device,
    explaining,
    leaving,
    lobby,
    player,
    replay,
    setting_up,
    table,
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
        *afterwards.HANDLERS,
        *attending.HANDLERS,
        *lobby.HANDLERS,
        *player.HANDLERS,
        *replay.HANDLERS,
        *setting_up.HANDLERS,
        *ahead.HANDLERS,
        *device.HANDLERS,
        *explaining.HANDLERS,
        *table.HANDLERS,
        *turns.HANDLERS,
        *audit.HANDLERS,
        *leaving.HANDLERS,
    ),
    roots=(ready,),
    links=(PageLink("/", N_("Play"), PLAY),),
)
