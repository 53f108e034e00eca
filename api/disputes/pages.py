"""Pages of disputes: the list, a dispute for its players and for its arbiters, what-ifs, the ruling, the appeal."""

from __future__ import annotations

import asyncio
from typing import Any, Final
from uuid import UUID, uuid4

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, URLEncodedBody

from api.disputes import commands
from api.disputes.service import DisputeDoor, OneDispute, dispute_door, one_dispute
from api.disputes.wire import GiveRuling, RaiseDispute, ResumeFrom, WantedMeasure
from api.matches.pages.fragments import named
from api.matches.pages.positions import drawn, eyes_of, seat_names
from api.matches.pages.replay_forking import ME, asked
from api.roles import scopes
from api.roles.service import roles_of
from api.web.browser import Form, PageRequest, back_to, page
from api.web.guards import requires_person
from api.web.paging import Before, Limit
from domain.disputes.errors import DisputeRefused
from domain.disputes.words import measure_told
from domain.matches.aggregate import view
from domain.matches.application import Matches
from domain.matches.facts import MatchVoided, PointsTaken, ResultSet, SeatWarned, TimeTaken
from projections.paging import LIMIT


def dispute_path(dispute_id: UUID) -> str:
    return f"/disputes/{dispute_id}"


class RaiseForm(Form, frozen=True):
    at: int
    reason: str = ""


class ReasonForm(Form, frozen=True):
    reason: str = ""


class RulingForm(Form, frozen=True):
    """A ruling as the page's form sends it: one decision about the match, and penalties by seat beside it."""

    decision: str = "none"
    version: str = ""
    scores: str = ""
    ranking: str = ""
    warned: str = ""
    points_seat: str = ""
    points: str = ""
    seconds_seat: str = ""
    seconds: str = ""
    rule: str = ""
    reasons: str = ""


def whole(word: str, what: str) -> int:
    """A number that somebody typed."""
    try:
        return int(word)
    except ValueError:
        raise DisputeRefused(f"{what} is a whole number, not {word!r}") from None


def numbers(words: str, what: str) -> tuple[int, ...]:
    return tuple(whole(word, what) for word in words.replace(",", " ").split())


def measures_of(form: RulingForm) -> tuple[WantedMeasure, ...]:
    """What the form wants changed."""
    wanted: list[WantedMeasure] = []
    if form.warned:
        wanted.append(SeatWarned(whole(form.warned, "the seat")))
    if form.points:
        wanted.append(PointsTaken(whole(form.points_seat, "the seat"), whole(form.points, "the penalty")))
    if form.seconds:
        wanted.append(TimeTaken(whole(form.seconds_seat, "the seat"), whole(form.seconds, "the penalty")))
    if form.decision == "resume":
        wanted.append(ResumeFrom(whole(form.version, "the entry")))
    if form.decision == "result":
        wanted.append(ResultSet(numbers(form.scores, "a score"), numbers(form.ranking, "a place")))
    if form.decision == "void":
        wanted.append(MatchVoided())
    return tuple(wanted)


@get("/disputes")
async def disputes_page(
    request: PageRequest, disputes: NamedDependency[DisputeDoor], before: Before = None, limit: Limit = LIMIT
) -> Response[str]:
    """The reader's disputes; for arbiters, all of theirs."""
    roles = roles_of(await disputes.tables.roles(), disputes.caller)
    found = await disputes.listed(limit=limit, before=before)
    context = {
        "disputes": found.items,
        "next": found.next,
        "limit": limit,
        "roles": roles,
        "events": await scopes.names(disputes.tables, (each.event or "" for each in found.items)),
    }
    return page(request, "disputes/disputes.html", context)


@post("/tables/{match_id:uuid}/disputes", status_code=200)
async def raise_dispute(
    request: PageRequest,
    match_id: FromPath[UUID],
    data: URLEncodedBody[RaiseForm],
    disputes: NamedDependency[DisputeDoor],
) -> Response[Any]:
    """The reader objects to the entry that was shown."""
    dispute = await disputes.raised(match_id, uuid4(), RaiseDispute(data.at, data.reason))
    return back_to(dispute_path(dispute.id), request)


@get("/")
async def dispute_page(
    request: PageRequest,
    dispute: NamedDependency[OneDispute],
    entry: FromQuery[int | None] = None,
    eyes: FromQuery[str] = "all",
    look: FromQuery[bool] = False,
) -> Response[str]:
    """A dispute; its arbiter sees what every seat knew when they ask to, which is recorded while the match goes on."""
    found, door = await dispute.seen(), dispute.door
    match = await door.tables.get(found.dispute.line)
    names = seat_names(match, door.people)
    context: dict[str, Any] = {
        "dispute": commands.shown(found, door.people),
        "measures": {given.ruling.ruling: given.ruling.measures for given in found.dispute.rulings},
        "measure_told": lambda measure: named(measure_told(measure), names),
        "official": found.official,
        "match": match,
        "events": await scopes.names(door.tables, [found.dispute.event]),
        "names": names,
        "is_arbiter": found.is_arbiter,
        "is_party": commands.party(found, door.caller),
        "last": match.version,
        "entry": entry or found.dispute.entry,
        "evidence": None,
    }
    if look and found.may_rule:
        context |= await looked_into(request, dispute, entry, eyes, names)
    return page(request, "disputes/dispute.html", context)


async def looked_into(
    request: PageRequest, dispute: OneDispute, entry: int | None, eyes: str, names: tuple[str, ...]
) -> dict[str, Any]:
    """The position through somebody's eyes, the clock record and the audit."""
    evidence = await dispute.look_into(entry)
    position = await dispute.door.tables.look(Matches.at, evidence.line, evidence.entry)
    through = eyes_of(names, eyes)
    seat = next(each.seat for each in through if each.is_chosen)
    seen = await asyncio.to_thread(view, position, seat)
    board = await drawn(request, position.title, seen, names)
    knew = next(each for each in evidence.knew if each.seat == seat)
    return {"evidence": evidence, "eyes": through, "board": board, "legal": knew.legal_actions, "entry": evidence.entry}


@post("/arbiter", status_code=200)
async def take_up(request: PageRequest, dispute: NamedDependency[OneDispute]) -> Response[Any]:
    """The reader looks after the dispute."""
    await dispute.take_up()
    return back_to(dispute_path(dispute.id), request)


@post("/withdrawal", status_code=200)
async def withdraw(request: PageRequest, dispute: NamedDependency[OneDispute]) -> Response[Any]:
    """The reader withdraws it."""
    await dispute.withdraw()
    return back_to(dispute_path(dispute.id), request)


@post("/what-ifs", status_code=200)
async def make_what_if(request: PageRequest, dispute: NamedDependency[OneDispute]) -> Response[Any]:
    """A fork beside the dispute, with bots and the arbiter on its seats; whoever sits there goes to the table."""
    form = await request.form()
    wanted, new_line = asked({name: str(value) for name, value in form.items()}), uuid4()
    await dispute.what_if(wanted.at, wanted.seats or None, new_line)
    return back_to(f"/tables/{new_line}" if ME in wanted.seats else f"{dispute_path(dispute.id)}#what-ifs", request)


@post("/rulings", status_code=200)
async def give_ruling(
    request: PageRequest, data: URLEncodedBody[RulingForm], dispute: NamedDependency[OneDispute]
) -> Response[Any]:
    """The reader's ruling."""
    await dispute.rule(
        GiveRuling(data.rule, data.reasons, measures_of(data), data.decision == "uphold"), uuid4(), uuid4()
    )
    return back_to(dispute_path(dispute.id), request)


@post("/appeal", status_code=200)
async def appeal(
    request: PageRequest, data: URLEncodedBody[ReasonForm], dispute: NamedDependency[OneDispute]
) -> Response[Any]:
    """A player asks for a head arbiter."""
    await dispute.appeal(data.reason)
    return back_to(dispute_path(dispute.id), request)


ONE: Final = Router(
    "/disputes/{dispute_id:uuid}",
    route_handlers=[dispute_page, take_up, withdraw, make_what_if, give_ruling, appeal],
    dependencies={"dispute": Provide(one_dispute, sync_to_thread=False)},
)
HANDLERS: Final = (
    Router(
        "/",
        route_handlers=[disputes_page, raise_dispute, ONE],
        guards=[requires_person],
        dependencies={"disputes": Provide(dispute_door, sync_to_thread=False)},
    ),
)
