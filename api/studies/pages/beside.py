"""The studies' panel beside a replay: what they say of the current entry, and what can be done about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.service import AccountService
from api.disputes.wire import RaiseDispute
from api.matches.pages.replay_place import ReplayPlace
from api.matches.service import MatchService
from api.studies.pages.chosen import chosen_study, keep_open
from api.studies.pages.forms import COMMENT, OPEN
from api.studies.pages.studies import VISIBILITY_WORDS, words
from api.studies.service import StudyOfCaller, StudyService
from api.studies.wire import Number, StudyListed
from api.web.browser import PageRequest, back_to
from api.web.form_pages import forms_of
from api.web.forms import Form, read_form
from api.web.guards import Caller
from api.web.wire import Asked
from domain.matches.errors import NoSuchStream
from domain.studies.errors import NotYourStudy
from domain.studies.state import StudyPlace
from projections.paging import LIMIT_MAX


class BesideForm(Asked, frozen=True):
    """Which study of the match stands beside its replay is the browser's own affair, which the wire does not know."""

    study: UUID
    at: Number = 1


RAISE: Final = Form("raise", RaiseDispute)
BESIDE: Final = Form("button", BesideForm)


def first_of(rows: Sequence[StudyListed]) -> UUID | None:
    """The study that is open when the reader has chosen none: one by an annotator of the service before any other."""
    return next((row.id for row in sorted(rows, key=lambda row: not row.by_annotator)), None)


async def context(request: PageRequest, place: ReplayPlace) -> Mapping[str, Any] | None:
    """The studies of the match, and of the one that is open what it says of the entry."""
    tables: MatchService = request.app.state.tables
    accounts: AccountService = request.app.state.accounts
    caller: Caller = request.user
    door = StudyService(tables, accounts, caller)
    rows = (await door.list(place.match_id, limit=LIMIT_MAX)).items
    wanted = chosen_study(request, place.match_id)
    open_id = wanted if wanted is not None else first_of(rows)
    found: dict[str, Any] = {"studies": rows, "study": None, "here": None}
    if open_id is not None:
        found |= await load_beside(door, open_id, place)
    match = await tables.get(place.match_id)
    return found | {
        "forms": forms_of(request, OPEN, COMMENT, RAISE),
        "visibility_words": VISIBILITY_WORDS,
        "may_dispute": caller.person is not None
        and any(info.actor == door.person for info in match.seats)
        and match.status != "superseded"
        and place.version >= (match.started_version or place.last + 1),
        "superseded_by": match.docket.superseded_by,
    }


async def load_beside(door: StudyService, study_id: UUID, place: ReplayPlace) -> dict[str, Any]:
    """What the open study says of the entry; nothing where it may not be read, or is of another match."""
    try:
        kept = await StudyOfCaller(door, study_id).read()
    except (NoSuchStream, NotYourStudy):
        return {}
    if kept.state.match != place.match_id:
        return {}
    study = kept.state
    told = words(door, study)
    entries = told["read"].entries
    return told | {
        "study": study,
        "study_id": kept.id,
        "here": told["read"].at(StudyPlace(place.version)),
        "before": max((each for each in entries if each < place.version), default=None),
        "after": min((each for each in entries if each > place.version), default=None),
        "may_write": study.may_write(door.person),
    }


@post("/tables/{match_id:uuid}/replay/study", status_code=200)
async def open_beside(request: PageRequest, match_id: FromPath[UUID]) -> Response[Any]:
    """Another study beside the replay."""
    wanted = await read_form(request, BESIDE)
    return keep_open(back_to(f"/tables/{match_id}/replay?at={wanted.at}", request), match_id, wanted.study)


@get("/tables/{match_id:uuid}/studies")
async def go_to_studies(
    request: PageRequest, match_id: FromPath[UUID], matches: NamedDependency[MatchService]
) -> Response[Any]:
    """The studies of a match stand beside its replay."""
    await matches.get(match_id)
    return back_to(f"/tables/{match_id}/replay", request)


HANDLERS: Final = (open_beside, go_to_studies)
