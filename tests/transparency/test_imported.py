"""Proofs of imported matches: both verifiers say which entries were not played on the server of the proof."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from domain.matches.log.log_files import read_log
from domain.proofs.match import verify_content
from domain.proofs.match_file import ProofFile, proof_bytes
from domain.transparency.keys import Signer
from tests.domain.proofs.match_proofs import WITNESS, proof_of
from tests.golden.rulings import HOUSE_PEN
from tests.transparency.damaged import GOLDEN
from tests.transparency.second import SecondVerifier

SIGNED: Final = read_log(GOLDEN / "format-3" / "el_grande-signed.jsonl")
UNSIGNED: Final = read_log(GOLDEN / "format-3" / "el_grande-forked.jsonl")
OPENER: Final = Signer("opener.example/tlog", sha256(b"pen house").digest())
"""The server that opened `SIGNED`."""
IDS: Final = ("imported", "imported_prefix", "unnamed_origin")


def findings(second_verifier: SecondVerifier, proof: ProofFile) -> tuple[list[str], list[tuple[str, Any]]]:
    """Return the findings of each verifier about the place where the match was played."""
    content = proof_bytes(proof)
    first, second = verify_content(content), second_verifier.examine(content)
    assert (first.fault, second.fault) == (None, None)
    told = [each for each in first.unchecked if each.startswith("where it was played")]
    return told, [(each["id"], each["values"]) for each in second.unchecked if each["id"] in IDS]


def test_a_match_of_this_server_is_no_import(second_verifier: SecondVerifier) -> None:
    assert OPENER.key.public.hex() == HOUSE_PEN.key
    assert findings(second_verifier, proof_of(SIGNED, WITNESS, house=OPENER)) == ([], [])


def test_an_imported_match_names_the_entries_that_were_played_elsewhere(second_verifier: SecondVerifier) -> None:
    told, listed = findings(second_verifier, proof_of(SIGNED, WITNESS))
    last = SIGNED.header.entries

    (claim,) = told
    assert f"the service with the key {HOUSE_PEN.key} opened it, so entries 1 to {last} were not played" in claim
    assert listed == [("imported", {"last": last})]


def test_a_log_without_a_server_may_have_been_imported(second_verifier: SecondVerifier) -> None:
    """So may a fork whose parent the server lacks: its shared entries are in the fork's own stream."""
    own = UNSIGNED.header.match
    shared = [entry.version for entry in UNSIGNED.entries if entry.originator_id != own]
    told, listed = findings(second_verifier, proof_of(UNSIGNED, of=dict.fromkeys(shared, own)))

    assert [each.split(": ")[1].split(",")[0] for each in told] == [
        f"entries 1 to {len(shared)}",
        "the opening names no service",
    ]
    assert listed == [("imported_prefix", {"last": len(shared)}), ("unnamed_origin", {})]
