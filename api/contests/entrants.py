"""Facts about people that the conditions of entry to tournaments and leagues compare."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.service import AccountService
from api.clubs.service import CLUBS_MAX
from api.contests.commands import find_memberships
from api.contests.finding import Contest
from api.contests.private_store import ContestStore
from api.contests.sanction_texts import SANCTION_TEXTS, SanctionTexts
from api.http.app_state import AppKey
from api.http.guards import Caller
from api.http.limits import address_of
from api.matches.service import MatchService
from api.ratings.service import overall_ratings
from domain.contests.conditions import NO_CONDITIONS, ClubSeen, Entrant, EntryConditions, Exclusion, TitleRating
from domain.contests.sanction_commands import sanctions_of
from domain.matches.facts import Actor, is_bot
from domain.ratings.ladder import period_of
from domain.ratings.leaving import LIMITED_MATCHES_MIN
from projections.clubs import clubs_of
from projections.platform.clock import now
from projections.ratings import early_leavers, monthly_rankings, rankings

CONTEST_STORE: Final = AppKey[ContestStore]("contest_store")


@dataclass(frozen=True)
class EntrantReader:
    """Reads the facts about people that the conditions of a contest compare, for one caller at a network address."""

    tables: MatchService
    accounts: AccountService
    store: ContestStore
    texts: SanctionTexts
    caller: Caller
    address: str

    async def entrant(
        self, contest: Contest, actor: Actor, password: str = "", club: UUID | None = None
    ) -> Entrant | None:
        """Return a person who wants to enter a contest, for a club if given; None for bots and names.

        Of the facts to check, those that no condition compares are not read, except for the clubs. A password is
        compared only if the contest has one; raise 429 after too many wrong ones from the account or the address.
        """
        if not actor or is_bot(actor):
            return None
        conditions = contest.conditions or NO_CONDITIONS
        has_password = conditions.password and password
        return Entrant(
            ratings=await self._ratings(conditions, contest.title, actor),
            left_percent=await self._left_percent(actor) if conditions.leaving_max is not None else None,
            clubs=await self._clubs(conditions, actor, club),
            country=await asyncio.to_thread(self.accounts.country_of, actor) if conditions.countries else "",
            is_listed=conditions.listed and await asyncio.to_thread(self.store.is_listed, contest.id, actor),
            knows_password=await self._knows_password(contest.id, actor, password) if has_password else None,
            exclusion=await self._exclusion(contest, actor),
        )

    async def _exclusion(self, contest: Contest, actor: Actor) -> Exclusion | None:
        """Return the exclusion of a person from the series of a contest, with the reason if the caller is the person.

        None if there is none.
        """
        sanctions = await self.tables.writer.read_log(sanctions_of, contest.series)
        found = sanctions.exclusion_of(actor, now())
        if found is None:
            return None
        is_own = self.caller.person is not None and self.caller.person.id == actor
        texts = await asyncio.to_thread(self.texts.with_ids, [found.id]) if is_own else {}
        return Exclusion(found.until, texts[found.id].reason if found.id in texts else "")

    async def own_clubs(self) -> tuple[ClubSeen, ...]:
        """Return the clubs of the caller, the longest membership first."""
        if self.caller.person is None:
            return ()
        found = await self.tables.writer.read_model(clubs_of, self.caller.person.id, CLUBS_MAX)
        names = await asyncio.to_thread(self.accounts.clubs.names, [club_id for club_id, _ in found])
        return tuple(ClubSeen(club_id, names[club_id], True) for club_id, _ in found if club_id in names)

    async def _clubs(self, conditions: EntryConditions, actor: Actor, wanted: UUID | None) -> tuple[ClubSeen, ...]:
        """Return the clubs of a person, the longest membership first, then wanted and required ones.

        The read model finds clubs of the person; the records of each club decide.
        """
        own = await self.tables.writer.read_model(clubs_of, actor, CLUBS_MAX)
        named = conditions.clubs if wanted is None else (wanted, *conditions.clubs)
        ids = tuple(dict.fromkeys([*(club_id for club_id, _ in own), *named]))
        if not ids:
            return ()
        entered = await self.tables.writer.read_log(find_memberships, ids, actor)
        names = await asyncio.to_thread(self.accounts.clubs.names, ids)
        return tuple(ClubSeen(each, names.get(each, str(each)), each in entered) for each in ids)

    async def _left_percent(self, actor: Actor) -> int | None:
        """Return the percentage of the last matches that a person left; None after few matches."""
        habit = await self.tables.writer.read_model(early_leavers.of_player, actor)
        return habit.share if habit.matches >= LIMITED_MATCHES_MIN else None

    async def _ratings(self, conditions: EntryConditions, title: str, actor: Actor) -> tuple[TitleRating, ...]:
        """Return a person's rating in each title that the conditions compare, over all table sizes."""
        compared = {band.title for band in conditions.ratings} | ({title} if conditions.rated_matches else set())
        if not compared:
            return ()
        read_model = self.tables.writer.read_model
        ratings = await read_model(rankings.ratings_of, actor)
        lines = await read_model(monthly_rankings.lines_of_player, actor, period_of(now()))
        overall = {each.title: each for each in overall_ratings(ratings.items(), lines)}
        return tuple(
            TitleRating(
                name,
                each.printed_name,
                overall[name].points if name in overall else 0,
                overall[name].matches if name in overall else 0,
            )
            for name, each in self.tables.titles.items()
            if name in compared
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
    return EntrantReader(
        matches, accounts, CONTEST_STORE.of(request), SANCTION_TEXTS.of(request), caller, address_of(request)
    )
