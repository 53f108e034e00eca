"""Rematches: a new table for the same people in a new order; each accepts by sitting down."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Request
from litestar.di import NamedDependency
from msgspec import UNSET

from api.accounts.service import AccountService
from api.http.guards import Caller
from api.http.ids import Ids
from api.matches.callers import own_seat
from api.matches.invitations import INVITATIONS, Invitations
from api.matches.schemas import OpenMatch
from api.matches.service import MatchService
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import MatchExists, NoSuchMatch, NotAllowed, SeatTakenAlready
from domain.matches.facts import Actor, Table
from projections.platform.clock import now

PEOPLE_MIN: Final = 2
"""Minimum number of people. Against bots only, a new match starts directly."""
TABLES_MAX: Final = 8
"""Maximum number of abandoned rematch tables per match."""


class RematchShown(msgspec.Struct, frozen=True):
    """The state of a rematch: players who have accepted, and whether the reader has."""

    match_id: UUID | None
    """None if no one has asked yet."""
    accepted: tuple[Actor, ...] = ()
    is_in: bool = False
    is_open: bool = True
    """Seats can still be taken."""


def is_offered(match: Match, person: Actor) -> bool:
    """Return whether a rematch is offered to a person who sits there.

    The match must have ended, under rules that are not retired, with all seats taken, at least `PEOPLE_MIN` by people,
    and belong to no event.
    """
    people = sum(info.is_person for info in match.seats)
    is_whole = all(info.actor is not None for info in match.seats)
    return (
        match.status == "ended"
        and people >= PEOPLE_MIN
        and is_whole
        and not match.table.event_id
        and not match.is_retired
        and seat_of(match, person) is not None
    )


def next_order(match: Match) -> tuple[Actor | None, ...]:
    """Return the players in seat order of the rematch: everyone moves up one seat, the last one to the first."""
    actors = tuple(info.actor for info in match.seats)
    return (*actors[-1:], *actors[:-1])


def rematch_terms(table: Table) -> Table:
    """Return the table options of a rematch: the same ones without the event.

    A public table is unlisted, because it waits for particular players. A table that was private until the start is
    private.
    """
    is_public = table.public and table.public_once_started is UNSET
    is_listed = False if is_public else UNSET
    return msgspec.structs.replace(table, public=is_public, listed=is_listed, public_once_started=UNSET, event=UNSET)


@dataclass(frozen=True)
class RematchService:
    """Rematches, for one caller."""

    matches: MatchService
    accounts: AccountService
    invitations: Invitations
    ids: Ids
    caller: Caller

    async def show(self, match: Match) -> RematchShown | None:
        """Return the state of the rematch for the caller, or None if none is offered to them.

        Raises `NotAllowed` if too many rematches were abandoned.
        """
        person = self.caller.person
        if person is None or not is_offered(match, person.id):
            return None
        match_id, rematch = await self._find(match)
        if rematch is None:
            return RematchShown(None)
        people = tuple(info.actor for info in rematch.seats if info.actor is not None and info.is_person)
        return RematchShown(match_id, people, person.id in people, rematch.status == "open")

    async def accept(self, match_id: UUID, *, own_luck: bool = False, key: str = "") -> Match:
        """Accept a rematch: the first caller opens its table, and everyone takes their seat, each one seat further.

        Raises `NotSeated` for other callers, `NotAllowed` if no rematch is offered, `Blocked`, and as `Seating.open`
        and `take_seat`. A repeated call changes nothing and returns the table.
        """
        match, person = await self.matches.reading.get(match_id), self.caller.actor
        own_seat(match, self.caller)
        if not is_offered(match, person):
            raise NotAllowed(f"no rematch of match {match_id} is possible")
        new_id, rematch = await self._find(match)
        if rematch is None:
            rematch = await self._open(match, new_id)
        if seat_of(rematch, person) is None and rematch.status == "open":
            seat = next_order(match).index(person)
            rematch = await self.matches.seating.take_seat(rematch.id, person, seat, own_luck=own_luck, key=key)
        return rematch

    async def _open(self, match: Match, new_id: UUID) -> Match:
        """Open the table of a rematch and seat its bots; return the existing table if it was opened concurrently.

        The people of a private table are invited. Raises if one of them has blocked the caller.
        """
        request = OpenMatch(match.title, len(match.seats), dict(match.options), rematch_terms(match.table))
        people = [info.actor for info in match.seats if info.is_person and info.actor is not None]
        await self.accounts.require_unblocked(self.caller.person_id, people)
        if not request.table.public:
            invite = self.invitations.invite_people
            await asyncio.to_thread(invite, new_id, self.caller.actor, people, now())
        try:
            rematch = await self.matches.seating.open(new_id, request, self.caller)
        except MatchExists:
            return await self.matches.reading.get(new_id)
        for seat, actor in enumerate(next_order(match)):
            if actor is not None and actor not in people:
                with suppress(SeatTakenAlready):
                    rematch = await self.matches.seating.seat_bot(new_id, self.caller, seat, actor)
        return rematch

    async def _find(self, match: Match) -> tuple[UUID, Match | None]:
        """Return the id and the match of the first rematch that was not abandoned.

        The match is None if there is none yet. Raises `NotAllowed` if `TABLES_MAX` rematches were abandoned.
        """
        new_id = self.ids.rematch(match.id, 0)
        for number in range(TABLES_MAX):
            new_id = self.ids.rematch(match.id, number)
            try:
                rematch = await self.matches.reading.get(new_id)
            except NoSuchMatch:
                return new_id, None
            if rematch.status != "void":
                return new_id, rematch
        raise NotAllowed(f"{TABLES_MAX} rematches of match {match.id} did not start")


def provide_rematches(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    ids: NamedDependency[Ids],
) -> RematchService:
    """Return the rematch service for the caller."""
    return RematchService(matches, accounts, INVITATIONS.of(request), ids, caller)
