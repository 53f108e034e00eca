"""Facts about people that the conditions of entry to tournaments and leagues compare."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.service import AccountService
from api.contests.private_store import ContestStore
from api.http.app_state import AppKey
from api.http.guards import Caller
from api.http.limits import address_of
from api.matches.service import MatchService
from api.ratings.service import overall_ratings
from domain.contests.conditions import Entrant, TitleRating
from domain.matches.facts import Actor, is_bot
from domain.ratings.ladder import period_of
from domain.ratings.leaving import LIMITED_MATCHES_MIN
from projections.platform.clock import now
from projections.ratings import early_leavers, monthly_rankings, rankings

CONTEST_STORE: Final = AppKey[ContestStore]("contest_store")


@dataclass(frozen=True)
class EntrantReader:
    """Reads facts about people for the conditions of entry, for one caller at a network address."""

    tables: MatchService
    accounts: AccountService
    store: ContestStore
    caller: Caller
    address: str

    async def entrant(self, contest: UUID, actor: Actor, password: str = "") -> Entrant | None:
        """Return a person who wants to enter a contest, with the facts to check; None for bots and names.

        A password is compared only if the contest has one; raise 429 after too many wrong ones from the account or the
        address.
        """
        if not actor or is_bot(actor):
            return None
        habit = await self.tables.writer.read_model(early_leavers.of_player, actor)
        return Entrant(
            ratings=await self._ratings(actor),
            left_percent=habit.share if habit.matches >= LIMITED_MATCHES_MIN else None,
            country=await asyncio.to_thread(self.accounts.country_of, actor),
            is_listed=await asyncio.to_thread(self.store.is_listed, contest, actor),
            knows_password=await self._knows_password(contest, actor, password) if password else None,
        )

    async def _ratings(self, actor: Actor) -> tuple[TitleRating, ...]:
        """Return a person's rating in each title of the service, over all table sizes."""
        read_model = self.tables.writer.read_model
        ratings = await read_model(rankings.ratings_of, actor)
        lines = await read_model(monthly_rankings.lines_of_player, actor, period_of(now()))
        overall = {each.title: each for each in overall_ratings(ratings.items(), lines)}
        return tuple(
            TitleRating(
                name,
                title.printed_name,
                overall[name].points if name in overall else 0,
                overall[name].matches if name in overall else 0,
            )
            for name, title in self.tables.titles.items()
        )

    async def _knows_password(self, contest: UUID, actor: Actor, password: str) -> bool:
        """Return whether a password is the contest's; raise 429 after too many wrong ones."""
        hashed = await asyncio.to_thread(self.store.password_of, contest)
        if hashed is None:
            return False
        guessers = (f"entry/{contest}/{actor}", f"entry/{contest}/{self.address}")
        return await self.accounts.verify_password(hashed, password, *guessers)


def provide_entrants(
    request: Request[Caller, Any, Any],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    caller: NamedDependency[Caller],
) -> EntrantReader:
    """Provide the reader for the caller."""
    return EntrantReader(matches, accounts, CONTEST_STORE.of(request), caller, address_of(request))
