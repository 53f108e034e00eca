"""Changes of a tournament for one caller, with names of people in errors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID

from api.accounts.display_names import replace_ids
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.matches.service import MatchService
from api.roles.conflicts import require_neutral
from api.tournaments.queries import TournamentQueries
from api.tournaments.responses import entry_names
from domain.eventstore.application import Matches
from domain.matches.facts import Actor
from domain.roles.errors import ConflictOfInterest
from domain.standings.errors import ImportRefused, PlacesContradict
from domain.standings.results import Results
from domain.tournaments import commands, facts
from domain.tournaments.commands import Decide, TournamentStream
from domain.tournaments.errors import EnteredAlready, NoSuchEntry, TournamentRefused
from domain.tournaments.state import Tournament
from projections.platform.clock import now

R = TypeVar("R")
SlowDecision = Callable[[Tournament, Results, Actor], facts.Fact | Iterable[facts.Fact]]
"""(tournament, results, author) -> the facts to append."""
P = ParamSpec("P")
ENTRY: Final = re.compile(r"\be[0-9]+\b")
"""An entry id in messages of the domain."""
NAMING: Final = (TournamentRefused, NoSuchEntry, EnteredAlready, ImportRefused, PlacesContradict, ConflictOfInterest)
"""Errors whose messages name people."""


@dataclass(frozen=True)
class TournamentChanges:
    """Commands about a tournament, for one caller."""

    tables: MatchService
    reading: TournamentQueries
    accounts: AccountService
    caller: Caller

    async def execute(
        self, command: Callable[Concatenate[Matches, UUID, P], R], event_id: UUID, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a command on the writer's thread; entry ids in the messages of its errors are replaced by names."""
        async with self.naming(event_id):
            return await self.tables.writer.execute(command, event_id, *args, **kwargs)

    @asynccontextmanager
    async def naming(self, event_id: UUID) -> AsyncIterator[None]:
        """Replace the ids of entries and people by names in the errors of `NAMING` raised inside the block."""
        try:
            yield
        except NAMING as refusal:
            raise type(refusal)(await self._in_names(event_id, str(refusal))) from refusal

    async def _in_names(self, event_id: UUID, sentence: str) -> str:
        """Return a sentence with names in place of the ids of entries and people.

        An ambiguous name is followed by the id.
        """
        names = entry_names((await self.reading.get(event_id)).state, self.accounts)
        name_counts = Counter(names.values())

        def name(found: re.Match[str]) -> str:
            entry_name = names.get(found[0], found[0])
            return f"{entry_name} ({found[0]})" if name_counts[entry_name] > 1 else entry_name

        return replace_ids(ENTRY.sub(name, sentence), self.accounts)

    async def change(self, event_id: UUID, decide: Decide, expected_version: int | None = None) -> TournamentStream:
        """Append the facts that `decide` returns, without a check of roles; no facts change nothing.

        Raises `StaleVersion` at another version than `expected_version`, and the errors of `decide`.
        """
        return await self.execute(commands.change, event_id, decide, at=now(), expected_version=expected_version)

    async def change_from_reader(self, event_id: UUID, decide: Decide) -> TournamentStream:
        """Append the facts of a slow `decide`: it runs on a reader thread, and again if the log has grown."""
        async with self.naming(event_id):
            return await self.tables.writer.execute_composed(commands.plan_change, event_id, decide)

    async def execute_from_reader(self, event_id: UUID, decide: SlowDecision) -> TournamentStream:
        """Append the facts of a slow decision that needs the results.

        Raises `RoleMissing` unless the caller is an organiser. The decision runs on a reader thread, and again if the
        log has grown.
        """
        await self.reading.require_organiser(event_id)
        results, by = await self.reading.results(event_id), self.caller.actor
        return await self.change_from_reader(event_id, lambda state: decide(state, results, by))

    async def organise(self, event_id: UUID, decide: Callable[[Tournament, Actor], Any]) -> TournamentStream:
        """Append the facts that `decide` returns; raise `RoleMissing` unless the caller is an organiser."""
        await self.reading.require_organiser(event_id)
        by = self.caller.actor
        return await self.change(event_id, lambda state: decide(state, by))

    async def judge(self, event_id: UUID, attempt: str, decide: Callable[[Tournament, Actor], Any]) -> TournamentStream:
        """Append facts that affect results; raise as `require_judge` unless the caller is a neutral organiser."""
        await self.require_judge(event_id, attempt)
        return await self.organise(event_id, decide)

    async def require_judge(self, event_id: UUID, attempt: str) -> TournamentStream:
        """Return the tournament for an organiser who does not play in it.

        Raises `RoleMissing` for others. An organiser who plays in it gets `ConflictOfInterest`, and the
        `attempt`, such as "set a result", is recorded in the audit trail.
        """
        event = await self.reading.require_organiser(event_id)
        async with self.naming(event_id):
            await self.tables.writer.execute(require_neutral, str(event_id), self.caller, attempt, at=now())
        return event
