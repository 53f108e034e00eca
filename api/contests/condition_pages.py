"""The page of the conditions of entry, for tournaments and leagues; organisers change them there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from api.contests.condition_forms import (
    CONDITIONS,
    ENTRY_LIST,
    ENTRY_PASSWORD,
    ConditionsForm,
    EntryListForm,
    EntryPasswordForm,
    offer_conditions,
)
from api.contests.condition_views import view_conditions
from api.contests.schemas import LIST_BYTES_MAX
from api.contests.service import ContestService, provide_contests
from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form
from api.http.guards import requires_person
from api.http.page_responses import PageRequest, redirect_after_form, render_page

F = TypeVar("F", bound=msgspec.Struct)


def conditions_path(contest_id: UUID) -> str:
    """Return the path of the page of conditions."""
    return f"/contests/{contest_id}/conditions"


async def show_conditions(request: PageRequest, contests: ContestService, contest_id: UUID) -> Response[str]:
    """Render the page; organisers see the forms, and the list of names."""
    contest = await contests.contest(contest_id)
    shown = await contests.show(contest_id)
    context = {
        "contest": contest,
        "base": conditions_path(contest_id),
        "shown": shown,
        "is_organiser": shown.people is not None,
        "entry": await view_conditions(contests, contest),
        "offered": offer_conditions(contests.entrants.tables.titles, contest.conditions),
        "forms": forms_of(request, CONDITIONS, ENTRY_PASSWORD, ENTRY_LIST),
    }
    return render_page(request, "contests/conditions_page.html", context)


@get("/")
async def conditions_page(
    request: PageRequest, contest_id: FromPath[UUID], contests: NamedDependency[ContestService]
) -> Response[str]:
    """Show the conditions of entry, and which of them the reader meets; organisers see the forms to change them."""
    return await show_conditions(request, contests, contest_id)


async def handle_change(
    request: PageRequest,
    contests: ContestService,
    contest_id: UUID,
    form: Form[F],
    change: Callable[[F], Awaitable[None]],
) -> Response[Any]:
    """Change the conditions by a form, and redirect to the page; raise `RoleMissing` for non-organisers."""

    async def do(values: F) -> Response[Any]:
        await change(values)
        return redirect_after_form(conditions_path(contest_id), request)

    return await handle_form(request, form, do, lambda: show_conditions(request, contests, contest_id))


@post("/", guards=[requires_person])
async def change_conditions(
    request: PageRequest, contest_id: FromPath[UUID], contests: NamedDependency[ContestService]
) -> Response[Any]:
    """Change the conditions of entry as an organiser; the password and the list of names stay."""

    async def change(form: ConditionsForm) -> None:
        before = (await contests.contest(contest_id)).conditions
        await contests.change(contest_id, form.conditions.conditions(before), form.reason)

    return await handle_change(request, contests, contest_id, CONDITIONS, change)


@post("/password", guards=[requires_person])
async def set_password(
    request: PageRequest, contest_id: FromPath[UUID], contests: NamedDependency[ContestService]
) -> Response[Any]:
    """Set the password for entry as an organiser, or remove it."""

    async def change(form: EntryPasswordForm) -> None:
        await contests.set_password(contest_id, form.password, form.reason)

    return await handle_change(request, contests, contest_id, ENTRY_PASSWORD, change)


@post("/list", guards=[requires_person], request_max_body_size=LIST_BYTES_MAX)
async def set_list(
    request: PageRequest, contest_id: FromPath[UUID], contests: NamedDependency[ContestService]
) -> Response[Any]:
    """Set the list of people who may enter as an organiser; an empty one removes the condition."""

    async def change(form: EntryListForm) -> None:
        await contests.set_list(contest_id, form.names(), form.reason)

    return await handle_change(request, contests, contest_id, ENTRY_LIST, change)


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/contests/{contest_id:uuid}/conditions",
        route_handlers=[conditions_page, change_conditions, set_password, set_list],
        dependencies={"contests": Provide(provide_contests, sync_to_thread=False)},
    ),
)
