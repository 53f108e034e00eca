"""The proof of a tournament names entries with more days of holiday than the plan allows."""

from pathlib import Path

import pytest

from domain.proofs.derived import noted_holidays
from domain.proofs.event import verify_event
from domain.tournaments.state import TOURNAMENT
from tests.domain.matches.match_helpers import ALL_TITLES
from tests.domain.proofs.holiday_cups import play_cup_with_holidays
from tests.domain.proofs.tournament_proofs import CUP, cup_file


@pytest.mark.parametrize(
    ("days", "notes"),
    [
        (3, ["holidays: e1 was away for 4 days at its tables, and the plan allows 3"]),
        (4, []),
        (None, []),
    ],
)
def test_days_at_all_tables_of_an_entry_count_together(tmp_path: Path, days: int | None, notes: list[str]) -> None:
    report = verify_event(b"".join(cup_file(play_cup_with_holidays(tmp_path, days))), titles=ALL_TITLES)

    assert report.fault is None
    assert [note for note in report.noted if note.startswith("holidays")] == notes


def test_a_table_without_a_match_in_the_file_is_passed_over(tmp_path: Path) -> None:
    state = play_cup_with_holidays(tmp_path, 3).streams.get(TOURNAMENT, CUP).state

    assert list(noted_holidays(state, {})) == []
