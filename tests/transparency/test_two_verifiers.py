"""Both verifiers agree on honest and damaged files, except for a closed list."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest

from domain.matches.apply import fold
from domain.matches.log.log_files import parse_log
from domain.matches.rulings.ruling import counted_result
from domain.proofs.event import verify_event
from domain.proofs.match import verify_content
from domain.titles import TITLES
from tests.domain.proofs.match_proofs import WITNESS, Lines, proof_of
from tests.seeding import IS_EXPLORING, SEED, one_in
from tests.transparency.damaged import GOLDEN, LOGS, damaged_files, other, parent_of, places
from tests.transparency.logs import Log, content, encode, redact
from tests.transparency.second import PASSES_BOTH, SecondVerifier, compare, matching
from tests.transparency.whole import cup, file_of

GOLDEN_LOG: Final = (GOLDEN / "el_grande-voided.jsonl").read_bytes()
PARTS: Final = 4
"""Number of test cases the damaged files are split into, so that they can run in parallel."""
DAMAGED: Final = 20_000 if IS_EXPLORING else 600


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", one_in(4, LOGS, "both verifiers"), ids=name_of)
def test_both_accept_an_honest_log(second: SecondVerifier, path: Path) -> None:
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


@pytest.mark.parametrize("path", one_in(12, LOGS, "both verifiers, redacted"), ids=name_of)
@pytest.mark.parametrize("seat", [None, 0])
def test_both_accept_an_honest_log_for_every_reader(second: SecondVerifier, path: Path, seat: int | None) -> None:
    log = Log(path.read_bytes())
    redact(log, seat)
    report = second.examine(content(log))

    assert (verify_content(content(log)).fault, report.fault) == (None, None)
    assert "redacted" in report.unchecked_ids


@pytest.mark.parametrize("part", range(PARTS))
def test_both_blame_the_same_entry_of_a_damaged_log(second: SecondVerifier, part: int) -> None:
    """Faults found by only one verifier or by none are on a closed list with reasons (`agreement.py`).

    The counts are printed (`-rP`).
    """
    found, disagreed = Counter[tuple[str, str]](), list[str]()
    for each in damaged_files(f"{SEED}/{part}", DAMAGED // PARTS):
        said = compare(verify_content(each.content).fault, second.examine(each.content).fault)
        is_whole = each.name.endswith("whole")
        passed = matching(PASSES_BOTH, each.way) if is_whole else "of a redacted log: what is closed to its reader"
        why = f"{said.why} ({'whole' if is_whole else 'redacted'} log)" if said.why else ""
        found[said.verdict, (passed or "") if said.verdict == "passed" else why] += 1
        if said.verdict == "disagreed" or (said.verdict == "passed" and passed is None):
            disagreed.append(f"{each.name}: {each.way}: {said.why}")

    print("\n".join(f"{count:>6}  {verdict}: {reason}" for (verdict, reason), count in sorted(found.items())))
    assert disagreed == []
    assert sum(count for (verdict, _), count in found.items() if verdict == "agreed") > 0.7 * found.total()


def damaged_proof(file: Lines, rng: Random) -> tuple[str, bytes]:
    """Change one field of a line or one byte, or move a line."""
    index, log = rng.randrange(len(file.lines)), Log(GOLDEN_LOG)
    way = rng.randrange(4)
    if way == 0:
        at = rng.randrange(len(file.content))
        return f"byte {at}", file.content[:at] + bytes([file.content[at] ^ (1 << rng.randrange(8))]) + file.content[
            at + 1 :
        ]
    if way == 1:
        lines = list(file.lines)
        lines.insert(rng.randrange(len(lines)), lines.pop(index))
        return f"line {index} elsewhere", b"\n".join(lines) + b"\n"
    found = msgspec.json.decode(file.lines[index])
    path = rng.choice(list(places(found)))
    at = parent_of(found, path)
    at[path[-1]] = other(at[path[-1]], log, rng)
    return f"line {index}, {path}", file.replace_line(index, encode(found))


@pytest.mark.parametrize("reader", ["whole", None, 0])
def test_both_refuse_a_damaged_proof(second: SecondVerifier, reader: Any) -> None:
    log = Log(GOLDEN_LOG)
    if reader != "whole":
        redact(log, reader)
    file = Lines(proof_of(parse_log(content(log)), WITNESS))
    assert (verify_content(file.content).fault, second.examine(file.content).fault) == (None, None)
    for turn in range(DAMAGED // 10):
        what, made = damaged_proof(file, Random(f"{SEED}/{reader}/{turn}"))
        first, found = verify_content(made).fault, second.examine(made).fault

        assert made == file.content or (first is not None and found is not None), (what, first, found)


class FileLines(Lines):
    """Any file as lines."""

    def __init__(self, content: bytes) -> None:
        self.lines = content.split(b"\n")[:-1]


@pytest.mark.walk
def test_both_refuse_a_damaged_tournament(second: SecondVerifier) -> None:
    """Except for tie-breaks and ratings stated by the service, which the browser does not check."""
    lines = cup().lines()
    file, said = FileLines(file_of(lines)), next(index for index, line in enumerate(lines) if "ratings" in line)
    assert (verify_event(file.content).fault, second.examine(file.content).fault) == (None, None)
    for turn in range(DAMAGED // 3):
        what, made = damaged_proof(file, Random(f"{SEED}/event/{turn}"))
        first, found = verify_event(made).fault, second.examine(made).fault
        changed = next((index for index, line in enumerate(made.split(b"\n")) if line not in file.lines), said)

        assert made == file.content or first is not None, what
        assert made == file.content or changed == said or found is not None, (what, first)
