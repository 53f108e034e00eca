"""Trust policies in both verifiers: the same verdict on cosignatures, and on faulty policies."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Final

import pytest

from domain.proofs.match import verify_content
from domain.proofs.match_file import proof_bytes
from domain.transparency.keys import Signer
from domain.transparency.notes import COSIGNATURE
from domain.transparency.policy import parse_policy
from tests.domain.matches.match_helpers import ALL_TITLES, toy_log
from tests.domain.proofs.match_proofs import HOUSE, proof_of
from tests.domain.transparency.test_policy import FAULTS
from tests.transparency.second import SecondVerifier

LOG: Final = toy_log()
SIGNERS: Final = [
    Signer(f"{name}.example/w", bytes([number] * 32), COSIGNATURE) for number, name in enumerate("abc", 9)
]
HEAD: Final = f"log {HOUSE.key}\n" + "".join(f"witness {each.key.name[0]} {each.key}\n" for each in SIGNERS)
RULES: Final = (
    "quorum none\n",
    "quorum b\n",
    "group g 2 a b c\nquorum g\n",
    "# nested\ngroup g\tany a b\n group h all g c\nquorum h",
)


@pytest.mark.parametrize("rule", RULES)
def test_both_decide_alike_who_must_have_cosigned(second_verifier: SecondVerifier, rule: str) -> None:
    """Every subset of three witnesses, with the same reason if it is too small."""
    policy = parse_policy((HEAD + rule).encode())
    for signers in chain.from_iterable(combinations(SIGNERS, count) for count in range(4)):
        content = proof_bytes(proof_of(LOG, *signers))
        first = verify_content(content, titles=ALL_TITLES, trust=policy)
        second = second_verifier.examine(content, HEAD + rule)

        assert first.is_good == policy.is_met([each.key for each in signers])
        assert (first.fault and first.fault.why) == (second.fault and second.fault.why)
        assert ("quorum" in second.checked_ids) == (first.is_good and "none" not in rule)


def test_both_refuse_the_same_policies(second_verifier: SecondVerifier) -> None:
    """Except bytes that are not UTF-8, which no page can send, and too long ones."""
    content = proof_bytes(proof_of(LOG))
    for text, _ in FAULTS:
        if isinstance(text, str) and 0 < len(text) < 1_000_000:
            fault = second_verifier.examine(content, f"log {HOUSE.key}\n{text}").fault
            assert fault is not None, text
            assert fault.kind == "trust", text


def test_a_list_of_keys_requires_one_of_its_witnesses(second_verifier: SecondVerifier) -> None:
    keys = "\n".join(str(each.key) for each in (HOUSE, *SIGNERS))

    assert second_verifier.examine(proof_bytes(proof_of(LOG, SIGNERS[2])), keys).fault is None
    fault = second_verifier.examine(proof_bytes(proof_of(LOG)), keys).fault
    assert fault is not None
    assert "is below the quorum: it needs a cosignature of 1 of (a.example/w, b.example/w, c.example/w)" in fault.why
