"""The hint panel of a table: request, answer, and options after a blunder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from babel.lists import format_list
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.analyses.texts import format_points, percent, percentage
from api.hints.service import HintService, provide_hints
from api.http.forms import BUTTON, read_form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.languages import _, current_locale, language_of, say, use_language
from api.http.limits import CREATES
from api.http.page_responses import PageRequest, is_htmx, redirect_after_form, render_page
from api.matches.pages.addresses import table_path
from api.matches.pages.signing import own_signing_of
from api.matches.responses import seat_names, seats_of
from api.titles.sentences import with_names
from domain.analyses.report import Choice
from domain.hints import Reason
from domain.kernel.messages import Message


async def render_panel(request: PageRequest, hints: HintService, match_id: UUID) -> Response[Any]:
    """Return the panel for htmx, otherwise redirect to the table.

    Raise `HintsRefused` for a match without hints, `NotSeated` or `NotHeld` for a reader without a seat.
    """
    if not is_htmx(request):
        return redirect_after_form(table_path(match_id), request)
    standing = await hints.load_current(match_id)
    match, verdict = standing.match, standing.verdict
    taken_back_to = verdict.take_back_to if verdict is not None else None
    names = seat_names(seats_of(match, await hints.tables.reading.names_at(match)))

    def describe_choice(choice: Choice) -> str:
        return say(with_names(choice.told, names))

    with use_language(language_of(request)):
        context = {
            "standing": standing,
            "base": table_path(match_id),
            "signing": own_signing_of(match, standing.seat, hints.tables.reading.default_bot(match), taken_back_to),
            "told": describe_choice,
            "why": partial(describe_reasons, match.definition.judged_words),
            "wire": lambda choice: bytes(choice.action).decode(),
            "percent": percent,
            "percentage": percentage,
            "in_points": format_points,
        }
        return render_page(request, "hints/panel.html", context)


def describe_reasons(names: Mapping[str, Message], reasons: tuple[Reason, ...]) -> str:
    """Describe by how much each part of the evaluation is better than at the next best choice; "" without parts.

    Parts without words (`names`) are left out.
    """
    named = (each for each in reasons if each.part in names)
    parts = [f"{say(names[each.part])} {format_points(each.points, signed=True)}" for each in named]
    if not parts:
        return ""
    return _(
        "Compared with the next best move: {parts}", parts=format_list(parts, style="unit", locale=current_locale())
    )


@get("/tables/{match_id:uuid}/hint", guards=[requires_person])
async def hint_panel(
    request: PageRequest, match_id: FromPath[UUID], hints: NamedDependency[HintService]
) -> Response[Any]:
    """Show the current hint as a panel for htmx, otherwise redirect to the table."""
    return await render_panel(request, hints, match_id)


@post("/tables/{match_id:uuid}/hint", guards=[requires_person], status_code=200)
async def what_would_you_do(
    request: PageRequest, match_id: FromPath[UUID], hints: NamedDependency[HintService]
) -> Response[Any]:
    """Request a hint, and show the panel; raise `HintsRefused` unless it is the reader's turn at a table with hints.

    Raise also the other errors of `request_hint`, such as `NotSeated`.
    """
    await read_form(request, BUTTON)
    await hints.request_hint(match_id)
    return await render_panel(request, hints, match_id)


@post("/tables/{match_id:uuid}/hint/kept", guards=[requires_person], status_code=200)
async def play_on(request: PageRequest, match_id: FromPath[UUID], hints: NamedDependency[HintService]) -> Response[Any]:
    """Keep the last choice, so that the bots continue, and show the panel; nothing changes if they do not wait.

    Raise `HintsRefused` for a match without hints, `NotSeated` or `NotHeld` without a seat.
    """
    await read_form(request, BUTTON)
    await hints.keep_choice(match_id)
    return await render_panel(request, hints, match_id)


@post("/tables/{match_id:uuid}/hint/fork", guards=[requires_person], status_code=200, opt=CREATES)
async def fork_before(
    request: PageRequest,
    match_id: FromPath[UUID],
    hints: NamedDependency[HintService],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """Fork the match from before the last choice, and redirect to the new table.

    Raise `HintsRefused` if there is no such choice, or the match has no hints.
    """
    await read_form(request, BUTTON)
    new_id = ids.new()
    await hints.fork(match_id, new_id)
    return redirect_after_form(table_path(new_id), request)


HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[hint_panel, what_would_you_do, play_on, fork_before],
        dependencies={"hints": Provide(provide_hints, sync_to_thread=False)},
    ),
)
