"""The state of a ranking list, folded from its facts."""

from datetime import datetime
from typing import Final

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record
from domain.rankings.facts import (
    Fact,
    ListDefined,
    ListRetired,
    MonthClosed,
    MonthResults,
    RuleChanged,
)
from domain.rankings.rule import RankingRule
from domain.ratings.ladder import parse_month, period_of


class RuleVersion(Value, frozen=True, omit_defaults=True):
    """A version of the rule of a list, with its author, time and reason."""

    version: int
    rule: RankingRule
    by: Actor
    at: datetime
    reason: str = ""


class Closing(Value, frozen=True, omit_defaults=True):
    """A closed month of a list; `record` is the version of its fact in the stream."""

    number: int
    month: str
    at: datetime
    rule: int
    formula: int
    record: int
    lines: int = 0
    list: str = ""
    members: int = 0
    members_digest: str = ""
    results: int = 0
    """The number of all results of the list up to the end of the month."""
    revised: tuple[str, ...] = ()
    """Earlier months whose results have changed since the closing before."""


class Ranking(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A ranking list."""

    key: str
    rules: tuple[RuleVersion, ...]
    first_period: int
    """The first month that is closed after the last closing, or after a pause."""
    closings: tuple[Closing, ...] = ()
    results: tuple[MonthResults, ...] = ()
    """The results of each month as of the last closing, in order."""
    is_retired: bool = False

    @property
    def current(self) -> RuleVersion:
        """The version of the rule that applies now."""
        return self.rules[-1]

    @property
    def rule(self) -> RankingRule:
        """The rule that applies now."""
        return self.current.rule

    def find_closing(self, month: str) -> Closing | None:
        """Return the closing of a month, or None."""
        return next((each for each in self.closings if each.month == month), None)


def merged_results(earlier: tuple[MonthResults, ...], changed: tuple[MonthResults, ...]) -> tuple[MonthResults, ...]:
    """Return the results of all months after some have changed, in order; a month without results is left out."""
    by_month = {each.month: each for each in (*earlier, *changed)}
    return tuple(by_month[month] for month in sorted(by_month) if by_month[month].count)


def evolve(ranking: Ranking | None, record: Record, fact: Fact) -> Ranking:
    """Return the list after one more fact."""
    if isinstance(fact, ListDefined):
        assert ranking is None, "a list is defined once"
        first = RuleVersion(1, fact.rule, fact.by, record.timestamp)
        return Ranking(key=fact.key, rules=(first,), first_period=period_of(record.timestamp))
    assert ranking is not None, "the first fact defines the list"
    if isinstance(fact, MonthClosed):
        return with_closing(ranking, record, fact)
    if isinstance(fact, RuleChanged):
        version = RuleVersion(len(ranking.rules) + 1, fact.rule, fact.by, record.timestamp, fact.reason)
        return replace(ranking, rules=(*ranking.rules, version))
    if isinstance(fact, ListRetired):
        return replace(ranking, is_retired=True)
    return replace(ranking, is_retired=False, first_period=max(ranking.first_period, period_of(record.timestamp)))


def with_closing(ranking: Ranking, record: Record, fact: MonthClosed) -> Ranking:
    """Return the list after a month was closed."""
    results = merged_results(ranking.results, fact.results)
    closing = Closing(
        fact.number,
        fact.month,
        record.timestamp,
        fact.rule,
        fact.formula,
        record.version,
        lines=fact.lines,
        list=fact.list,
        members=fact.members,
        members_digest=fact.members_digest,
        results=sum(each.count for each in results),
        revised=tuple(each.month for each in fact.results if each.month < fact.month),
    )
    following = parse_month(fact.month) + 1
    return replace(ranking, closings=(*ranking.closings, closing), results=results, first_period=following)


RANKING: Final[Kind[Fact, Ranking]] = Kind("ranking", Fact, evolve)
