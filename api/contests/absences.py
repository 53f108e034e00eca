"""Absences of players of tournaments and leagues, for one caller."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from litestar.di import NamedDependency

from api.accounts.display_names import names_of, naming_people
from api.contests import absence_commands
from api.contests.absence_schemas import AbsencesOfPlayer, AbsencesShown
from api.contests.entrants import EntrantReader
from api.contests.participants import Participants, find_participants
from api.contests.service import ContestService
from domain.contests.absences import NOT_AWAY, Absences
from domain.contests.errors import ContestRefused
from domain.roles.errors import ConflictOfInterest
from projections.platform.clock import now

ENTRY: Final = re.compile(r"\be[0-9]+\b")
"""An entry id in messages of the domain."""


@dataclass(frozen=True)
class AbsenceService:
    """Absences, for one caller."""

    contests: ContestService

    @property
    def entrants(self) -> EntrantReader:
        """The reader of accounts, which knows the caller."""
        return self.contests.entrants

    async def participants(self, contest_id: UUID) -> Participants:
        """Return the participants of a contest; raise `NoSuchStream` if it is unknown."""
        return await self.entrants.tables.writer.read_log(find_participants, contest_id)

    async def show(self, contest_id: UUID) -> AbsencesShown:
        """Return the caller's absences, for organisers also all others; raise `NoSuchStream` for an unknown contest."""
        found, is_organiser = await self.participants(contest_id), await self.contests.is_organiser(contest_id)
        own_key = found.key_of(self.entrants.caller.person_id)
        people = await self._show_people(found, tuple(found.people) if is_organiser else (own_key,) if own_key else ())
        return AbsencesShown(
            contest_id=contest_id,
            season=found.season,
            next_round=found.next_round,
            last_round=found.last_round,
            zone=found.zone,
            own=next((each for each in people if each.player == own_key), None),
            people=tuple(each for each in people if each.rounds or each.periods) if is_organiser else None,
        )

    async def list_all(self, contest_id: UUID) -> tuple[AbsencesOfPlayer, ...]:
        """Return the absences of every participant; raise `RoleMissing` for others than organisers."""
        await self.contests.require_organiser(contest_id)
        found = await self.participants(contest_id)
        return await self._show_people(found, tuple(found.people))

    async def state(self, contest_id: UUID, player: str | None, away: Absences, reason: str) -> None:
        """State the absences of the caller (None), or as an organiser of another player, with a reason.

        Raise `RoleMissing` for others, `ContestRefused` if the player does not take part, and as
        `absence_commands.state_absences`.
        """
        found, caller = await self.participants(contest_id), self.entrants.caller
        key = await self._find_key(found, player)
        if found.people[key].account != caller.person_id:
            await self.contests.require_organiser(contest_id)
        async with self._naming(found):
            await self.entrants.tables.writer.execute(
                absence_commands.state_absences, contest_id, key, away, caller.actor, reason, at=now()
            )

    async def take_back(self, contest_id: UUID, player: str | None, reason: str) -> None:
        """Take back the absences of a player, as `state`; raise `ContestRefused` if none are stated."""
        await self.state(contest_id, player, NOT_AWAY, reason)

    async def _find_key(self, found: Participants, player: str | None) -> str:
        """Return the key of a participant by entry, account or name; None is the caller."""
        if player is None:
            key = found.key_of(self.entrants.caller.person_id)
        elif player in found.people:
            key = player
        else:
            person = await asyncio.to_thread(self.entrants.accounts.get_by_id_or_name, player)
            key = found.key_of(person.id)
        if key is None:
            raise ContestRefused("only players who take part state absences")
        return key

    async def _show_people(self, found: Participants, keys: tuple[str, ...]) -> tuple[AbsencesOfPlayer, ...]:
        accounts = {found.people[key].account for key in keys}
        names = await asyncio.to_thread(names_of, self.entrants.accounts, accounts)
        return tuple(
            AbsencesOfPlayer(
                player=key,
                person=person.account,
                name=names.get(person.account, person.name),
                rounds=found.away(key).rounds,
                periods=found.away(key).periods,
            )
            for key in keys
            for person in (found.people[key],)
        )

    @asynccontextmanager
    async def _naming(self, found: Participants) -> AsyncIterator[None]:
        """Replace ids of people and entries by names in errors raised inside the block."""
        try:
            with naming_people(self.entrants.accounts, ContestRefused, ConflictOfInterest):
                yield
        except ContestRefused as refusal:
            shown = {each.player: each.name for each in await self._show_people(found, tuple(found.people))}
            sentence = ENTRY.sub(lambda each: shown.get(each[0], each[0]), str(refusal))
            raise type(refusal)(sentence) from refusal


def provide_absences(entrants: NamedDependency[EntrantReader]) -> AbsenceService:
    """Provide the service for the caller."""
    return AbsenceService(ContestService(entrants))
