"""A past position of the board, drawn for an arbiter's page as a seat or a spectator sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from api.accounts.naming import names_of
from api.accounts.service import AccountService
from api.http.browser import PageRequest, csrf_of, render
from api.titles.drawing import DRAWINGS
from domain.matches.aggregate import Match

EVERYBODY: Final = "all"
NO_SEAT: Final = {"seat": None}
"""What a board asks of the match it stands in: here it is nobody's own."""


class Drawn(msgspec.Struct, frozen=True):
    """The pieces of a board, and the style sheet they need."""

    pieces: tuple[tuple[str, str], ...]
    style: str | None


class Eyes(msgspec.Struct, frozen=True):
    """One of those through whose eyes a position can be seen."""

    word: str
    seat: int | None
    name: str
    is_chosen: bool


def seat_names(match: Match, accounts: AccountService) -> tuple[str, ...]:
    """What the seats are called; equal names are distinguished by their seat numbers."""
    names = names_of(accounts, (info.actor for info in match.seats))
    called = [names[info.actor] if info.actor else f"{seat + 1}" for seat, info in enumerate(match.seats)]
    return tuple(f"{name} {seat + 1}" if called.count(name) > 1 else name for seat, name in enumerate(called))


def eyes_of(names: Sequence[str], wanted: str) -> tuple[Eyes, ...]:
    """Everybody, then seat by seat; what is not among them means everybody."""
    words = (EVERYBODY, *(str(seat) for seat in range(len(names))))
    chosen = wanted if wanted in words else EVERYBODY
    everybody = Eyes(EVERYBODY, None, "", chosen == EVERYBODY)
    return (everybody, *(Eyes(str(seat), seat, name, chosen == str(seat)) for seat, name in enumerate(names)))


async def draw_board(request: PageRequest, title: str, view: object, names: Sequence[str]) -> Drawn:
    """The board of a view; drawn on a thread, because it takes a while."""
    drawing = DRAWINGS.of(request)[title]
    if view is None:
        return Drawn((), drawing.style)

    def pieces() -> tuple[tuple[str, str], ...]:
        context: dict[str, Any] = {"view": view, "names": names, "csrf": csrf_of(request), "match": NO_SEAT}
        context |= {"is_replay": True, **drawing.picture(view)}
        return tuple((name, render(request, template, context)) for name, template in drawing.templates)

    return Drawn(await asyncio.to_thread(pieces), drawing.style)
