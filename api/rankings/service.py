"""The service of ranking lists, for one caller."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from litestar.di import NamedDependency

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.matches.schemas import PlayerShown
from api.matches.service import MatchService
from api.rankings.counts import CountCache, Counted
from api.rankings.errors import NoSuchList
from api.rankings.members import load_members
from api.rankings.responses import (
    NO_LINES,
    Lines,
    show_calibration,
    show_entry,
    show_line,
    show_list,
    show_standing,
)
from api.rankings.schemas import (
    CalibrationShown,
    LinesShown,
    ListHistoryShown,
    ListLineShown,
    ListsShown,
    MonthOfPlayerShown,
    RankingListShown,
)
from api.roles.service import has_role, require_role
from domain.eventstore.application import Matches
from domain.rankings import commands
from domain.rankings.content import ListLine
from domain.rankings.errors import RankingRefused
from domain.rankings.facts import Fact, ListDefined
from domain.rankings.rule import RankingRule, is_id, ranking_id
from domain.rankings.standard import standard_lists, undefined_ranking
from domain.rankings.state import RANKING, Closing, Ranking
from domain.ratings.backtest import BacktestReport, backtest
from domain.ratings.ladder import period_of
from domain.ratings.update import QUICK
from projections import clubs, rankings
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.rankings import ListedRanking
from projections.ratings import closings
from projections.ratings import rankings as ratings

PREDICTED_MAX: Final = 10_000
"""The number of latest results for which predictions are compared; more would take minutes."""

Decide = Callable[[Ranking], Fact | None]


@dataclass(frozen=True)
class KeptList:
    """A list as it is stored; a standard list that is not defined yet has version 0."""

    id: UUID
    version: int
    ranking: Ranking

    def closing_of(self, month: str) -> Closing:
        """Return a closed month; raise `NoSuchList` if it is not closed."""
        closing = self.ranking.find_closing(month)
        if closing is None:
            raise NoSuchList(f"the list {self.ranking.key!r} has no closed month {month!r}")
        return closing

    def closing_before(self, closing: Closing | None) -> Closing | None:
        """Return the closed month before one, or before the live list; None if there is none."""
        number = len(self.ranking.closings) + 1 if closing is None else closing.number
        return self.ranking.closings[number - 2] if number > 1 else None


@dataclass(frozen=True)
class RankingService:
    """Ranking lists, for one caller."""

    matches: MatchService
    accounts: AccountService
    caller: Caller
    counts: CountCache

    @property
    def sizes(self) -> dict[str, Sequence[int]]:
        """The table sizes of each title."""
        return {name: tuple(title.players) for name, title in self.matches.titles.items()}

    def standard(self) -> dict[str, ListDefined]:
        """Return the standard lists by key."""
        names = {name: title.printed_name for name, title in self.matches.titles.items()}
        return {fact.key: fact for fact in standard_lists(names, self.sizes)}

    async def is_administrator(self) -> bool:
        """Return whether the caller may define and change lists."""
        return await has_role(self.matches.writer, self.caller, "organiser")

    async def lists(self) -> ListsShown:
        """Return all lists by key, with the standard lists that are not defined yet."""
        stored = {each.key: each for each in await self.matches.writer.read_model(rankings.lists)}
        standard = self.standard()
        found = {key: ListedRanking(key, fact.rule) for key, fact in standard.items()} | stored
        keys = frozenset(standard)
        clubs_named = await self._club_names(each.rule for each in found.values())
        return ListsShown(tuple(show_entry(found[key], keys, clubs_named) for key in sorted(found)))

    async def find(self, key: str) -> KeptList:
        """Return a list by its key; raise `NoSuchList` if it is unknown."""
        list_id = ranking_id(key)
        stream = await self.matches.writer.read_log(lambda matches: matches.streams.find(RANKING, list_id))
        if stream is not None:
            return KeptList(list_id, stream.version, stream.state)
        if key not in self.standard():
            raise NoSuchList(f"there is no ranking list {key!r}")
        return KeptList(list_id, 0, undefined_ranking(self.standard()[key], now()))

    async def show(self, kept: KeptList) -> RankingListShown:
        """Convert a list, with the names of administrators."""
        authors = [version.by for version in kept.ranking.rules]
        names = await asyncio.to_thread(names_of, self.accounts, authors)
        is_standard = kept.ranking.key in self.standard()
        clubs_named = await self._club_names(version.rule for version in kept.ranking.rules)
        return show_list(kept.id, kept.version, kept.ranking, names, clubs_named, is_standard=is_standard)

    async def _club_names(self, rules: Iterable[RankingRule]) -> dict[str, str]:
        """Return the names of the clubs of rules by id."""
        ids = [UUID(rule.people.club) for rule in rules if is_id(rule.people.club)]
        names = await asyncio.to_thread(self.accounts.clubs.names, ids)
        return {str(club_id): name for club_id, name in names.items()}

    async def define(self, key: str, rule: RankingRule) -> KeptList:
        """Define a list; raise `RoleMissing` for others than administrators, `RankingRefused` for a bad rule."""
        await self._require_administrator()
        if key in self.standard():
            raise RankingRefused(f"{key!r} is the key of a standard list; change its rule instead")
        await self._require_club(rule)
        fact, sizes, at = ListDefined(self.caller.actor, key, rule), self.sizes, now()

        def command(matches: Matches) -> commands.RankingStream:
            return commands.define_list(matches, fact, sizes, at=at)

        return kept_list(await self.matches.writer.execute(command))

    async def change_rule(
        self, key: str, rule: RankingRule, reason: str, expected_version: int | None = None
    ) -> KeptList:
        """Change the rule of a list; raise `RankingRefused` for a bad rule or without a reason, and as `change`."""
        await self._require_club(rule)
        by, sizes = self.caller.actor, self.sizes
        return await self.change(
            key, lambda ranking: commands.change_rule(ranking, by, rule, reason, sizes), expected_version
        )

    async def retire(self, key: str, reason: str, *, is_retired: bool) -> KeptList:
        """Retire a list or resume it; raise `RankingRefused` if it is in this state, and as `change`."""
        by, decide = self.caller.actor, commands.retire if is_retired else commands.resume
        return await self.change(key, lambda ranking: decide(ranking, by, reason))

    async def change(self, key: str, decide: Decide, expected_version: int | None = None) -> KeptList:
        """Change a list; a standard list is defined first.

        Raise `RoleMissing` for others than administrators, `NoSuchList`, `StaleVersion`, and the errors of `decide`.
        """
        await self._require_administrator()
        kept, sizes, at = await self.find(key), self.sizes, now()
        standard = self.standard().get(key)

        def command(matches: Matches) -> commands.RankingStream:
            if standard is not None:
                commands.define_standard_list(matches, standard, sizes, at=at)
            expected = expected_version or None
            return commands.change_list(matches, kept.id, decide, at=at, expected_version=expected)

        return kept_list(await self.matches.writer.execute(command))

    async def _require_administrator(self) -> None:
        await require_role(self.matches.writer, self.caller, "organiser")

    async def _require_club(self, rule: RankingRule) -> None:
        """Raise `RankingRefused` if the club of a rule is unknown."""
        if rule.people.club and is_id(rule.people.club):
            club_id = UUID(rule.people.club)
            if club_id not in await self.matches.writer.read_model(clubs.rows_of, [club_id]):
                raise RankingRefused(f"there is no club {rule.people.club!r}")

    async def live(self, kept: KeptList) -> Counted[tuple[ListLine, ...]]:
        """Return the lines of the live list."""
        rule, reads = kept.ranking.rule, self.matches.writer.reads
        members = await load_members(self.matches.writer, self.accounts, rule.people)
        period = period_of(now())
        results = await self.matches.writer.read_model(closings.stamp_of, rule)
        return await self.counts.get(
            ("lines", kept.ranking.key),
            (rule, period, members, results),
            lambda _: closings.count_lines(reads, rule, period, members),
        )

    async def lines(
        self,
        kept: KeptList,
        month: str = "",
        limit: int = LIMIT,
        after: int = 0,
        selects: Callable[[ListLine], bool] = lambda _line: True,
    ) -> LinesShown:
        """Return a page of the live list, or of a closed month, after a row; only live lists are filtered.

        Raise `NoSuchList` if the month is not closed.
        """
        closing = kept.closing_of(month) if month else None
        if closing is not None:
            found = await self.matches.writer.read_model(rankings.lines_page, closing.list, limit + 1, after)
            rows, at, total, pending = list(enumerate(found, after + 1)), closing.at, closing.lines, 0
        else:
            counted = await self.live(kept)
            selected = [(row, line) for row, line in enumerate(counted.value, 1) if selects(line)]
            rows, at, total = [each for each in selected if each[0] > after][: limit + 1], counted.at, len(selected)
            pending = await self.matches.writer.read_model(ratings.pending)
        shown = await self.show_lines(rows[:limit], kept.closing_before(closing))
        following = rows[limit - 1][0] if len(rows) > limit else None
        return LinesShown(kept.ranking.key, month, at, total, pending, shown, next=following)

    async def show_lines(
        self, rows: Sequence[tuple[int, ListLine]], former: Closing | None
    ) -> tuple[ListLineShown, ...]:
        """Convert lines with their rows, with places in a former month."""
        players = [line.player for _, line in rows]
        names = await asyncio.to_thread(names_of, self.accounts, players)
        lines: Lines = NO_LINES
        if former is not None and former.list:
            lines = await self.matches.writer.read_model(rankings.lines_of_players, former.list, players)
        return tuple(show_line(row, line, names, lines) for row, line in rows)

    async def history(self, kept: KeptList, player: PlayerShown) -> ListHistoryShown:
        """Return the line of a player in the live list, explained, and in every closed month.

        Raise `NoSuchList` for a player who was never listed.
        """
        key, counted = kept.ranking.key, await self.live(kept)
        now_row = next(((row, line) for row, line in enumerate(counted.value, 1) if line.player == player.id), None)
        found = await self.matches.writer.read_model(rankings.months_of_player, player.id)
        months = [each for each in found if each.ranking.key == key]
        if now_row is None and not months:
            raise NoSuchList(f"{player.name!r} is not in the list {key!r}")
        names, former = {player.id: player.name}, kept.closing_before(None)
        last = {player.id: months[-1].line} if months and former and months[-1].closing == former else {}
        return ListHistoryShown(
            key,
            player,
            None if now_row is None else show_line(*now_row, names, last),
            None if now_row is None else show_standing(now_row[1], period_of(counted.at), kept.ranking.rule.terms),
            tuple(
                MonthOfPlayerShown(each.closing.number, each.closing.month, show_line(each.row, each.line, names))
                for each in months
            ),
        )

    async def calibration(self, kept: KeptList) -> CalibrationShown:
        """Return how well ratings predict the latest results of a list."""
        filter_, reads, period = kept.ranking.rule.results, self.matches.writer.reads, period_of(now())
        results = await self.matches.writer.read_model(closings.stamp_of, kept.ranking.rule)

        def count(_: Matches) -> BacktestReport:
            with reads.snapshot():
                found = [each.result for each in closings.results_for(reads, filter_, period)]
            return backtest(QUICK, found, latest=PREDICTED_MAX)

        counted = await self.counts.get(("calibration", kept.ranking.key), (filter_, results), count)
        return show_calibration(kept.ranking.key, counted.at, counted.value)


def kept_list(stream: commands.RankingStream) -> KeptList:
    """Return a list from its stream."""
    return KeptList(stream.id, stream.version, stream.state)


def provide_rankings(
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
    counts: NamedDependency[CountCache],
) -> RankingService:
    """Provide the service for the caller."""
    return RankingService(matches, accounts, caller, counts)
