"""Closed months counted again from the results of today: who would move, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

from api.accounts.display_names import names_of
from api.rankings.counts import Counted
from api.rankings.responses import people_of, show_change, show_moved
from api.rankings.schemas import RecountShown
from api.rankings.service import KeptList, RankingService
from domain.eventstore.application import Matches
from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.rankings.content import ListLine, ResultLine, content_id, list_lines, result_lines
from domain.rankings.counting import changed_months
from domain.rankings.differences import ChangedResult, Moved, compare_lists, compare_results
from domain.rankings.facts import MonthClosed, MonthResults
from domain.rankings.members import MEMBERS, members_id
from domain.rankings.state import RANKING, Closing, merged_results
from domain.ratings.ladder import month_of, parse_month, period_of
from projections.platform.paging import LIMIT
from projections.platform.store import ReadStore
from projections.ratings import closings

RESULTS_MAX: Final = 100
"""The number of changed results in a response."""


class Differences(Value, frozen=True):
    """The difference between a closed month and the same month counted today."""

    results: tuple[ChangedResult, ...] = ()
    moved: tuple[Moved, ...] = ()
    rows: Mapping[Actor, tuple[int, int]] = {}
    """The rows of each player who moved, before and now; 0 without a line."""


def compare_month(matches: Matches, reads: ReadStore, kept: KeptList, closing: Closing) -> Differences:
    """Count a closed month again by its rule and its members, and compare it with the stored lines."""
    rule, period = kept.ranking.rules[closing.rule - 1].rule, parse_month(closing.month)
    count = closings.count_stored(reads, rule, period, members_at(matches, kept, closing))
    months = results_at(matches, kept, closing)
    differing = {each.month for each in changed_months(months, count.months)}
    stored = tuple(
        line for month in months if month.month in differing for line in stored_results(matches, month.digest)
    )
    current = tuple(line for line in count.results if month_of(period_of(line.ended_at)) in differing)
    changed, lines = compare_results(stored, current), stored_lines(matches, closing.list)
    moved = compare_lists(lines, count.lines, changed)
    before, now = rows_of(lines), rows_of(count.lines)
    rows = {each.player: (before.get(each.player, 0), now.get(each.player, 0)) for each in moved}
    return Differences(changed, moved, rows)


def members_at(matches: Matches, kept: KeptList, closing: Closing) -> frozenset[Actor]:
    """Return the members with whom a month was closed."""
    members = frozenset[Actor]()
    for record in matches.streams.records(members_id(kept.id), 0, closing.members) if closing.members else ():
        members = MEMBERS.evolve(members, record, MEMBERS.read(record))
    return members


def results_at(matches: Matches, kept: KeptList, closing: Closing) -> tuple[MonthResults, ...]:
    """Return the results of all months as of a closing."""
    months: tuple[MonthResults, ...] = ()
    for record in matches.streams.records(kept.id, 0, closing.record):
        fact = RANKING.read(record)
        if isinstance(fact, MonthClosed):
            months = merged_results(months, fact.results)
    return months


def stored_results(matches: Matches, digest: str) -> tuple[ResultLine, ...]:
    """Return the results of a month by their digest."""
    return result_lines(matches.streams.records(content_id(digest)))


def stored_lines(matches: Matches, digest: str) -> tuple[ListLine, ...]:
    """Return the lines of a closed month by their digest."""
    return list_lines(matches.streams.records(content_id(digest))) if digest else ()


def rows_of(lines: Sequence[ListLine]) -> dict[Actor, int]:
    """Return the row of each player, from 1."""
    return {line.player: row for row, line in enumerate(lines, 1)}


async def load_differences(service: RankingService, kept: KeptList, month: str) -> Counted[Differences]:
    """Return the difference between a closed month and the same month counted today; raise `NoSuchList`."""
    closing, reads = kept.closing_of(month), service.matches.writer.reads
    rule = kept.ranking.rules[closing.rule - 1].rule
    stamp = await service.matches.writer.read_model(closings.stamp_of, rule)
    return await service.counts.get(
        ("recount", kept.ranking.key, month),
        stamp,
        lambda matches: compare_month(matches, reads, kept, closing),
    )


async def load_recount(
    service: RankingService, kept: KeptList, month: str, limit: int = LIMIT, after: int = 0
) -> RecountShown:
    """Return a page of the difference between a closed month and the same month counted today; raise `NoSuchList`."""
    counted = await load_differences(service, kept, month)
    found = counted.value
    moved, results = found.moved[after : after + limit], found.results[:RESULTS_MAX]
    people = people_of(results) | {each.player for each in moved}
    names = await asyncio.to_thread(names_of, service.accounts, people)
    end = after + len(moved)
    return RecountShown(
        kept.ranking.key,
        month,
        counted.at,
        len(found.results),
        len(found.moved),
        tuple(show_change(each, names) for each in results),
        tuple(show_moved(each, names, found.rows) for each in moved),
        next=end if end < len(found.moved) else None,
    )
