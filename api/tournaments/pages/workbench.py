"""The organisers' workbench: open tasks, tables of the round, people and announcements."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response

from api.http.form_pages import RejectedForm, forms_of
from api.http.forms import sent_number
from api.tournaments.pages.context import TournamentContext
from api.tournaments.pages.forms import WORKBENCH_FORMS
from api.tournaments.pages.naming import typed_names
from api.tournaments.pages.officials import requests_to_officials
from api.tournaments.pages.open_tasks import WorkbenchRow, find_open_tasks
from api.tournaments.reasons import with_names
from api.tournaments.schemas import MovePerson, RoundShown, SwapPeople
from domain.pairing.problem import Level
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import NoSuchEntry, NoSuchRound, TournamentRefused
from domain.tournaments.preparation import missing_player_count
from domain.tournaments.proposal_checks import list_misfits
from domain.tournaments.rounds import can_be_withdrawn
from domain.tournaments.state import Tournament
from projections.platform.clock import now

UNDECIDED: Final = "-"
"""Placeholder reason for a change that is only previewed."""


class ChangePreview(msgspec.Struct, frozen=True):
    """The preview of a change of places: quality levels before and after, or the error."""

    change: SwapPeople | MovePerson
    before: tuple[Level, ...] = ()
    after: tuple[Level, ...] = ()
    refused: str = ""


def is_late(round_: RoundShown, at: datetime) -> bool:
    """Return whether the deadline of a round is over."""
    return round_.deadline is not None and round_.deadline <= at


def rows_of(
    state: Tournament,
    round_: RoundShown | None,
    disputed: Collection[int],
    missing: Mapping[UUID, tuple[int, ...]],
    by: str,
) -> tuple[WorkbenchRow, ...]:
    """Return the rows for the tables of the round, in order; empty unless it is published or open.

    `missing` maps matches to seats without a ready player. `by` is the organiser, who may undo only own entries.
    """
    if round_ is None or round_.status not in {"published", "opened"}:
        return ()
    late = is_late(round_, now())
    return tuple(
        WorkbenchRow(
            table=table,
            is_open=table.status in {"waiting", "playing"},
            is_by_hand=table.match_id is None and round_.status == "opened" and table.status != "playing",
            is_disputed=table.table in disputed,
            is_late=late and table.status in {"waiting", "playing"},
            can_undo=can_be_withdrawn(state, round_.round, table.table, by),
            missing=missing.get(table.match_id, ()) if table.match_id is not None else (),
        )
        for table in round_.tables
    )


async def context_of(page: TournamentContext, event: TournamentStream) -> dict[str, Any]:
    """Return the template context of the workbench and its stream."""
    context = await page.context(event)
    tournament, state = context["shown"], event.state
    newest = tournament.rounds[-1] if tournament.rounds else None
    awaits_start = newest is not None and newest.status == "opened" and not state.rounds[-1].begun
    unready = await page.tournaments.reading.find_unready(event) if awaits_start else {}
    disputed = await page.tournaments.reading.disputed_tables(event)
    rows = rows_of(state, newest, disputed, unready, page.tournaments.caller.actor)
    results = await page.tournaments.reading.results(event.id)
    misfits = list_misfits(state, results)
    missing_count = missing_player_count(state, results) if newest is None or newest.status == "closed" else 0
    requests = await requests_to_officials(page, event)
    return {
        **context,
        "state": state,
        "round": newest,
        "rows": rows,
        "needs": find_open_tasks(state, newest, rows, context["names"], missing_count, requests),
        "misfits": [with_names(message, context["names"]) for message in misfits],
        "forms": forms_of(page.request, *WORKBENCH_FORMS),
        "picked": "",
        "typed": typed_names(context["names"]),
    }


async def render_workbench(page: TournamentContext, template: str, **extra: object) -> Response[str]:
    """Render a page of the workbench; raise `RoleMissing` for non-organisers."""
    event = await page.tournaments.reading.require_organiser(page.id)
    return page.render(template, {**await context_of(page, event), **extra})


async def render_round(page: TournamentContext) -> Response[str]:
    """Render the open tasks and the round; raise `RoleMissing` for non-organisers."""
    return await render_workbench(page, "organising")


async def render_people(page: TournamentContext) -> Response[str]:
    """Render registration: single entries, pasted lists, bots and pair rules; for organisers only (`RoleMissing`)."""
    return await render_workbench(page, "desk_people")


async def render_announcements(page: TournamentContext, preview: object = None) -> Response[str]:
    """Render announcements, penalties and officials, for organisers only (`RoleMissing`); with a preview, if given."""
    return await render_workbench(page, "desk_word", preview=preview)


async def render_table(page: TournamentContext, number: int = 0) -> Response[str]:
    """Render one table of the latest public round for organisers.

    Raises `NoSuchRound` if it is closed or has no such table. Without a number, the table named by the rejected form is
    rendered.
    """
    rejected_form: RejectedForm | None = page.request.state.get("refused")
    event = await page.tournaments.reading.require_organiser(page.id)
    latest_round = event.state.round
    if rejected_form is not None and not number:
        number = sent_number(rejected_form.sent, "table") or table_of_entry(event.state, rejected_form.sent)
    if latest_round is None or not latest_round.is_public or not 1 <= number <= len(latest_round.tables):
        raise NoSuchRound(f"no published round has a table {number}")
    context = await context_of(page, event)
    row = context["rows"][number - 1] if context["rows"] else None
    if row is None:
        raise NoSuchRound(f"round {latest_round.number} is closed")
    return page.render("desk_table", {**context, "row": row})


def table_of_entry(state: Tournament, values: Mapping[str, list[Any]]) -> int:
    """Return the table, from 1, of the latest round at which the entry named in a form sits; 0 if none."""
    name, latest_round = next(iter(values.get("entry", ())), ""), state.round
    tables = latest_round.tables if latest_round is not None else ()
    return next((number for number, table in enumerate(tables, start=1) if name in table.entries), 0)


async def render_seating(
    page: TournamentContext, first: str = "", second: str = "", table: int | None = None
) -> Response[str]:
    """Render the seating form, with a preview of the change once both places are chosen.

    Both are `first` and either `second` (a swap) or `table` (a move). Raises `RoleMissing` for non-organisers.
    """
    event = await page.tournaments.reading.require_organiser(page.id)
    context, latest_round = await context_of(page, event), event.state.round
    price = None
    if latest_round is not None and first and (second or table is not None):
        change: SwapPeople | MovePerson = (
            SwapPeople(first, second, UNDECIDED) if second else MovePerson(first, table or 0, UNDECIDED)
        )
        price = await preview_change(page, latest_round.number, change)
    return page.render("desk_seating", {**context, "picked": first, "price": price})


async def preview_change(page: TournamentContext, number: int, change: SwapPeople | MovePerson) -> ChangePreview:
    """Return the cost before and after a change of places, or the sentence by which it is refused."""
    try:
        before, after = await page.tournaments.rounds.preview_change(page.id, number, change)
    except (TournamentRefused, NoSuchRound, NoSuchEntry) as refusal:
        return ChangePreview(change, refused=str(refusal))
    return ChangePreview(change, before, after)


async def render_seating_again(page: TournamentContext) -> Response[str]:
    """Render the seating form again after an error, with the values sent; raise `RoleMissing` for non-organisers."""
    rejected_form: RejectedForm = page.request.state.refused
    first, second, entry = (
        str(next(iter(rejected_form.sent.get(name, ())), "")) for name in ("first", "second", "entry")
    )
    return await render_seating(page, first or entry, second, sent_number(rejected_form.sent, "table"))
