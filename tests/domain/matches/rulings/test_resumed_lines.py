"""A replacing line repeats the ruling that created it, and continues from the entry in that ruling."""

from pathlib import Path
from typing import Any, Final

import pytest

from domain.eventstore.application import Matches
from domain.matches.errors import RulingRefused
from domain.matches.facts import SERVICE
from domain.matches.log.log_files import log_of, read_log
from domain.matches.rulings.measures import PointsTaken, SeatWarned
from domain.matches.verification.verify import verify
from tests.domain.matches.match_helpers import (
    START,
    apply_ruling,
    build_ruling,
    forge_entry,
    start_match,
    uuid,
    verify_log,
    version_of,
)

GOLDEN: Final = Path(__file__).parents[3] / "golden"
LOGS: Final = {title: read_log(GOLDEN / f"{title}-resumed.jsonl") for title in ("el_grande", "la_granja")}


def another(body: Any) -> None:
    """Rename the ruling in the fork."""
    body["ruling"] = "another"


def from_elsewhere(body: Any) -> None:
    """Resume from an earlier entry than the fork."""
    measure = next(each for each in body["measures"] if each["type"] == "line_resumed")
    measure["version"] -= 1


def replace_by_warning(body: Any) -> None:
    """Replace the ruling by a warning, which resumes nothing."""
    body["ruling"] = "another"
    body["measures"] = [{"type": "seat_warned", "seat": 0}]


@pytest.mark.parametrize("title", LOGS)
@pytest.mark.parametrize("change", [another, from_elsewhere, replace_by_warning])
@pytest.mark.parametrize("reader", ["all", None])
def test_the_ruling_of_a_replacing_line_cannot_be_changed(title: str, change: Any, reader: Any) -> None:
    log = LOGS[title]
    ruled = version_of(log, "ruling_given", -1)
    changed = forge_entry(log, ruled, change)
    fault = verify(log_of(changed.entries, reader)).fault

    assert fault is not None
    assert fault.kind == "legality"
    assert fault.entry in {ruled, ruled + 1}


@pytest.mark.parametrize("title", LOGS)
def test_a_replacing_line_cannot_become_an_ordinary_fork(title: str) -> None:
    """Removes the ruling from the fork that resumes by it."""
    log = LOGS[title]
    forked = version_of(log, "match_forked")
    fault = verify(forge_entry(log, forked, lambda body: body.pop("ruling") and None)).fault

    assert fault is not None
    assert fault.entry in {forked, forked + 1}


@pytest.mark.parametrize("title", LOGS)
def test_a_replacing_line_that_ends_before_its_ruling_is_found(title: str) -> None:
    log = LOGS[title]
    forked = version_of(log, "match_forked")
    fault = verify(log_of(log.entries[:forked])).fault

    assert fault is not None
    assert (fault.entry, fault.kind) == (forked + 1, "legality")
    assert "must follow" in fault.why


def test_a_ruling_is_given_once(matches: Matches) -> None:
    start_match(matches, uuid(1), ("anna", "bea"))
    apply_ruling(matches, uuid(1), build_ruling("first", PointsTaken(0, 1)))

    with pytest.raises(RulingRefused, match="already has the ruling"):
        apply_ruling(matches, uuid(1), build_ruling("first", PointsTaken(0, 1)))


def test_an_appeal_does_not_revive_a_match_that_the_service_voided(sqlite: Matches) -> None:
    start_match(sqlite, uuid(1), ("anna", "bea"))
    apply_ruling(sqlite, uuid(1), build_ruling("warned", SeatWarned(0)))
    sqlite.void(uuid(1), SERVICE, at=START)

    match = apply_ruling(sqlite, uuid(1), build_ruling("appeal", appeal_of="warned"))

    assert (match.status, match.result) == ("void", None)
    verify_log(sqlite, uuid(1))
