"""Tournaments as handlers and pages use them: who may do what, results beside them, commands on the writer's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec

from api.matches.acting import now
from api.matches.admission import require_program_welcome
from api.matches.bots import require_known
from api.roles.commands import name_official, require_rating
from api.roles.conflicts import require_neutral
from api.roles.service import approach_official
from api.tournaments.photographing import TournamentPhotographing
from api.tournaments.wire import (
    AnswerPairing,
    Enter,
    MovePerson,
    NameSubstitute,
    NoteNoShow,
    RuleTable,
    SwapPeople,
    TournamentOwedShown,
)
from domain.matches.errors import StaleVersion
from domain.matches.facts import Actor
from domain.matches.seats.bots import check_bot
from domain.matches.titles import find_title
from domain.pairing.problem import Level
from domain.ratings.tables import require_clock
from domain.roles.errors import RoleMissing
from domain.standings.results import Results
from domain.tournaments import (
    absence,
    check_in,
    commands,
    facts,
    inviting,
    registration,
    reseating,
    rounds,
    substitutes,
    timing,
)
from domain.tournaments.calendar import Calendar, require_entry_open
from domain.tournaments.claimed import contradicted_tables
from domain.tournaments.commands import Decide, TournamentStream
from domain.tournaments.duties import duty_of, require_due
from domain.tournaments.entries import Known
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.invited import PersonInvited
from domain.tournaments.plan import Plan
from domain.tournaments.prizes import Prizes
from domain.tournaments.reseating import Reseating
from domain.tournaments.state import Tournament
from domain.tournaments.steps import step_taken

R = TypeVar("R")

NOTHING: Final = msgspec.Raw(b"null")


Think = Callable[[Tournament, Results, Actor], facts.Fact | Iterable[facts.Fact]]
"""What is to be added to a tournament as it stands, by the results there are and in somebody's name."""
Invites = Callable[[Tournament], Iterable[facts.Fact]]
"""A change that may invite accounts."""
Reseats = Callable[[Tournament, Results], Reseating]
"""Another seating of a public round, as it stands and by the results there are."""


def is_public(event: TournamentStream, number: int) -> bool:
    """Whether everybody may see the round, which is the newest one."""
    last = event.state.round
    return last is not None and last.number == number and last.is_public


def proposed_change(state: Tournament, number: int, wanted: SwapPeople | MovePerson, by: Actor) -> facts.PairingEdited:
    """Two people change places in the proposal, or one goes to another table."""
    if isinstance(wanted, SwapPeople):
        return rounds.swap(state, number, wanted.first, wanted.second, wanted.reason, by)
    return rounds.move(state, number, wanted.entry, wanted.table, wanted.reason, by)


class TournamentService(TournamentPhotographing):
    """What is done about tournaments for one caller."""

    async def open(self, event_id: UUID, plan: Plan, official: str = "") -> TournamentStream:
        """A new tournament; a second official is named with it."""
        require_clock(plan.table)
        require_known(self._tables.bots, plan.bot)
        await self._tables.execute(require_rating, plan.table, None, self._caller, at=now())
        second = await asyncio.to_thread(self.accounts.named, official) if official else None
        if second is not None:
            registration.open_tournament(self._tables.titles, plan, self._caller.actor)
            await approach_official(self._tables, self.accounts, self._caller, str(event_id), second.id)
        event = await self._tables.execute(commands.open_tournament, event_id, plan, self._caller.actor, at=now())
        if second is not None:
            await self._tables.execute(name_official, event_id, second.id, at=now())
        return event

    async def change_plan(self, event_id: UUID, plan: Plan, reason: str) -> TournamentStream:
        """Another plan, by an organiser: title, options and table size only before the first round."""
        event = await self.require(event_id)
        require_clock(plan.table)
        require_known(self._tables.bots, plan.bot)
        await self._tables.execute(require_rating, plan.table, event.state.organiser, self._caller, at=now())
        by = self._caller.actor
        return await self.execute(commands.change_plan, event_id, plan, by, at=now(), reason=reason)

    async def change(self, event_id: UUID, decide: Decide, expected_version: int | None = None) -> TournamentStream:
        """What is decided is added to the tournament."""
        return await self.execute(commands.change, event_id, decide, at=now(), expected_version=expected_version)

    async def change_beside(self, event_id: UUID, decide: Decide) -> TournamentStream:
        """The same of many at once, which takes some thought: composed beside the writer."""
        async with self.naming(event_id):
            return await self._tables.execute_beside(commands.changing, event_id, decide)

    async def organise(self, event_id: UUID, decide: Callable[[Tournament, Actor], Any]) -> TournamentStream:
        """The same, for organisers alone."""
        await self.require(event_id)
        by = self._caller.actor
        return await self.change(event_id, lambda state: decide(state, by))

    async def judge(self, event_id: UUID, what: str, decide: Callable[[Tournament, Actor], Any]) -> TournamentStream:
        """The same of what decides about results: for organisers who do not play themselves."""
        await self.require_judge(event_id, what)
        return await self.organise(event_id, decide)

    async def require_judge(self, event_id: UUID, what: str) -> TournamentStream:
        """The tournament, for organisers who do not play in it; the attempt of one who does is recorded."""
        event = await self.require(event_id)
        async with self.naming(event_id):
            await self._tables.execute(require_neutral, str(event_id), self._caller, what, at=now())
        return event

    async def execute_beside(self, event_id: UUID, think: Think) -> TournamentStream:
        """A change by the results there are, for organisers alone, which takes some thought: composed beside the
        writer, and again where the service took a step of its own meanwhile."""
        await self.require(event_id)
        results, by = await self.results(event_id), self._caller.actor
        return await self.change_beside(event_id, lambda state: think(state, results, by))

    async def publish(self, event_id: UUID, number: int) -> TournamentStream:
        """Everybody may see the round, if its proposal still fits."""
        return await self.execute_beside(
            event_id, lambda state, results, by: rounds.publish(state, number, results, by)
        )

    async def seat_otherwise(self, event_id: UUID, number: int, wanted: SwapPeople | MovePerson) -> TournamentStream:
        """Two people change places, or one goes to another table: in the proposal, or in a public round at tables that
        have not begun."""
        if is_public(await self.require(event_id), number):
            return await self._reseat(event_id, self.reseats(number, wanted))

        return await self.execute_beside(event_id, lambda state, _, by: proposed_change(state, number, wanted, by))

    def reseats(self, number: int, wanted: SwapPeople | MovePerson) -> Reseats:
        """The same in a public round."""
        by, reason = self._caller.actor, wanted.reason
        if isinstance(wanted, SwapPeople):
            first, second = wanted.first, wanted.second
            return lambda state, results: reseating.swap(state, number, first, second, results, reason, by)
        entry, table = wanted.entry, wanted.table
        return lambda state, results: reseating.move(state, number, entry, table, results, reason, by)

    async def price(
        self, event_id: UUID, number: int, wanted: SwapPeople | MovePerson
    ) -> tuple[tuple[Level, ...], tuple[Level, ...]]:
        """What a change of places would cost: the levels as they are, and as they would be. Nothing is changed."""
        event = await self.require(event_id)
        results, by = await self.results(event_id), self._caller.actor

        def look(_: object, __: object) -> tuple[tuple[Level, ...], tuple[Level, ...]]:
            if is_public(event, number):
                considered = self.reseats(number, wanted)(event.state, results)
                return considered.before, considered.after
            changed = proposed_change(event.state, number, wanted, by)
            return event.state.rounds[-1].levels, changed.levels

        async with self.naming(event_id):
            return await self._tables.read_log(look, event_id)

    async def _reseat(self, event_id: UUID, reseats: Reseats) -> TournamentStream:
        results = await self.results(event_id)
        return await self.execute(reseating.reseat, event_id, lambda state: reseats(state, results), at=now())

    # Registration

    async def enter(self, event_id: UUID, wanted: Enter, bot: Actor) -> TournamentStream:
        """The caller takes part; or an organiser enters somebody, or some bots."""
        event, caller = await self.get(event_id), self._caller
        is_own = not (wanted.person or bot or wanted.name)
        if is_own and caller.person is None:
            raise TournamentRefused("the service itself takes part in no event")
        if not is_own and not await self.organises(event):
            raise RoleMissing("only the organisers of the event enter other people")
        actor = bot or (self.accounts.named(wanted.person).id if wanted.person else caller.actor if is_own else "")
        seeding = 0 if is_own else wanted.seeding
        require_program_welcome(event.state.plan.table, self.accounts.find(actor))

        def decide(state: Tournament) -> tuple[facts.Fact, ...]:
            check_bot(find_title(self._tables.titles, state.plan.title), actor)
            if is_own and not inviting.is_entered(state, actor):
                require_entry_open(state.calendar, now())
            known = Known(state.entries, state.invitations.made.values())
            return tuple(
                registration.enter(
                    state,
                    caller.actor,
                    actor=actor,
                    name=wanted.name,
                    club=wanted.club,
                    family=wanted.family,
                    seeding=seeding,
                    as_organiser=not is_own,
                    reason=wanted.reason,
                    known=known,
                )
                for _ in range(wanted.count if bot else 1)
            )

        await self.approach(event, decide)
        return await self.change_beside(event_id, decide)

    async def approach(self, event: TournamentStream, decide: Invites) -> None:
        """Check and count the invitations that a change makes, before it is made; a refused change counts nothing."""
        async with self.naming(event.id):
            found = await asyncio.to_thread(decide, event.state)
        invited = [fact.actor for fact in found if isinstance(fact, PersonInvited)]
        await self.accounts.approach(self._caller.person_id, invited, organiser=event.state.organiser)

    async def invite_and_change(self, event: TournamentStream, decide: Invites) -> TournamentStream:
        """A change that may invite accounts."""
        await self.approach(event, decide)
        return await self.change(event.id, decide)

    async def set_calendar(self, event_id: UUID, calendar: Calendar, reason: str) -> TournamentStream:
        """When and where it takes place."""
        return await self.organise(event_id, lambda state, by: timing.set_calendar(state, calendar, by, reason))

    async def set_prizes(self, event_id: UUID, prizes: Prizes, reason: str) -> TournamentStream:
        """What the places get; for organisers who do not play themselves."""
        return await self.judge(
            event_id, "set prizes", lambda state, by: registration.prizes_set(state, prizes, by, reason)
        )

    async def check_in(self, event_id: UUID, entry: str, *, is_there: bool) -> TournamentStream:
        """Somebody is there, by the own word or the organiser's; or is not after all."""
        event, by = await self.get(event_id), self._caller.actor
        await self._require_own(event, entry)
        decide = (
            (lambda state: check_in.check_in(state, entry, by, now()))
            if is_there
            else (lambda state: check_in.undo(state, entry, by))
        )
        return await self.change(event_id, decide)

    async def announce(self, event_id: UUID, text: str, since: datetime | None) -> TournamentStream:
        """Everybody is told something, at once or from a time on."""
        return await self.organise(event_id, lambda state, by: timing.announce(state, text, since, by, now()))

    def require_bots(self, event: TournamentStream, actors: Iterable[Actor]) -> None:
        """Every bot among them can play the title."""
        for actor in actors:
            check_bot(find_title(self._tables.titles, event.state.plan.title), actor)

    async def withdraw(self, event_id: UUID, entry: str, reason: str) -> TournamentStream:
        """Somebody goes, by the own word or the organiser's."""
        event = await self.get(event_id)
        await self._require_own(event, entry)
        return await self.change(
            event_id, lambda state: registration.withdraw(state, entry, self._caller.actor, reason)
        )

    async def come_back(self, event_id: UUID, entry: str, reason: str) -> TournamentStream:
        event = await self.get(event_id)
        await self._require_own(event, entry)
        return await self.invite_and_change(event, lambda state: registration.come_back(state, entry, self.by, reason))

    async def _require_own(self, event: TournamentStream, entry: str) -> None:
        known = registration.entry_named(event.state, entry)
        person = self._caller.person
        if (person is None or known.actor != person.id) and not await self.organises(event):
            raise RoleMissing(f"{entry} is not yours")

    # Rounds

    async def no_show(self, event_id: UUID, number: int, wanted: NoteNoShow) -> TournamentStream:
        """Somebody did not come."""
        event = await self.require_judge(event_id, "say who did not come")
        bot = event.state.plan.bot if wanted.bot else ""
        if wanted.bot and not bot:
            raise TournamentRefused("this event does not let bots take the place of people")
        by = self._caller.actor
        return await self.execute(absence.note, event_id, number, wanted.entry, bot, wanted.reason, by, at=now())

    async def withdraw_no_show(self, event_id: UUID, number: int, entry: str, reason: str) -> TournamentStream:
        """Somebody came after all."""
        await self.require_judge(event_id, "say who has come")
        by = self._caller.actor
        return await self.execute(absence.withdraw, event_id, number, entry, reason, by, at=now())

    async def name_substitute(self, event_id: UUID, number: int, wanted: NameSubstitute) -> TournamentStream:
        """Name or invite who plays for an entry at its table of a round."""
        event = await self.require(event_id)
        person, by = await asyncio.to_thread(self.accounts.named, wanted.person), self._caller.actor
        require_program_welcome(event.state.plan.table, person)
        what = number, wanted.entry, person.id, by, wanted.reason
        async with self.naming(event_id):
            named = await self._tables.read_log(substitutes.considered, event.state, *what)
        await self.approach(event, lambda _: named)
        return await self.execute(substitutes.name, event_id, *what, at=now())

    async def rule(self, event_id: UUID, number: int, table: int, wanted: RuleTable) -> TournamentStream:
        """What a table counts as."""
        await self.require_judge(event_id, "rule on a table")
        by = self._caller.actor

        def decide(state: Tournament) -> facts.ResultRuled:
            return rounds.rule_table(
                state, number, table, wanted.scores, wanted.places, wanted.reason, by, sure=wanted.sure
            )

        return await self.execute(commands.rule_table, event_id, decide, at=now())

    async def open_table(self, event_id: UUID, number: int, table: int, expected_version: int) -> None:
        """The match of a table, with everybody in their seat, unless the tournament has moved on."""
        await self.execute(commands.open_table, event_id, number, table, at=now(), expected_version=expected_version)

    async def start_table(self, event_id: UUID, number: int, table: int, expected_version: int) -> None:
        """The match of a table begins without those who have not come in time."""
        await self.execute(
            substitutes.start_table, event_id, number, table, at=now(), expected_version=expected_version
        )

    async def close(self, event_id: UUID, number: int) -> TournamentStream:
        """The round ends, unless something about it is open."""
        disputed = await self.disputed_tables(await self.get(event_id))
        return await self.execute_beside(
            event_id, lambda state, results, by: rounds.close_round(state, number, results, disputed, by)
        )

    async def read_duty(self, event_id: UUID) -> TournamentOwedShown:
        """What the tournament waits for, with all a worker needs for it."""
        event, results = await self.get(event_id), await self.results(event_id)
        state, last = event.state, event.state.round
        step = duty_of(state, results)
        if last is None or step is None:
            return TournamentOwedShown(event_id=event_id, version=event.version, step=step or "", problem=NOTHING)
        problem = msgspec.Raw(msgspec.json.encode(last.problem)) if step == "pair" else NOTHING
        return TournamentOwedShown(
            event_id=event_id,
            version=event.version,
            step=step,
            round=last.number,
            tables=len(last.tables),
            way=last.way,
            problem=problem,
        )

    async def answer(self, event_id: UUID, wanted: AnswerPairing) -> TournamentStream:
        """The pairing that a worker found."""

        def decide(state: Tournament) -> facts.Fact:
            if wanted.pairing is None:
                return rounds.fail_pairing(state, wanted.round, wanted.why, wanted.conflicts)
            return rounds.answer_pairing(state, wanted.round, wanted.pairing, wanted.reasons)

        return await self.change(event_id, decide, wanted.expected_version)

    async def step(self, event_id: UUID, step: str, expected_version: int) -> TournamentStream:
        """A step the tournament takes by itself."""
        event = await self.get(event_id)
        if event.version != expected_version:
            sentence = f"the event stands at version {event.version}, not {expected_version}"
            raise StaleVersion(sentence, event.version)
        results, disputed = await self.results(event_id), await self.disputed_tables(event)
        if step == "start" and event.state.start_due is not None:
            substitutes.require_due(event.state, now())
            await self._tables.read_log(substitutes.require_begun, event.state)
        require_due(event.state, step, now())
        if step == "expire":
            open_questions = {*disputed, *contradicted_tables(event.state.rounds[-1].tables)}
            return await self.execute(
                timing.expire, event_id, results, open_questions, at=now(), expected_version=expected_version
            )
        if step == "close" and disputed:
            raise TournamentRefused(
                f"a dispute is open at {rounds.name_tables(disputed)}; the round closes after its ruling"
            )
        fact = await self._tables.read_log(lambda _, __: step_taken(event.state, results, step), event_id)
        return await self.change(event_id, lambda _: fact, event.version)
