"""Plans of tournaments, for one caller: open one, change its plan, dates, prizes and announcements."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.accounts.service import AccountService
from api.contests.offered import require_offered
from api.http.guards import Caller
from api.matches.bots import require_known
from api.matches.service import MatchService
from api.roles.commands import name_official, require_rating
from api.roles.service import count_official_invitation
from api.tournaments.changes import TournamentChanges
from api.tournaments.queries import TournamentQueries
from domain.contests.prizes import Prizes
from domain.tournaments import commands, registration, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.commands import TournamentStream
from domain.tournaments.plan import Plan
from projections.platform.clock import now


@dataclass(frozen=True)
class TournamentPlans:
    """Plans of tournaments, for one caller."""

    tables: MatchService
    reading: TournamentQueries
    changes: TournamentChanges
    accounts: AccountService
    caller: Caller

    async def open(self, event_id: UUID, plan: Plan, official: str = "") -> TournamentStream:
        """Open a tournament; `official` is the id or name of a second organiser and arbiter of the event, or "".

        Raises `RatedWithoutClock`, `PlanRefused`, `UnknownActor` for an unknown bot, `RatedWithoutOrganiser` for rated
        tables unless the caller is an organiser of the service, and for the official `NoSuchPerson` or as
        `count_contact`. The same request again returns the existing tournament.
        """
        await require_offered(self.accounts, plan)
        require_known(self.tables.bots, plan.bot)
        await self.tables.writer.execute(require_rating, plan.table, None, self.caller, at=now())
        second = await asyncio.to_thread(self.accounts.get_by_id_or_name, official) if official else None
        if second is not None:
            registration.open_tournament(self.tables.titles, plan, self.caller.actor)
            await count_official_invitation(self.tables.writer, self.accounts, self.caller, str(event_id), second.id)
        event = await self.tables.writer.execute(commands.open_tournament, event_id, plan, self.caller.actor, at=now())
        if second is not None:
            await self.tables.writer.execute(name_official, event_id, second.id, at=now())
        return event

    async def change_plan(self, event_id: UUID, plan: Plan, reason: str) -> TournamentStream:
        """Replace the plan, as an organiser; title, options and table size can change only before the first round.

        Raises as `open` does, and `RoleMissing` for non-organisers. Waiting entries get new places.
        """
        event = await self.reading.require_organiser(event_id)
        await require_offered(self.accounts, plan, event.state.plan.conditions)
        require_known(self.tables.bots, plan.bot)
        await self.tables.writer.execute(require_rating, plan.table, event.state.organiser, self.caller, at=now())
        by = self.caller.actor
        return await self.changes.execute(commands.change_plan, event_id, plan, by, at=now(), reason=reason)

    async def set_calendar(self, event_id: UUID, calendar: Calendar, reason: str) -> TournamentStream:
        """Set the dates and the place, as an organiser (else `RoleMissing`); an equal calendar changes nothing.

        Raises `PlanRefused` if it contradicts itself, `TournamentRefused` without a reason once a round is public, or
        after the end.
        """
        return await self.changes.organise(event_id, lambda state, by: timing.set_calendar(state, calendar, by, reason))

    async def set_prizes(self, event_id: UUID, prizes: Prizes, reason: str) -> TournamentStream:
        """Set the prizes, as an organiser (else `RoleMissing`) who does not play in it (else `ConflictOfInterest`)."""
        return await self.changes.judge(
            event_id, "set prizes", lambda state, by: registration.set_prizes(state, prizes, by, reason)
        )

    async def announce(self, event_id: UUID, text: str, since: datetime | None) -> TournamentStream:
        """Publish an announcement as an organiser (else `RoleMissing`): at once (`since` None) or at a given time.

        Raises `TournamentRefused` for a blank text, `PlanRefused` for a time out of bounds.
        """
        return await self.changes.organise(event_id, lambda state, by: timing.announce(state, text, since, by, now()))
