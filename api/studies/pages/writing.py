"""Forms that change a study: comments, marks, variations and settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from litestar.response import ServerSentEvent

from api.http.form_pages import handle_form
from api.http.forms import Form, read_form, read_upload, sent_fields, sent_number
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.limits import CREATES
from api.http.live import live_stream
from api.http.page_responses import PageRequest, person_of, redirect_after_form
from api.matches.pages.replay_position import SHOW_REPLAY, RequestedPosition
from api.studies.board_parts import require_parts, require_parts_of
from api.studies.pages.forms import (
    CHAPTER,
    COMMENT,
    CUTTING,
    MARKS,
    OPEN,
    PRESENT,
    PROMOTION,
    REMOVAL,
    SETTINGS,
    STEP,
    ChapterForm,
    CommentForm,
    CommentRemoval,
    MarkForm,
    OpenStudyAt,
    Promotion,
    StepForm,
    VariationCutting,
    sent_eyes,
)
from api.studies.pages.selection import remember_study
from api.studies.pages.studies import place_path, show_study, study_path
from api.studies.presentations import ENDED, PRESENTATIONS, Presentation, StudyScene
from api.studies.schemas import FILE_BYTES_MAX, ChangeStudy, MarkPlace, with_steps
from api.studies.service import StudyOfCaller, StudyService, provide_studies, provide_study
from domain.studies.facts import StudyPlace

F = TypeVar("F", bound=msgspec.Struct)


@post("/tables/{match_id:uuid}/studies", guards=[requires_person], status_code=200, opt=CREATES)
async def open_study(
    request: PageRequest,
    match_id: FromPath[UUID],
    studies: NamedDependency[StudyService],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """Open a new study of the match, remember it as open and redirect to it at the entry shown.

    Refused with `NotYourStudy` for a match that the reader may not see, `StudyRefused` for a bad title; the replay is
    shown again.
    """

    async def do(form: OpenStudyAt) -> Response[Any]:
        stream = await studies.open(ids.new(), match_id, form)
        place = StudyPlace(form.at or stream.state.entries)
        return remember_study(redirect_after_form(place_path(stream, place), request), match_id, stream.id)

    async def again() -> Response[str]:
        form = RequestedPosition(sent_number(await sent_fields(request), "at"))
        return await SHOW_REPLAY.of(request)(request, match_id, form)

    return await handle_form(request, OPEN, do, again)


@post("/settings", status_code=200)
async def change_study(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Change title, visibility and collaborators, and redirect to the study; a rejected form is shown there.

    Refused as `StudyOfCaller.change`, such as with `NotYourStudy` or `NoSuchPerson`.
    """

    async def do(form: ChangeStudy) -> Response[Any]:
        await study.change(form)
        return redirect_after_form(study_path(study.id), request)

    return await handle_form(request, SETTINGS, do, lambda: show_study(request, study.service, study.id))


async def handle_place_form(
    request: PageRequest, study: StudyOfCaller, form: Form[F], do: Callable[[F], Awaitable[Response[Any]]]
) -> Response[Any]:
    """Handle a form at a place of the study; after an error, render the replay again."""
    fields = await sent_fields(request)

    async def render_again() -> Response[str]:
        entry, variation, step = (sent_number(fields, name) or 0 for name in ("entry", "variation", "step"))
        position = RequestedPosition(entry, sent_eyes(fields), study.id, variation, step)
        return await SHOW_REPLAY.of(request)(request, (await study.read()).state.match, position)

    return await handle_form(request, form, do, render_again)


@post("/comments", status_code=200)
async def write_comment(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Write or change a comment, and redirect to its place; after an error, the replay is shown again.

    Refused with `NotYourStudy` or `StudyRefused` as `comment`.
    """

    async def do(form: CommentForm) -> Response[Any]:
        stream = await study.comment(form)
        return redirect_after_form(
            place_path(stream, StudyPlace(form.entry, form.variation, form.step), form.eyes), request
        )

    return await handle_place_form(request, study, COMMENT, do)


@post("/comments/removal", status_code=200)
async def remove_comment(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Remove a comment, and redirect to the place.

    Refused with `NotYourStudy` unless the reader wrote it or owns the study, `StudyRefused` if it is unknown.
    """

    async def do(form: CommentRemoval) -> Response[Any]:
        stream = await study.remove_comment(form.number)
        return redirect_after_form(place_path(stream, form.place, form.eyes), request)

    return await handle_place_form(request, study, REMOVAL, do)


@post("/marks", status_code=200)
async def mark_place(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Set the marks of the place, glyphs, rings and arrows, instead of the earlier ones, and redirect to it.

    Refused with `StudyRefused` for parts that are not on the board, `NotYourStudy` unless the reader may write.
    """

    async def do(form: MarkForm) -> Response[Any]:
        marks = MarkPlace(form.entry, form.variation, form.step, form.glyphs, form.shape_list())
        await require_parts(request, study, marks)
        stream = await study.mark(marks)
        return redirect_after_form(place_path(stream, form.place, form.eyes), request)

    return await handle_place_form(request, study, MARKS, do)


@post("/variations", status_code=200)
async def play_on(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Add a step at the place, as a new variation or at the end of one, and redirect to it.

    Refused with `IllegalVariation`, `NotYourStudy`, `StudyRefused` or `RulesRetired` as `add_variation`.
    """

    async def do(form: StepForm) -> Response[Any]:
        before = (await study.read()).state
        stream = await study.play(form)
        after = stream.state
        is_new = len(after.variations) > len(before.variations)
        extended = after.variations[-1] if is_new else after.variation(form.variation)
        assert extended is not None, "either there is a new variation, or the one that was there is longer"
        place = StudyPlace(form.entry, extended.number, len(extended.steps))
        return redirect_after_form(place_path(stream, place, form.eyes), request)

    return await handle_place_form(
        request, study, replace(STEP, kind=with_steps(STEP.kind, study.service.tables.titles)), do
    )


@post("/variations/cut", status_code=200)
async def cut_variation(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Cut or remove a variation, and redirect to its new end, or to the place where it began.

    Refused with `NotYourStudy` unless the reader wrote it or owns the study, `StudyRefused` if it is unknown.
    """

    async def do(form: VariationCutting) -> Response[Any]:
        variation = (await study.read()).state.variation(form.number)
        stream = await study.cut_variation(form.number, form.keep)
        end = StudyPlace(form.entry, form.number, form.keep)
        target = end if form.keep else variation.at if variation else StudyPlace(form.entry)
        return redirect_after_form(place_path(stream, target, form.eyes), request)

    return await handle_place_form(request, study, CUTTING, do)


@post("/variations/promotion", status_code=200)
async def promote_variation(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Promote a variation, and redirect to the same step; refused with `StudyRefused` if it cannot be promoted.

    Refused with `NotYourStudy` unless the reader owns every line that changes, or the study.
    """

    async def do(form: Promotion) -> Response[Any]:
        before = (await study.read()).state
        stream = await study.promote_variation(form.number)
        variation, place = before.variation(form.number), form.place
        if variation is not None and stream.state.variation(form.number) != variation and form.variation == form.number:
            place = StudyPlace(form.entry, variation.at.variation, variation.at.step + form.step)
        return redirect_after_form(place_path(stream, place, form.eyes), request)

    return await handle_place_form(request, study, PROMOTION, do)


@post("/chapters", status_code=200)
async def name_chapter(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> Response[Any]:
    """Name, rename or, with an empty title, remove a chapter, and redirect to the place.

    Refused with `NotYourStudy` unless the reader may write, `StudyRefused` for an unknown entry or chapter.
    """

    async def do(form: ChapterForm) -> Response[Any]:
        stream = await study.name_chapter(form)
        place = StudyPlace(form.entry, form.variation, form.step)
        return redirect_after_form(place_path(stream, place, form.eyes), request)

    return await handle_place_form(request, study, CHAPTER, do)


@post("/presentation", status_code=204)
async def present(request: PageRequest, study: NamedDependency[StudyOfCaller]) -> None:
    """Present this place to followers, or end the presentation; the page repeats this while it presents.

    Raise `NotYourStudy` unless the reader may write the study, `StudyRefused` for an unknown place.
    """
    form = await read_form(request, PRESENT)
    await study.require_writer()
    await study.place(form.place)
    presentations = PRESENTATIONS.of(request)
    person = person_of(request)
    presentation = ENDED
    if not form.ended and person is not None:
        presentation = Presentation(person.id, person.name, form.entry, form.variation, form.step, form.eyes)
    presentations.present(study.id, presentation)


@get("/studies/{study_id:uuid}/stream", media_type="text/event-stream")
async def study_stream(
    request: PageRequest, study_id: FromPath[UUID], studies: NamedDependency[StudyService]
) -> ServerSentEvent:
    """Stream changes and presentations of a study; raise or end if the reader may not read it (`read_study`)."""
    study = StudyOfCaller(studies, study_id)
    await study.read()
    view = StudyScene(PRESENTATIONS.of(request), study)
    return live_stream(request, studies.tables.notifier, view, study.read)


@post("/studies/import", guards=[requires_person], status_code=200, request_max_body_size=FILE_BYTES_MAX, opt=CREATES)
async def import_study(
    request: PageRequest, studies: NamedDependency[StudyService], ids: NamedDependency[Ids]
) -> Response[Any]:
    """Import a study from an uploaded file, remember it as open and redirect to it.

    The reader's own is stored unchanged, another one as a copy. It waits for its turn in the queue of imports. Raise
    `LogFault` for a bad file, `WrongMatch` without its match, `StudyRefused`, `NotYourStudy` or `StudyExists`.
    """
    upload = await read_upload(request, "file")
    content = await upload.read()
    async with studies.import_turn():
        file = await studies.parse(content)
        new_id = ids.copy_of_study(studies.caller, file.header.study_head)
        await require_parts_of(request, studies, file, new_id)
        stream = await studies.import_study(file, new_id)
    return remember_study(redirect_after_form(study_path(stream.id), request), stream.state.match, stream.id)


WRITING: Final = Router(
    "/studies/{study_id:uuid}",
    route_handlers=[
        change_study,
        write_comment,
        remove_comment,
        mark_place,
        play_on,
        cut_variation,
        promote_variation,
        name_chapter,
        present,
    ],
    guards=[requires_person],
    dependencies={"study": Provide(provide_study, sync_to_thread=False)},
)
HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[open_study, import_study, study_stream, WRITING],
        dependencies={"studies": Provide(provide_studies, sync_to_thread=False)},
    ),
)
