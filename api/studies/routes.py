"""Routes for studies: annotations, variations and files."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar import Response, Router, delete, get, patch, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter, RawBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, requires_caller, requires_person
from api.http.ids import IdempotencyKey, Ids, study_id
from api.http.limits import CREATES, TEXT_BYTES_MAX
from api.http.openapi import with_file
from api.http.page_responses import PageRequest
from api.http.paging import Before, Limit
from api.matches.routes.matches import CHANGE_PROBLEMS
from api.matches.service import MatchService
from api.studies.board_parts import require_parts, require_parts_of
from api.studies.schemas import (
    FILE_BYTES_MAX,
    ChangeStudy,
    MarkPlace,
    NameChapter,
    OpenStudy,
    PlayVariation,
    StudiesShown,
    StudyShown,
    VariationPosition,
    WriteComment,
)
from api.studies.service import StudyOfCaller, StudyService, provide_studies, provide_study
from domain.studies.commands import StudyStream
from domain.studies.facts import StudyPlace
from projections.platform.paging import LIMIT

READ_PROBLEMS: Final = problems(400, 401, 403, 404)
STUDY_TYPE: Final = "application/jsonl"
MARKDOWN_TYPE: Final = "text/markdown"
NUMBER_MAX: Final = 2**31

Where = Annotated[int, QueryParameter(ge=0, le=NUMBER_MAX)]


def answer(study: StudyOfCaller | StudyService, stream: StudyStream, status: int = 200) -> Response[StudyShown]:
    """Return a study with its version as ETag."""
    return Response(study.encode(stream), status_code=status, headers={"ETag": f'"{stream.version}"'})


@declare_access("anybody", "public studies and the caller's")
@get("/studies", responses=problems(400, 401))
async def list_studies(
    studies: NamedDependency[StudyService], mine: FromQuery[bool] = False, before: Before = None, limit: Limit = LIMIT
) -> StudiesShown:
    """List public studies and the caller's, last changed first; with `mine` only the caller's."""
    found = await studies.list(own_only=mine, limit=limit, before=before)
    return StudiesShown(found.items, next=found.next)


@declare_access("anybody", "public studies and the caller's")
@get("/matches/{match_id:uuid}/annotations", responses=READ_PROBLEMS)
async def list_annotations(
    match_id: FromPath[UUID],
    studies: NamedDependency[StudyService],
    matches: NamedDependency[MatchService],
    before: Before = None,
    limit: Limit = LIMIT,
) -> StudiesShown:
    """List the studies of a match, last changed first: public ones and the caller's; `NoSuchMatch` if unknown."""
    await matches.reading.get(match_id)
    found = await studies.list(match_id, limit=limit, before=before)
    return StudiesShown(found.items, next=found.next)


@post(
    "/matches/{match_id:uuid}/annotations",
    opt=CREATES,
    guards=[requires_person],
    responses=CHANGE_PROBLEMS,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def open_study(
    match_id: FromPath[UUID],
    data: JSONBody[OpenStudy],
    studies: NamedDependency[StudyService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[StudyShown]:
    """Open a study of a public match, or of the caller's own (201); an Idempotency-Key opens one study only.

    Raise `NotYourStudy` for other matches, `StudyRefused` for a bad title.
    """
    new_id = study_id(ids.id_for(studies.caller, "study", idempotency_key))
    return answer(studies, await studies.open(new_id, match_id, data), 201)


@declare_access("own", "its writers; a public or unlisted one: every reader of its match")
@get("/", responses=READ_PROBLEMS)
async def get_study(study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Return a study with all its comments, marks and variations."""
    return answer(study, await study.read())


@declare_access("own", "its owner")
@patch("/", guards=[requires_person], responses=CHANGE_PROBLEMS, request_max_body_size=TEXT_BYTES_MAX)
async def change_study(data: JSONBody[ChangeStudy], study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Change title, visibility and collaborators, as the owner."""
    return answer(study, await study.change(data))


@declare_access("own", "its writers")
@post("/comments", guards=[requires_person], responses=CHANGE_PROBLEMS, request_max_body_size=TEXT_BYTES_MAX)
async def write_comment(data: JSONBody[WriteComment], study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Write a comment at a place, or change one of the caller's."""
    return answer(study, await study.comment(data), 201)


@declare_access("own", "its writers")
@delete("/comments/{number:int}", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def remove_comment(number: FromPath[int], study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Remove a comment; the records keep it."""
    return answer(study, await study.remove_comment(number))


@declare_access("own", "its writers")
@post("/marks", guards=[requires_person], responses=CHANGE_PROBLEMS, request_max_body_size=TEXT_BYTES_MAX)
async def mark_place(
    request: PageRequest, data: JSONBody[MarkPlace], study: NamedDependency[StudyOfCaller]
) -> Response[StudyShown]:
    """Replace the marks of a place (201); rings and arrows must name parts of the board.

    Raise `NotYourStudy` unless the caller may write, `StudyRefused` for other parts or an unknown place.
    """
    await require_parts(request, study, data)
    return answer(study, await study.mark(data), 201)


@declare_access("own", "its writers")
@post("/variations", guards=[requires_person], responses=CHANGE_PROBLEMS, request_max_body_size=TEXT_BYTES_MAX)
async def play_variation(data: JSONBody[PlayVariation], study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Add or extend a variation; a refused step is named."""
    return answer(study, await study.play(data), 201)


@declare_access("own", "its writers")
@delete("/variations/{number:int}", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def cut_variation(
    number: FromPath[int], study: NamedDependency[StudyOfCaller], keep: Where = 0
) -> Response[StudyShown]:
    """Cut a variation to its first `keep` steps, or remove it; nested content beyond them is removed too.

    Raise `NotYourStudy` unless the caller wrote it or owns the study, `StudyRefused` if it is unknown or not longer.
    """
    return answer(study, await study.cut_variation(number, keep))


@declare_access("own", "its writers")
@post("/variations/{number:int}/promotion", guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def promote_variation(number: FromPath[int], study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Promote a variation before its siblings; raise `NotYourStudy` or `StudyRefused` as `admit_promotion`.

    The first sibling in another variation is swapped with the continuation of that variation.
    """
    return answer(study, await study.promote_variation(number))


@declare_access("own", "its writers")
@post("/chapters", guards=[requires_person], responses=CHANGE_PROBLEMS, request_max_body_size=TEXT_BYTES_MAX)
async def name_chapter(data: JSONBody[NameChapter], study: NamedDependency[StudyOfCaller]) -> Response[StudyShown]:
    """Name or rename the chapter at an entry; an empty title removes it."""
    return answer(study, await study.name_chapter(data), 201)


@declare_access("own", "its readers")
@get("/position", responses=problems(400, 401, 403, 404, 422))
async def get_position(
    study: NamedDependency[StudyOfCaller], entry: Where, variation: Where = 0, step: Where = 0
) -> VariationPosition:
    """Return the position at a place with every seat's view.

    Raise `StudyRefused` if the place does not exist, is before the start, or the match still hides something.
    """
    return await study.position(StudyPlace(entry, variation, step))


@declare_access("own", "its readers")
@get("/file", responses=problems(400, 401, 403, 404, 422), media_type=STUDY_TYPE)
async def export_study(study: NamedDependency[StudyOfCaller], log: FromQuery[bool] = False) -> bytes:
    """Export the study as a text file, optionally with the log of its match."""
    return await study.file(with_log=log)


@declare_access("own", "its readers")
@get("/report", responses=READ_PROBLEMS, media_type=MARKDOWN_TYPE)
async def export_report(study: NamedDependency[StudyOfCaller]) -> Response[str]:
    """Export the study as a readable report in Markdown."""
    return Response(await study.report(), media_type=MARKDOWN_TYPE)


@post(
    "/studies",
    opt=CREATES,
    guards=[requires_caller],
    operation_class=with_file(takes=(STUDY_TYPE,)),
    responses=CHANGE_PROBLEMS,
    request_max_body_size=FILE_BYTES_MAX,
)
async def import_study(
    request: PageRequest,
    body: RawBody,
    studies: NamedDependency[StudyService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[StudyShown]:
    """Import a study (201): the caller's own unchanged, another one as a copy; its match must exist here.

    The same file again makes no second study. Raise `LogFault` for a bad file, `WrongMatch` without the match,
    `StudyExists`, `StudyRefused` or `NotYourStudy`.
    """
    async with studies.import_turn():
        file = await studies.parse(body)
        new_id = ids.copy_of_study(studies.caller, file.header.study_head, idempotency_key)
        await require_parts_of(request, studies, file, new_id)
        return answer(studies, await studies.import_study(file, new_id), 201)


ONE: Final = Router(
    "/studies/{study_id:uuid}",
    route_handlers=[
        get_study,
        change_study,
        write_comment,
        remove_comment,
        mark_place,
        play_variation,
        cut_variation,
        promote_variation,
        name_chapter,
        get_position,
        export_study,
        export_report,
    ],
    dependencies={"study": Provide(provide_study, sync_to_thread=False)},
)
ROUTER: Final = Router(
    "/",
    route_handlers=[list_studies, list_annotations, open_study, import_study, ONE],
    dependencies={"studies": Provide(provide_studies, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["studies"],
)
