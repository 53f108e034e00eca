"""The steps of the service for ranking lists: standard lists are defined, and months are frozen once they are over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import structlog
from litestar.di import NamedDependency

from api.accounts.service import AccountService
from api.matches.service import MatchService
from api.rankings.members import load_members
from domain.contests.versions import require_version
from domain.eventstore.application import Matches
from domain.matches.facts import Actor
from domain.rankings import commands
from domain.rankings.content import AnyPart, LinesStored, ResultsStored, digest_of, parts_of
from domain.rankings.counting import changed_months, results_by_month
from domain.rankings.duties import FREEZE, due_period
from domain.rankings.errors import MonthNotReady, RankingRefused
from domain.rankings.members import digest_of_members
from domain.rankings.standard import standard_lists
from domain.rankings.state import RANKING, Ranking
from domain.ratings.ladder import end_of_month, month_of
from projections.platform.backoff import Backoff, Failures
from projections.platform.clock import now
from projections.ratings import closings, ladders, rankings

LOOK_SECONDS: Final = 600.0
"""Seconds between checks for the first rated result of a title and table size."""
RETRIES: Final = Backoff(10.0, 600.0)
READ_SECONDS: Final = 0.2
READ_MAX: Final = 50
"""Checks, one every `READ_SECONDS`, whether the ratings have read the log up to the end of a month."""

logger = structlog.get_logger("rankings")


class RankingDuties:
    """The steps that the service takes for ranking lists.

    Each can be taken twice, late, or again after it was interrupted: contents are stored by their digests, and only the
    next month of a list can be closed.
    """

    def __init__(self, matches: MatchService, accounts: AccountService) -> None:
        self._matches = matches
        self._writer = matches.writer
        self._accounts = accounts

    async def run(self) -> None:
        """Define standard lists once results count for them, until cancelled; failures are logged and retried."""
        failures = Failures(RETRIES)
        while True:
            seconds = LOOK_SECONDS
            try:
                await self.define_standard_lists()
                failures.succeed()
            except Exception:
                logger.exception("cannot define standard ranking lists")
                seconds = failures.fail()
            await asyncio.sleep(seconds)

    async def define_standard_lists(self) -> None:
        """Define the standard lists for which results count and that are not defined yet."""
        pools = await self._writer.read_model(rankings.pools)
        titles = {name: title for name, title in self._matches.titles.items() if any(p.title == name for p in pools)}
        sizes = {name: tuple(title.players) for name, title in titles.items()}
        at, played = now(), {(pool.title, pool.seats) for pool in pools}
        for fact in standard_lists({name: title.printed_name for name, title in titles.items()}, sizes):
            results = fact.rule.results
            if not results.seats or (results.title, results.seats) in played:
                await self._writer.execute(commands.define_standard_list, fact, sizes, at=at)

    async def take_step(self, list_id: UUID, step: str, expected_version: int) -> None:
        """Take a step that is due for a list.

        Raise `RankingRefused` for another one, `MonthNotReady` before the end of the month or while results are rated,
        `NoSuchStream`, or `StaleVersion` unless the list is at the expected version.
        """
        stream = await self._writer.read_log(lambda matches: matches.streams.get(RANKING, list_id))
        require_version(stream, expected_version, "list")
        period = due_period(stream.state)
        if step != FREEZE or period is None:
            raise RankingRefused(f"the list {stream.state.key!r} has no step {step!r} to take")
        if now() < end_of_month(period):
            raise MonthNotReady(f"the month {month_of(period)} is not over")
        await self._freeze(list_id, stream.state, period, expected_version)

    async def _freeze(self, list_id: UUID, ranking: Ranking, period: int, expected_version: int) -> None:
        """Count a month that is over, store its lines, and close it last."""
        rule, reads = ranking.rule, self._writer.reads
        position = await self._writer.read_log(Matches.last_position)
        await self._wait_until_read(position)
        members = await load_members(self._writer, self._accounts, rule.people)
        count = await self._writer.compute(
            lambda _: closings.count_month(reads, rule, period, position, members),
        )
        changed = changed_months(ranking.results, count.months)
        by_month = await self._writer.compute(lambda _: results_by_month(count.results))
        for month in changed:
            parts = [ResultsStored(part) for part in parts_of(by_month.get(month.month, ()))]
            await self._store(month.digest, month.count, parts)
        digest = await self._writer.compute(lambda _: digest_of(count.lines))
        await self._store(digest, len(count.lines), [LinesStored(part) for part in parts_of(count.lines)])
        version = await self._set_members(list_id, members) if not rule.people.has_everyone else 0
        of_list = commands.MonthCount(
            period, changed, len(count.lines), digest, version, digest_of_members(members) if version else ""
        )
        at = now()

        def command(matches: Matches) -> commands.RankingStream:
            return commands.change_list(
                matches,
                list_id,
                lambda state: commands.close_month(state, of_list, at),
                at=at,
                expected_version=expected_version,
            )

        await self._writer.execute(command)
        logger.info("month frozen", list=ranking.key, month=month_of(period), lines=len(count.lines))

    async def _wait_until_read(self, position: int) -> None:
        """Wait a few seconds until the ratings have read the log up to a position."""
        for _ in range(READ_MAX):
            if await self._writer.read_model(lambda store: store.least_offset(ladders.NAME)) >= position:
                return
            await asyncio.sleep(READ_SECONDS)

    async def _store(self, digest: str, count: int, parts: Sequence[AnyPart]) -> None:
        """Store a content part by part, unless it is stored."""
        if await self._writer.read_log(commands.is_stored, digest, count):
            return
        for number, part in enumerate(parts, 1):
            await self._writer.execute(commands.store_part, digest, number, part, at=now())

    async def _set_members(self, list_id: UUID, members: frozenset[Actor]) -> int:
        """Record the members with whom the month is closed."""
        at = now()
        return await self._writer.execute(lambda matches: commands.set_members(matches, list_id, members, at=at))


def provide_ranking_duties(
    matches: NamedDependency[MatchService], accounts: NamedDependency[AccountService]
) -> RankingDuties:
    """Provide the steps of the service for ranking lists."""
    return RankingDuties(matches, accounts)
