"""Routes for disputes: raise, examine, rule and appeal; rulings of a match."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar import Response, Router, delete, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from api.disputes.committee_schemas import AnnounceDecision, CastVote, CommitteeShown, MakeMotion, NameCommittee
from api.disputes.queue_schemas import PrecedentsShown, QueueShown, StatisticsShown, TemplatesShown
from api.disputes.record import ArbitrationsShown
from api.disputes.schemas import (
    AppealRuling,
    DisputeShown,
    DisputesShown,
    EvidenceShown,
    GiveRuling,
    HandOver,
    MakeWhatIf,
    RaiseDispute,
    RulingsShown,
)
from api.disputes.service import DisputeOfCaller, DisputeService, provide_dispute, provide_disputes
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ARBITERS, BY_OFFICIALS, BY_ORGANISERS, BY_PLAYERS, requires_caller, requires_person
from api.http.ids import IdempotencyKey, Ids
from api.http.limits import TEXT_BYTES_MAX
from api.http.paging import Before, Limit
from api.matches.routes.matches import CHANGE_PROBLEMS, VERSION_MAX, answer
from api.matches.schemas import MatchShown
from projections.platform.paging import LIMIT

READ_PROBLEMS: Final = problems(400, 401, 403, 404)

EntryNumber = Annotated[
    int | None, QueryParameter(ge=1, le=VERSION_MAX, description="the entry; default: the disputed one")
]

RuleWords = Annotated[str, QueryParameter(max_length=200, description="text of the rule, as stated in the ruling")]


async def encode_answer(dispute: DisputeOfCaller, status: int = 200) -> Response[DisputeShown]:
    """Return the dispute as the caller may see it, with its version as ETag; raise `NotAParty` for outsiders."""
    found = await dispute.load()
    encoded = dispute.encode(found)
    return Response(encoded, status_code=status, headers={"ETag": f'"{found.kept.version}"'})


@declare_access("seat")
@post(
    "/matches/{match_id:uuid}/disputes",
    opt=BY_PLAYERS,
    guards=[requires_person],
    responses=CHANGE_PROBLEMS,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def raise_dispute(
    match_id: FromPath[UUID],
    data: JSONBody[RaiseDispute],
    disputes: NamedDependency[DisputeService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[DisputeShown]:
    """Raise a dispute about an entry of the caller's match (201); the same Idempotency-Key returns the same dispute.

    Raise `NotAParty` for others than its players, `DisputeRefused` if it cannot be raised.
    """
    new_id = ids.id_for(disputes.caller, "dispute", idempotency_key)
    return await encode_answer(await disputes.raise_dispute(match_id, new_id, data), 201)


@declare_access("signed in", "disputes that the caller is involved in")
@get("/matches/{match_id:uuid}/disputes", guards=[requires_caller], responses=READ_PROBLEMS)
async def list_match_disputes(
    match_id: FromPath[UUID], disputes: NamedDependency[DisputeService], before: Before = None, limit: Limit = LIMIT
) -> DisputesShown:
    """List the disputes about a match, on any of its lines, that the caller may see."""
    found = await disputes.disputes_about(match_id, limit, before)
    return DisputesShown(found.items, next=found.next)


@get("/matches/{match_id:uuid}/rulings", responses=READ_PROBLEMS)
async def list_rulings(match_id: FromPath[UUID], disputes: NamedDependency[DisputeService]) -> RulingsShown:
    """Return the rulings in the log of a match, and its result after them."""
    return await disputes.rulings(match_id)


@declare_access("signed in", "disputes that the caller is involved in")
@get("/disputes", guards=[requires_caller], responses=READ_PROBLEMS)
async def list_disputes(
    disputes: NamedDependency[DisputeService],
    event: FromQuery[str | None] = None,
    waiting: FromQuery[bool | None] = None,
    before: Before = None,
    limit: Limit = LIMIT,
) -> DisputesShown:
    """List disputes of the caller's matches, and of events where they have a role, waiting ones first.

    Arbiters and organisers of the whole service see all. `event=` selects matches without an event.
    """
    events = None if event is None else [event]
    found = await disputes.list(events=events, waiting=waiting, limit=limit, before=before)
    return DisputesShown(found.items, next=found.next)


@declare_access("official", "disputes that the caller may rule on")
@get("/disputes/queue", opt=BY_OFFICIALS, guards=[requires_caller], responses=READ_PROBLEMS)
async def list_queue(disputes: NamedDependency[DisputeService]) -> QueueShown:
    """Return the disputes that the caller may rule on, over all events, most urgent first."""
    return QueueShown(await disputes.queue())


@declare_access("official", "of any event")
@get("/disputes/precedents", opt=BY_OFFICIALS, guards=[requires_caller], responses=READ_PROBLEMS)
async def list_precedents(
    disputes: NamedDependency[DisputeService], rule: RuleWords = "", before: Before = None, limit: Limit = LIMIT
) -> PrecedentsShown:
    """List earlier rulings on rules with these words, without names of players; without words, all.

    Raise `RoleMissing` unless the caller is an official.
    """
    found = await disputes.precedents(rule, limit, before)
    return PrecedentsShown(found.items, next=found.next)


@declare_access("official", "of any event")
@get("/disputes/statistics", opt=BY_OFFICIALS, guards=[requires_caller], responses=READ_PROBLEMS)
async def get_statistics(
    disputes: NamedDependency[DisputeService], event: FromQuery[str | None] = None
) -> StatisticsShown:
    """Return statistics of rulings for all events or one; an empty `event` selects matches without an event.

    Raise `RoleMissing` unless the caller is an official.
    """
    return await disputes.statistics(event)


@declare_access("official", "of any event")
@get("/disputes/templates", opt=BY_OFFICIALS, guards=[requires_caller], responses=READ_PROBLEMS)
async def list_templates(disputes: NamedDependency[DisputeService]) -> TemplatesShown:
    """Return templates of reasons for rulings."""
    return TemplatesShown(await disputes.templates())


@get("/disputes/record", responses=READ_PROBLEMS)
async def get_record(
    event: FromQuery[str], disputes: NamedDependency[DisputeService], before: Before = None, limit: Limit = LIMIT
) -> ArbitrationsShown:
    """Return the acts of arbiters in a tournament or league, latest first, without matches and players.

    Public; an unknown event has none.
    """
    found = await disputes.record(event, limit, before)
    return ArbitrationsShown(found.items, next=found.next)


@declare_access("official", "and the players of the match")
@get("/", guards=[requires_caller], responses=READ_PROBLEMS)
async def get_dispute(dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Return a dispute to the players of its match, its arbiters and organisers."""
    return await encode_answer(dispute)


@declare_access("own", "the player who raised it")
@delete("/", opt=BY_PLAYERS, guards=[requires_person], status_code=200, responses=CHANGE_PROBLEMS)
async def withdraw(dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Withdraw a dispute as its author; it stays in the records."""
    await dispute.withdraw()
    return await encode_answer(dispute)


@declare_access("official", "arbiters")
@post("/arbiter", opt=BY_ARBITERS, guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def take_up(dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Take a dispute as its arbiter."""
    await dispute.assign_to_caller()
    return await encode_answer(dispute, 201)


@declare_access("official", "the arbiter of the dispute")
@post("/hand-over", opt=BY_ARBITERS, guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def hand_over(data: JSONBody[HandOver], dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Hand a dispute over to another arbiter."""
    await dispute.hand_over(data)
    return await encode_answer(dispute, 201)


@declare_access("official", "arbiters, recorded")
@get("/position", opt=BY_ARBITERS, guards=[requires_caller], responses=problems(400, 401, 403, 404, 429))
async def look_into(dispute: NamedDependency[DisputeOfCaller], entry: EntryNumber = None) -> EvidenceShown:
    """Return the position, every seat's view, the clock record and the audit; recorded if the match is running."""
    return await dispute.load_evidence(entry)


@declare_access("official", "arbiters")
@post("/forks", opt=BY_ARBITERS, guards=[requires_caller], responses=CHANGE_PROBLEMS)
async def make_what_if(
    data: JSONBody[MakeWhatIf],
    dispute: NamedDependency[DisputeOfCaller],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[MatchShown]:
    """Fork a what-if for the dispute (201), visible to its arbiters only; the same Idempotency-Key returns the same.

    Raise `DisputeSettled`, `ForkRefused` or the errors of a missing right as `fork_what_if`.
    """
    caller = dispute.service.caller
    new_line = ids.id_for(caller, "what-if", idempotency_key)
    match = await dispute.fork_what_if(data.entry, data.seats, new_line)
    return answer(await dispute.service.tables.reading.encode(match, caller), 201)


@declare_access("official", "arbiters")
@post(
    "/rulings",
    opt=BY_ARBITERS,
    guards=[requires_caller],
    responses=CHANGE_PROBLEMS,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def give_ruling(
    data: JSONBody[GiveRuling],
    dispute: NamedDependency[DisputeOfCaller],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[DisputeShown]:
    """Give a ruling (201). Of two simultaneous rulings the first counts; the second is refused.

    The same Idempotency-Key rules once. Raise `DisputeSettled`, `StaleVersion`, `RulingRefused` or the errors of a
    missing right as `rule_on`.
    """
    caller = dispute.service.caller
    ruling, line_id = (ids.id_for(caller, kind, idempotency_key) for kind in ("ruling", "line"))
    await dispute.rule(data, ruling, line_id)
    return await encode_answer(dispute, 201)


@declare_access("own", "the players of the match")
@post(
    "/appeal",
    opt=BY_PLAYERS,
    guards=[requires_person],
    responses=CHANGE_PROBLEMS,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def appeal(data: JSONBody[AppealRuling], dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Appeal the ruling, once per dispute."""
    await dispute.appeal(data.reason)
    return await encode_answer(dispute, 201)


@get("/committees/{event_id:uuid}", responses=READ_PROBLEMS)
async def get_committee(event_id: FromPath[UUID], disputes: NamedDependency[DisputeService]) -> CommitteeShown:
    """Return the appeal committee of a tournament or league, chair first."""
    return await disputes.committee(event_id)


@declare_access("official", "its organisers")
@put("/committees/{event_id:uuid}", opt=BY_ORGANISERS, guards=[requires_person], responses=CHANGE_PROBLEMS)
async def name_committee(
    event_id: FromPath[UUID], data: JSONBody[NameCommittee], disputes: NamedDependency[DisputeService]
) -> CommitteeShown:
    """Name the committee for future appeals of an event, as its organiser; pending appeals keep their judges.

    Raise `CommitteeRefused` for unfit members, `NoSuchStream`, `RoleMissing` or `ConflictOfInterest` as
    `require_organiser`.
    """
    return await disputes.name_committee(event_id, data)


@declare_access("official", "organisers")
@put("/committee", opt=BY_ORGANISERS, guards=[requires_person], responses=CHANGE_PROBLEMS)
async def name_for_dispute(
    data: JSONBody[NameCommittee], dispute: NamedDependency[DisputeOfCaller]
) -> Response[DisputeShown]:
    """Name the committee for this appeal, as an organiser; votes of an earlier committee do not count.

    Raise `DisputeSettled` unless an appeal is pending, `CommitteeRefused`, `RoleMissing` or `ConflictOfInterest`.
    """
    await dispute.name_committee(data)
    return await encode_answer(dispute)


@declare_access("official", "members of its committee")
@post(
    "/motions",
    opt=BY_ARBITERS,
    guards=[requires_person],
    responses=CHANGE_PROBLEMS,
    request_max_body_size=TEXT_BYTES_MAX,
)
async def make_motion(data: JSONBody[MakeMotion], dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Propose a ruling as a member of the committee."""
    await dispute.propose_ruling(data)
    return await encode_answer(dispute, 201)


@declare_access("official", "members of its committee")
@post(
    "/votes", opt=BY_ARBITERS, guards=[requires_person], responses=CHANGE_PROBLEMS, request_max_body_size=TEXT_BYTES_MAX
)
async def cast_vote(data: JSONBody[CastVote], dispute: NamedDependency[DisputeOfCaller]) -> Response[DisputeShown]:
    """Vote for a motion with a reason; until the announcement a new vote replaces an earlier one."""
    await dispute.vote(data)
    return await encode_answer(dispute, 201)


@declare_access("official", "the chair of its committee")
@post("/decision", opt=BY_ARBITERS, guards=[requires_person], responses=CHANGE_PROBLEMS)
async def announce(
    data: JSONBody[AnnounceDecision],
    dispute: NamedDependency[DisputeOfCaller],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[DisputeShown]:
    """Announce the motion with a majority as the chair; it becomes the ruling (201).

    Raise `NotAParty` for others, `VoteRefused` without a majority, `DisputeSettled` or `StaleVersion`.
    """
    caller = dispute.service.caller
    ruling, line_id = (ids.id_for(caller, kind, idempotency_key) for kind in ("ruling", "line"))
    await dispute.announce(data.expected_version, ruling, line_id)
    return await encode_answer(dispute, 201)


IN_COMMITTEE: Final = (name_for_dispute, make_motion, cast_vote, announce)
ONE: Final = Router(
    "/disputes/{dispute_id:uuid}",
    route_handlers=[
        get_dispute,
        withdraw,
        take_up,
        hand_over,
        look_into,
        make_what_if,
        give_ruling,
        appeal,
        *IN_COMMITTEE,
    ],
    dependencies={"dispute": Provide(provide_dispute, sync_to_thread=False)},
)
OF_ARBITERS: Final = (list_queue, list_precedents, get_statistics, list_templates, get_record)
COMMITTEES: Final = (get_committee, name_committee)
ROUTER: Final = Router(
    "/",
    route_handlers=[raise_dispute, list_match_disputes, list_rulings, list_disputes, *OF_ARBITERS, *COMMITTEES, ONE],
    dependencies={"disputes": Provide(provide_disputes, sync_to_thread=False)},
    tags=["disputes"],
)
