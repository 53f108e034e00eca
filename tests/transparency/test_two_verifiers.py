"""The verifier of the browser and ours say the same of honest and of damaged files, each as far as it can see."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from domain.matches.apply import fold
from domain.matches.file import parse_log
from domain.matches.proving import verify_content
from domain.matches.ruling import counted_result
from domain.titles import TITLES
from tests.seeding import IS_EXPLORING, SEED
from tests.transparency.agreement import PASSES_BOTH, compare, matching
from tests.transparency.damaged import LOGS, damaged
from tests.transparency.logs import Log, content, redact
from tests.transparency.second import SecondVerifier

PARTS: Final = 4
"""The damaged files in so many tests, for as many processes."""
DAMAGED: Final = 20_000 if IS_EXPLORING else 600


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_honest_log_is_good_to_both(second: SecondVerifier, path: Path) -> None:
    whole = path.read_bytes()
    first, other = verify_content(whole), second.examine(whole)

    assert (first.fault, other.fault) == (None, None)
    assert other.status == first.status
    assert tuple(other.own_luck) == first.own_luck
    assert "legality" in other.unchecked_ids
    counted = counted_result(fold(TITLES, parse_log(whole).entries))
    assert (counted is None) == (other.counted is None)
    if counted is not None and other.counted is not None:
        assert other.counted == {"scores": list(counted.scores), "ranking": list(counted.ranking)}


@pytest.mark.parametrize("path", LOGS[::4], ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("seat", [None, 0])
def test_an_honest_log_is_good_to_both_for_every_reader(second: SecondVerifier, path: Path, seat: int | None) -> None:
    log = Log(path.read_bytes())
    redact(log, seat)
    report = second.examine(content(log))

    assert (verify_content(content(log)).fault, report.fault) == (None, None)
    assert "redacted" in report.unchecked_ids


@pytest.mark.parametrize("part", range(PARTS))
def test_both_blame_the_same_entry_of_a_damaged_log(second: SecondVerifier, part: int) -> None:
    """What one of them alone finds is on a closed list, with its reason (`agreement.py`)."""
    found, disagreed = Counter[str](), list[str]()
    for each in damaged(f"{SEED}/{part}", DAMAGED // PARTS):
        said = compare(verify_content(each.content).fault, second.examine(each.content).fault)
        found[said.verdict] += 1
        passes = said.verdict == "passed" and each.name.endswith("whole")
        if said.verdict == "disagreed" or (passes and matching(PASSES_BOTH, each.way) is None):
            disagreed.append(f"{each.name}: {each.way}: {said.why}")

    assert disagreed == []
    assert found["agreed"] > 0.7 * found.total()
