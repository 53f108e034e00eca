"""The parts of a board, as a title draws it: rings and arrows of a study name these and no others."""

from __future__ import annotations

import asyncio
from typing import Any

from api.matches.pages.positions import draw_board, eyes_of, seat_names
from api.studies.pages.places import parts_of
from api.studies.service import StudyOfCaller
from api.studies.wire import MarkPlace
from api.web.browser import PageRequest
from domain.studies.errors import StudyRefused
from domain.studies.state import StudyPlace


async def require_parts(request: PageRequest, study: StudyOfCaller, wanted: MarkPlace) -> None:
    """Refuses marks of parts that nobody sees on the board of that place. A title may draw some at a seat's own farm
    alone, so it is looked at through all eyes that are open."""
    named = dict.fromkeys(part for shape in wanted.shapes for part in (shape.part, shape.to) if part is not None)
    if not named:
        return
    at = await study.place(StudyPlace(wanted.entry, wanted.variation, wanted.step))
    match, state = at.position.match, at.position.state
    if state is None:
        raise StudyRefused("there is no board yet on which something could be marked")
    seats = await asyncio.to_thread(seat_names, match, study.door.accounts)
    known: set[str] = set()
    for eyes in eyes_of(seats, "all") if at.is_open else eyes_of(seats, "all")[:1]:
        seat: Any = eyes.seat
        seen = await asyncio.to_thread(match.definition.rules.view, state, seat)
        board = await draw_board(request, match.title, seen, seats)
        known |= {part.name for part in parts_of(board.pieces)}
    if odd := [part for part in named if part not in known]:
        raise StudyRefused(f"the board has no part {odd[0]!r} there")
