"""Results that players enter with the code of their seat, on the page of the table or by a program."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from api.http.guards import Caller
from api.tournaments.changes import TournamentChanges
from api.tournaments.claim_schemas import ClaimedShown, ClaimResult
from api.tournaments.codes import SeatCodes
from api.tournaments.queries import TournamentQueries
from domain.tournaments import claims, commands
from domain.tournaments.claim_facts import is_contradicted
from domain.tournaments.commands import TournamentStream, player_of
from domain.tournaments.registration import entry_named
from domain.tournaments.rounds import table_of
from projections.platform.clock import now


@dataclass(frozen=True)
class TableClaims:
    """Results that players of face-to-face tables enter, and the codes of their seats."""

    reading: TournamentQueries
    changes: TournamentChanges
    seat_codes: SeatCodes
    caller: Caller

    async def claim_result(
        self, event_id: UUID, number: int, table: int, request: ClaimResult, address: str
    ) -> TournamentStream:
        """Claim the result of a table as a player, identified by the seat code; it counts once enough claims agree.

        Raises `NoSuchEntry`, `WrongCode`, `CodeLocked` after too many attempts from the address or for the entry, and
        as `claims.claim`, such as `PlacesContradict` if the places contradict the points unless `sure`.
        """
        event = await self.reading.get(event_id)
        async with self.changes.naming(event_id):
            entry = entry_named(event.state, request.entry)
            await self.seat_codes.require(event_id, f"table {table} of round {number}", entry, request.code, address)
        result = (request.scores, request.ranking, request.key)
        return await self.changes.execute(
            commands.change,
            event_id,
            lambda state: claims.claim(state, number, table, request.entry, *result, sure=request.sure),
            at=now(),
        )

    async def renew_code(self, event_id: UUID, entry: str, reason: str) -> TournamentStream:
        """Renew the code of an entry, for example because others have seen it; the old one is no longer valid.

        Raises `RoleMissing` for non-organisers, `NoSuchEntry` for an unknown entry.
        """
        await self.reading.require_organiser(event_id)
        by = self.caller.actor
        return await self.changes.execute(
            commands.change, event_id, lambda state: claims.renew_code(state, entry, by, reason), at=now()
        )

    def codes(self, event: TournamentStream) -> dict[str, str]:
        """Return the codes by entry, without bots, for organisers to hand out."""
        return {each.id: self.seat_codes.code_of(event.id, each) for each in event.state.entries if not each.is_bot}

    def own_code(self, event: TournamentStream, number: int, table: int) -> tuple[str, str]:
        """Return the entry that the caller plays for at a table, and its code; empty strings if none.

        Raises `NoSuchRound` without such a public table.
        """
        round_table, person = table_of(event.state, number, table), self.caller.person
        if person is not None:
            for seat, name in enumerate(round_table.entries):
                if player_of(event.state, round_table, seat) == person.id:
                    return name, self.seat_codes.code_of(event.id, entry_named(event.state, name))
        return "", ""


def encode_claimed(event: TournamentStream, number: int, table: int) -> ClaimedShown:
    """Return the state of a table after a claim: "contradicted", "counts" or "waiting".

    Also the largest number of equal claims, and the number needed. Raises `NoSuchRound` without such a public table.
    """
    round_table = table_of(event.state, number, table)
    results = [claim.result for claim in round_table.claims]
    status = (
        "contradicted" if is_contradicted(round_table) else "counts" if round_table.given is not None else "waiting"
    )
    agreed = max(map(results.count, results), default=0)
    return ClaimedShown(status, agreed, claims.agreements_needed(event.state, round_table))
