"""The circuit service, for one caller and for the organiser of a circuit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.display_names import names_of, naming_people
from api.accounts.service import AccountService
from api.circuits.candidates import Candidate, list_candidates
from api.circuits.present import PresentCircuit, events_in, read_circuit, results_of
from api.circuits.responses import actors_in_acts, actors_of, show_act, show_around, show_circuit, show_row
from api.circuits.schemas import AddContest, CircuitActShown, CircuitListed, CircuitShown
from api.http.guards import Caller
from api.http.ids import Ids
from api.matches.admission import require_event_allows_bots
from api.matches.service import MatchService
from api.roles.service import has_role
from domain.circuits import commands, decisions
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import Fact
from domain.circuits.final_answers import find_final
from domain.circuits.final_invitations import fill_final
from domain.circuits.plan import CircuitPlan, CircuitRefused
from domain.circuits.state import CIRCUIT, Circuit
from domain.eventstore.application import Matches
from domain.leagues.plan import LeagueRefused
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Stream
from domain.ratings.errors import EventWithoutPrograms
from domain.roles.errors import RoleMissing
from domain.tournaments.errors import TournamentRefused
from projections import circuits
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page

NAMING = (CircuitRefused, TournamentRefused, LeagueRefused)
"""Errors whose messages name people."""


class CircuitService:
    """Circuits, for one caller."""

    def __init__(self, matches: MatchService, accounts: AccountService, caller: Caller) -> None:
        self.tables = matches
        self.accounts = accounts
        self.caller = caller

    async def list(self, limit: int = LIMIT, before: int | None = None) -> Page[CircuitListed]:
        """Return circuits, latest first."""
        found = await self.tables.writer.read_model(circuits.circuits, limit, before)
        names = await asyncio.to_thread(names_of, self.accounts, {row.first for row in found.items})
        return found.of([show_row(row, names) for row in found.items])

    async def around(self, contest_id: UUID) -> tuple[CircuitListed, ...]:
        """Return the circuits for which a contest counts, or whose final it is, oldest first."""
        found = await self.tables.writer.read_model(circuits.circuits_around, contest_id)
        names = await asyncio.to_thread(names_of, self.accounts, {each.circuit.first for each in found})
        return tuple(show_around(each, names) for each in found)

    async def stream(self, circuit_id: UUID) -> Stream[Circuit]:
        """Return the current circuit from the log; raise `NoSuchStream` if it is unknown."""

        def find(matches: Matches) -> Stream[Circuit]:
            return matches.streams.get(CIRCUIT, circuit_id)

        return await self.tables.writer.read_log(find)

    async def present(self, circuit_id: UUID) -> PresentCircuit:
        """Return a circuit with the present places in its contests; raise `NoSuchStream` if it is unknown."""
        writer = self.tables.writer
        events = await writer.read_log(events_in, circuit_id)
        results = await writer.read_model(results_of, events)
        return await writer.read_log(read_circuit, circuit_id, results)

    async def encode(self, present: PresentCircuit) -> CircuitShown:
        """Return the circuit for a response."""
        names = await asyncio.to_thread(names_of, self.accounts, actors_of(present))
        return show_circuit(present, await self.around(present.stream.id), names)

    async def show(self, circuit_id: UUID) -> CircuitShown:
        """Return a circuit for a response; raise `NoSuchStream` if it is unknown."""
        return await self.encode(await self.present(circuit_id))

    async def record(self, circuit_id: UUID, limit: int, before: int | None) -> Page[CircuitActShown]:
        """Return the public acts about the circuit, latest first; raise `NoSuchStream` if it is unknown."""
        present = await self.present(circuit_id)
        found = await self.tables.writer.read_model(circuits.acts_of, circuit_id, limit, before)
        names = await asyncio.to_thread(names_of, self.accounts, actors_in_acts(found.items))
        return found.of([show_act(act, present, names) for act in found.items])

    async def is_organiser(self, circuit_id: UUID) -> bool:
        """Return whether the caller opened the circuit, or is an organiser of it or of the service."""
        return await has_role(self.tables.writer, self.caller, "organiser", circuit_id)

    async def require_organiser(self, circuit_id: UUID) -> Stream[Circuit]:
        """Return the circuit to its organisers; raise `RoleMissing` for others, `NoSuchStream` if it is unknown."""
        stream = await self.stream(circuit_id)
        if not await self.is_organiser(circuit_id):
            raise RoleMissing("only organisers of the circuit can do this")
        return stream

    async def candidates(self) -> tuple[Candidate, ...]:
        """Return the events that the caller opened, as choices for a circuit."""
        return await self.tables.writer.read_model(list_candidates, self.caller.actor)

    async def open(self, plan: CircuitPlan, ids: Ids, key: str | None) -> Stream[Circuit]:
        """Open a circuit once per `key`; raise `CircuitRefused` for a bad plan."""
        new_id, by = ids.id_for(self.caller, "circuit", key), self.caller.actor
        return await self.tables.writer.execute(commands.open_circuit, new_id, by, plan, at=now())

    def naming(self) -> AbstractContextManager[None]:
        """Replace ids of people by names in errors raised inside the block."""
        return naming_people(self.accounts, *NAMING)

    async def fill_final(self, circuit_id: UUID, by: Actor, expected_version: int | None = None) -> Stream[Circuit]:
        """Invite qualified people to the final, and the next in rank for people who do not play.

        Accounts that were erased or cannot play there are passed over. Raise as `final_invitations.fill_final`.
        """
        unfit = await self.find_unfit((await self.stream(circuit_id)).state)
        with self.naming():
            return await self.tables.writer.execute_composed(
                fill_final, circuit_id, by, unfit, expected_version=expected_version
            )

    async def find_unfit(self, circuit: Circuit) -> frozenset[Actor]:
        """Return the people in the official standings who cannot be invited to the final."""
        ranked = [line.actor for line in circuit.settled if line.rank]
        known = await self.accounts.all_named(ranked)
        unfit = {actor for actor in ranked if actor not in known}
        key = circuit.final
        event = None if key is None else await self.tables.writer.read_log(lambda log: find_final(log.streams, key))
        if event is not None:
            for actor, person in known.items():
                try:
                    require_event_allows_bots(event.plan.table, person)
                except EventWithoutPrograms:
                    unfit.add(actor)
        return frozenset(unfit)

    async def take_step(self, circuit_id: UUID, expected_version: int) -> None:
        """Invite the next in rank to the final, as the service.

        Raise `CircuitRefused` if no place is free, `StaleVersion` unless the circuit is at the expected version.
        """
        await self.fill_final(circuit_id, SERVICE, expected_version)


@dataclass(frozen=True)
class OrganisedCircuit:
    """A circuit for its organiser; only `provide_circuit` creates one, after checking the role."""

    service: CircuitService
    id: UUID

    @property
    def by(self) -> Actor:
        """The organiser."""
        return self.service.caller.actor

    async def show(self) -> CircuitShown:
        """Return the circuit for a response."""
        return await self.service.show(self.id)

    async def append(self, decide: Callable[[Circuit, Actor], Fact]) -> Stream[Circuit]:
        """Append the fact that `decide` returns for this organiser."""
        by = self.by
        with self.service.naming():
            return await self.service.tables.writer.execute(
                commands.execute, self.id, lambda circuit: decide(circuit, by), at=now()
            )

    async def change_plan(self, plan: CircuitPlan, reason: str) -> Stream[Circuit]:
        """Change the plan; raise `CircuitRefused` for a bad one, or without a reason once contests count."""
        return await self.append(lambda circuit, by: decisions.change_plan(circuit, by, plan, reason.strip()))

    async def require_organiser_of(self, key: ContestKey) -> None:
        """Raise `RoleMissing` unless the caller organises the contest, too, or all contests of the service."""
        if not await has_role(self.service.tables.writer, self.service.caller, "organiser", key.id):
            raise RoleMissing("only organisers of the event can add it to a circuit or make it the final")

    async def add_contest(self, request: AddContest) -> Stream[Circuit]:
        """Let a contest count that the caller organises, too; raise `RoleMissing`, `CircuitRefused`, `NoSuchStream`."""
        await self.require_organiser_of(request.contest)
        writer, weight = self.service.tables.writer, request.weight
        return await writer.execute(commands.add_contest, self.id, self.by, request.contest, weight, at=now())

    async def withdraw_contest(self, key: ContestKey, reason: str) -> Stream[Circuit]:
        """Let a contest no longer count; raise `CircuitRefused` if it does not count, or without a reason."""
        writer = self.service.tables.writer
        return await writer.execute(commands.withdraw_contest, self.id, self.by, key, reason.strip(), at=now())

    async def name_final(self, key: ContestKey | None) -> Stream[Circuit]:
        """Name the final, which the caller organises, too; raise `RoleMissing`, `CircuitRefused`, `NoSuchStream`."""
        if key is not None:
            await self.require_organiser_of(key)
        return await self.service.tables.writer.execute(commands.name_final, self.id, self.by, key, at=now())

    async def settle(self, reason: str) -> Stream[Circuit]:
        """Make the standings official, or correct them; raise `CircuitRefused` while a contest is not over."""
        present = await self.service.present(self.id)
        contests, lines = present.contests, present.lines
        return await self.append(lambda circuit, by: decisions.settle(circuit, by, contests, lines, reason.strip()))

    async def invite(self) -> Stream[Circuit]:
        """Invite the qualified people to the final; raise as `CircuitService.fill_final`."""
        return await self.service.fill_final(self.id, self.by)


def provide_circuits(
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> CircuitService:
    """Provide the circuit service for the caller."""
    return CircuitService(matches, accounts, caller)


async def provide_circuit(circuit_id: FromPath[UUID], circuits: NamedDependency[CircuitService]) -> OrganisedCircuit:
    """Provide the circuit in the path to its organisers; raise `RoleMissing` for others."""
    await circuits.require_organiser(circuit_id)
    return OrganisedCircuit(circuits, circuit_id)
