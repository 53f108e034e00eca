"""What is written into a study by the forms of its pages: comments, marks, variations, its settings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, Router, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.matches.pages.replay import show_replay
from api.studies.pages.chosen import keep_open
from api.studies.pages.forms import (
    COMMENT,
    CUTTING,
    EVERYBODY,
    MARKS,
    OPEN,
    REMOVAL,
    SETTINGS,
    STEP,
    CommentForm,
    CommentRemoval,
    MarkForm,
    OpenStudyAt,
    StepForm,
    VariationCutting,
)
from api.studies.pages.studies import place_path, show_place, show_study, study_path
from api.studies.parts import require_parts
from api.studies.service import StudyOfCaller, StudyService, provide_studies, provide_study
from api.studies.wire import FILE_BYTES_MAX, ChangeStudy, MarkPlace
from api.titles.actions import form_with_actions
from api.web.browser import PageRequest, back_to
from api.web.form_pages import answer_form
from api.web.forms import Form, read_upload, sent_fields, sent_number
from api.web.guards import requires_person
from api.web.ids import Ids
from domain.studies.file import parse_study
from domain.studies.state import StudyPlace

F = TypeVar("F", bound=msgspec.Struct)

REPLAY: Final = "replay"


@post("/tables/{match_id:uuid}/studies", guards=[requires_person], status_code=200)
async def open_study(
    request: PageRequest,
    match_id: FromPath[UUID],
    studies: NamedDependency[StudyService],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """A new study of the match, begun at the entry that was shown."""

    async def do(wanted: OpenStudyAt) -> Response[Any]:
        kept = await studies.open(ids.new(), match_id, wanted)
        place = StudyPlace(wanted.at or kept.state.entries)
        return keep_open(back_to(place_path(kept.id, place), request), match_id, kept.id)

    async def again() -> Response[str]:
        return await show_replay(request, studies.tables, match_id, sent_number(await sent_fields(request), "at"))

    return await answer_form(request, OPEN, do, again)


@post("/settings", status_code=200)
async def change_study(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Another title, other readers, other writers."""

    async def do(wanted: ChangeStudy) -> Response[Any]:
        await study.change(wanted)
        return back_to(study_path(study.id), request)

    return await answer_form(request, SETTINGS, do, lambda: show_study(request, study.door, study.id))


async def at_place(
    request: PageRequest, study: StudyOfCaller, form: Form[F], do: Callable[[F], Awaitable[Response[Any]]]
) -> Response[Any]:
    """What a form at a place of the study asks for is done; refused, the page of the place comes back, or the replay
    that the form stood beside."""
    fields = await sent_fields(request)

    async def again() -> Response[str]:
        entry, variation, step = (sent_number(fields, name) or 0 for name in ("entry", "variation", "step"))
        if fields.get("back") == [REPLAY]:
            return await show_replay(request, study.door.tables, (await study.read()).state.match, entry)
        eyes = str(next(iter(fields.get("eyes", ())), EVERYBODY))
        return await show_place(request, study.door, study.id, StudyPlace(entry, variation, step), eyes)

    return await answer_form(request, form, do, again)


@post("/comments", status_code=200)
async def write_comment(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """A comment, or one in other words."""

    async def do(wanted: CommentForm) -> Response[Any]:
        kept = await study.comment(wanted)
        if wanted.back == REPLAY:
            return back_to(f"/tables/{kept.state.match}/replay?at={wanted.entry}", request)
        place = StudyPlace(wanted.entry, wanted.variation, wanted.step)
        return back_to(place_path(study.id, place, wanted.eyes), request)

    return await at_place(request, study, COMMENT, do)


@post("/comments/removal", status_code=200)
async def remove_comment(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Take a comment out."""

    async def do(wanted: CommentRemoval) -> Response[Any]:
        await study.remove_comment(wanted.number)
        return back_to(place_path(study.id, wanted.place, wanted.eyes), request)

    return await at_place(request, study, REMOVAL, do)


@post("/marks", status_code=200)
async def mark_place(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """The marks of the place: what is ticked, and the rings and arrows that are written or drawn."""

    async def do(wanted: MarkForm) -> Response[Any]:
        marks = MarkPlace(wanted.entry, wanted.variation, wanted.step, wanted.glyphs, wanted.shape_list())
        await require_parts(request, study, marks)
        await study.mark(marks)
        return back_to(place_path(study.id, wanted.place, wanted.eyes), request)

    return await at_place(request, study, MARKS, do)


@post("/variations", status_code=200)
async def play_on(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """One more step from the place; the page goes there."""

    async def do(wanted: StepForm) -> Response[Any]:
        before = (await study.read()).state
        after = (await study.play(wanted)).state
        is_new = len(after.variations) > len(before.variations)
        grown = after.variations[-1] if is_new else after.variation(wanted.variation)
        assert grown is not None, "either there is a new variation, or the one that was there is longer"
        place = StudyPlace(wanted.entry, grown.number, len(grown.steps))
        return back_to(place_path(study.id, place, wanted.eyes), request)

    return await at_place(request, study, form_with_actions(STEP, study.door.tables.titles), do)


@post("/variations/cut", status_code=200)
async def cut_variation(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Only the first steps stay, or nothing of the variation."""

    async def do(wanted: VariationCutting) -> Response[Any]:
        known = (await study.read()).state.variation(wanted.number)
        await study.cut_variation(wanted.number, wanted.keep)
        kept = StudyPlace(wanted.entry, wanted.number, wanted.keep)
        there = kept if wanted.keep else known.at if known else StudyPlace(wanted.entry)
        return back_to(place_path(study.id, there, wanted.eyes), request)

    return await at_place(request, study, CUTTING, do)


@post("/studies/import", guards=[requires_person], status_code=200, request_max_body_size=FILE_BYTES_MAX)
async def import_study(
    request: PageRequest, studies: NamedDependency[StudyService], ids: NamedDependency[Ids]
) -> Response[Any]:
    """A study from a file that somebody kept: an own one as it is, another's as an own copy."""
    upload = await read_upload(request, "file")
    file = await asyncio.to_thread(parse_study, await upload.read())
    kept = await studies.bring(file, ids.new())
    return keep_open(back_to(study_path(kept.id), request), kept.state.match, kept.id)


WRITING: Final = Router(
    "/studies/{study_id:uuid}",
    route_handlers=[change_study, write_comment, remove_comment, mark_place, play_on, cut_variation],
    guards=[requires_person],
    dependencies={"study": Provide(provide_study, sync_to_thread=False)},
)
HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[open_study, import_study, WRITING],
        dependencies={"studies": Provide(provide_studies, sync_to_thread=False)},
    ),
)
