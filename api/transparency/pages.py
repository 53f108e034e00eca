"""The page of the transparency log: latest checkpoint, witnesses, and tables that never began."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, Router, get
from litestar.di import NamedDependency

from api.http.page_responses import PageRequest, render_page
from api.http.paging import Before, Limit
from api.transparency.routes import DEPENDENCIES
from api.transparency.service import TransparencyService
from api.transparency.troubles import AHEAD, AWAY, OTHER_HISTORY, REFUSES
from domain.kernel.messages import N_
from projections.platform.paging import LIMIT

TROUBLE_WORDS: Final = {
    AHEAD: N_("has seen a tree that this server signed and no longer shows"),
    AWAY: N_("does not respond"),
    REFUSES: N_("refuses to sign"),
    OTHER_HISTORY: N_("has seen a different history of this server"),
}
"""Descriptions of problems of witnesses."""


@get("/transparency")
async def transparency_page(
    request: PageRequest,
    transparency: NamedDependency[TransparencyService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[Any]:
    """Show the state of the transparency log, its witnesses, and tables that never began; differences to operators."""
    days = await transparency.opening_days(limit, before)
    state = await transparency.load_state()
    context = {
        "shown": state,
        "days": days.days,
        "next": days.next,
        "limit": limit,
        "quorum": transparency.policy.describe_quorum(),
        "trouble_words": TROUBLE_WORDS,
        "differences": await transparency.differences() if request.user.is_operator else (),
        "is_contradicted": any(witness.trouble == AHEAD for witness in state.witnesses),
        "is_accused": any(witness.trouble == OTHER_HISTORY for witness in state.witnesses),
    }
    return render_page(request, "transparency/log.html", context)


HANDLERS: Final = (Router("/", route_handlers=[transparency_page], dependencies=DEPENDENCIES),)
