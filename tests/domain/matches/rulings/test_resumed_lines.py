"""A line that a ruling puts in the place of another repeats that ruling, and goes on from where it says."""

from pathlib import Path
from typing import Any, Final

import pytest

from domain.eventstore.application import Matches
from domain.matches.errors import RulingRefused
from domain.matches.log.file import log_of, read_log
from domain.matches.rulings.measures import PointsTaken
from domain.matches.verification.verify import verify
from tests.domain.matches.world import forged, given, rules, started, uuid, version_of

GOLDEN: Final = Path(__file__).parents[3] / "golden"
LOGS: Final = {title: read_log(GOLDEN / f"{title}-resumed.jsonl") for title in ("el_grande", "la_granja")}


def another(body: Any) -> None:
    """The ruling of this name is not given any more."""
    body["ruling"] = "another"


def from_elsewhere(body: Any) -> None:
    """The line goes on from an entry earlier than it says."""
    measure = next(each for each in body["measures"] if each["type"] == "line_resumed")
    measure["version"] -= 1


def warned(body: Any) -> None:
    """Another ruling stands in its place, by which nothing goes on."""
    body["ruling"] = "another"
    body["measures"] = [{"type": "seat_warned", "seat": 0}]


@pytest.mark.parametrize("title", LOGS)
@pytest.mark.parametrize("change", [another, from_elsewhere, warned])
@pytest.mark.parametrize("reader", ["all", None])
def test_the_ruling_that_a_line_goes_on_by_cannot_be_exchanged(title: str, change: Any, reader: Any) -> None:
    log = LOGS[title]
    ruled = version_of(log, "ruling_given", -1)
    changed = forged(log, ruled, change)
    fault = verify(log_of(changed.entries, reader)).fault

    assert fault is not None
    assert fault.kind == "legality"
    assert fault.entry in {ruled, ruled + 1}


@pytest.mark.parametrize("title", LOGS)
def test_a_line_cannot_be_made_one_that_nobody_has_ruled_on(title: str) -> None:
    """The ruling is taken out of the fork that goes on by it."""
    log = LOGS[title]
    forked = version_of(log, "match_forked")
    fault = verify(forged(log, forked, lambda body: body.pop("ruling") and None)).fault

    assert fault is not None
    assert fault.entry in {forked, forked + 1}


@pytest.mark.parametrize("title", LOGS)
def test_a_line_that_ends_before_its_ruling_is_false(title: str) -> None:
    log = LOGS[title]
    forked = version_of(log, "match_forked")
    fault = verify(log_of(log.entries[:forked])).fault

    assert fault is not None
    assert (fault.entry, fault.kind) == (forked + 1, "legality")
    assert "must follow" in fault.why


def test_a_ruling_is_given_once(matches: Matches) -> None:
    started(matches, uuid(1), ("anna", "bea"))
    rules(matches, uuid(1), given("first", PointsTaken(0, 1)))

    with pytest.raises(RulingRefused, match="was given at the match"):
        rules(matches, uuid(1), given("first", PointsTaken(0, 1)))
