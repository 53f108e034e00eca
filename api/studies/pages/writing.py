"""What is written into a study by the forms of its pages: comments, marks, variations, its settings."""

from __future__ import annotations

import asyncio
from typing import Any, Final, Literal
from uuid import uuid4

import msgspec
from litestar import Response, Router, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException
from litestar.params import URLEncodedBody

from api.matches.service import now
from api.matches.wire import AnyAction
from api.studies import commands as reading
from api.studies.pages.chosen import keep_open
from api.studies.pages.studies import place_path, study_path
from api.studies.service import OneStudy, StudyDoor, one_study, study_door
from api.studies.wire import ChangeStudy, MarkPlace, PlayVariation, WantedStep, WriteComment
from api.web.browser import Form, PageRequest, back_to
from api.web.guards import requires_person
from domain.studies.file import FILE_MAX, parse_study
from domain.studies.state import Place, Visibility


class SettingsForm(Form, frozen=True):
    title: str = ""
    visibility: Visibility | Literal[""] = ""
    add: str = ""
    remove: str = ""


class PlaceForm(Form, frozen=True):
    entry: int
    variation: int = 0
    step: int = 0
    eyes: str = "all"

    @property
    def place(self) -> Place:
        return Place(self.entry, self.variation, self.step)


class CommentForm(PlaceForm, frozen=True):
    text: str = ""
    comment: str = ""
    back: str = ""
    """`replay`: written beside the replay, where the page goes back to."""


class NumberForm(PlaceForm, frozen=True):
    number: int = 0
    keep: int = 0


class StepForm(PlaceForm, frozen=True):
    action: str = ""
    seat: int = 0


@post("/settings", status_code=200)
async def change_study(
    request: PageRequest, data: URLEncodedBody[SettingsForm], study: NamedDependency[OneStudy]
) -> Response[Any]:
    """Another title, other readers, other writers."""
    added, removed = ((word,) if word.strip() else () for word in (data.add, data.remove))
    wanted = ChangeStudy(data.title.strip() or None, data.visibility or None, added, removed)
    await study.change(wanted)
    return back_to(study_path(study.id), request)


@post("/comments", status_code=200)
async def write_comment(
    request: PageRequest, data: URLEncodedBody[CommentForm], study: NamedDependency[OneStudy]
) -> Response[Any]:
    """A comment, or one in other words."""
    number = int(data.comment) if data.comment.isdecimal() else None
    wanted = WriteComment(data.entry, data.text, data.variation, data.step, number)
    kept = await study.do(reading.comment, wanted, at=now())
    if data.back == "replay":
        return back_to(f"/tables/{kept.state.match}/replay?at={data.entry}", request)
    return back_to(place_path(study.id, data.place, data.eyes), request)


@post("/comments/removal", status_code=200)
async def remove_comment(
    request: PageRequest, data: URLEncodedBody[NumberForm], study: NamedDependency[OneStudy]
) -> Response[Any]:
    """Take a comment out."""
    await study.do(reading.uncomment, data.number, at=now())
    return back_to(place_path(study.id, data.place, data.eyes), request)


@post("/marks", status_code=200)
async def mark_place(request: PageRequest, study: NamedDependency[OneStudy]) -> Response[Any]:
    """The marks of the place: what is ticked, and the rings and arrows that are written or drawn."""
    form = await request.form()
    try:
        numbers = [int(str(form.get(name, "0"))) for name in ("entry", "variation", "step")]
        glyphs = tuple(str(each) for each in form.getall("glyph", []))
        shapes = shapes_of(str(form.get("shapes", "")))
        wanted = msgspec.convert(
            {"entry": numbers[0], "variation": numbers[1], "step": numbers[2], "glyphs": glyphs, "shapes": shapes},
            MarkPlace,
        )
    except (ValueError, msgspec.ValidationError) as fault:
        raise ClientException(f"the form holds no marks: {fault}") from fault
    await study.do(reading.mark, wanted, at=now())
    return back_to(place_path(study.id, Place(*numbers), str(form.get("eyes", "all"))), request)


def shapes_of(text: str) -> list[dict[str, str]]:
    """`region-3` is a ring, `region-3>court` an arrow."""
    found: list[dict[str, str]] = []
    for word in text.replace(",", " ").split():
        part, arrow, to = word.partition(">")
        found.append({"part": part, "to": to} if arrow else {"part": part})
    return found


@post("/variations", status_code=200)
async def play_on(
    request: PageRequest, data: URLEncodedBody[StepForm], study: NamedDependency[OneStudy]
) -> Response[Any]:
    """One more step from the place; the page goes there."""
    try:
        action = msgspec.json.decode(data.action, type=AnyAction)
    except msgspec.DecodeError as fault:
        raise ClientException(f"the form holds no action: {fault}") from fault
    wanted = PlayVariation(data.entry, (WantedStep(action, data.seat),), data.variation, data.step)
    before = (await study.read()).state
    after = (await study.do(reading.play, wanted, at=now())).state
    grown = after.variations[-1] if len(after.variations) > len(before.variations) else after.variation(data.variation)
    assert grown is not None, "either there is a new variation, or the one that was there is longer"
    return back_to(place_path(study.id, Place(data.entry, grown.number, len(grown.steps)), data.eyes), request)


@post("/variations/cut", status_code=200)
async def cut_variation(
    request: PageRequest, data: URLEncodedBody[NumberForm], study: NamedDependency[OneStudy]
) -> Response[Any]:
    """Only the first steps stay, or nothing of the variation."""
    kept = await study.read()
    known = kept.state.variation(data.number)
    await study.do(reading.cut, data.number, data.keep, at=now())
    there = Place(data.entry, data.number, data.keep) if data.keep else known.at if known else Place(data.entry)
    return back_to(place_path(study.id, there, data.eyes), request)


@post("/studies/import", guards=[requires_person], status_code=200, request_max_body_size=FILE_MAX)
async def import_study(request: PageRequest, studies: NamedDependency[StudyDoor]) -> Response[Any]:
    """A study from a file that somebody kept: an own one as it is, another's as an own copy."""
    upload = (await request.form()).get("file")
    if not isinstance(upload, UploadFile):
        raise ClientException("the form holds no file")
    file = await asyncio.to_thread(parse_study, await upload.read())
    kept = await studies.bring(file, uuid4())
    return keep_open(back_to(study_path(kept.id), request), kept.state.match, kept.id)


WRITING: Final = Router(
    "/studies/{study_id:uuid}",
    route_handlers=[change_study, write_comment, remove_comment, mark_place, play_on, cut_variation],
    guards=[requires_person],
    dependencies={"study": Provide(one_study, sync_to_thread=False)},
)
HANDLERS: Final = (
    Router(
        "/", route_handlers=[import_study, WRITING], dependencies={"studies": Provide(study_door, sync_to_thread=False)}
    ),
)
