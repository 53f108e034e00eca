"""Pages that list and begin lessons; lessons take place at the table."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.service import AccountService
from api.http.forms import Form, read_form
from api.http.guards import Caller
from api.http.ids import Ids
from api.http.languages import language_of
from api.http.limits import CREATES, GUEST_LIMIT
from api.http.page_responses import SEE_OTHER, PageRequest, person_of, render_page
from api.http.preferences import encode_browser_preferences
from api.lessons.schemas import BeginForm
from api.lessons.service import LessonService
from api.matches.pages.addresses import redirect_to_table
from api.matches.service import MatchService
from domain.lessons.script import find_lesson
from domain.matches.titles import find_title
from projections.platform.settings import Settings

BEGIN: Final = Form("button", BeginForm)


@get("/learn")
async def lessons_page(
    request: PageRequest, matches: NamedDependency[MatchService], ids: NamedDependency[Ids]
) -> Response[Any]:
    """List all lessons with the reader's progress."""
    person = person_of(request)
    offered = await LessonService(matches, ids).list_lessons(person.id if person else None, language_of(request))
    return render_page(request, "lessons/lessons.html", {"offered": offered})


@post("/learn/{title:str}/{name:str}", opt=GUEST_LIMIT | CREATES, status_code=SEE_OTHER)
async def begin_lesson(
    request: PageRequest,
    title: FromPath[str],
    name: FromPath[str],
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
    ids: NamedDependency[Ids],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Begin or continue a lesson and redirect to its match; visitors without an account become guests.

    `NoSuchLesson` or `UnknownTitle` if there is none; `given_up` in the form is a match not to continue.
    """
    form = await read_form(request, BEGIN)
    lesson = find_lesson(find_title(matches.titles, title).name, name)
    person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
    match = await LessonService(matches, ids).begin(lesson, person.id, form.given_up)
    return redirect_to_table(match.id, session, settings)


HANDLERS: Final = (lessons_page, begin_lesson)
