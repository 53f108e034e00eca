"""The page of a face-to-face table, opened by the code on its slip, where players enter the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery
from litestar.response import ServerSentEvent

from api.http.form_pages import forms_of, handle_form
from api.http.forms import Form
from api.http.guards import requires_person
from api.http.ids import Ids
from api.http.languages import _
from api.http.limits import address_of
from api.http.page_responses import redirect_after_form, render
from api.http.refusals import SENTENCES
from api.http.structs import RequestStruct, Short
from api.tournaments.claim_schemas import ClaimResult, Code
from api.tournaments.claims import encode_claimed
from api.tournaments.images import BYTES_MAX, PHOTO_TYPES
from api.tournaments.pages.context import TournamentContext, provide_context
from api.tournaments.pages.forms import PHOTO, TAKE_AWAY, OfEntry
from api.tournaments.pages.live import parts_stream
from api.tournaments.schemas import Places, Scores
from domain.standings.errors import PlacesContradict, WrongResult
from domain.standings.results import places_by_score
from domain.tournaments.errors import CodeLocked, NoSuchEntry, WrongCode
from domain.tournaments.rounds import needs_match, table_of

ADDRESS: Final = "/tables/{number:int}/{table:int}"
REFUSALS: Final = (
    "tournament/code_locked",
    "tournament/wrong_code",
    "tournament/places_contradict",
    "tournament/wrong_result",
    "tournament/round_unknown",
    "tournament/refused",
)
"""Codes of errors that the script explains; the last is the default."""


class ClaimForm(RequestStruct, frozen=True, kw_only=True):
    """`ClaimResult` as a form without a script sends it; it needs no idempotency key."""

    entry: Short
    code: Annotated[Code, msgspec.Meta(min_length=1)]
    scores: Scores
    places: Places = ()
    sure: bool = False


CLAIM: Final = Form(
    "claim",
    ClaimForm,
    beside={
        WrongCode: "code",
        CodeLocked: "code",
        NoSuchEntry: "entry",
        WrongResult: "scores",
        PlacesContradict: "places",
    },
)
RENEW: Final = Form("button", OfEntry)


async def claim_context(page: TournamentContext, number: int, table: int) -> Mapping[str, Any]:
    """Return the template context of a table's page; raise `NoSuchRound` unless the table is in a public round."""
    event = await page.tournaments.reading.get(page.id)
    context = await page.context(event)
    round_table = table_of(event.state, number, table)
    round_ = next(each for each in context["shown"].rounds if each.round == number)
    own, code = page.tournaments.claims.own_code(event, number, table)
    is_official = await page.tournaments.reading.is_official(event)
    by_result: dict[tuple[tuple[int, ...], tuple[int, ...]], list[str]] = {}
    for claim in round_table.claims:
        by_result.setdefault(claim.result, []).append(claim.entry)
    return {
        **context,
        "round": round_,
        "table": round_.tables[table - 1],
        "claimed": encode_claimed(event, number, table),
        "entered": [(scores, places, entries) for (scores, places), entries in by_result.items()],
        "is_by_hand": not needs_match(event.state, round_table),
        "of_organiser": round_table.given is not None and not round_table.claims,
        "own": own,
        "own_code": code,
        "may_photograph": page.tournaments.photos.may_add(event, number, table, is_official=is_official),
        "is_official": is_official,
        "photo_types": ",".join(PHOTO_TYPES),
        "photo_bytes": BYTES_MAX,
        "forms": forms_of(page.request, CLAIM, PHOTO, TAKE_AWAY),
        "refusals": msgspec.json.encode({code: _(SENTENCES[code]) for code in REFUSALS}).decode(),
        "api": f"/api/tournaments/{page.id}/rounds/{number}/tables/{table}/claims",
        "path": f"{page.path}/tables/{number}/{table}",
    }


async def show_table(page: TournamentContext, number: int, table: int, *, sent: bool = False) -> Response[str]:
    """Render the page of a table; raise `NoSuchRound` unless the table is in a public round."""
    return page.render("claim", {**await claim_context(page, number, table), "is_sent": sent})


@get(ADDRESS)
async def claim_page(
    page: NamedDependency[TournamentContext], number: FromPath[int], table: FromPath[int], sent: FromQuery[bool] = False
) -> Response[str]:
    """Show a table of a public round (else `NoSuchRound`), with a form for its players.

    `sent`: their result has just been entered.
    """
    return await show_table(page, number, table, sent=sent)


@post(ADDRESS)
async def claim(
    page: NamedDependency[TournamentContext],
    number: FromPath[int],
    table: FromPath[int],
    ids: NamedDependency[Ids],
) -> Response[Any]:
    """Claim the result of a table, without scripts, for the entry whose code the form has; redirect to the table.

    The result counts once enough players of the table claim the same. Places default to the points' order. A wrong
    code or a rejected result is shown in the form again.
    """

    async def do(form: ClaimForm) -> Response[Any]:
        places = form.places or places_by_score(form.scores)
        request = ClaimResult(
            entry=form.entry,
            code=form.code,
            scores=form.scores,
            places=places,
            key=ids.new(),
            sure=form.sure,
        )
        await page.tournaments.claims.claim_result(page.id, number, table, request, address_of(page.request))
        return redirect_after_form(f"{page.path}/tables/{number}/{table}?sent=true", page.request)

    return await handle_form(page.request, CLAIM, do, lambda: show_table(page, number, table))


@get(ADDRESS + "/stream", media_type="text/event-stream")
async def claim_stream(
    page: NamedDependency[TournamentContext], number: FromPath[int], table: FromPath[int], have: FromQuery[str] = ""
) -> ServerSentEvent:
    """Stream the claims of a table as they change; raise `NoSuchRound` unless the table is in a public round."""
    await claim_context(page, number, table)

    async def make() -> dict[str, str]:
        context = await claim_context(page, number, table)
        return {"claimed": render(page.request, "tournaments/claimed.html", context)}

    return parts_stream(page, make, have)


@post("/desk/code", guards=[requires_person])
async def renew_code(page: NamedDependency[TournamentContext]) -> Response[Any]:
    """Renew the code of an entry as an organiser, and redirect to the printed codes."""

    async def do(form: OfEntry) -> None:
        await page.tournaments.claims.renew_code(page.id, form.entry, form.reason)

    return await page.handle_organiser_form(RENEW, do, TournamentContext.render_participants, "/desk/print/codes")


def table_path(event_id: UUID, number: int, table: int) -> str:
    """Return the path of the page for entering a table's result; it contains no secret."""
    return f"/events/{event_id}/tables/{number}/{table}"


HANDLERS: Final[tuple[Any, ...]] = (
    Router(
        "/events/{event_id:uuid}",
        route_handlers=[claim_page, claim, claim_stream, renew_code],
        dependencies={"page": Provide(provide_context, sync_to_thread=False)},
    ),
)
