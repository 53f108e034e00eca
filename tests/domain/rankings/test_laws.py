"""A closed month never changes, and a count of its results gives its list, whatever rulings follow."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from uuid import UUID

import hypothesis
from hypothesis import strategies as st

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.rankings.content import digest_of
from domain.rankings.counting import find_result, months_of, recount
from domain.rankings.facts import MonthClosed
from domain.rankings.state import RANKING
from domain.ratings.ladder import RatedResult
from tests.domain.rankings.list_story import ID, OF_CLUB, RULE, START, ListStory
from tests.seeding import example_count

PLAYERS = ("ann", "ben", "cleo", "dora", "emil", "bot:random@1")
MONTHS = 3


@st.composite
def draw_results(draw: st.DrawFn, month: int) -> list[RatedResult]:
    """Return results of a month."""
    found = []
    for number in range(draw(st.integers(0, 6))):
        players = draw(st.permutations(PLAYERS))[:3]
        places = tuple(sorted(draw(st.lists(st.integers(1, 3), min_size=3, max_size=3))))
        found.append(
            RatedResult(
                UUID(int=100 * month + number + 1),
                "toy",
                START + timedelta(days=30 * month, hours=draw(st.integers(0, 400))),
                tuple(players),
                places,
                public=draw(st.booleans()),
                fair=draw(st.booleans()),
                provisional=tuple(players[:1]) if draw(st.booleans()) else (),
                left=tuple(players[2:]) if draw(st.booleans()) else (),
                seats=3,
            )
        )
    return found


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[list[RatedResult], list[int], list[int]]]:
    """Return, for each month, its results, and the earlier matches that rulings void and turn round."""
    numbers = st.lists(st.integers(0, 100 * MONTHS + 6), max_size=4)
    return [(draw(draw_results(month)), draw(numbers), draw(numbers)) for month in range(MONTHS)]


def closings_of(story: ListStory) -> list[MonthClosed]:
    facts = [RANKING.read(record) for record in story.matches.streams.records(ID)]
    return [fact for fact in facts if isinstance(fact, MonthClosed)]


@hypothesis.settings(max_examples=example_count(15))
@hypothesis.given(history=histories(), is_club=st.booleans())
def test_a_closed_month_never_changes_and_follows_from_its_results(
    new_matches: Callable[[], AbstractContextManager[Matches]],
    history: list[tuple[list[RatedResult], list[int], list[int]]],
    is_club: bool,
) -> None:
    with new_matches() as matches:
        expect_closed_months(ListStory(matches, OF_CLUB if is_club else RULE), history)


def expect_closed_months(story: ListStory, history: Sequence[tuple[list[RatedResult], list[int], list[int]]]) -> None:
    """Close all months of a history; at the end each closing equals the one first stored."""
    closed: list[tuple[MonthClosed, object, object]] = []
    for results, voided, turned in history:
        story.put(*results)
        story.void(*(number for number in voided if UUID(int=number) in story.results))
        for number in turned:
            if (former := story.results.get(UUID(int=number))) is not None:
                story.put(replace(former.result, places=former.result.places[::-1]), head=f"{number:064x}")
        story.members = frozenset(PLAYERS[: 2 + len(closed)])
        story.close()
        fact = closings_of(story)[-1]
        closed.append((fact, story.lines(fact.list), story.results_of(story.months_at(fact.number))))

    for number, (fact, lines, all_results) in enumerate(closed, 1):
        assert closings_of(story)[number - 1] == fact
        assert story.lines(fact.list) == lines
        months = story.months_at(number)
        stored = story.results_of(months)
        assert stored == all_results
        assert months_of(stored) == months
        assert digest_of(story.lines(fact.list)) == fact.list
        assert len(story.lines(fact.list)) == fact.lines
        members = frozenset(PLAYERS[: 1 + number])
        period = 2026 * 12 + number - 1
        again = recount(story.ranking.rule, stored, period, members)
        assert again.lines == lines
        assert again.weights == tuple(line.weights for line in stored)
    for counted in story.results.values():
        if counted.result.ended_at < START + timedelta(days=60):
            assert find_result(story.results_of(story.ranking.results), counted.result.match_id) is not None
