"""Pages of puzzles: one position, one choice, the verdict."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery

from api.accounts.service import ACCOUNTS
from api.analyses.texts import format_points, percent
from api.http.forms import BUTTON, Form, read_form
from api.http.guards import requires_person
from api.http.languages import say
from api.http.page_responses import PageRequest, redirect_after_form, render_page
from api.http.structs import RequestStruct
from api.matches.pages.positions import draw_board, seat_names
from api.puzzles.service import PuzzleService, PuzzleShown, provide_puzzles
from domain.kernel.messages import N_, Message


class AnswerForm(RequestStruct, frozen=True):
    """The form with a choice."""

    choice: Annotated[int, msgspec.Meta(ge=0, le=200)]


ANSWER: Final = Form("answer", AnswerForm)
REASON: Final = N_("{part}: {points} points more than the second-best move")


def puzzle_path(puzzle_id: str) -> str:
    """Return the path of a puzzle."""
    return f"/puzzles/{puzzle_id}"


@get("/puzzles")
async def next_puzzle(
    request: PageRequest,
    puzzles: NamedDependency[PuzzleService],
    title: FromQuery[str] = "",
    skipped: FromQuery[str] = "",
) -> Response[Any]:
    """Redirect to the unanswered puzzle nearest to the reader's rating, or show a page that all are answered.

    For visitors no puzzle counts as answered. `title` limits the choice; `skipped` is a puzzle to skip.
    """
    found = await puzzles.next_puzzle(title, skipped)
    if found is not None:
        return redirect_after_form(puzzle_path(found.id), request)
    context = {"score": await puzzles.score(), "title_id": title}
    return render_page(request, "puzzles/none.html", context)


async def render_puzzle(
    request: PageRequest, puzzles: PuzzleService, shown: PuzzleShown, chosen: int | None = None
) -> Response[str]:
    """Render a puzzle, with the verdict if an action was chosen."""
    accounts = ACCOUNTS.of(request)
    names = await asyncio.to_thread(seat_names, shown.match, accounts)
    board = await draw_board(request, shown.match.title, shown.view, names)
    rules, parts = shown.match.definition.rules, shown.match.definition.judged_words
    descriptions = [say(rules.describe(shown.view, action)) for action in shown.actions]
    context = {
        "shown": shown,
        "puzzle": shown.puzzle,
        "title_id": shown.match.title,
        "board": board,
        "seats": names,
        "told": descriptions,
        "chosen": chosen,
        "score": await puzzles.score(),
        "reasons": [
            say(Message(REASON, {"part": parts[each.part], "points": format_points(each.points)}))
            for each in shown.puzzle.reasons
            if each.part in parts
        ],
        "percent": percent,
        "in_points": format_points,
    }
    return await asyncio.to_thread(render_page, request, "puzzles/puzzle.html", context)


@get("/puzzles/{puzzle_id:str}")
async def puzzle_page(
    request: PageRequest, puzzle_id: FromPath[str], puzzles: NamedDependency[PuzzleService]
) -> Response[str]:
    """Show the position and the choices; raise `NoSuchStream` for an unknown puzzle."""
    return await render_puzzle(request, puzzles, await puzzles.find(puzzle_id))


@post("/puzzles/{puzzle_id:str}", guards=[requires_person], status_code=200)
async def answer_puzzle(
    request: PageRequest, puzzle_id: FromPath[str], puzzles: NamedDependency[PuzzleService]
) -> Response[str]:
    """Show the verdict on a choice; the first one changes the rating. A choice beyond the last counts as the last.

    Raise `NoSuchStream` for an unknown puzzle. Visitors without an account have no rating.
    """
    shown = await puzzles.find(puzzle_id)
    chosen = min((await read_form(request, ANSWER)).choice, len(shown.actions) - 1)
    await puzzles.record_answer(shown, solved=chosen == shown.best)
    return await render_puzzle(request, puzzles, shown, chosen)


@post("/puzzles/{puzzle_id:str}/match", guards=[requires_person], status_code=200)
async def go_to_match(
    request: PageRequest, puzzle_id: FromPath[str], puzzles: NamedDependency[PuzzleService]
) -> Response[Any]:
    """Redirect to the replay of the puzzle's match at its entry; the match is imported first if necessary.

    Raise `NoSuchStream` for an unknown puzzle.
    """
    await read_form(request, BUTTON)
    shown = await puzzles.find(puzzle_id)
    match_id: UUID = await puzzles.import_match(shown)
    return redirect_after_form(f"/tables/{match_id}/replay?at={shown.puzzle.entry}", request)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[next_puzzle, puzzle_page, answer_puzzle, go_to_match],
        dependencies={"puzzles": Provide(provide_puzzles, sync_to_thread=False)},
    ),
)
