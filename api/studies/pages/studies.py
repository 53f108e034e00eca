"""Pages of studies: list, study and report."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.accounts.service import AccountService
from api.http.form_pages import forms_of
from api.http.guards import Caller
from api.http.inputs import WholeNumber
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.paging import Before, Limit
from api.matches.pages.replay_position import RequestedPosition, replay_path
from api.matches.service import MatchService
from api.studies.pages.forms import SETTINGS
from api.studies.pages.places import StudyIndex, part_words
from api.studies.service import StudyOfCaller, StudyService
from domain.kernel.messages import N_
from domain.studies.commands import StudyStream
from domain.studies.facts import GLYPH_SIGNS, StudyPlace
from projections.platform.paging import LIMIT

GLYPH_WORDS: Final = {
    "good": N_("good"),
    "brilliant": N_("brilliant"),
    "doubtful": N_("doubtful"),
    "mistake": N_("mistake"),
    "blunder": N_("blunder"),
    "forced": N_("forced"),
    "interesting": N_("interesting"),
}
VISIBILITY_WORDS: Final = {"public": N_("public"), "unlisted": N_("unlisted"), "private": N_("private")}


def study_path(study_id: UUID) -> str:
    """Return the path of a study."""
    return f"/studies/{study_id}"


def place_path(stream: StudyStream, place: StudyPlace, eyes: str = "") -> str:
    """Return the path of a place, in the replay of the match."""
    return replay_path(stream.state.match, RequestedPosition(place.entry, eyes, stream.id, place.variation, place.step))


def study_context(service: StudyService, stream: StudyStream, eyes: str = "") -> dict[str, Any]:
    """Return the context that every template of a study needs."""
    study = stream.state
    names = service.names(study)
    return {
        "names_of_people": names,
        "signs": GLYPH_SIGNS,
        "glyph_words": GLYPH_WORDS,
        "visibility_words": VISIBILITY_WORDS,
        "part_words": part_words,
        "read": StudyIndex(study, names),
        "Place": StudyPlace,
        "way": lambda place: place_path(stream, place, eyes),
    }


@get("/studies")
async def studies_page(
    request: PageRequest,
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    mine: FromQuery[bool] = False,
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """List public studies and the reader's, last changed first; with `mine` only the reader's."""
    found = await StudyService(matches, accounts, caller).list(own_only=mine, limit=limit, before=before)
    context = {
        "studies": found.items,
        "next": found.next,
        "limit": limit,
        "mine": mine,
        "visibility_words": VISIBILITY_WORDS,
    }
    return render_page(request, "studies/studies.html", context)


@get("/studies/{study_id:uuid}")
async def study_page(
    request: PageRequest,
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    part: WholeNumber = 1,
) -> Response[str]:
    """Show a study entry by entry, divided into pages; a `part` outside them gives the nearest.

    Raise `NoSuchStream`, `NotYourStudy` or `StudyClosed` if the reader may not read it.
    """
    return await show_study(request, StudyService(matches, accounts, caller), study_id, part)


async def show_study(request: PageRequest, service: StudyService, study_id: UUID, part: int = 1) -> Response[str]:
    """Render a page of a study; a number outside its pages gives the nearest.

    Raise `NoSuchStream`, `NotYourStudy` or `StudyClosed` if the reader may not read it.
    """
    stream = await StudyOfCaller(service, study_id).read()
    study = stream.state
    match = await service.tables.reading.get(study.match)
    context = study_context(service, stream)
    pages = context["read"].pages
    context |= {
        "forms": forms_of(request, SETTINGS),
        "kept": stream,
        "study": study,
        "match": match,
        "pages": pages,
        "part": min(max(part, 1), len(pages)),
        "may_write": study.may_write(service.person),
        "is_owner": study.owner == service.person,
        "first": match.started_version or 1,
    }
    return await asyncio.to_thread(render_page, request, "studies/study.html", context)


@get("/studies/{study_id:uuid}/place")
async def go_to_place(
    request: PageRequest,
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    entry: WholeNumber,
    variation: WholeNumber = 0,
    step: WholeNumber = 0,
    eyes: FromQuery[str] = "all",
) -> Response[Any]:
    """Redirect to a place of a study in the replay of its match; the place itself is not checked.

    Raise `NoSuchStream`, `NotYourStudy` or `StudyClosed` if the reader may not read the study.
    """
    stream = await StudyOfCaller(StudyService(matches, accounts, caller), study_id).read()
    return redirect_after_form(place_path(stream, StudyPlace(entry, variation, step), eyes), request)


@get("/studies/{study_id:uuid}/report")
async def report_page(
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> Response[str]:
    """Download the report of a study as Markdown; raise as `read_study` if the reader may not read it."""
    text = await StudyOfCaller(StudyService(matches, accounts, caller), study_id).report()
    headers = {"Content-Disposition": f'attachment; filename="study-{study_id}.md"'}
    return Response(text, media_type="text/markdown", headers=headers)


HANDLERS: Final = (
    studies_page,
    study_page,
    go_to_place,
    report_page,
)
