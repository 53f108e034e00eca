"""The page that shows the transparency log: its newest checkpoint, its witnesses, the tables that never began."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get
from litestar.di import NamedDependency

from api.http.browser import PageRequest, page
from api.http.paging import Before, Limit
from api.transparency.asking import AWAY, OTHER_HISTORY, REFUSES
from api.transparency.routes import DEPENDENCIES
from api.transparency.service import TransparencyService
from domain.kernel.messages import N_
from projections.platform.paging import LIMIT

TROUBLE_WORDS: Final = {
    AWAY: N_("does not answer"),
    REFUSES: N_("refuses to sign"),
    OTHER_HISTORY: N_("has seen another history of this server"),
}
"""What can be the matter with a witness."""


@get("/transparency")
async def transparency_page(
    request: PageRequest,
    transparency: NamedDependency[TransparencyService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """What the house has signed, who has seen it, and what was opened and never played."""
    days = await transparency.days(limit, before)
    shown = await transparency.state()
    context = {
        "shown": shown,
        "days": days.days,
        "next": days.next,
        "limit": limit,
        "trouble_words": TROUBLE_WORDS,
        "differences": await transparency.differences() if request.user.is_operator else (),
        "is_accused": any(witness.trouble == OTHER_HISTORY for witness in shown.witnesses),
    }
    return page(request, "transparency/log.html", context)


HANDLERS: Final = (Router("/", route_handlers=[transparency_page], dependencies=DEPENDENCIES),)
