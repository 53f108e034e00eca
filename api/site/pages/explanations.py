"""Explanations why a part of the board offers no action."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.http.guards import Caller, requires_person
from api.http.languages import _, current_language, say
from api.lessons.guide_panel import waiting_reason
from api.matches.responses import seat_names, seats_of
from api.matches.routes.matches import Part
from api.matches.service import MatchService
from api.titles.rules import address_of_rule
from api.titles.sentences import with_names
from domain.kernel.messages import N_
from domain.matches.aggregate import Match

NOT_IN_LESSON: Final = N_("Not now: follow the lesson first. Your options are highlighted.")


@get("/tables/{match_id:uuid}/why-not", guards=[requires_person], media_type="text/plain")
async def explain(
    match_id: FromPath[UUID], holder: NamedDependency[Caller], matches: NamedDependency[MatchService], part: Part = ""
) -> Response[str]:
    """Return why a part of the table offers no action, as text with a link to the rule; 204 if it offers one.

    A part whose action is only postponed by a lesson gives the lesson's reason. Raise `NotSeated` or `NotHeld` without
    a seat, `NotRunning` or `MatchOver` unless the match runs.
    """
    match, found = await matches.reading.explain(match_id, part, holder)
    if found is None:
        lesson_reason = await explain_lesson(matches, match, part)
        return Response(lesson_reason, media_type="text/plain", status_code=200 if lesson_reason else 204)
    names = seat_names(seats_of(match, await matches.reading.names_at(match)))
    rule_address = address_of_rule(matches.drawings, match.title, found.rule)
    headers = {"link": f'<{rule_address}>; rel="help"'} if rule_address else {}
    return Response(say(with_names(found.words, names)), media_type="text/plain", headers=headers)


async def explain_lesson(matches: MatchService, match: Match, part: str) -> str:
    """Return why a lesson postpones an action that the rules allow; "" if it does not, or for a match of no lesson."""
    guidance = await matches.reading.guidance(match)
    if guidance is None or not guidance.choices:
        return ""
    target = matches.drawings[match.title].target
    if any(part in target(action).split() for action in guidance.choices):
        return ""
    return waiting_reason(guidance, current_language()) or _(NOT_IN_LESSON)


HANDLERS: Final = (explain,)
