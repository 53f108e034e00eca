"""Tables opened per day that never started."""

from datetime import date, timedelta
from pathlib import Path

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import export_log, import_log
from domain.matches.log.entries import ALL
from projections import transparency
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.transparency import OpeningDay
from tests.projections.tables import START, at, match_id, matches_in, open_started_match, play_match

DAY = 24 * 3600
PLAYERS = ("anna", "bela")


def count_openings(folder: Path, store: ReadStore, *, from_file: bool = False) -> list[OpeningDay]:
    """Open two tables on the first day, of which one starts, and one on the next, which starts a day later."""
    with matches_in(folder / "log.db") as matches:
        over = play_match(matches, open_started_match(matches, 1, PLAYERS))
        matches.open(match_id(2), title="toy", seats=2, by="anna", at=at(1))
        late = matches.open(match_id(3), title="toy", seats=2, by="anna", at=at(DAY))
        for seat, player in enumerate(PLAYERS):
            matches.take_seat(late.id, seat, player, at=at(DAY))
        for seat, player in enumerate(PLAYERS):
            matches.ready(late.id, seat, player, at=at(2 * DAY))
        fork_match(
            matches, over.id, at_version=over.version - 3, new_id=match_id(4), luck="same", by="anna", at=at(3 * DAY)
        )
        if from_file:
            exported = export_log(matches, over.id, ALL, at=at(3 * DAY))
            with matches_in(folder / "other.db") as other:
                import_log(other, exported, by="anna", at=at(4 * DAY))
                return catch_up(other, store)
        return catch_up(matches, store)


def catch_up(matches: Matches, store: ReadStore) -> list[OpeningDay]:
    FollowerLoop(matches, store, (transparency,)).catch_up()
    return list(transparency.days(store).items)


def test_a_table_counts_on_the_day_of_its_opening_until_it_begins(tmp_path: Path, any_store: ReadStore) -> None:
    first = START.date()

    assert count_openings(tmp_path, any_store) == [
        OpeningDay(first + timedelta(days=1), 1, 1),
        OpeningDay(first, 2, 1),
    ]
    assert [day.never_begun for day in transparency.days(any_store).items] == [0, 1]


def test_days_come_in_pages(tmp_path: Path, any_store: ReadStore) -> None:
    count_openings(tmp_path, any_store)
    page = transparency.days(any_store, 1)
    rest = transparency.days(any_store, 1, page.next)

    assert (len(page.items), len(rest.items), rest.next) == (1, 1, None)
    assert isinstance(page.items[0].day, date)


def test_imported_matches_are_not_counted(tmp_path: Path, any_store: ReadStore) -> None:
    assert count_openings(tmp_path, any_store, from_file=True) == []
