"""Pages of studies: the list, a study, one of its places with the board and everything that can be written there."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, URLEncodedBody

from api.accounts.people import People
from api.matches.pages.positions import Drawn, Eyes, drawn, eyes_of, seat_names
from api.matches.service import Tables, now
from api.matches.showing import names_of
from api.studies import commands as studies
from api.studies.pages.chosen import keep_open
from api.studies.pages.places import StudyRead, part_words, parts_of
from api.studies.service import OneStudy, StudyDoor
from api.titles.drawing import drawing_of
from api.web.browser import Form, PageRequest, back_to, page
from api.web.guards import Caller, requires_person
from api.web.languages import say
from api.web.paging import Before, Limit
from domain.kernel.messages import N_
from domain.matches.application import Matches
from domain.studies import commands
from domain.studies.commands import Kept, StoredBook
from domain.studies.rules import Position, check_place, position_at
from domain.studies.state import GLYPH_SIGNS, Place, Study, Visibility
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


class OpenForm(Form, frozen=True):
    title: str
    visibility: Visibility = "private"
    at: int = 0


class Choice(msgspec.Struct, frozen=True):
    """A legal action as a button."""

    seat: int
    action: str
    text: str
    target: str


def study_path(study_id: UUID) -> str:
    return f"/studies/{study_id}"


def place_path(study_id: UUID, place: Place, eyes: str = "all") -> str:
    query = f"entry={place.entry}&variation={place.variation}&step={place.step}&eyes={eyes}"
    return f"{study_path(study_id)}/place?{query}"


def words(people: People, study: Study) -> dict[str, Any]:
    """What every template of a study needs."""
    names = names_of(people, studies.people_in(study))
    return {
        "names_of_people": names,
        "signs": GLYPH_SIGNS,
        "glyph_words": GLYPH_WORDS,
        "visibility_words": VISIBILITY_WORDS,
        "part_words": part_words,
        "read": StudyRead(study, names),
        "Place": Place,
    }


@get("/studies")
async def studies_page(
    request: PageRequest,
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
    mine: FromQuery[bool] = False,
    before: Before = None,
    limit: Limit = LIMIT,
) -> Response[str]:
    """Public studies and the reader's own."""
    found = await StudyDoor(tables, people, caller).listed(mine=mine, limit=limit, before=before)
    context = {
        "studies": found.items,
        "next": found.next,
        "limit": limit,
        "mine": mine,
        "visibility_words": VISIBILITY_WORDS,
    }
    return page(request, "studies/studies.html", context)


@post("/tables/{match_id:uuid}/studies", guards=[requires_person], status_code=200)
async def open_study(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[OpenForm],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
) -> Response[Any]:
    """A new study of the match, begun at the entry that was shown."""
    visible, by = data.visibility, caller.actor
    kept = await tables.write(
        commands.open_study, uuid4(), match_id, title=data.title, visibility=visible, by=by, at=now()
    )
    entry = data.at or kept.state.entries
    return keep_open(back_to(place_path(kept.id, Place(entry)), request), match_id, kept.id)


@get("/studies/{study_id:uuid}")
async def study_page(
    request: PageRequest,
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
    part: FromQuery[int] = 1,
) -> Response[str]:
    """The study entry by entry; a long one in parts."""
    kept = await tables.ask(studies.read, study_id, caller)
    study = kept.state
    match = await tables.get(study.match)
    context = words(people, study)
    pages = context["read"].pages
    context |= {
        "kept": kept,
        "study": study,
        "match": match,
        "pages": pages,
        "part": min(max(part, 1), len(pages)),
        "may_write": study.may_write(studies.person_of(caller)),
        "is_owner": study.owner == studies.person_of(caller),
        "first": match.started_version or 1,
    }
    return await asyncio.to_thread(page, request, "studies/study.html", context)


class At(msgspec.Struct, frozen=True):
    """A place of a study, as its page needs it."""

    kept: Kept
    position: Position
    last: int
    is_open: bool
    seats: tuple[str, ...]


def found_at(matches: Matches, study_id: UUID, place: Place, people: People, caller: Caller) -> At:
    kept = studies.read(matches, study_id, caller)
    book = StoredBook(matches, kept.state.match)
    check_place(kept.state, place, book)
    position = position_at(kept.state, place, book)
    return At(kept, position, book.last, book.is_open, seat_names(position.match, people))


def choices_at(position: Position, seat: int | None) -> tuple[Choice, ...]:
    """What the seats whose turn it is could do; of one of them alone if it is the one whose eyes are chosen."""
    rules, state = position.match.game.rules, position.state
    target = drawing_of(position.match.title).target
    acting = [each for each in rules.seats_to_act(state) if each >= 0 and seat in (None, each)]
    return tuple(
        Choice(
            int(each),
            msgspec.json.encode(action).decode(),
            say(rules.describe(rules.view(state, each), action)),
            target(action),
        )
        for each in acting
        for action in rules.legal_actions(state, each)
    )


def view_of(position: Position, eyes: tuple[Eyes, ...]) -> Any:
    seat: Any = next(each.seat for each in eyes if each.is_chosen)
    return None if position.state is None else position.match.game.rules.view(position.state, seat)


@get("/studies/{study_id:uuid}/place")
async def place_page(
    request: PageRequest,
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
    entry: FromQuery[int],
    variation: FromQuery[int] = 0,
    step: FromQuery[int] = 0,
    eyes: FromQuery[str] = "all",
) -> Response[str]:
    """One place: the board there, what is said of it, and for its writers the forms that say more."""
    place = Place(entry, variation, step)
    at = await tables.ask(found_at, study_id, place, people, caller)
    study, title = at.kept.state, at.position.match.title
    through = eyes_of(at.seats, eyes if at.is_open else "all")
    may_write = study.may_write(studies.person_of(caller))
    seen = await asyncio.to_thread(view_of, at.position, through)
    board: Drawn = await drawn(request, title, seen, at.seats)
    seat = next(each.seat for each in through if each.is_chosen)
    legal = choices_at(at.position, seat) if may_write and at.is_open and at.position.state is not None else ()
    hung = study.variation(variation) if variation else None
    context = words(people, study)
    context |= {
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
        "seats": at.seats,
        "place_path": lambda there: place_path(study_id, there, next(e.word for e in through if e.is_chosen)),
    }
    return await asyncio.to_thread(page, request, "studies/place.html", context)


@get("/studies/{study_id:uuid}/report")
async def report_page(
    study_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    tables: NamedDependency[Tables],
    people: NamedDependency[People],
) -> Response[str]:
    """The report as a text that is kept."""
    text = await OneStudy(StudyDoor(tables, people, caller), study_id).report()
    headers = {"Content-Disposition": f'attachment; filename="study-{study_id}.md"'}
    return Response(text, media_type="text/markdown; charset=utf-8", headers=headers)


HANDLERS: Final = (
    studies_page,
    open_study,
    study_page,
    place_page,
    report_page,
)
