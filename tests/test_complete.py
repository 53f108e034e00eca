"""Everything in a title occurs in some golden match."""

from pathlib import Path
from typing import Final

import pytest

from domain.matches.aggregate import Match
from domain.matches.apply import fold
from domain.matches.log.log_files import LogFile, read_log
from domain.titles import TITLES
from tests.golden.corners import CORNERS, corners_in
from tests.golden.coverage import TITLE_THINGS, things_of

LOGS: Final = [read_log(path) for path in sorted((Path(__file__).parent / "golden").glob("*.jsonl"))]
by_title = pytest.mark.parametrize("title", sorted(TITLE_THINGS))


def logs_of(title: str) -> list[LogFile]:
    return [log for log in LOGS if log.header.title == title]


def ends_of(title: str) -> list[Match]:
    return [fold(TITLES, log.entries) for log in logs_of(title)]


def test_every_title_has_a_list() -> None:
    """A title missing from `TITLE_THINGS` would need no golden match."""
    assert set(TITLE_THINGS) == set(TITLES)


@by_title
def test_everything_of_a_title_occurs_in_some_golden_match(title: str) -> None:
    """Every action, effect, implemented helper and number of seats."""
    seen = set[str]().union(*(things_of(title, log.entries) for log in logs_of(title)))

    assert not TITLE_THINGS[title]() - seen


@by_title
def test_every_way_to_end_occurs_in_some_golden_match(title: str) -> None:
    """Regular end, resignation of all others, and void."""
    ends = ends_of(title)

    assert any(match.status == "void" for match in ends)
    assert any(len(match.resigned) == len(match.seats) - 1 for match in ends)
    assert any(match.status == "ended" and not match.resigned for match in ends)


@by_title
def test_a_fork_is_among_the_golden_matches(title: str) -> None:
    """Its log contains the parent's entries and verifies alone."""
    assert any(match.origin is not None for match in ends_of(title))


@pytest.mark.parametrize("name", CORNERS)
def test_every_corner_of_la_granja_occurs_in_its_golden_match(name: str) -> None:
    """Situations that random play rarely reaches (LG-10.7, LG-2.1.1, LG-0.7, LG-12.4, LG-13.30 to LG-13.34)."""
    log = read_log(Path(__file__).parent / "golden" / f"la_granja-{name}.jsonl")

    assert name in corners_in(log.entries)
