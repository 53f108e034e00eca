"""The report file: columns as in FIDE's TRF16, results by seat, byes and absences."""

import pytest

from domain.standings.results import TableResult
from domain.tournaments import registration, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.trf import tournament_report
from tests.domain.tournaments.building import BY, Story

NAMES = {"e1": "Ana", "e2": "Blai\nSerra", "e3": "Clara", "e4": "D" * 50, "e5": "Enric"}


def report(story: Story) -> list[str]:
    return tournament_report(story.state, story.results, NAMES).decode().splitlines()


def test_every_player_has_a_line_in_the_columns_of_the_format() -> None:
    story = Story(5, size=2, leftover="bye")
    story.take(*timing.set_calendar(story.state, Calendar(place="Palma"), BY, ""))
    story.set(("e1", "e2"), ("e3", "e4"), byes=("e5",)).result(1, 5, 9).result(2, 4, 4).close()
    story.take(*registration.withdraw(story.state, "e4", BY, "Ill."))
    story.set(("e2", "e1"), ("e5", "e3")).result(1, 9, 5)
    last = story.state.rounds[1].tables[1].match
    assert last is not None
    lines = report(story)
    rows = {int(line[4:8]): line for line in lines if line.startswith("001")}

    assert lines[:4] == ["012 Cup", "022 Palma", "062 5", "092 Individual: Swiss-System"]
    assert rows[2][14:47].rstrip() == "Blai Serra"
    assert rows[4][14:47] == "D" * 33
    assert [rows[at][80:84].strip() for at in range(1, 6)] == ["0.0", "2.0", "0.5", "0.5", "1.0"]
    assert rows[2][85:89].strip() == "1"
    assert [rows[1][91:99], rows[1][101:109]] == ["   2 w 0", "   2 b 0"]
    assert [rows[2][91:99], rows[2][101:109]] == ["   1 b 1", "   1 w 1"]
    assert [rows[3][91:99], rows[3][101:109]] == ["   4 w =", "   5 b  "]
    assert [rows[4][91:99], rows[4][101:109]] == ["   3 b =", "0000 - Z"]
    assert rows[5][91:99] == "0000 - U"
    story.results[last] = TableResult((), (), void=True)
    assert report(story)[-1].endswith("   3 w  ")


def test_larger_tables_have_no_report_file() -> None:
    with pytest.raises(
        TournamentRefused, match="only events with tables of two can be exported as a tournament report file"
    ):
        report(Story(4, size=4).set(("e1", "e2", "e3", "e4")))
    assert len(report(Story(2))) == 5
