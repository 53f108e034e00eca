"""The lists that exist without an administrator: of each title, over all table sizes and for each size."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from domain.matches.facts import SERVICE
from domain.rankings.facts import ListDefined
from domain.rankings.rule import RankingRule, Sizes, standard_key
from domain.rankings.state import Ranking, RuleVersion
from domain.ratings.filters import ResultFilter
from domain.ratings.ladder import period_of


def standard_lists(names: Mapping[str, str], sizes: Sizes) -> Iterator[ListDefined]:
    """Yield the standard lists of titles, named by `names`; a title with one table size has one list."""
    for title, name in names.items():
        if len(sizes[title]) > 1:
            yield standard_list(ResultFilter(title), f"{name}, all table sizes")
        for seats in sizes[title]:
            yield standard_list(ResultFilter(title, seats=seats), f"{name}, {seats} players")


def standard_list(results: ResultFilter, name: str) -> ListDefined:
    """Return the definition of a standard list."""
    return ListDefined(SERVICE, standard_key(results), RankingRule(name, results))


def undefined_ranking(fact: ListDefined, at: datetime) -> Ranking:
    """Return a standard list that is not defined yet, because no result counts for it."""
    version = RuleVersion(0, fact.rule, SERVICE, at)
    return Ranking(key=fact.key, rules=(version,), first_period=period_of(at))
