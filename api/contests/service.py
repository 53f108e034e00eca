"""Conditions of entry of tournaments and leagues, for one caller."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from litestar.di import NamedDependency

from api.accounts.display_names import names_of
from api.contests import commands
from api.contests.commands import Change
from api.contests.entrants import EntrantReader
from api.contests.finding import Contest, find_contest
from api.contests.offered import require_clubs
from api.contests.schemas import ConditionShown, ConditionsShown
from api.matches.responses import show_player
from api.roles.service import has_role
from domain.contests.conditions import NO_CONDITIONS, Entrant, EntryConditions, Judgement, judge
from domain.contests.errors import PlanRefused
from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.roles.errors import NoSuchPerson, RoleMissing
from projections.platform.clock import now


@dataclass(frozen=True)
class ContestService:
    """Conditions of entry, for one caller."""

    entrants: EntrantReader

    async def contest(self, contest_id: UUID) -> Contest:
        """Return a tournament or league; raise `NoSuchStream` if there is none with this id."""
        return await self.entrants.tables.writer.read_log(find_contest, contest_id)

    async def is_organiser(self, contest_id: UUID) -> bool:
        """Return whether the caller opened the contest, or is an organiser of it or of the service."""
        return await has_role(self.entrants.tables.writer, self.entrants.caller, "organiser", contest_id)

    async def require_organiser(self, contest_id: UUID) -> Contest:
        """Return a contest to its organisers; raise `RoleMissing` for others, `NoSuchStream` if it is unknown."""
        contest = await self.contest(contest_id)
        if not await self.is_organiser(contest_id):
            raise RoleMissing("only organisers of the event may do this")
        return contest

    async def show(self, contest_id: UUID) -> ConditionsShown:
        """Return the conditions of a contest, and which of them the caller meets; raise `NoSuchStream`."""
        contest, store = await self.contest(contest_id), self.entrants.store
        conditions = await self.show_conditions(contest)
        if not await self.is_organiser(contest_id):
            return ConditionsShown(contest_id=contest_id, conditions=conditions)
        listed = await asyncio.to_thread(store.list_of, contest_id)
        names = await asyncio.to_thread(names_of, self.entrants.accounts, listed)
        return ConditionsShown(
            contest_id=contest_id,
            conditions=conditions,
            people=tuple(show_player(each, names) for each in listed),
            has_password=await asyncio.to_thread(store.password_of, contest_id) is not None,
        )

    async def show_conditions(self, contest: Contest) -> tuple[ConditionShown, ...]:
        """Return the conditions of a contest, and which of them the caller meets."""
        judged, is_known = await self.judge_caller(contest)
        return tuple(show_condition(each, contest.conditions or NO_CONDITIONS, is_known=is_known) for each in judged)

    async def judge_caller(self, contest: Contest) -> tuple[tuple[Judgement, ...], bool]:
        """Return whether the caller meets each condition, and whether that is known: the caller has an account."""
        conditions, person = contest.conditions, self.entrants.caller.person
        if conditions is None:
            return (), False
        entrant = None if person is None else await self.entrants.entrant(contest, person.id)
        return tuple(judge(conditions, contest.title, entrant or Entrant())), entrant is not None

    async def change(self, contest_id: UUID, conditions: EntryConditions, reason: str) -> None:
        """Replace the conditions, as an organiser.

        Raise `RoleMissing` for others, `PlanRefused` for an unknown club, a list or a password that is not set, and as
        `change_conditions`.
        """
        await self.require_organiser(contest_id)
        await require_clubs(self.entrants.accounts, conditions)
        store = self.entrants.store
        if conditions.password and await asyncio.to_thread(store.password_of, contest_id) is None:
            raise PlanRefused("set the password first")
        if conditions.listed and not await asyncio.to_thread(store.list_of, contest_id):
            raise PlanRefused("set the list of names first")
        await self._change(contest_id, lambda _: conditions, reason)

    async def set_password(self, contest_id: UUID, password: str, reason: str) -> None:
        """Set the password for entry, or remove it (""), as an organiser; the plan says only that there is one.

        Raise `RoleMissing` for others, `BadPassword` for a wrong length, and as `change_conditions`.
        """
        await self.require_organiser(contest_id)
        hashed = await self.entrants.accounts.hash_password(password) if password else None
        change = partial(replace, password=hashed is not None)
        await self._change(contest_id, change, reason, "entry_password_set")
        # If the service stops before this, no one can enter until an organiser sets the password again.
        await asyncio.to_thread(self.entrants.store.set_password, contest_id, hashed)

    async def set_list(self, contest_id: UUID, names: tuple[str, ...], reason: str) -> None:
        """Set the only people who may enter, by id or name, as an organiser; an empty list removes the condition.

        Raise `RoleMissing` for others, `NoSuchPerson` for an unknown name, and as `change_conditions`.
        """
        await self.require_organiser(contest_id)
        wanted = tuple(dict.fromkeys(name for name in names if name))
        found = await self.entrants.accounts.all_named(wanted)
        if unknown := [name for name in wanted if name not in found]:
            raise NoSuchPerson(f"no account with the id or name {unknown[0]!r}")
        people: list[Actor] = [found[name].id for name in wanted]
        await self._change(contest_id, partial(replace, listed=bool(people)), reason, "entry_list_set")
        # If the service stops before this, the former list holds until an organiser sets it again.
        await asyncio.to_thread(self.entrants.store.set_list, contest_id, people)

    async def _change(self, contest_id: UUID, change: Change, reason: str, act: str = "") -> None:
        """Change the conditions in the plan; `act`: the change of private data to which this belongs."""
        by, writer = self.entrants.caller.actor, self.entrants.tables.writer
        await writer.execute(commands.change_conditions, contest_id, change, by, reason, at=now(), act=act)


def show_condition(judged: Judgement, conditions: EntryConditions, *, is_known: bool) -> ConditionShown:
    """Return a condition for a response; `is_known`: the caller has an account."""
    kind, band = judged.kind, judged.band
    is_met = judged.refusal is None if is_known and kind != "password" else None
    least = band.least if band is not None else conditions.rated_matches if kind == "rated_matches" else 0
    most = band.most if band is not None else (conditions.leaving_max or 0) if kind == "leaving" else 0
    return ConditionShown(
        kind=kind,
        title="" if band is None else band.title,
        least=least,
        most=most,
        clubs=conditions.clubs if kind == "club" else (),
        countries=conditions.countries if kind == "country" else (),
        is_met=is_met,
        refusal=str(judged.refusal) if is_met is False else "",
    )


def provide_contests(entrants: NamedDependency[EntrantReader]) -> ContestService:
    """Provide the service for the caller."""
    return ContestService(entrants)
