"""Duties of a tournament: the steps that the service takes automatically."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

import msgspec

from api.contests.bot_lines import AnswerLines, encode_tables
from api.matches.service import MatchService
from api.tournaments.changes import TournamentChanges
from api.tournaments.duty_schemas import TournamentOwedShown
from api.tournaments.queries import TournamentQueries
from api.tournaments.schemas import AnswerPairing
from domain.contests.versions import require_version
from domain.tournaments import commands, facts, rounds, substitutes, timing
from domain.tournaments.commands import TournamentStream
from domain.tournaments.duties import duty_of, require_due
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.state import Tournament
from domain.tournaments.steps import take_offer_step, take_step
from projections.platform.clock import now

NOTHING: Final = msgspec.Raw(b"null")


@dataclass(frozen=True)
class TournamentDuties:
    """Steps of tournaments that the service takes automatically."""

    tables: MatchService
    reading: TournamentQueries
    changes: TournamentChanges

    async def read_duty(self, event_id: UUID) -> TournamentOwedShown:
        """Return the next duty of the tournament, with all data that a worker needs for it.

        `step` is "" if nothing is due.
        """
        event, results = await self.reading.get(event_id), await self.reading.results(event_id)
        state, last = event.state, event.state.round
        step = duty_of(state, results)
        if last is None or step is None:
            return TournamentOwedShown(event_id=event_id, version=event.version, step=step or "", problem=NOTHING)
        problem = msgspec.Raw(msgspec.json.encode(last.problem)) if step == "pair" else NOTHING
        left = await self.tables.writer.read_log(lambda matches: tuple(commands.tables_with_bots(matches, state)))
        return TournamentOwedShown(
            event_id=event_id,
            version=event.version,
            step=step,
            round=last.number,
            tables=len(last.tables),
            way=last.way,
            problem=problem,
            with_bots=encode_tables(left, now()),
        )

    async def store_pairing(self, event_id: UUID, answer: AnswerPairing) -> TournamentStream:
        """Store the pairing that a worker computed, or without a pairing the failure with its conflicts.

        Raises `StaleVersion` unless the tournament is at the expected version.
        """

        def decide(state: Tournament) -> facts.Fact:
            if answer.pairing is None:
                return rounds.fail_pairing(state, answer.round, answer.why, answer.conflicts)
            return rounds.answer_pairing(state, answer.round, answer.pairing, answer.reasons)

        return await self.changes.change(event_id, decide, answer.expected_version)

    async def take_step(self, event_id: UUID, step: str, expected_version: int) -> TournamentStream:
        """Take an automatic step.

        Raises `TournamentRefused` if it is not due or a dispute delays closing the round, `StaleVersion` unless the
        tournament is at the expected version.
        """
        event = await self.reading.get(event_id)
        require_version(event, expected_version, "tournament")
        results, disputed = await self.reading.results(event_id), await self.reading.disputed_tables(event)
        if step == "start" and event.state.start_due is not None:
            substitutes.require_due(event.state, now())
            await self.tables.writer.read_log(substitutes.require_begun, event.state)
        require_due(event.state, step, now())
        if step == "expire":
            return await self.changes.execute(
                timing.expire, event_id, results, disputed, at=now(), expected_version=expected_version
            )
        if step == "close" and disputed:
            raise TournamentRefused(
                f"open dispute at {rounds.name_tables(disputed)}; the round can be closed after the ruling"
            )
        if step == "offer":
            decide = partial(take_offer_step, results=results, at=now())
            return await self.changes.change(event_id, decide, event.version)
        fact = await self.tables.writer.read_log(lambda _, __: take_step(event.state, results, step), event_id)
        return await self.changes.change(event_id, lambda _: fact, event.version)

    async def open_table(self, event_id: UUID, number: int, table: int, expected_version: int) -> None:
        """Open the match of a table with all players seated; nothing happens at a table played face to face.

        Raises `StaleVersion` unless the tournament is at the expected version.
        """
        await self.changes.execute(
            commands.open_table, event_id, number, table, at=now(), expected_version=expected_version
        )

    async def adjudicate(self, event_id: UUID, number: int, table: int, answer: AnswerLines) -> TournamentStream:
        """Decide a table by the lines of bots; raise `TournamentRefused` unless it is left to them."""
        return await self.changes.execute(timing.adjudicate, event_id, number, table, answer.answer, at=now())

    async def start_table(self, event_id: UUID, number: int, table: int, expected_version: int) -> None:
        """Start the match of a table without the players who are late; raise `StaleVersion` at another version."""
        await self.changes.execute(
            substitutes.start_table, event_id, number, table, at=now(), expected_version=expected_version
        )
