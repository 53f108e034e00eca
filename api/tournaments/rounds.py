"""Rounds of a tournament, for one caller: pairings, absences, substitutes and rulings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from api.accounts.service import AccountService
from api.http.guards import Caller
from api.matches.admission import require_event_allows_bots
from api.matches.service import MatchService
from api.tournaments.changes import TournamentChanges
from api.tournaments.queries import TournamentQueries
from api.tournaments.registration import Registration
from api.tournaments.schemas import MovePerson, NameSubstitute, NoteNoShow, RuleTable, SwapPeople
from domain.matches.facts import Actor
from domain.pairing.problem import Level
from domain.standings.results import Results
from domain.tournaments import commands, facts, filling, no_shows, reseating, rounds, substitutes
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.reseating import Reseating
from domain.tournaments.state import Tournament
from projections.platform.clock import now

SeatChange = Callable[[Tournament, Results], Reseating]
"""(tournament, results) -> a new seating of a public round."""


def is_public(event: TournamentStream, number: int) -> bool:
    """Return whether the round is the latest one and public."""
    last = event.state.round
    return last is not None and last.number == number and last.is_public


def proposed_change(state: Tournament, number: int, change: SwapPeople | MovePerson, by: Actor) -> facts.PairingEdited:
    """Return the proposal with two people swapped, or with one person moved to another table.

    Raises `NoSuchRound`, `NoSuchEntry`, or `TournamentRefused` for a change that is not possible.
    """
    if isinstance(change, SwapPeople):
        return rounds.swap(state, number, change.first, change.second, change.reason, by)
    return rounds.move(state, number, change.entry, change.table, change.reason, by)


@dataclass(frozen=True)
class TournamentRounds:
    """Rounds of tournaments, for one caller."""

    tables: MatchService
    reading: TournamentQueries
    changes: TournamentChanges
    registration: Registration
    accounts: AccountService
    caller: Caller

    async def publish(self, event_id: UUID, number: int) -> TournamentStream:
        """Publish the round as an organiser; raise `TournamentRefused` if its proposal no longer fits."""
        return await self.changes.execute_from_reader(
            event_id, lambda state, results, by: filling.publish_round(state, number, results, by)
        )

    async def change_seating(self, event_id: UUID, number: int, change: SwapPeople | MovePerson) -> TournamentStream:
        """Swap two people or move one to another table, as an organiser (else `RoleMissing`).

        In the proposal, or in a public round at tables that have not started; otherwise raises `TournamentRefused`.
        """
        if is_public(await self.reading.require_organiser(event_id), number):
            return await self._apply_seat_change(event_id, self._public_seat_change(number, change))

        return await self.changes.execute_from_reader(
            event_id, lambda state, _, by: proposed_change(state, number, change, by)
        )

    def _public_seat_change(self, number: int, change: SwapPeople | MovePerson) -> SeatChange:
        """Return the decision that changes places in a public round, at tables that have not started."""
        by, reason = self.caller.actor, change.reason
        if isinstance(change, SwapPeople):
            first, second = change.first, change.second
            return lambda state, results: reseating.swap(state, number, first, second, results, reason, by)
        entry, table = change.entry, change.table
        return lambda state, results: reseating.move(state, number, entry, table, results, reason, by)

    async def preview_change(
        self, event_id: UUID, number: int, change: SwapPeople | MovePerson
    ) -> tuple[tuple[Level, ...], tuple[Level, ...]]:
        """Return the cost of a change of places to an organiser: the levels before and after it. Store nothing.

        Raises the refusal of the change.
        """
        event = await self.reading.require_organiser(event_id)
        results, by = await self.reading.results(event_id), self.caller.actor

        def preview(_: object, __: object) -> tuple[tuple[Level, ...], tuple[Level, ...]]:
            if is_public(event, number):
                public_change = self._public_seat_change(number, change)(event.state, results)
                return public_change.before, public_change.after
            proposal = proposed_change(event.state, number, change, by)
            return event.state.rounds[-1].levels, proposal.levels

        async with self.changes.naming(event_id):
            return await self.tables.writer.read_log(preview, event_id)

    async def _apply_seat_change(self, event_id: UUID, reseats: SeatChange) -> TournamentStream:
        """Append the facts of a change of places in a public round, decided with the current results."""
        results = await self.reading.results(event_id)
        return await self.changes.execute(reseating.reseat, event_id, lambda state: reseats(state, results), at=now())

    async def record_no_show(self, event_id: UUID, number: int, request: NoteNoShow) -> TournamentStream:
        """Record that a player is absent from a table, as an organiser who does not play in the event.

        With `request.bot` the event's bot takes the seat; raises `TournamentRefused` if the event has none. Raises for
        the caller as `require_judge`.
        """
        event = await self.changes.require_judge(event_id, "record no-shows")
        bot = event.state.plan.bot if request.bot else ""
        if request.bot and not bot:
            raise TournamentRefused("this event does not allow bots as substitutes")
        by = self.caller.actor
        return await self.changes.execute(
            no_shows.record_no_show, event_id, number, request.entry, bot, request.reason, by, at=now()
        )

    async def withdraw_no_show(self, event_id: UUID, number: int, entry: str, reason: str) -> TournamentStream:
        """Withdraw the record of an absence, as an organiser who does not play in the event."""
        await self.changes.require_judge(event_id, "withdraw no-shows")
        by = self.caller.actor
        return await self.changes.execute(no_shows.withdraw_no_show, event_id, number, entry, reason, by, at=now())

    async def name_substitute(self, event_id: UUID, number: int, request: NameSubstitute) -> TournamentStream:
        """Name a substitute for an entry at its table of a round, or invite the person to be it, as an organiser.

        Raises `RoleMissing` for others, `NoSuchPerson`, `EventWithoutPrograms` for a bot account that the tables do not
        accept. Invitations are counted first (`count_invitations`).
        """
        event = await self.reading.require_organiser(event_id)
        person, by = await asyncio.to_thread(self.accounts.get_by_id_or_name, request.person), self.caller.actor
        require_event_allows_bots(event.state.plan.table, person)
        arguments = number, request.entry, person.id, by, request.reason
        async with self.changes.naming(event_id):
            preview = await self.tables.writer.read_log(substitutes.preview_substitute, event.state, *arguments)
        await self.registration.count_invitations(event, lambda _: preview)
        return await self.changes.execute(substitutes.name_substitute, event_id, *arguments, at=now())

    async def rule(self, event_id: UUID, number: int, table: int, request: RuleTable) -> TournamentStream:
        """Rule on the result of a table, as an organiser who does not play in the event (`require_judge`).

        An unfinished match there becomes void. Raises `PlacesContradict` if the places contradict the points unless
        `request.sure`.
        """
        await self.changes.require_judge(event_id, "rule on a table")
        by = self.caller.actor

        def decide(state: Tournament) -> facts.ResultRuled:
            return rounds.rule_table(
                state, number, table, request.scores, request.places, request.reason, by, sure=request.sure
            )

        return await self.changes.execute(commands.rule_table, event_id, decide, at=now())

    async def close(self, event_id: UUID, number: int) -> TournamentStream:
        """Close the round as an organiser; raise `TournamentRefused` if a dispute or result is open."""
        disputed = await self.reading.disputed_tables(await self.reading.get(event_id))
        return await self.changes.execute_from_reader(
            event_id, lambda state, results, by: rounds.close_round(state, number, results, disputed, by)
        )
