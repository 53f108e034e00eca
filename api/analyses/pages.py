"""The analysis panel of a replay: request, progress, results, better lines, and saving as a study."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from api.accounts.service import ACCOUNTS, AccountService
from api.analyses.charts import MARKED_GRADES, draw_chances
from api.analyses.service import ANALYSES, AnalysisService, provide_analyses
from api.analyses.texts import GRADE_WORDS, comment_on, describe_analysis, format_difference, format_points, percent
from api.http.csrf import token_of
from api.http.etags import has_tag, not_modified, tag_of
from api.http.forms import BUTTON, read_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.inputs import WholeNumber
from api.http.languages import _, language_of
from api.http.limits import CREATES, LIMITS
from api.http.page_responses import PageRequest, is_htmx, person_of, redirect_after_form, render, render_page
from api.http.preferences import preferences_of
from api.matches.pages.positions import draw_board, seat_names
from api.matches.pages.replay_position import ReplayPosition
from api.matches.service import MATCHES
from api.studies.pages.studies import study_path
from api.titles.drawing import DRAWINGS
from domain.analyses.report import GRADES, Analysis, Decision, costly_decisions, summary_of
from domain.kernel.rules import Seat
from domain.matches.aggregate import Match

WORST: Final = 12
"""Number of costliest decisions in the panel."""


def replay_at(match_id: UUID, entry: int) -> str:
    """Return the path of a replay at an entry."""
    return f"/tables/{match_id}/replay?at={entry}"


async def context(request: PageRequest, position: ReplayPosition) -> Mapping[str, Any] | None:
    """Return the context of the panel; None while the match runs or if it cannot be analysed.

    Before the analysis is requested or complete, it has no results.
    """
    if not position.is_over:
        return None
    matches = MATCHES.of(request)
    service = AnalysisService(matches, ANALYSES.of(request), LIMITS.of(request), request.user)
    match = await matches.reading.get(position.match_id)
    standing = await service.find_progress(match)
    if standing is None:
        return None if await service.refusal_reason(match) else {"standing": None, "analysis": None}
    analysis = await service.read(match) if standing.is_done else None
    return {"standing": standing, "analysis": analysis} | (
        {}
        if analysis is None
        else await asyncio.to_thread(analysis_context, request, match, analysis, position.version)
    )


def analysis_context(request: PageRequest, match: Match, analysis: Analysis, entry: int) -> dict[str, Any]:
    """Return the context for a finished analysis at an entry, with at most `WORST` costly decisions, worst first."""
    phases = DRAWINGS.of(request)[match.title].phases
    return {
        "here": decision_at(analysis, entry),
        "drawn": next((each for each in analysis.draws if each.entry == entry), None),
        "chart": draw_chances(analysis),
        "summaries": [summary_of(analysis, seat) for seat in range(analysis.seats)],
        "worst": costly_decisions(analysis)[:WORST],
        "grades": GRADES,
        "marked": MARKED_GRADES,
        "grade_words": GRADE_WORDS,
        "phase_words": phases,
        "percent": percent,
        "between": format_difference,
        "in_points": format_points,
    }


def decision_at(analysis: Analysis, entry: int) -> Decision | None:
    """Return the decision at an entry; None if there is none."""
    return next((each for each in analysis.decisions if each.entry == entry), None)


@get("/tables/{match_id:uuid}/analysis")
async def wait_for_analysis(
    request: PageRequest, match_id: FromPath[UUID], analyses: NamedDependency[AnalysisService], at: WholeNumber = 1
) -> Response[Any]:
    """Return the panel with the progress for htmx, otherwise redirect to the replay at the entry `at`.

    Nothing is requested; the panel is empty if the match runs or cannot be analysed.
    """
    if not is_htmx(request):
        return redirect_after_form(replay_at(match_id, at), request)
    match = await analyses.tables.reading.get(match_id)
    accounts = ACCOUNTS.of(request)
    names = await asyncio.to_thread(seat_names, match, accounts)
    position = ReplayPosition(match_id, match.title, at, match.version, None, names, match.is_over)
    found = await context(request, position)
    html = "" if found is None else render(request, "analyses/beside.html", {**found, "place": position})
    return Response(html, media_type="text/html")


@post("/tables/{match_id:uuid}/analysis", guards=[requires_person], status_code=200)
async def ask_for_analysis(
    request: PageRequest, match_id: FromPath[UUID], analyses: NamedDependency[AnalysisService], at: WholeNumber = 1
) -> Response[Any]:
    """Request an analysis of the match, and redirect to the replay at the entry `at`.

    Raise `NotAnalysed` if the match cannot be analysed, 429 at the limit per hour.
    """
    await read_form(request, BUTTON)
    await analyses.request_analysis(match_id)
    return redirect_after_form(replay_at(match_id, at), request)


async def find_analysis(analyses: AnalysisService, match_id: UUID) -> tuple[Match, Analysis]:
    """Return match and finished analysis; raise 404 if there is none."""
    match = await analyses.tables.reading.get(match_id)
    standing = await analyses.find_progress(match)
    analysis = None if standing is None or not standing.is_done else await analyses.read(match)
    if analysis is None:
        raise NotFoundException(f"match {match_id} has no analysis")
    return match, analysis


@get("/tables/{match_id:uuid}/analysis/{entry:int}")
async def line_page(
    request: PageRequest,
    match_id: FromPath[UUID],
    entry: FromPath[int],
    analyses: NamedDependency[AnalysisService],
    accounts: NamedDependency[AccountService],
    step: WholeNumber = 0,
) -> Response[Any]:
    """Show the better line of a decision step by step, as its seat sees it; 304 if the reader has it.

    404 without a finished analysis or a better line; a step beyond the end shows the last.
    """
    match, analysis = await find_analysis(analyses, match_id)
    decision = decision_at(analysis, entry)
    if decision is None or not decision.line:
        raise NotFoundException(f"the analysis has no better line for entry {entry} of the match {match_id}")
    shown_step = min(step, len(decision.line))
    names = await asyncio.to_thread(seat_names, match, accounts)
    reader = (person_of(request), token_of(request), language_of(request), preferences_of(request))
    tag_inputs = (str(match_id), match.head, decision, shown_step, names, request.url.query)
    tag = await asyncio.to_thread(tag_of, "analysis", *tag_inputs, *reader)
    if has_tag(request, tag):
        return not_modified(tag)
    position = await analyses.position(match_id, decision, shown_step)
    view = position.match.definition.rules.view(position.state, Seat(decision.seat))
    board = await draw_board(request, match.title, view, names)
    found = {
        "match_id": match_id,
        "title_id": match.title,
        "decision": decision,
        "step": shown_step,
        "board": board,
        "seats": names,
        "grade_words": GRADE_WORDS,
        "percent": percent,
        "in_points": format_points,
    }
    response = await asyncio.to_thread(render_page, request, "analyses/line.html", found)
    response.headers["ETag"] = tag
    return response


@post("/tables/{match_id:uuid}/analysis/study", guards=[requires_person], status_code=200, opt=CREATES)
async def keep_as_study(
    request: PageRequest,
    match_id: FromPath[UUID],
    analyses: NamedDependency[AnalysisService],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """Save the analysis as a new study of the reader, and redirect to it; 404 without a finished analysis.

    Raise `NotYourStudy` for a private match in which the reader has no part.
    """
    await read_form(request, BUTTON)
    _match, analysis = await find_analysis(analyses, match_id)
    study = await analyses.save(match_id, ids.new(), _("Analysis"), comment_on, describe_analysis(analysis))
    return redirect_after_form(study_path(study.id), request)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[wait_for_analysis, ask_for_analysis, line_page, keep_as_study],
        dependencies={"analyses": Provide(provide_analyses, sync_to_thread=False)},
    ),
)
