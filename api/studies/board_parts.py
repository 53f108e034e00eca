"""Validation of rings and arrows against the parts of a title's board."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from api.http.page_responses import PageRequest
from api.matches.pages.positions import draw_board, perspectives, seat_names
from api.studies.pages.places import parts_of
from api.studies.schemas import MarkPlace
from api.studies.service import StudyOfCaller, StudyService
from domain.studies.errors import StudyRefused
from domain.studies.facts import Shape, StudyPlace
from domain.studies.file import StudyFile
from domain.studies.rules import Position

NO_BOARD: Final = "there is no board to mark yet"


async def require_parts(request: PageRequest, study: StudyOfCaller, marks: MarkPlace) -> None:
    """Raise `StudyRefused` for rings and arrows of parts that are not on the board at the place, or without a board.

    Marks without rings and arrows pass unchecked.
    """
    if not marks.shapes:
        return
    place = await study.place(StudyPlace(marks.entry, marks.variation, marks.step))
    if place.position.state is None:
        raise StudyRefused(NO_BOARD)
    unknown = await unknown_part(request, study.service, place.position, marks.shapes, is_open=place.is_open)
    if unknown is not None:
        raise StudyRefused(f"the board has no part {unknown!r} at this entry")


async def require_parts_of(request: PageRequest, studies: StudyService, file: StudyFile, new_id: UUID) -> None:
    """Raise `StudyRefused` for a file with rings or arrows of parts that are not on the board at their place.

    Raise the errors of `check_import` for a file that cannot be imported.
    """
    study = await studies.check_import(file, new_id)
    if study is None:
        return
    for marks in (each for each in study.marks if each.shapes):
        position, is_open = await studies.find_marked(study, marks.at)
        if position.state is None:
            raise StudyRefused(f"after entry {marks.at.entry} {NO_BOARD}")
        unknown = await unknown_part(request, studies, position, marks.shapes, is_open=is_open)
        if unknown is not None:
            raise StudyRefused(
                f"the file marks {unknown!r} after entry {marks.at.entry}, but the board has no such part"
            )


async def unknown_part(
    request: PageRequest, studies: StudyService, position: Position, shapes: Iterable[Shape], *, is_open: bool
) -> str | None:
    """Return the first part that is not on the board, or None.

    A title may draw some parts only in one seat's view, so all views are tried if they are open (`is_open`), otherwise
    the spectators' view.
    """
    match, state = position.match, position.state
    missing = dict.fromkeys(part for shape in shapes for part in (shape.part, shape.to) if part is not None)
    seats = await asyncio.to_thread(seat_names, match, studies.accounts)
    for perspective in perspectives(seats, "all") if is_open else perspectives(seats, "all")[:1]:
        seat: Any = perspective.seat
        seat_view = await asyncio.to_thread(match.definition.rules.view, state, seat)
        board = await draw_board(request, match.title, seat_view, seats)
        for part in parts_of(board.pieces):
            missing.pop(part.name, None)
        if not missing:
            return None
    return next(iter(missing))
