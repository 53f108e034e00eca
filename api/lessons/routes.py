"""API routes of lessons: list, practice match, guidance."""

from __future__ import annotations

from uuid import UUID

from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody

from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_PLAYERS, Caller, requires_person
from api.http.ids import Ids
from api.http.languages import ENGLISH
from api.http.limits import CREATES
from api.lessons.schemas import BeginForm, LessonBegun, LessonSaid, LessonsOffered
from api.lessons.service import LessonService
from api.matches.service import MatchService
from domain.lessons.script import find_lesson
from domain.matches.titles import find_title


def provide_lessons(matches: NamedDependency[MatchService], ids: NamedDependency[Ids]) -> LessonService:
    """Provide the service."""
    return LessonService(matches, ids)


@declare_access("anybody", "with the caller's progress")
@get("/lessons", responses=problems(400))
async def list_lessons(caller: NamedDependency[Caller], lessons: NamedDependency[LessonService]) -> LessonsOffered:
    """List the lessons of every title in recommended order, with the caller's progress."""
    offered = await lessons.list_lessons(caller.person.id if caller.person else None, ENGLISH)
    return LessonsOffered(tuple(lesson for several in offered.values() for lesson in several))


@post(
    "/lessons/{title:str}/{lesson:str}",
    opt=CREATES,
    status_code=200,
    guards=[requires_person],
    responses=problems(400, 401, 403, 404, 413, 422, 429),
)
async def begin_lesson(
    title: FromPath[str],
    lesson: FromPath[str],
    data: JSONBody[BeginForm],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    lessons: NamedDependency[LessonService],
) -> LessonBegun:
    """Begin or continue a lesson: return the practice match with the caller's seat.

    Raise `NoSuchLesson` or `UnknownTitle` if there is none; `given_up` is a match not to continue.
    """
    found = find_lesson(find_title(matches.titles, title).name, lesson)
    match = await lessons.begin(found, caller.actor, data.given_up)
    return LessonBegun(match.id, match.version, match.head, found.script.seat)


@declare_access("seat")
@get("/matches/{match_id:uuid}/lesson", guards=[requires_person], responses=problems(400, 401, 403, 404))
async def show_lesson(
    match_id: FromPath[UUID], caller: NamedDependency[Caller], lessons: NamedDependency[LessonService]
) -> LessonSaid:
    """Return the guidance for the learner of a practice match, and the actions it allows; in English.

    Empty for a match of no lesson; raise `NotSeated` or `NotHeld` without a seat.
    """
    return await lessons.load_guidance(match_id, caller)


ROUTER = Router(
    "/",
    route_handlers=[list_lessons, begin_lesson, show_lesson],
    dependencies={"lessons": Provide(provide_lessons, sync_to_thread=False)},
    opt=BY_PLAYERS,
    tags=["lessons"],
)
