"""Pages of studies: the list, a study, one of its places with the board and everything that can be written there."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.accounts.service import AccountService
from api.matches.pages.positions import Drawn, Eyes, draw_board, eyes_of, seat_names
from api.matches.service import MatchService
from api.studies.pages.forms import COMMENT, MARKS, SETTINGS
from api.studies.pages.places import StudyRead, part_words, parts_of
from api.studies.service import StudyOfCaller, StudyService
from api.titles.drawing import Drawing
from api.web.browser import PageRequest, page
from api.web.form_pages import forms_of
from api.web.guards import Caller
from api.web.inputs import WholeNumber
from api.web.languages import say
from api.web.paging import Before, Limit
from domain.kernel.messages import N_
from domain.studies.rules import Position
from domain.studies.state import GLYPH_SIGNS, Study, StudyPlace
from projections.paging import LIMIT

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


class ActionChoice(msgspec.Struct, frozen=True):
    """A legal action as a button."""

    seat: int
    action: str
    text: str
    target: str


def study_path(study_id: UUID) -> str:
    return f"/studies/{study_id}"


def place_path(study_id: UUID, place: StudyPlace, eyes: str = "all") -> str:
    query = f"entry={place.entry}&variation={place.variation}&step={place.step}&eyes={eyes}"
    return f"{study_path(study_id)}/place?{query}"


def words(door: StudyService, study: Study) -> dict[str, Any]:
    """What every template of a study needs."""
    names = door.names(study)
    return {
        "names_of_people": names,
        "signs": GLYPH_SIGNS,
        "glyph_words": GLYPH_WORDS,
        "visibility_words": VISIBILITY_WORDS,
        "part_words": part_words,
        "read": StudyRead(study, names),
        "Place": StudyPlace,
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
    """Public studies and the reader's own."""
    found = await StudyService(matches, accounts, caller).list(mine=mine, limit=limit, before=before)
    context = {
        "studies": found.items,
        "next": found.next,
        "limit": limit,
        "mine": mine,
        "visibility_words": VISIBILITY_WORDS,
    }
    return page(request, "studies/studies.html", context)


@get("/studies/{study_id:uuid}")
async def study_page(
    request: PageRequest,
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    part: WholeNumber = 1,
) -> Response[str]:
    """The study entry by entry; a long one in parts."""
    return await show_study(request, StudyService(matches, accounts, caller), study_id, part)


async def show_study(request: PageRequest, door: StudyService, study_id: UUID, part: int = 1) -> Response[str]:
    kept = await StudyOfCaller(door, study_id).read()
    study = kept.state
    match = await door.tables.get(study.match)
    context = words(door, study)
    pages = context["read"].pages
    context |= {
        "forms": forms_of(request, SETTINGS),
        "kept": kept,
        "study": study,
        "match": match,
        "pages": pages,
        "part": min(max(part, 1), len(pages)),
        "may_write": study.may_write(door.person),
        "is_owner": study.owner == door.person,
        "first": match.started_version or 1,
    }
    return await asyncio.to_thread(page, request, "studies/study.html", context)


def choices_at(position: Position, seat: int | None, drawing: Drawing) -> tuple[ActionChoice, ...]:
    """What the seats whose turn it is could do; of one of them alone if it is the one whose eyes are chosen."""
    rules, state = position.match.definition.rules, position.state
    acting = [each for each in rules.seats_to_act(state) if each >= 0 and seat in (None, each)]
    return tuple(
        ActionChoice(
            int(each),
            msgspec.json.encode(action).decode(),
            say(rules.describe(rules.view(state, each), action)),
            drawing.target(action),
        )
        for each in acting
        for action in rules.legal_actions(state, each)
    )


def view_of(position: Position, eyes: tuple[Eyes, ...]) -> Any:
    seat: Any = next(each.seat for each in eyes if each.is_chosen)
    return None if position.state is None else position.match.definition.rules.view(position.state, seat)


@get("/studies/{study_id:uuid}/place")
async def place_page(
    request: PageRequest,
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    entry: WholeNumber,
    variation: WholeNumber = 0,
    step: WholeNumber = 0,
    eyes: FromQuery[str] = "all",
) -> Response[str]:
    """One place: the board there, what is said of it, and for its writers the forms that say more."""
    door = StudyService(matches, accounts, caller)
    return await show_place(request, door, study_id, StudyPlace(entry, variation, step), eyes)


async def show_place(
    request: PageRequest, door: StudyService, study_id: UUID, place: StudyPlace, eyes: str
) -> Response[str]:
    at = await StudyOfCaller(door, study_id).place(place)
    seats = await asyncio.to_thread(seat_names, at.position.match, door.accounts)
    study, title = at.kept.state, at.position.match.title
    through = eyes_of(seats, eyes if at.is_open else "all")
    may_write = study.may_write(door.person)
    seen = await asyncio.to_thread(view_of, at.position, through)
    board: Drawn = await draw_board(request, title, seen, seats)
    seat = next(each.seat for each in through if each.is_chosen)
    may_play = may_write and at.is_open and at.position.state is not None
    legal = choices_at(at.position, seat, door.tables.drawings[title]) if may_play else ()
    hung = study.variation(place.variation) if place.variation else None
    context = words(door, study)
    context |= {
        "forms": forms_of(request, COMMENT, MARKS),
        "kept": at.kept,
        "study": study,
        "title_id": title,
        "place": place,
        "last": at.last,
        "eyes": through,
        "board": board,
        "choices": legal,
        "here": context["read"].at(place),
        "parts": parts_of(board.pieces) if may_write else (),
        "line": hung,
        "is_open": at.is_open,
        "may_write": may_write,
        "seats": seats,
        "place_path": lambda there: place_path(study_id, there, next(e.word for e in through if e.is_chosen)),
    }
    return await asyncio.to_thread(page, request, "studies/place.html", context)


@get("/studies/{study_id:uuid}/report")
async def report_page(
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> Response[str]:
    """The report as a text that is kept."""
    text = await StudyOfCaller(StudyService(matches, accounts, caller), study_id).report()
    headers = {"Content-Disposition": f'attachment; filename="study-{study_id}.md"'}
    return Response(text, media_type="text/markdown; charset=utf-8", headers=headers)


HANDLERS: Final = (
    studies_page,
    study_page,
    place_page,
    report_page,
)
