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
from tests.transparency.logs import Log, content, encode, rechain, redact
from tests.transparency.second import PASSES_BOTH, SecondVerifier, compare, matching
from tests.transparency.whole import cup, file_of

GOLDEN_LOG: Final = (GOLDEN / "el_grande-voided.jsonl").read_bytes()
PARTS: Final = 4
"""Number of test cases the damaged files are split into, so that they can run in parallel."""
DAMAGED: Final = 20_000 if IS_EXPLORING else 240


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", one_in(4, LOGS, "both verifiers"), ids=name_of)
def test_both_accept_an_honest_log(second_verifier: SecondVerifier, path: Path) -> None:
    content = path.read_bytes()
    first, second = verify_content(content), second_verifier.examine(content)

    assert (first.fault, second.fault) == (None, None)
    assert second.status == first.status
    assert tuple(second.own_luck) == first.own_luck
    assert "legality" in second.unchecked_ids
    counted = counted_result(fold(TITLES, parse_log(content).entries))
    assert (counted is None) == (second.counted is None)
    if counted is not None and second.counted is not None:
        assert second.counted == {"scores": list(counted.scores), "ranking": list(counted.ranking)}


@pytest.mark.parametrize("path", one_in(12, LOGS, "both verifiers, redacted"), ids=name_of)
@pytest.mark.parametrize("seat", [None, 0])
def test_both_accept_an_honest_log_for_every_reader(
    second_verifier: SecondVerifier, path: Path, seat: int | None
) -> None:
    log = Log(path.read_bytes())
    redact(log, seat)
    report = second_verifier.examine(content(log))

    assert (verify_content(content(log)).fault, report.fault) == (None, None)
    assert "redacted" in report.unchecked_ids


def test_both_refuse_an_appeal_that_leaves_a_stopped_match_undecided(second_verifier: SecondVerifier) -> None:
    log = Log((GOLDEN / "la_granja-ruled.jsonl").read_bytes())
    (index,) = [index for index in log.indices("ruling_given") if log.body(index).get("upheld")]
    del log.body(index)["upheld"]
    rechain(log)
    first, second = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault

    assert first is not None
    assert second is not None
    assert (first.entry, first.kind) == (second.entry, second.kind) == (index + 1, "legality")


@pytest.mark.parametrize("seat", [1, 9])
def test_both_refuse_the_key_of_a_seat_without_a_player(second_verifier: SecondVerifier, seat: int) -> None:
    log = Log((GOLDEN / "la_granja-signed.jsonl").read_bytes())
    log.entries[1:] = [log.entries[log.indices("key_named")[0]] | {"timestamp": log.entries[0]["timestamp"]}]
    log.body(1)["seat"] = seat
    log.body(1)["key"] = {"key": log.body(1)["key"]["key"]}
    rechain(log)
    first, second = verify_content(content(log)).fault, second_verifier.examine(content(log)).fault

    assert first is not None
    assert second is not None
    assert (first.entry, first.kind) == (second.entry, second.kind) == (2, "legality")


@pytest.mark.parametrize("part", range(PARTS))
def test_both_blame_the_same_entry_of_a_damaged_log(second_verifier: SecondVerifier, part: int) -> None:
    """Faults found by only one verifier or by none are on a closed list with reasons (`agreement.py`).

    The counts are printed (`-rP`).
    """
    counts, disagreed = Counter[tuple[str, str]](), list[str]()
    for damaged in damaged_files(f"{SEED}/{part}", DAMAGED // PARTS):
        comparison = compare(verify_content(damaged.content).fault, second_verifier.examine(damaged.content).fault)
        is_whole = damaged.name.endswith("whole")
        passed = (
            matching(PASSES_BOTH, damaged.change) if is_whole else "of a redacted log: what is closed to its reader"
        )
        reason_text = f"{comparison.why} ({'whole' if is_whole else 'redacted'} log)" if comparison.why else ""
        counts[comparison.verdict, (passed or "") if comparison.verdict == "passed" else reason_text] += 1
        if comparison.verdict == "disagreed" or (comparison.verdict == "passed" and passed is None):
            disagreed.append(f"{damaged.name}: {damaged.change}: {comparison.why}")

    print("\n".join(f"{count:>6}  {verdict}: {reason}" for (verdict, reason), count in sorted(counts.items())))
    assert disagreed == []
    assert sum(count for (verdict, _), count in counts.items() if verdict == "agreed") > 0.7 * counts.total()


def damaged_proof(file: Lines, rng: Random) -> tuple[str, bytes]:
    """Change one field of a line or one byte, or move a line."""
    index, log = rng.randrange(len(file.lines)), Log(GOLDEN_LOG)
    kind = rng.randrange(4)
    if kind == 0:
        offset = rng.randrange(len(file.content))
        return f"byte {offset}", file.content[:offset] + bytes(
            [file.content[offset] ^ (1 << rng.randrange(8))]
        ) + file.content[offset + 1 :]
    if kind == 1:
        lines = list(file.lines)
        lines.insert(rng.randrange(len(lines)), lines.pop(index))
        return f"line {index} elsewhere", b"\n".join(lines) + b"\n"
    fields = msgspec.json.decode(file.lines[index])
    path = rng.choice(list(places(fields)))
    parent = parent_of(fields, path)
    parent[path[-1]] = other(parent[path[-1]], log, rng)
    return f"line {index}, {path}", file.replace_line(index, encode(fields))


@pytest.mark.parametrize("reader", ["whole", None, 0])
def test_both_refuse_a_damaged_proof(second_verifier: SecondVerifier, reader: Any) -> None:
    log = Log(GOLDEN_LOG)
    if reader != "whole":
        redact(log, reader)
    file = Lines(proof_of(parse_log(content(log)), WITNESS))
    assert (verify_content(file.content).fault, second_verifier.examine(file.content).fault) == (None, None)
    for turn in range(DAMAGED // 10):
        change, damaged = damaged_proof(file, Random(f"{SEED}/{reader}/{turn}"))
        first, fault = verify_content(damaged).fault, second_verifier.examine(damaged).fault

        assert damaged == file.content or (first is not None and fault is not None), (change, first, fault)


class FileLines(Lines):
    """Any file as lines."""

    def __init__(self, content: bytes) -> None:
        self.lines = content.split(b"\n")[:-1]


@pytest.mark.walk
def test_both_refuse_a_damaged_tournament(second_verifier: SecondVerifier) -> None:
    file = FileLines(file_of(cup().lines()))
    assert (verify_event(file.content).fault, second_verifier.examine(file.content).fault) == (None, None)
    for turn in range(DAMAGED // 3):
        change, damaged = damaged_proof(file, Random(f"{SEED}/event/{turn}"))
        first, fault = verify_event(damaged).fault, second_verifier.examine(damaged).fault

        assert damaged == file.content or (first is not None and fault is not None), (change, first, fault)
