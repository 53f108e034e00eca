"""Alternates of tournaments and leagues, for one caller."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from litestar.di import NamedDependency

from api.accounts.display_names import Names, names_of, naming_people
from api.contests import alternate_commands
from api.contests.alternate_commands import AlternateBook, find_alternates
from api.contests.alternate_schemas import AlternateShown, AlternatesShown, AnswerOffer, ListAlternate, OfferShown
from api.contests.entrants import EntrantReader
from api.contests.service import ContestService
from api.matches.admission import require_event_allows_bots
from api.matches.responses import show_player
from api.ratings.service import seeding_of
from domain.contests.alternates import Offer
from domain.contests.conditions import require_entry
from domain.contests.errors import ContestRefused
from domain.matches.facts import Actor
from domain.roles.errors import ConflictOfInterest
from projections.platform.clock import now


@dataclass(frozen=True)
class AlternateService:
    """Alternates, for one caller."""

    contests: ContestService

    @property
    def entrants(self) -> EntrantReader:
        """The reader of accounts, which knows the caller."""
        return self.contests.entrants

    async def book(self, contest_id: UUID) -> AlternateBook:
        """Return the alternates and offers of a contest; raise `NoSuchStream` if it is unknown."""
        return await self.entrants.tables.writer.read_log(find_alternates, contest_id)

    async def show(self, contest_id: UUID) -> AlternatesShown:
        """Return the alternates, and the offers of the season to the caller; for organisers all offers."""
        book, own_id = await self.book(contest_id), self.entrants.caller.person_id
        is_organiser = await self.contests.is_organiser(contest_id)
        known = book.people.alternates
        offers = [
            offer
            for offer in reversed(book.people.offers)
            if offer.season == book.season and (is_organiser or offer.player == own_id)
        ]
        players = {account for account, _ in book.places.values()}
        actors = {*known, *(offer.player for offer in offers), *players}
        names = await asyncio.to_thread(names_of, self.entrants.accounts, actors)
        order = sorted(known, key=lambda player: -known[player])
        return AlternatesShown(
            contest_id=contest_id,
            zone=book.zone,
            hours=0 if book.rule is None else book.rule.hours,
            most=0 if book.rule is None else book.rule.most,
            alternates=tuple(AlternateShown(show_player(player, names), known[player]) for player in order),
            offers=tuple(show_offer(offer, book, names) for offer in offers),
            is_listed=own_id in known,
            is_playing=own_id in players,
        )

    async def list_person(self, contest_id: UUID, name: str | None, request: ListAlternate) -> None:
        """Add the caller (None) to the alternates, or as an organiser another account with a reason.

        Raise `RoleMissing` for others, `EntryRefused` for people who do not meet the conditions of entry,
        `EventWithoutPrograms` for a bot account that the tables do not accept, and as `list_alternate`.
        """
        contest, caller = await self.contests.contest(contest_id), self.entrants.caller
        player = await self._find(contest_id, name)
        book = await self.book(contest_id)
        person = self.entrants.accounts.find(player)
        require_event_allows_bots(book.table, person)
        points = await self.entrants.tables.writer.read_model(seeding_of, book.title, book.size, player)
        strength = points if request.strength is None or name is None else request.strength
        entrant, is_other = await self.entrants.entrant(contest, player, request.password), player != caller.person_id
        waives = is_other and request.waive
        require_entry(contest.conditions, contest.title, entrant, is_organiser=is_other, waives=waives)
        if is_other:
            await self.entrants.accounts.count_contact(caller.person_id, [player], organiser=contest.organiser)
        await self._execute(
            alternate_commands.list_alternate, contest_id, player, strength, caller.actor, request.reason
        )

    async def remove(self, contest_id: UUID, name: str | None, reason: str) -> None:
        """Remove the caller (None) from the alternates, or as an organiser another account with a reason."""
        player = await self._find(contest_id, name)
        await self._execute(alternate_commands.remove_alternate, contest_id, player, self.entrants.caller.actor, reason)

    async def answer(self, contest_id: UUID, request: AnswerOffer) -> None:
        """Answer an offer to the caller; raise `ContestRefused` without an open one, or after its end."""
        await self._execute(
            alternate_commands.answer_offer,
            contest_id,
            self.entrants.caller.actor,
            request.place,
            request.round,
            request.accept,
        )

    async def _find(self, contest_id: UUID, name: str | None) -> Actor:
        """Return an account by name, the caller's for None; raise `RoleMissing` for others than organisers."""
        if name is None:
            return self.entrants.caller.person_id
        person = await asyncio.to_thread(self.entrants.accounts.get_by_id_or_name, name)
        if person.id != self.entrants.caller.person_id:
            await self.contests.require_organiser(contest_id)
        return person.id

    async def _execute(self, command: Callable[..., None], contest_id: UUID, *args: Any) -> None:
        """Run a command on the writer's thread, with names of people in its errors."""
        with naming_people(self.entrants.accounts, ContestRefused, ConflictOfInterest):
            await self.entrants.tables.writer.execute(command, contest_id, *args, at=now())


def show_offer(offer: Offer, book: AlternateBook, names: Names) -> OfferShown:
    """Return an offer for a response."""
    account, name = book.places.get(offer.place, ("", ""))
    return OfferShown(
        player=show_player(offer.player, names),
        place=offer.place,
        out=names.get(account, name),
        round=offer.round,
        until=offer.until,
        ends=offer.ends,
        answer=offer.answer,
    )


def provide_alternates(entrants: NamedDependency[EntrantReader]) -> AlternateService:
    """Provide the service for the caller."""
    return AlternateService(ContestService(entrants))
