"""The table page: a match rendered for its reader, a button for every legal action, with live updates."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, post
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath

from api.accounts.pages.signing_in import session_cookie
from api.accounts.service import ACCOUNTS, AccountService
from api.http.csrf import begin_session, new_token_cookies
from api.http.errors import problem_of
from api.http.forms import BUTTON, read_form
from api.http.fragments import out_of_band
from api.http.guards import Caller, requires_person
from api.http.limits import GUEST_LIMIT
from api.http.page_responses import PageRequest, is_htmx, redirect_after_form, render, render_page
from api.http.parts import fill_placeholders
from api.http.preferences import encode_browser_preferences, preferences_of
from api.keys.service import KeyService, require_browser_keys, takes_browser_keys
from api.matches.admission import require_known
from api.matches.pages.addresses import table_path
from api.matches.service import MatchService
from api.site.pages.fragments import load_page_data, with_narration
from api.site.pages.live import draw_fragments
from api.site.pages.table_forms import ACT, BOT, COMMIT, KEY, LEAVE, SHARE, SIGNED, SIT, VERSION, ActForm
from api.site.pages.table_page import page_context, picture_for, table_page, table_stream
from api.titles.actions import with_action
from domain.kernel.rules import IllegalAction
from domain.keys.commands import require_registrable
from domain.lessons.errors import NotInLesson
from domain.matches import errors
from domain.matches.aggregate import Match
from domain.matches.play.foresight import WhyFinal
from domain.signatures.keys import NamedKey
from projections.platform.settings import Settings

OUTDATED_ERRORS: Final = (
    IllegalAction,
    errors.MatchOver,
    errors.NotOpen,
    errors.NotHeld,
    errors.NotRunning,
    errors.PauseRefused,
    errors.ResignRefused,
    errors.SeatTakenAlready,
    errors.StaleVersion,
    errors.TakeBackRefused,
    NotInLesson,
)
"""Errors of outdated pages, answered with the changes and the current table."""
TABLE_OPTION_ERRORS: Final = (errors.PauseRefused, errors.ResignRefused, errors.TakeBackRefused, NotInLesson)
"""Errors about options of the table, shown with their reason."""
CHANGES_SHOWN_MAX: Final = 5
CONFIRM_EVENT: Final = "esporles:final"
"""Event for the page's script when an irreversible action needs confirmation."""


async def answer_awaited_change(
    request: PageRequest,
    matches: MatchService,
    match_id: UUID,
    change: Awaitable[Match],
    seen: int | None = None,
) -> Response[Any]:
    """Await a change and respond to it; for a refusal in `OUTDATED_ERRORS`, respond with the current table instead.

    Those say that the page is outdated, such as `StaleVersion` or `IllegalAction`. `seen` is the version that the form
    was rendered for. Other refusals are raised.
    """
    try:
        match = await change
    except OUTDATED_ERRORS as refusal:
        return await answer_with_current(request, matches, match_id, refusal, seen)
    return answer_change(request, match)


def answer_change(request: PageRequest, match: Match) -> Response[Any]:
    """Respond to a change: 204 with the version for htmx, whose page has a stream, otherwise a redirect."""
    if is_htmx(request):
        return Response(None, status_code=204, headers={"ETag": f'"{match.version}"'})
    return redirect_after_form(table_path(match.id), request)


async def answer_with_current(
    request: PageRequest, matches: MatchService, match_id: UUID, refusal: Exception, seen: int | None
) -> Response[Any]:
    """Respond with the refusal's status, the current table, and its changes since the form's version.

    At most `CHANGES_SHOWN_MAX` entries are listed, oldest first. htmx receives fragments, other browsers the page.
    """
    page = await with_narration(
        matches, await load_page_data(matches, ACCOUNTS.of(request), match_id, request.user), request.user
    )
    later_entries = [entry for entry in page.told if seen is not None and entry.version > seen]
    sentences = [sentence for entry in reversed(later_entries[:CHANGES_SHOWN_MAX]) for sentence in entry.sentences]
    status = problem_of(refusal).status
    context: dict[str, Any] = {
        "since": sentences,
        "has_moved": seen is None or page.shown.version > seen,
    }
    context["problem"] = problem_of(refusal) if isinstance(refusal, TABLE_OPTION_ERRORS) else None
    if not is_htmx(request):
        table_context = page_context(request, await picture_for(request, matches, match_id), matches)
        return render_page(request, "site/table.html", context | table_context | {"is_late": True}, status)
    fragments = await draw_fragments(request, page)
    pieces = {"notice": render(request, "site/table/late.html", context)} | fill_placeholders(fragments)
    headers = {"HX-Reswap": "none", "ETag": f'"{page.shown.version}"'}
    return Response(out_of_band(pieces), media_type=MediaType.HTML, status_code=status, headers=headers)


def ask_for_confirmation(request: PageRequest, match_id: UUID, form: ActForm, reason: WhyFinal) -> Response[Any]:
    """Ask for confirmation of a final action, by the page's script or on a page, without changing anything."""
    if is_htmx(request):
        trigger = msgspec.json.encode({CONFIRM_EVENT: {"why": reason}}).decode()
        return Response("", status_code=200, headers={"HX-Trigger": trigger, "HX-Reswap": "none"})
    fields = {"version": form.version, "action": msgspec.json.encode(form.action).decode(), "sure": "true"}
    target = f"{table_path(match_id)}/act?{request.url.query}"
    return render_page(
        request, "site/sure.html", {"table": table_path(match_id), "to": target, "fields": fields, "why": reason}
    )


@post("/tables/{match_id:uuid}/act", guards=[requires_person], status_code=200)
async def act(
    request: PageRequest,
    match_id: FromPath[UUID],
    holder: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Play the action of a button; ask for confirmation first if the reader prefers that and the action is final.

    If the page is outdated or the action illegal, respond with the current table; other refusals are raised.
    """
    form = await read_form(request, replace(ACT, kind=with_action(ACT.kind, matches.titles)))
    must_confirm = not form.sure and preferences_of(request).confirm == "ask"
    reason = await matches.reading.final_by(match_id, holder, form.version, form.action) if must_confirm else None
    if reason is not None:
        return ask_for_confirmation(request, match_id, form, reason)
    change = matches.play.act(match_id, holder, form.action, form.version, signed=form.signed)
    return await answer_awaited_change(request, matches, match_id, change, form.version)


@post("/tables/{match_id:uuid}/sit", opt=GUEST_LIMIT, status_code=200)
async def sit(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    matches: NamedDependency[MatchService],
    settings: NamedDependency[Settings],
) -> Response[Any]:
    """Take a seat; visitors become guests and receive a session, at rated tables `GuestUnrated` is raised.

    A page that is outdated, such as about a seat that is taken, receives the current table.
    """
    form = await read_form(request, SIT)
    require_known((await matches.reading.get(match_id)).table, caller)
    require_registrable(form.key)
    person, session = await accounts.person_or_guest(caller.person, encode_browser_preferences(request))
    if session:
        begin_session(request, session)
    change = matches.seating.take_seat(match_id, person.id, form.seat, own_luck=form.own_luck, key=form.key)
    response = await answer_awaited_change(request, matches, match_id, change)
    if session:
        for cookie in (session_cookie(session, settings), *new_token_cookies(request)):
            response.set_cookie(cookie)
    return response


@post("/tables/{match_id:uuid}/bot", guards=[requires_person], status_code=200)
async def seat_bot(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Assign a bot, by its short name, to a seat; if not possible now, show the current table.

    Without a name, the default bot. Raise `UnknownActor` for an unknown bot, or the errors of `Seating.seat_bot`.
    """
    form = await read_form(request, BOT)
    bot = await matches.reading.bot_for(match_id, form.bot)
    return await answer_awaited_change(
        request, matches, match_id, matches.seating.seat_bot(match_id, caller, form.seat, bot)
    )


@post("/tables/{match_id:uuid}/leave", guards=[requires_person], status_code=200)
async def leave(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Leave a seat, or remove a player from a table opened by the reader.

    If not possible now, show the current table.
    """
    form = await read_form(request, LEAVE)
    return await answer_awaited_change(
        request, matches, match_id, matches.seating.leave_seat(match_id, caller, form.seat)
    )


@post("/tables/{match_id:uuid}/share", guards=[requires_person], status_code=200)
async def commit_share(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Commit to a share of randomness made by the browser; a key sent with it is registered, except for bots.

    If not possible now, show the current table.
    """
    form = await read_form(request, COMMIT)
    if form.key and takes_browser_keys(caller):
        change = KeyService(matches, caller).register_at_seat(match_id, NamedKey(form.key), form.commitment)
    else:
        change = matches.seating.commit_share(match_id, caller, form.commitment)
    return await answer_awaited_change(request, matches, match_id, change)


@post("/tables/{match_id:uuid}/ready", guards=[requires_person], status_code=200)
async def be_ready(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Get ready, with the browser's committed share or a new one from the service.

    If not possible now, show the current table.
    """
    form = await read_form(request, SHARE)
    change = matches.seating.be_ready_anyway(match_id, caller, form.share, form.salt, form.signed)
    return await answer_awaited_change(request, matches, match_id, change)


@post("/tables/{match_id:uuid}/pause", guards=[requires_person], status_code=200)
async def pause(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Ask for a pause, signed if the form is; if not possible now, show the current table."""
    form = await read_form(request, SIGNED)
    return await answer_awaited_change(request, matches, match_id, matches.play.pause(match_id, caller, form.signed))


@post("/tables/{match_id:uuid}/withdraw-pause", guards=[requires_person], status_code=200)
async def withdraw_pause(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Withdraw the request for a pause, signed if the form is; if not possible now, show the current table."""
    form = await read_form(request, SIGNED)
    return await answer_awaited_change(
        request, matches, match_id, matches.play.withdraw_pause(match_id, caller, form.signed)
    )


@post("/tables/{match_id:uuid}/resume", guards=[requires_person], status_code=200)
async def resume(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Resume after a pause, signed if the form is; if not possible now, show the current table."""
    form = await read_form(request, SIGNED)
    return await answer_awaited_change(request, matches, match_id, matches.play.resume(match_id, caller, form.signed))


@post("/tables/{match_id:uuid}/resign", guards=[requires_person], status_code=200)
async def resign(
    request: PageRequest,
    match_id: FromPath[UUID],
    holder: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Resign, signed if the form is; if not possible now, show the current table."""
    form = await read_form(request, SIGNED)
    return await answer_awaited_change(request, matches, match_id, matches.play.resign(match_id, holder, form.signed))


@post("/tables/{match_id:uuid}/hand-over", guards=[requires_person], status_code=200)
async def hand_over(
    request: PageRequest,
    match_id: FromPath[UUID],
    holder: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Let a bot play on for the seat, signed if the form is; if not possible now, show the current table."""
    form = await read_form(request, SIGNED)
    return await answer_awaited_change(
        request, matches, match_id, matches.play.hand_over(match_id, holder, form.signed)
    )


@post("/tables/{match_id:uuid}/take-back", guards=[requires_person], status_code=200)
async def take_back(
    request: PageRequest,
    match_id: FromPath[UUID],
    holder: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Take back the last action at the version of the form; if not possible now, show the current table."""
    form = await read_form(request, VERSION)
    return await answer_awaited_change(
        request, matches, match_id, matches.play.take_back(match_id, holder, form.version, form.signed)
    )


@post("/tables/{match_id:uuid}/key", guards=[requires_person], status_code=200)
async def bring_key(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Register the browser's key for the reader's seat; raise `KeyOfProgram` for a bot account.

    Raise `BadSignature` for a key that cannot be registered; if not possible now, show the current table.
    """
    form = await read_form(request, KEY)
    require_browser_keys(caller)
    change = KeyService(matches, caller).register_at_seat(match_id, NamedKey(form.key))
    return await answer_awaited_change(request, matches, match_id, change)


@post("/tables/{match_id:uuid}/unsigned", guards=[requires_person], status_code=200)
async def stop_signing(
    request: PageRequest,
    match_id: FromPath[UUID],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
) -> Response[Any]:
    """Let the reader's seat continue without signing; if not possible now, show the current table."""
    await read_form(request, BUTTON)
    return await answer_awaited_change(request, matches, match_id, KeyService(matches, caller).stop_signing(match_id))


HANDLERS: Final = (
    bring_key,
    stop_signing,
    table_page,
    table_stream,
    act,
    sit,
    seat_bot,
    leave,
    commit_share,
    be_ready,
    pause,
    withdraw_pause,
    resume,
    resign,
    hand_over,
    take_back,
)
