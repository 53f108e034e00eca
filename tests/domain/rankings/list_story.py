"""A ranking list in a store, with results that rulings change between its closed months."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.rankings import commands
from domain.rankings.content import (
    AnyPart,
    LinesStored,
    ListLine,
    ResultLine,
    ResultsStored,
    content_id,
    digest_of,
    list_lines,
    parts_of,
    result_lines,
)
from domain.rankings.counting import CountedResult, ListCount, changed_months, count_list
from domain.rankings.duties import due_period
from domain.rankings.facts import ListDefined, MonthClosed, MonthResults
from domain.rankings.members import digest_of_members
from domain.rankings.rule import PeopleFilter, RankingRule, ranking_id
from domain.rankings.state import RANKING, Ranking
from domain.ratings.filters import ResultFilter
from domain.ratings.ladder import RatedResult, end_of_month, month_of, period_of

START: Final = datetime(2026, 1, 10, tzinfo=UTC)
RULE: Final = RankingRule("Toy, tables of three", ResultFilter("toy", seats=3))
OF_CLUB: Final = replace(RULE, people=PeopleFilter(club=str(UUID(int=7))))
KEY: Final = "toy-3"
ORGANISER: Final = "olga"
ID: Final = ranking_id(KEY)
SIZES: Final = {"toy": (2, 3, 4)}


def result(number: int, players: str = "abc", places: Sequence[int] = (1, 2, 3), *, days: float = 0) -> RatedResult:
    """Return a fair result some days after the start; players are letters."""
    return RatedResult(
        UUID(int=number), "toy", START + timedelta(days=days), tuple(players), tuple(places), fair=True, seats=3
    )


class ListStory:
    """A list in a store, whose months are closed as the service does it, from all results known then."""

    def __init__(self, matches: Matches, rule: RankingRule = RULE) -> None:
        self.matches = matches
        self.results: dict[UUID, CountedResult] = {}
        self.members: frozenset[str] = frozenset()
        commands.define_list(matches, ListDefined(ORGANISER, KEY, rule), SIZES, at=START)

    @property
    def ranking(self) -> Ranking:
        """The state."""
        from_store = commands.change_list(self.matches, ID, lambda _: None, at=START)
        return from_store.state

    def put(self, *results: RatedResult, head: str = "") -> None:
        """Add results, which replace earlier ones of the same matches, as rulings do."""
        for each in results:
            self.results[each.match_id] = CountedResult(each, head or f"{each.match_id.int:064x}")

    def void(self, *numbers: int) -> None:
        """Take results back."""
        for number in numbers:
            self.results.pop(UUID(int=number), None)

    def count(self, period: int) -> ListCount:
        """Count the list of a month from the results known now."""
        return count_list(self.ranking.rule, self.results.values(), period, self.members)

    def close(self, at: datetime | None = None) -> Ranking:
        """Close the next month."""
        period = due_period(self.ranking)
        assert period is not None
        closed_at, count = at or end_of_month(period), self.count(period)
        version, members_digest = 0, ""
        if not self.ranking.rule.people.has_everyone:
            version = commands.set_members(self.matches, ID, self.members, at=closed_at)
            members_digest = digest_of_members(self.members)
        changed = changed_months(self.ranking.results, count.months)
        for month in changed:
            of_month = [line for line in count.results if month_of(period_of(line.ended_at)) == month.month]
            self.store(month.digest, [ResultsStored(part) for part in parts_of(of_month)], closed_at)
        digest = digest_of(count.lines)
        self.store(digest, [LinesStored(part) for part in parts_of(count.lines)], closed_at)
        of_list = commands.MonthCount(period, changed, len(count.lines), digest, version, members_digest)
        return commands.change_list(
            self.matches, ID, lambda ranking: commands.close_month(ranking, of_list, closed_at), at=closed_at
        ).state

    def store(self, digest: str, parts: Sequence[AnyPart], at: datetime) -> None:
        """Store a content."""
        for number, part in enumerate(parts, 1):
            commands.store_part(self.matches, digest, number, part, at=at)

    def lines(self, digest: str) -> tuple[ListLine, ...]:
        """Read the lines of a closed list."""
        return list_lines(self.matches.streams.records(content_id(digest))) if digest else ()

    def results_of(self, months: Sequence[MonthResults]) -> tuple[ResultLine, ...]:
        """Read the results of months."""
        return tuple(
            line for month in months for line in result_lines(self.matches.streams.records(content_id(month.digest)))
        )

    def months_at(self, number: int) -> tuple[MonthResults, ...]:
        """Return the results of all months as of a closing, from the facts up to it."""
        found: Mapping[str, MonthResults] = {}
        for record in self.matches.streams.records(ID):
            fact = RANKING.read(record)
            if isinstance(fact, MonthClosed) and fact.number <= number:
                found = {**found, **{each.month: each for each in fact.results}}
        return tuple(found[month] for month in sorted(found) if found[month].count)
