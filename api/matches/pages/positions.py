"""Past positions drawn on pages for arbiters, as a seat or a spectator sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.http.page_responses import PageRequest, csrf_of, render
from api.titles.drawing import DRAWINGS
from domain.matches.aggregate import Match

EVERYBODY: Final = "all"
NO_SEAT: Final = {"seat": None}
"""The match values a board template reads, for a reader without a seat."""


class DrawnBoard(msgspec.Struct, frozen=True):
    """The rendered parts of a board and their style sheet."""

    pieces: tuple[tuple[str, str], ...]
    style: str | None


class Perspective(msgspec.Struct, frozen=True):
    """A perspective: a seat or all spectators."""

    word: str
    seat: int | None
    name: str
    is_chosen: bool


def seat_names(match: Match, accounts: AccountService) -> tuple[str, ...]:
    """Return the displayed names of seats; equal names are followed by the seat number, from 1.

    An empty seat has only the number.
    """
    names = names_of(accounts, (info.actor for info in match.seats))
    plain_names = [names[info.actor] if info.actor else f"{seat + 1}" for seat, info in enumerate(match.seats)]
    return tuple(f"{name} {seat + 1}" if plain_names.count(name) > 1 else name for seat, name in enumerate(plain_names))


def perspectives(names: Sequence[str], requested: str) -> tuple[Perspective, ...]:
    """Return all perspectives: spectators, then each seat; an invalid `requested` selects spectators."""
    choices = (EVERYBODY, *(str(seat) for seat in range(len(names))))
    chosen = requested if requested in choices else EVERYBODY
    everybody = Perspective(EVERYBODY, None, "", chosen == EVERYBODY)
    return (everybody, *(Perspective(str(seat), seat, name, chosen == str(seat)) for seat, name in enumerate(names)))


async def draw_board(request: PageRequest, title: str, view: object, names: Sequence[str]) -> DrawnBoard:
    """Render the board of a view as a spectator sees it, on a thread because it is slow.

    Without pieces if the view is None.
    """
    drawing = DRAWINGS.of(request)[title]
    if view is None:
        return DrawnBoard((), drawing.style)

    def render_pieces() -> tuple[tuple[str, str], ...]:
        context: dict[str, Any] = {"view": view, "names": names, "csrf": csrf_of(request), "match": NO_SEAT}
        context |= {"is_replay": True, **drawing.picture(view)}
        return tuple((name, render(request, template, context)) for name, template in drawing.templates)

    return DrawnBoard(await asyncio.to_thread(render_pieces), drawing.style)
