"""Golden logs replay forever: by fold, by audit, and by an independent script."""

import subprocess
import sys
from pathlib import Path
from typing import Final, get_args

import pytest

from domain.matches.apply import fold
from domain.matches.facts import Fact, MatchEnded
from domain.matches.log.log_files import log_bytes, read_log
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
    """`evolve` alone reaches the recorded scores."""
    log = read_log(path)
    match = fold(TITLES, log.entries)

    assert match.is_over
    recorded = read_fact(TITLES[match.title], log.entries[-1])
    if isinstance(recorded, MatchEnded):
        assert match.definition.rules.scores(match.state) == recorded.scores
    assert log_bytes(log) == path.read_bytes()


@named
def test_the_audit_of_a_golden_log_finds_no_difference(path: Path) -> None:
    """The audit: `decide` still produces every stored effect; otherwise the rules version must rise."""
    report = verify(read_log(path))

    assert report.fault is None


def test_every_playable_rules_version_has_a_golden_log() -> None:
    """One log of each version is audited forever (DESIGN §3)."""
    recorded = {(match.title, match.rules_version) for match in (fold(TITLES, read_log(path).entries) for path in LOGS)}
    played = {
        (name, number) for name, title in TITLES.items() for number in (*title.earlier, title.rules.RULES_VERSION)
    }

    assert recorded == played


@pytest.mark.parametrize("path", RETIRED, ids=lambda path: path.stem)
def test_a_log_of_a_retired_version_can_be_shown(path: Path) -> None:
    """It folds to its recorded end, its draws repeat, and the report notes that legality is not checked."""
    log = read_log(path)

    match, report = fold(TITLES, log.entries), verify(log)

    assert match.is_retired
    assert report.is_good, report.fault
    assert report.draws_checked > 10
    assert report.actions_checked == 0
    assert report.unchecked[-1] == "legality: version 0 of the rules is no longer supported"
    recorded = read_fact(TITLES[match.title], log.entries[-1])
    assert isinstance(recorded, MatchEnded)
    assert recorded.scores == match.definition.rules.scores(match.state)


@pytest.mark.parametrize("path", FIRST_FORMAT, ids=lambda path: path.stem)
def test_a_log_of_the_first_format_passes_the_audit(path: Path) -> None:
    log = read_log(path)
    report = verify(log)

    assert log.header.format == "esporles.log/1"
    assert report.is_good, report.fault
    assert (report.format, report.own_luck) == ("esporles.log/1", ())
    assert any("format 1" in sentence for sentence in report.unchecked)
    assert log_bytes(log) == path.read_bytes()
    assert fold(TITLES, log.entries).is_over


def test_the_first_format_has_logs_of_every_ending() -> None:
    ends = {"resigned", "voided", "ruled", "resumed", "forked", "interrupted", "out-of-time-bot", "out-of-time-resign"}
    names = {path.stem for path in FIRST_FORMAT}

    assert names >= {f"{title}-{ending}" for title in TITLES for ending in ends}


@pytest.mark.parametrize("path", THIRD_FORMAT, ids=lambda path: path.stem)
def test_a_log_of_the_third_format_passes_the_audit(path: Path) -> None:
    log = read_log(path)
    report = verify(log)

    assert log.header.format == "esporles.log/3"
    assert report.is_good, report.fault
    assert log_bytes(log) == path.read_bytes()
    assert fold(TITLES, log.entries).is_over


def test_the_third_format_has_logs_of_all_its_features() -> None:
    for title in TITLES:
        texts = [path.read_text() for path in THIRD_FORMAT if path.stem.startswith(title)]
        for fragment in (
            *('"reveals":true', '"type":"absence_announced"', '"type":"absence_ended"', '"type":"signing_stopped"'),
            *('"reason":"time_out"', '"reason":"handed_over"', '"reason":"erased"', '"authority":"service"'),
            '"type":"taken_back"',
        ):
            assert any(fragment in text for text in texts), (title, fragment)


def test_seats_with_own_luck_are_reported() -> None:
    reports = {path.stem: verify(read_log(path)) for path in LOGS if "own-luck" in path.stem}

    assert {name: report.own_luck for name, report in reports.items()} == {
        f"{title}-{name}": seats
        for title in TITLES
        for name, seats in (("own-luck", (0, 2)), ("forked-own-luck", (0,)))
    }
    assert {report.format for report in reports.values()} == {"esporles.log/2"}


def test_both_titles_have_a_log_of_version_0() -> None:
    assert {read_log(path).header.title for path in RETIRED} == {*TITLES}


def test_an_independent_script_repeats_the_draws() -> None:
    """`ops/check_chance.py` imports nothing of the project; it repeats every draw of every golden log."""
    script = TESTS.parent / "ops" / "check_chance.py"

    for path in LOGS:
        command = [sys.executable, "-I", str(script), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)

        assert done.returncode == 0, done.stdout + done.stderr


def test_every_fact_occurs_in_some_golden_log() -> None:
    """A fact without a recorded example might become unreadable."""
    kinds = {getattr(kind, "__origin__", kind) for kind in get_args(Fact)}
    found = {
        type(read_fact(TITLES[log.header.title], entry))
        for log in map(read_log, [*LOGS, *THIRD_FORMAT])
        for entry in log.entries
    }

    assert not {kind.__name__ for kind in kinds - found}
