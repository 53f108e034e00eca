"""The second verifier alone: hostile files, proofs, examples of the documents, size and imports."""

from __future__ import annotations

import re
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from api.transparency.verifier_pages import EXPORT, IMPORT, MODULES, bundle_script
from domain.matches.log.log_files import parse_log
from domain.proofs.match_file import proof_bytes
from domain.transparency.keys import Signer
from tests.domain.matches.match_helpers import toy_log
from tests.domain.proofs.match_proofs import HOUSE, STRANGER, WITNESS, Lines, proof_of
from tests.transparency.damaged import GOLDEN, PLAYED
from tests.transparency.logs import Log, content, redact
from tests.transparency.second import HOSTILE, NODE, SECONDS_MAX, SecondVerifier

LINES_MAX: Final = 2700
"""Covers three log formats, three of proofs with labels, declared absences, standings, ratings and clocks;
reviewers read every line.
"""
FILE_LINES_MAX: Final = 400
PROOF: Final = proof_of(toy_log(), WITNESS)
FILE: Final = Lines(PROOF)
COUNT: Final = PROOF.log.header.entries


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_file_is_rejected_with_a_reason(second_verifier: SecondVerifier, name: str) -> None:
    report = second_verifier.examine(HOSTILE[name]())

    assert report.fault is not None
    assert 0 < len(report.fault.why) < 400
    assert report.seconds < SECONDS_MAX


def code_lines(path: Path) -> int:
    """Return the number of lines that are neither empty nor comments."""
    lines = (line.strip() for line in path.read_text().splitlines())
    return sum(1 for line in lines if line and not line.startswith("//"))


def test_the_verifier_is_small_and_has_no_dependencies() -> None:
    assert sum(code_lines(path) for path in MODULES.glob("*.js")) < LINES_MAX
    assert max(len(path.read_text().splitlines()) for path in MODULES.glob("*.js")) < FILE_LINES_MAX
    for path in MODULES.glob("*.js"):
        imported = re.findall(r'(?:from |import\()"([^"]+)"', path.read_text())
        assert all(re.fullmatch(r"\./\w+\.js|\./vendor/[\w.-]+\.min\.js", each) for each in imported), path.name


def test_the_one_file_is_a_script_that_imports_nothing(tmp_path: Path) -> None:
    script = bundle_script()
    path = tmp_path / "verifier.js"
    path.write_text(script)

    assert not re.search(r"^(import|export)\b|import\(", script, re.MULTILINE)
    subprocess.run([NODE, "--check", path], check=True)


def test_the_one_file_gives_every_module_what_it_asks_for() -> None:
    """The second constant of a declaration is exported in the browser, but would be missing in the single file."""
    texts = {path.stem: path.read_text() for path in MODULES.glob("*.js")}
    exported = {name: {match[2] for match in EXPORT.finditer(text)} for name, text in texts.items()}
    imported = {
        (name, match[2], each.strip())
        for name, text in texts.items()
        for match in IMPORT.finditer(text)
        for each in match[1].strip("{} ").split(",")
    }

    assert {(name, of, each) for name, of, each in imported if each not in exported[of]} == set()
    assert len(imported) > 50


def test_a_proof_is_examined_with_its_signatures(second_verifier: SecondVerifier) -> None:
    report = second_verifier.examine(FILE.content)

    assert report.fault is None
    assert {"house_signed", "cosigned", "included", "chain", "draws"} <= report.checked_ids
    assert {"no_trust", "legality"} <= report.unchecked_ids
    assert "no_proof" not in report.unchecked_ids
    trusted = second_verifier.examine(FILE.content, f"# ours\n{HOUSE.key}\n{WITNESS.key}")
    assert not {"no_trust", "stranger", "no_witness"} & trusted.unchecked_ids


def test_untrusted_keys_are_reported_separately_from_faults(second_verifier: SecondVerifier) -> None:
    content = proof_bytes(proof_of(toy_log(), STRANGER))
    untrusted = second_verifier.examine(content, f"log {HOUSE.key}\nwitness w {WITNESS.key}\nquorum none")
    assert untrusted.fault is None
    assert {"stranger", "not_cosigned", "no_witness"} <= untrusted.unchecked_ids
    foreign = second_verifier.examine(FILE.content, str(WITNESS.key))
    assert foreign.fault is not None
    assert "is not trusted" in foreign.fault.why


@pytest.mark.parametrize("path", PLAYED[::5], ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("reader", ["whole", None, 0])
def test_proofs_of_whole_and_of_redacted_logs_are_good(
    second_verifier: SecondVerifier, path: Path, reader: Any
) -> None:
    log = Log(path.read_bytes())
    if reader != "whole":
        redact(log, reader)
    report = second_verifier.examine(proof_bytes(proof_of(parse_log(content(log)), WITNESS)))

    assert report.fault is None, report.fault
    assert "included" in report.checked_ids


DAMAGED_PROOFS: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "another salt": (COUNT + 2, {"salt": "06" * 16}),
    "a salt that is none": (COUNT + 2, {"salt": "0A" * 16}),
    "a place outside": (COUNT + 2, {"leaf": 10**12}),
    "another place": (COUNT + 2, {"leaf": 0}),
    "another version": (COUNT + 2, {"version": 2}),
    "another stream": (COUNT + 2, {"stream": "00000000-0000-0000-0000-000000000000"}),
    "another size": (0, {"size": 7}),
    "another origin": (0, {"origin": "other"}),
    "another head": (0, {"head": "00" * 32}),
    "another count": (0, {"entries": COUNT - 1}),
    "a hash too few": (-1, {"hashes": msgspec.json.decode(FILE.lines[-1])["hashes"][1:]}),
    "a hash too many": (-1, {"hashes": [*msgspec.json.decode(FILE.lines[-1])["hashes"], "00" * 32]}),
    "no keys": (-1, {"keys": []}),
    "keys turned round": (-1, {"keys": msgspec.json.decode(FILE.lines[-1])["keys"][::-1]}),
    "no checkpoint": (-1, {"checkpoint": "x"}),
}


@pytest.mark.parametrize("name", sorted(DAMAGED_PROOFS))
def test_a_damaged_proof_is_false(second_verifier: SecondVerifier, name: str) -> None:
    index, fields = DAMAGED_PROOFS[name]
    report = second_verifier.examine(FILE.change_line(index, **fields))

    assert report.fault is not None
    assert report.fault.kind == "proof"


def test_false_signatures_are_found(second_verifier: SecondVerifier) -> None:
    end = msgspec.json.decode(FILE.lines[-1])
    lines = end["checkpoint"].split("\n")
    for line in (4, 5):
        mark, name, signature = lines[line].split(" ")
        changed_letter = "A" if signature[-10] != "A" else "B"
        forged_line = " ".join((mark, name, signature[:-10] + changed_letter + signature[-9:]))
        checkpoint = "\n".join([*lines[:line], forged_line, *lines[line + 1 :]])
        report = second_verifier.examine(FILE.change_line(-1, checkpoint=checkpoint))
        assert report.fault is not None
        assert "on the checkpoint is invalid" in report.fault.why


def test_every_changed_byte_of_a_proof_is_found(second_verifier: SecondVerifier) -> None:
    for offset in range(0, len(FILE.content), 211):
        changed = bytearray(FILE.content)
        changed[offset] ^= 1
        assert second_verifier.examine(bytes(changed)).fault is not None, offset


def test_the_result_as_it_counts_is_told_beside_the_played_one(second_verifier: SecondVerifier) -> None:
    report = second_verifier.examine((GOLDEN / "el_grande-ruled.jsonl").read_bytes())

    assert report.played == {"scores": [9, 5, 5], "ranking": [1, 2, 2]}
    assert report.counted == {"scores": [9, 2, 4], "ranking": [1, 3, 2]}
    assert "ungranted" in report.unchecked_ids


def test_signatures_are_examined_and_held_against_the_key_of_the_house(second_verifier: SecondVerifier) -> None:
    log = parse_log((GOLDEN / "la_granja-signed.jsonl").read_bytes())
    own = Signer("signing.example", sha256(b"pen house").digest())
    for signer, is_other in ((own, False), (HOUSE, True)):
        report = second_verifier.examine(proof_bytes(proof_of(log, WITNESS, house=signer)))

        assert report.fault is None, report.fault
        assert {"signatures", "house_signed"} <= report.checked_ids
        assert ("other_house" in report.unchecked_ids) == is_other
        assert {"unsigned", "by_sign_in"} <= report.unchecked_ids


def test_the_source_of_luck_is_reported(second_verifier: SecondVerifier) -> None:
    with_own_luck = second_verifier.examine((GOLDEN / "el_grande-own-luck.jsonl").read_bytes())
    with_server_luck = second_verifier.examine((GOLDEN / "el_grande-2-eager-0.jsonl").read_bytes())

    assert (with_own_luck.own_luck, "house_luck" in with_own_luck.unchecked_ids) == ([0, 2], False)
    assert (with_server_luck.own_luck, "house_luck" in with_server_luck.unchecked_ids) == ([], True)
