"""Routes for circuits: open, change, add contests, name the final, settle the standings, invite."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar import Response, Router, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter

from api.circuits import files
from api.circuits.schemas import (
    AddContest,
    ChangeCircuit,
    CircuitRecordShown,
    CircuitShown,
    CircuitsShown,
    NameFinal,
    OpenCircuit,
    SettleStandings,
    TakeCircuitStep,
    WithdrawContest,
)
from api.circuits.service import CircuitService, OrganisedCircuit, provide_circuit, provide_circuits
from api.http.access import declare_access
from api.http.errors import problems
from api.http.guards import BY_ORGANISERS, requires_caller, requires_service
from api.http.ids import IdempotencyKey, Ids
from api.http.limits import CREATES, TEXT_BYTES_MAX
from api.http.openapi import CSV, JSON, with_file
from api.http.paging import Before, Limit
from api.tournaments.routes.tournaments import KINDS
from projections.platform.paging import LIMIT

CHANGE: Final = problems(400, 401, 403, 404, 409, 413, 422, 429)
OfContest = Annotated[
    UUID | None, QueryParameter(description="only circuits for which this tournament, league or circuit counts")
]


@get("/circuits", responses=problems(400, 401))
async def list_circuits(
    circuits: NamedDependency[CircuitService],
    before: Before = None,
    limit: Limit = LIMIT,
    contest: OfContest = None,
) -> CircuitsShown:
    """List circuits, latest first; with a contest, those for which it counts or whose final it is, oldest first."""
    if contest is not None:
        return CircuitsShown(await circuits.around(contest))
    found = await circuits.list(limit, before)
    return CircuitsShown(found.items, next=found.next)


@declare_access("signed in")
@post("/circuits", guards=[requires_caller], responses=CHANGE, request_max_body_size=TEXT_BYTES_MAX, opt=CREATES)
async def open_circuit(
    data: JSONBody[OpenCircuit],
    circuits: NamedDependency[CircuitService],
    ids: NamedDependency[Ids],
    idempotency_key: IdempotencyKey = None,
) -> Response[CircuitShown]:
    """Open a circuit organised by the caller (201); the same Idempotency-Key returns the same circuit.

    Raise `CircuitRefused` for a bad plan.
    """
    circuit = await circuits.open(data.plan, ids, idempotency_key)
    return Response(await circuits.show(circuit.id), status_code=201)


@get("/circuits/{circuit_id:uuid}", responses=problems(400, 401, 404))
async def get_circuit(circuit_id: FromPath[UUID], circuits: NamedDependency[CircuitService]) -> CircuitShown:
    """Return the circuit with its present or official standings, its contests and its final."""
    return await circuits.show(circuit_id)


@get(
    "/circuits/{circuit_id:uuid}/files/{what:str}",
    responses=problems(400, 401, 404),
    operation_class=with_file(gives=(CSV, JSON)),
)
async def export_file(
    circuit_id: FromPath[UUID], what: FromPath[str], circuits: NamedDependency[CircuitService]
) -> Response[bytes]:
    """Export `standings` or the single `results` of a circuit as `.csv` or `.json`, as an attachment.

    Raise `NoSuchRound` for another name.
    """
    name, kind = files.parse_name(what)
    content = files.render_file(name, kind, await circuits.show(circuit_id))
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(content, media_type=KINDS[kind], headers=headers)


@get("/circuits/{circuit_id:uuid}/record", responses=problems(400, 401, 404))
async def get_record(
    circuit_id: FromPath[UUID], circuits: NamedDependency[CircuitService], before: Before = None, limit: Limit = LIMIT
) -> CircuitRecordShown:
    """Return the acts of the organisers and of the service with their reasons, latest first."""
    found = await circuits.record(circuit_id, limit, before)
    return CircuitRecordShown(tuple(found.items), next=found.next)


@post("/circuits/{circuit_id:uuid}/steps", guards=[requires_service], responses=CHANGE)
async def take_step(
    circuit_id: FromPath[UUID], data: JSONBody[TakeCircuitStep], circuits: NamedDependency[CircuitService]
) -> Response[None]:
    """Take an automatic step of the circuit that is due, for the service's workers; 204.

    Raise `CircuitRefused` if it is not due, `StaleVersion` if the circuit is at another version.
    """
    await circuits.take_step(circuit_id, data.expected_version)
    return Response(None, status_code=204)


@declare_access("official", "its organisers")
@post("/plan", responses=CHANGE, status_code=200, request_max_body_size=TEXT_BYTES_MAX)
async def change_plan(data: JSONBody[ChangeCircuit], circuit: NamedDependency[OrganisedCircuit]) -> CircuitShown:
    """Change the plan; needs a reason once contests count. Afterwards the points of official standings stay."""
    await circuit.change_plan(data.plan, data.reason)
    return await circuit.show()


@declare_access("official", "its organisers, who organise the contest, too")
@post("/contests", responses=CHANGE)
async def add_contest(data: JSONBody[AddContest], circuit: NamedDependency[OrganisedCircuit]) -> CircuitShown:
    """Let a contest count that the caller organises, too.

    Raise `CircuitRefused` for a circuit that would contain itself, for a contest that counts, or after the end;
    `RoleMissing` for a contest of others.
    """
    await circuit.add_contest(data)
    return await circuit.show()


@declare_access("official", "its organisers")
@post("/contests/withdrawal", responses=CHANGE, status_code=200)
async def withdraw_contest(data: JSONBody[WithdrawContest], circuit: NamedDependency[OrganisedCircuit]) -> CircuitShown:
    """Let a contest no longer count, with a reason; raise `CircuitRefused` if it does not count."""
    await circuit.withdraw_contest(data.contest, data.reason)
    return await circuit.show()


@declare_access("official", "its organisers, who organise the final, too")
@put("/final", responses=CHANGE)
async def name_final(data: JSONBody[NameFinal], circuit: NamedDependency[OrganisedCircuit]) -> CircuitShown:
    """Name the final, a tournament or a season that the caller organises, too; null takes it back.

    Raise `CircuitRefused` if it counts for the circuit, or if people are invited to another final; `RoleMissing` for an
    event of others.
    """
    await circuit.name_final(data.contest)
    return await circuit.show()


@declare_access("official", "its organisers")
@post("/final/invitations", responses=CHANGE)
async def invite(circuit: NamedDependency[OrganisedCircuit]) -> CircuitShown:
    """Invite all qualified people to the final, with an entry that they accept; repeated, it fills free places.

    Later the service invites the next in rank for everyone who declines, leaves or does not answer in time. Raise
    `CircuitRefused` without official standings, or if the final takes no entries.
    """
    await circuit.invite()
    return await circuit.show()


@declare_access("official", "its organisers")
@post("/standings", responses=CHANGE)
async def settle(data: JSONBody[SettleStandings], circuit: NamedDependency[OrganisedCircuit]) -> CircuitShown:
    """Make the standings official, which ends the circuit; later, with a reason, correct them.

    Raise `CircuitRefused` while a contest is not over, or if a correction would change nothing.
    """
    await circuit.settle(data.reason)
    return await circuit.show()


ORGANISED: Final = Router(
    "/circuits/{circuit_id:uuid}",
    route_handlers=[change_plan, add_contest, withdraw_contest, name_final, invite, settle],
    guards=[requires_caller],
    dependencies={"circuit": Provide(provide_circuit)},
)
ROUTER: Final = Router(
    "/",
    route_handlers=[list_circuits, open_circuit, get_circuit, export_file, get_record, take_step, ORGANISED],
    dependencies={"circuits": Provide(provide_circuits, sync_to_thread=False)},
    opt=BY_ORGANISERS,
    tags=["circuits"],
)
