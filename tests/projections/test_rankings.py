"""Lists, their closed months, and the lines of a player, read from the facts of lists."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.rankings import commands
from domain.rankings.content import PART, LinesStored, ListLine, digest_of, parts_of
from domain.rankings.rule import PeopleFilter
from domain.ratings.terms import Terms
from projections import rankings
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.rankings import ListedRanking
from projections.rebuild import rebuild
from tests.domain.rankings.list_story import ID, KEY, ORGANISER, RULE, SIZES, START, ListStory, result


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ReadStore]:
    store = ReadStore(tmp_path / "reads.db")
    yield store
    store.close()


def follow(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, (rankings,)).catch_up()


def closed_story(matches: Matches) -> ListStory:
    """Return a list with two closed months."""
    story = ListStory(matches, replace(RULE, terms=Terms(1)))
    story.put(result(1, days=1), result(2, "bca", days=33))
    story.close()
    story.close()
    return story


def test_a_list_is_read_with_its_closed_months(matches: Matches, store: ReadStore) -> None:
    story = closed_story(matches)
    follow(matches, store)

    assert rankings.find_list(store, KEY) == story.ranking
    assert rankings.find_list(store, "chess") is None
    assert rankings.lists(store) == (
        ListedRanking(KEY, story.ranking.rule, closings=2, last_month="2026-02", due="2026-03"),
    )


def test_a_changed_list_shows_its_current_rule(matches: Matches, store: ReadStore) -> None:
    ListStory(matches)
    club = replace(RULE, people=PeopleFilter(club=str(UUID(int=1))))
    commands.change_list(
        matches, ID, lambda ranking: commands.change_rule(ranking, ORGANISER, club, "a club", SIZES), at=START
    )
    commands.change_list(matches, ID, lambda ranking: commands.retire(ranking, ORGANISER, "over"), at=START)
    follow(matches, store)

    assert rankings.lists(store) == (ListedRanking(KEY, club, is_retired=True),)


def test_the_lines_of_a_month_are_read_in_pages(matches: Matches, store: ReadStore) -> None:
    story = closed_story(matches)
    digest = story.ranking.closings[0].list
    follow(matches, store)

    lines = story.lines(digest)
    assert rankings.lines_page(store, digest, 2) == lines[:2]
    assert rankings.lines_page(store, digest, 2, after=2) == lines[2:]
    assert rankings.row_of_player(store, digest, lines[2].player) == 3
    assert rankings.row_of_player(store, digest, "zoe") is None


def test_rows_count_through_all_parts_of_a_content(matches: Matches, store: ReadStore) -> None:
    lines = tuple(ListLine(n, f"p{n}", 1000 - n, 1, 1, 10, 0, 1000, "2026-01") for n in range(1, PART + 3))
    digest = digest_of(lines)
    for number, part in enumerate(parts_of(lines), 1):
        commands.store_part(matches, digest, number, LinesStored(part), at=START)
    follow(matches, store)

    assert rankings.lines_page(store, digest, 5, after=PART - 1) == lines[PART - 1 :]
    assert rankings.row_of_player(store, digest, f"p{PART + 2}") == PART + 2


def test_the_months_of_a_player_are_read_by_list_and_month(matches: Matches, store: ReadStore) -> None:
    story = closed_story(matches)
    follow(matches, store)

    months = rankings.months_of_player(store, "a")
    first, second = story.ranking.closings
    assert [each.closing for each in months] == [first, second]
    assert [each.line for each in months] == [
        next(line for line in story.lines(closing.list) if line.player == "a") for closing in (first, second)
    ]
    assert rankings.months_of_player(store, "zoe") == ()


def test_a_rebuild_gives_the_same_rows(matches: Matches, store: ReadStore) -> None:
    closed_story(matches)
    follow(matches, store)
    before = {name: store.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in rankings.TABLES}

    rebuild((rankings.NAME,), matches, store, entries=1)

    assert {name: store.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in rankings.TABLES} == before
    assert all(before.values())
