"""Registration for a tournament, for one caller: entries, invitations, check-in and withdrawals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from api.accounts.service import AccountService
from api.contests.entrants import EntrantReader
from api.contests.finding import contest_of_tournament
from api.http.guards import Caller
from api.matches.admission import require_event_allows_bots
from api.matches.service import MatchService
from api.tournaments.changes import TournamentChanges
from api.tournaments.queries import TournamentQueries
from api.tournaments.schemas import AnswerInvitation, Enter
from domain.matches.facts import Actor
from domain.matches.seats.bots import check_bot
from domain.matches.titles import find_title
from domain.roles.errors import RoleMissing
from domain.tournaments import check_in, facts, invitations, registration, substitutes
from domain.tournaments.calendar import require_entry_open
from domain.tournaments.commands import TournamentStream
from domain.tournaments.entries import EntryIndex
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.invitation_facts import PersonInvited
from domain.tournaments.state import Tournament
from projections.platform.clock import now

Invites = Callable[[Tournament], Iterable[facts.Fact]]
"""A change that may invite accounts."""


@dataclass(frozen=True)
class Registration:
    """Entries and invitations of tournaments, for one caller."""

    tables: MatchService
    reading: TournamentQueries
    changes: TournamentChanges
    accounts: AccountService
    caller: Caller
    entrants: EntrantReader

    async def enter(self, event_id: UUID, request: Enter, bot: Actor) -> TournamentStream:
        """Enter the caller; an organiser may also enter bots and names, and invite other accounts.

        `request.count` bots are entered. Raises `RoleMissing` for others, `TournamentRefused` if the service enters
        itself or the caller outside the registration period, `EventWithoutPrograms` for a bot account that the tables
        do not accept, `BotCannotPlay`, `NoSuchPerson`, `EntryRefused`, and as `count_invitations`.
        """
        event, caller = await self.reading.get(event_id), self.caller
        is_own = not (request.person or bot or request.name)
        if is_own and caller.person is None:
            raise TournamentRefused("the service itself cannot enter an event")
        if not is_own and not await self.reading.is_organiser(event):
            raise RoleMissing("only organisers of the event can enter other people")
        actor = bot or (
            self.accounts.get_by_id_or_name(request.person).id if request.person else caller.actor if is_own else ""
        )
        seeding = 0 if is_own else request.seeding
        require_event_allows_bots(event.state.plan.table, self.accounts.find(actor))
        entrant = await self.entrants.entrant(contest_of_tournament(event), actor, request.password, request.club_id)

        def decide(state: Tournament) -> tuple[facts.Fact, ...]:
            check_bot(find_title(self.tables.titles, state.plan.title), actor)
            if is_own and not invitations.is_entered(state, actor):
                require_entry_open(state.calendar, now())
            index = EntryIndex(state.entries, state.invitations.made.values())
            return tuple(
                registration.enter(
                    state,
                    caller.actor,
                    actor=actor,
                    name=request.name,
                    club=request.club,
                    club_id=request.club_id,
                    family=request.family,
                    seeding=seeding,
                    as_organiser=not is_own,
                    reason=request.reason,
                    waives=request.waive,
                    index=index,
                    entrant=entrant,
                )
                for _ in range(request.count if bot else 1)
            )

        await self.count_invitations(event, decide)
        return await self.changes.change_from_reader(event_id, decide)

    async def count_invitations(self, event: TournamentStream, decide: Invites) -> None:
        """Check and count the invitations that a change would make, before it is made; a refused change counts nothing.

        Raises the error of `decide`, `Blocked`, `OwnBlock` or 429.
        """
        async with self.changes.naming(event.id):
            found = await asyncio.to_thread(decide, event.state)
        invited = [fact.actor for fact in found if isinstance(fact, PersonInvited)]
        await self.accounts.count_contact(self.caller.person_id, invited, organiser=event.state.organiser)

    async def invite_and_change(self, event: TournamentStream, decide: Invites) -> TournamentStream:
        """Append a change that may invite accounts, after counting the invitations; raise as `count_invitations`."""
        await self.count_invitations(event, decide)
        return await self.changes.change(event.id, decide)

    async def invite(self, event_id: UUID, name: str) -> TournamentStream:
        """Invite a person, by id or name, to enter; raise `RoleMissing` for non-organisers.

        A second invitation changes nothing. Raises `NoSuchPerson`, `TournamentRefused` if the person has declined one
        or the event has ended, and as `count_invitations`.
        """
        event = await self.reading.require_organiser(event_id)
        person = await asyncio.to_thread(self.accounts.get_by_id_or_name, name)
        return await self.invite_and_change(
            event, lambda state: invitations.invite(state, person.id, self.caller.actor)
        )

    async def answer_invitation(self, event_id: UUID, answer: AnswerInvitation) -> TournamentStream:
        """Accept or decline an invitation of the caller: to a substitute's seat, to return with an entry, or to enter.

        Raises `TournamentRefused` if there is no such open invitation; if accepted, also as `return_entry` or `enter`.
        """
        actor, entry, number = self.caller.actor, answer.entry, answer.round
        async with self.changes.naming(event_id):
            invitations.open_invitation((await self.reading.get(event_id)).state, actor, entry, number)
        if not answer.accept:
            return await self.changes.change(event_id, lambda state: invitations.decline(state, actor, entry, number))
        if number:
            return await self.changes.execute(substitutes.accept, event_id, number, entry, actor, at=now())
        if entry:
            return await self.return_entry(event_id, entry, "")
        return await self.enter(event_id, Enter(), "")

    async def take_back_invitations(self, event_id: UUID, name: str) -> TournamentStream:
        """Withdraw the open invitations of a person, by id or name; raise `RoleMissing` for non-organisers.

        Raises `NoSuchPerson` if unknown, `TournamentRefused` if none is open.
        """
        await self.reading.require_organiser(event_id)
        actor = self.accounts.get_by_id_or_name(name).id
        return await self.changes.organise(event_id, lambda state, by: invitations.take_back(state, actor, by))

    async def check_in(self, event_id: UUID, entry: str, *, is_there: bool) -> TournamentStream:
        """Check an entry in or out, by the player or an organiser; raise `RoleMissing` for others.

        Raises `NoSuchEntry`, `TournamentRefused` outside the period (organisers may check in before it) or, to check
        in, for a withdrawn entry. Repeating changes nothing.
        """
        event, by = await self.reading.get(event_id), self.caller.actor
        await self._require_own(event, entry)
        decide = (
            (lambda state: check_in.check_in(state, entry, by, now()))
            if is_there
            else (lambda state: check_in.undo_check_in(state, entry, by))
        )
        return await self.changes.change(event_id, decide)

    def require_bots(self, event: TournamentStream, actors: Iterable[Actor]) -> None:
        """Raise `BotCannotPlay` if one of the actors is a bot that cannot play the title."""
        for actor in actors:
            check_bot(find_title(self.tables.titles, event.state.plan.title), actor)

    async def withdraw(self, event_id: UUID, entry: str, reason: str) -> TournamentStream:
        """Withdraw an entry, by the player or an organiser; the first waiting entry gets its place.

        Raises `NoSuchEntry`, `RoleMissing` for others, `TournamentRefused` after the end or if an organiser gives no
        reason.
        """
        event = await self.reading.get(event_id)
        await self._require_own(event, entry)
        return await self.changes.change(
            event_id, lambda state: registration.withdraw(state, entry, self.caller.actor, reason)
        )

    async def return_entry(self, event_id: UUID, entry: str, reason: str) -> TournamentStream:
        """Let a withdrawn entry return, by the player or an organiser; raise `RoleMissing` for others.

        An account that withdrew itself, or never accepted, is invited instead if an organiser lets it return. Raises
        `NoSuchEntry`, and `TournamentRefused` if the event is full or has ended, or an organiser gives no reason.
        """
        event = await self.reading.get(event_id)
        await self._require_own(event, entry)
        actor = registration.entry_named(event.state, entry).actor
        entrant = await self.entrants.entrant(contest_of_tournament(event), actor)
        return await self.invite_and_change(
            event, lambda state: registration.return_entry(state, entry, self.caller.actor, reason, entrant=entrant)
        )

    async def _require_own(self, event: TournamentStream, entry: str) -> None:
        """Raise `RoleMissing` unless the entry is the caller's or the caller is an organiser.

        Raises `NoSuchEntry` if it is unknown.
        """
        own_entry = registration.entry_named(event.state, entry)
        person = self.caller.person
        if (person is None or own_entry.actor != person.id) and not await self.reading.is_organiser(event):
            raise RoleMissing(f"{entry} is not yours")
