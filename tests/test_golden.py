"""The golden logs replay for ever: by fold, by audit, and by a script that imports nothing of ours."""

import subprocess
import sys
from pathlib import Path
from typing import Final, get_args

import pytest

from domain.matches.apply import fold
from domain.matches.facts import Fact, MatchEnded
from domain.matches.log.file import log_bytes, read_log
from domain.matches.titles import read_fact
from domain.matches.verification.verify import verify
from domain.titles import TITLES

TESTS: Final = Path(__file__).parent
LOGS: Final = sorted((TESTS / "golden").glob("*.jsonl"))
FIRST_FORMAT: Final = sorted((TESTS / "golden" / "format-1").glob("*.jsonl"))
THIRD_FORMAT: Final = sorted((TESTS / "golden" / "format-3").glob("*.jsonl"))
RETIRED: Final = sorted((TESTS / "golden" / "retired").glob("*.jsonl"))
named = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)


@named
def test_a_golden_log_folds_to_its_recorded_end(path: Path) -> None:
    """`evolve` alone reaches the position whose scores the log recorded."""
    log = read_log(path)
    match = fold(TITLES, log.entries)

    assert match.is_over
    recorded = read_fact(TITLES[match.title], log.entries[-1])
    if isinstance(recorded, MatchEnded):
        assert match.definition.rules.scores(match.state) == recorded.scores
    assert log_bytes(log) == path.read_bytes()


@named
def test_a_golden_log_is_decided_again_without_a_difference(path: Path) -> None:
    """The audit: `decide` still brings about every stored effect; the rules version is raised when it does not."""
    report = verify(read_log(path))

    assert report.fault is None


def test_every_version_of_the_rules_that_is_played_has_a_golden_log() -> None:
    """One of each number is audited for ever (DESIGN §3)."""
    recorded = {(match.title, match.rules_version) for match in (fold(TITLES, read_log(path).entries) for path in LOGS)}
    played = {
        (name, number) for name, title in TITLES.items() for number in (*title.earlier, title.rules.RULES_VERSION)
    }

    assert recorded == played


@pytest.mark.parametrize("path", RETIRED, ids=lambda path: path.stem)
def test_a_log_of_a_retired_version_is_shown_for_ever(path: Path) -> None:
    """It folds to the end it recorded; its draws are made again; that its legality is not examined is said."""
    log = read_log(path)

    match, report = fold(TITLES, log.entries), verify(log)

    assert match.is_retired
    assert report.is_good, report.fault
    assert report.draws_checked > 10
    assert report.actions_checked == 0
    assert report.unchecked[-1] == "legality: it was played by version 0 of the rules, which is no longer examined"
    recorded = read_fact(TITLES[match.title], log.entries[-1])
    assert isinstance(recorded, MatchEnded)
    assert recorded.scores == match.definition.rules.scores(match.state)


@pytest.mark.parametrize("path", FIRST_FORMAT, ids=lambda path: path.stem)
def test_a_log_of_the_first_format_stands_every_examination_and_is_said_to_be_of_it(path: Path) -> None:
    log = read_log(path)
    report = verify(log)

    assert log.header.format == "esporles.log/1"
    assert report.is_good, report.fault
    assert (report.format, report.own_luck) == ("esporles.log/1", ())
    assert any("format 1" in sentence for sentence in report.unchecked)
    assert log_bytes(log) == path.read_bytes()
    assert fold(TITLES, log.entries).is_over


def test_both_titles_have_logs_of_the_first_format_for_every_way_of_ending() -> None:
    ways = {"resigned", "voided", "ruled", "resumed", "forked", "interrupted", "out-of-time-bot", "out-of-time-resign"}
    names = {path.stem for path in FIRST_FORMAT}

    assert names >= {f"{title}-{way}" for title in TITLES for way in ways}


@pytest.mark.parametrize("path", THIRD_FORMAT, ids=lambda path: path.stem)
def test_a_log_of_the_third_format_stands_every_examination(path: Path) -> None:
    log = read_log(path)
    report = verify(log)

    assert log.header.format == "esporles.log/3"
    assert report.is_good, report.fault
    assert log_bytes(log) == path.read_bytes()
    assert fold(TITLES, log.entries).is_over


def test_both_titles_have_logs_of_the_third_format_with_all_that_it_brought() -> None:
    for title in TITLES:
        texts = [path.read_text() for path in THIRD_FORMAT if path.stem.startswith(title)]
        for words in (
            *('"reveals":true', '"type":"absence_announced"', '"type":"absence_ended"', '"type":"signing_stopped"'),
            *('"reason":"time_out"', '"reason":"handed_over"', '"reason":"erased"', '"authority":"service"'),
            '"type":"taken_back"',
        ):
            assert any(words in text for text in texts), (title, words)


def test_who_brought_luck_is_reported() -> None:
    reports = {path.stem: verify(read_log(path)) for path in LOGS if "own-luck" in path.stem}

    assert {name: report.own_luck for name, report in reports.items()} == {
        f"{title}-{name}": seats
        for title in TITLES
        for name, seats in (("own-luck", (0, 2)), ("forked-own-luck", (0,)))
    }
    assert {report.format for report in reports.values()} == {"esporles.log/2"}


def test_both_titles_have_a_log_of_version_0() -> None:
    assert {read_log(path).header.title for path in RETIRED} == {*TITLES}


def test_the_draws_are_repeated_without_a_line_of_ours() -> None:
    """`ops/check_chance.py` imports nothing of the project; it repeats every draw of every golden log."""
    script = TESTS.parent / "ops" / "check_chance.py"
    assert len(script.read_text().splitlines()) <= 215

    for path in LOGS:
        command = [sys.executable, "-I", str(script), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)

        assert done.returncode == 0, done.stdout + done.stderr


def test_every_fact_occurs_in_some_golden_log() -> None:
    """A fact nobody recorded might not be readable tomorrow."""
    kinds = {getattr(kind, "__origin__", kind) for kind in get_args(Fact)}
    found = {
        type(read_fact(TITLES[log.header.title], entry))
        for log in map(read_log, [*LOGS, *THIRD_FORMAT])
        for entry in log.entries
    }

    assert not {kind.__name__ for kind in kinds - found}
