"""Counting a list from its results, from the beginning: the lines that a closed month must have."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.rankings.content import PRIVATE, ListLine, Part, ResultLine, digest_of, shown_match
from domain.rankings.facts import MonthResults
from domain.rankings.rule import RankingRule
from domain.ratings.ladder import (
    PLACED,
    PROVISIONAL,
    Ladder,
    Pool,
    RankingLine,
    Rated,
    RatedResult,
    month_of,
    part_of,
    period_of,
    ranking,
    weights_of,
)
from domain.ratings.model import RatingModel, millionths
from domain.ratings.terms import Terms
from domain.ratings.update import QUICK

PARTS: Final[dict[int, Part]] = {PLACED: "placed", PROVISIONAL: "provisional"}


class CountedResult(Value, frozen=True):
    """A result in the pool of a list, with the head of the line that counts."""

    result: RatedResult
    head: str


class ListCount(Value, frozen=True):
    """The count of a list at the end of a month."""

    results: tuple[ResultLine, ...]
    """All results in rating order."""
    lines: tuple[ListLine, ...]
    months: tuple[MonthResults, ...]


def count_list(
    rule: RankingRule,
    results: Iterable[CountedResult],
    period: int,
    members: frozenset[Actor] = frozenset(),
    model: RatingModel = QUICK,
) -> ListCount:
    """Count the list of a month from all results of its pool up to the end of this month, in any order."""
    ladder = Ladder(model)
    counted = sorted(
        (each for each in results if period_of(each.result.ended_at) <= period), key=lambda each: each.result.key
    )
    lines = tuple(result_line(ladder, each) for each in counted)
    listed = (rated for rated in ladder.rated.values() if rule.people.lists(rated.player, members))
    return ListCount(lines, lines_of(model, listed, period, rule), months_of(lines))


def result_line(ladder: Ladder, counted: CountedResult) -> ResultLine:
    """Rate a result and return its line."""
    result = counted.result
    return line_of_result(result, counted.head, weights_of(step for step, _ in ladder.rate_with_meetings(result)))


def line_of_result(result: RatedResult, head: str, weights: Mapping[Actor, int]) -> ResultLine:
    """Return the line of a result with the weights of players whose ratings it changes."""
    return ResultLine(
        shown_match(result.match_id, public=result.public),
        head,
        result.ended_at,
        result.players,
        result.places,
        tuple(weights.get(each, 0) for each in dict.fromkeys(result.players)),
        result.fair,
        result.provisional,
        result.left,
    )


def lines_of(model: RatingModel, rated: Iterable[Rated], period: int, rule: RankingRule) -> tuple[ListLine, ...]:
    """Return the lines of a list: people, then bots if the rule lists all players."""
    players = tuple(rated)
    people = ranking(model, (each for each in players if not each.is_bot), period, rule.terms)
    bots = ranking(model, (each for each in players if each.is_bot), period, rule.terms)
    shown = (*people, *(bots if rule.people.has_everyone else ()))
    return tuple(list_line(line, period, rule.terms) for line in shown)


def list_line(line: RankingLine, period: int, terms: Terms) -> ListLine:
    """Return a line of a list as it is stored."""
    rated = line.rated
    return ListLine(
        line.place or 0,
        rated.player,
        line.points,
        millionths(rated.skill.mean),
        millionths(rated.skill.deviation),
        rated.matches,
        rated.wins,
        rated.best,
        month_of(rated.last_period),
        PARTS.get(part_of(rated, period, terms), "inactive"),
    )


def results_by_month(lines: Iterable[ResultLine]) -> dict[str, list[ResultLine]]:
    """Return the results of each month, in rating order."""
    by_month: dict[str, list[ResultLine]] = {}
    for line in lines:
        by_month.setdefault(month_of(period_of(line.ended_at)), []).append(line)
    return by_month


def months_of(lines: Iterable[ResultLine]) -> tuple[MonthResults, ...]:
    """Return the number and the digest of the results of each month."""
    by_month = results_by_month(lines)
    return tuple(MonthResults(month, len(found), digest_of(found)) for month, found in sorted(by_month.items()))


def changed_months(earlier: Sequence[MonthResults], now: Sequence[MonthResults]) -> tuple[MonthResults, ...]:
    """Return the months whose results differ; a month without results has the count 0."""
    before, after = ({each.month: each for each in months} for months in (earlier, now))
    months = sorted({*before, *after})
    found = (after.get(month, MonthResults(month)) for month in months)
    return tuple(each for each in found if before.get(each.month, MonthResults(each.month)) != each)


class Recount(Value, frozen=True):
    """A count from the lines of results: the weights of each result, and the lines of the list."""

    weights: tuple[tuple[int, ...], ...]
    lines: tuple[ListLine, ...]


def recount(
    rule: RankingRule,
    results: Iterable[ResultLine],
    period: int,
    members: frozenset[Actor] = frozenset(),
    model: RatingModel = QUICK,
) -> Recount:
    """Count the list of a month again from the lines of all its results, in their order.

    The weights are counted again too, so that they can be compared with the stated ones.
    """
    ladder, pool = Ladder(model), rule.results.pool
    weights = tuple(result_line(ladder, CountedResult(result_of(line, pool), line.head)).weights for line in results)
    listed = (rated for rated in ladder.rated.values() if rule.people.lists(rated.player, members))
    return Recount(weights, lines_of(model, listed, period, rule))


def result_of(line: ResultLine, pool: Pool) -> RatedResult:
    """Return the result that a line stands for; a private match gets an id that follows from its digest."""
    is_private = line.match.startswith(PRIVATE)
    return RatedResult(
        match_id=UUID(line.match.removeprefix(PRIVATE)[:32]) if is_private else UUID(line.match),
        title=pool.title,
        ended_at=line.ended_at,
        players=line.players,
        places=line.places,
        public=not is_private,
        fair=line.fair,
        provisional=line.provisional,
        left=line.left,
        seats=pool.seats,
    )


def find_result(lines: Iterable[ResultLine], match_id: UUID) -> ResultLine | None:
    """Return the line of a match, public or private, or None if it is left out."""
    names = {shown_match(match_id, public=public) for public in (True, False)}
    return next((line for line in lines if line.match in names), None)
