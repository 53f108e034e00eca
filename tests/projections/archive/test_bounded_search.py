"""A search of the archive looks through a bounded number of matches a page, and loses none."""

from typing import Any
from uuid import UUID

import pytest

from projections.archive import projection, search
from projections.archive.projection import ARCHIVE_LINES, ARCHIVE_PLAYERS
from projections.archive.search import SCANNED_MAX, SearchCriteria
from projections.follow import ensure_tables
from projections.platform.statements import insert_row
from projections.platform.store import ReadStore

COUNT = 3 * SCANNED_MAX + 500
DAY = 86_400
RARE = 99_999
"""A score that only the oldest match has."""
EVENTS = ("cup", "league", "final")


def line(place: int) -> dict[str, Any]:
    return {
        "place": place,
        "line_id": str(UUID(int=place)),
        "title": "toy",
        "seats": 2,
        "people": 1,
        "edition": "",
        "event": EVENTS[place % 3] if place % 5 else "",
        "rated": place % 2,
        "score": RARE if place == 1 else 50,
        "entries": 100,
        "ended_at": place * DAY,
        "how": "played",
    }


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> ReadStore:
    """Provide an archive of three and a quarter times as many matches as a page looks through."""
    store = ReadStore(tmp_path_factory.mktemp("archive") / "reads.db")
    ensure_tables(store, projection)
    with store.transaction() as transaction:
        transaction.change_all(insert_row(ARCHIVE_LINES), map(line, range(1, COUNT + 1)))
        players = [{"player": "ann", "place": place} for place in (1, 5, COUNT)]
        players += [{"player": "ben", "place": place} for place in range(1, COUNT + 1)]
        transaction.change_all(insert_row(ARCHIVE_PLAYERS), players)
    return store


def pages(store: ReadStore, criteria: SearchCriteria, limit: int = 50) -> list[list[int]]:
    """Return the places on each page."""
    found, before = list[list[int]](), None
    while True:
        page = search.search(store, criteria, limit, before)
        found.append([each.place for each in page.items])
        before = page.next
        if before is None:
            return found


def test_a_criterion_that_nearly_nothing_meets_gives_empty_pages_with_a_cursor(archive: ReadStore) -> None:
    found = pages(archive, SearchCriteria(score=RARE))

    assert found == [[], [], [], [1]]
    assert pages(archive, SearchCriteria(score=RARE, players=("ben",))) == found
    assert pages(archive, SearchCriteria(score=RARE + 1))[-1] == []


def test_no_match_is_lost_between_pages(archive: ReadStore) -> None:
    found = pages(archive, SearchCriteria(rated=True), 100)
    places = [place for page in found for place in page]

    assert places == [place for place in range(COUNT, 0, -1) if place % 2]
    events = [place for page in pages(archive, SearchCriteria(events=EVENTS[:2]), 100) for place in page]
    assert events == [place for place in range(COUNT, 0, -1) if place % 5 and place % 3 < 2]


def test_dates_and_players_are_found_on_the_first_page(archive: ReadStore) -> None:
    """However many later matches there are."""
    assert pages(archive, SearchCriteria(players=("ann",))) == [[COUNT, 5, 1]]
    assert pages(archive, SearchCriteria(players=("ann", "ben"), rated=True)) == [[5, 1]]
    assert pages(archive, SearchCriteria(until=4 * DAY)) == [[3, 2, 1]]
    assert pages(archive, SearchCriteria(since=4 * DAY, until=6 * DAY)) == [[5, 4]]
    assert pages(archive, SearchCriteria(since=COUNT * DAY)) == [[COUNT]]
    assert pages(archive, SearchCriteria(since=(COUNT + 9) * DAY)) == [[]]
    assert pages(archive, SearchCriteria(events=())) == [[]]
