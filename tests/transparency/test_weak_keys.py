"""With a key of small order one constant signature fits many acts. Both verifiers refuse such keys."""

from pathlib import Path
from typing import Any, Final

import pytest

from domain.kernel.ed25519 import SMALL_ORDER
from domain.proofs.match import verify_content
from tests.transparency.logs import Body, Log, content, rechain
from tests.transparency.second import SecondVerifier

SIGNED: Final = Path("tests/golden/la_granja-signed.jsonl")
NEUTRAL: Final = "01" + "00" * 31
CONSTANT: Final = NEUTRAL + "00" * 32
"""With the neutral point as the key, this signature fits every text."""


def forge(log: Log, *, seats: str = "", service: str = "") -> bytes:
    """Return the log until the first hidden act, with these keys and the constant signature of each."""
    end = next(index for index, entry in enumerate(log.entries) if "hiddenAct" in entry["body"])
    log.entries[end:] = []
    for index in range(end):
        body = log.body(index)
        key = service if body.get("by") == "service" else seats
        if body["type"] == "match_opened":
            body["house"] = service or body["house"]
        if body.get("keys"):
            body["keys"] = [{"key": seats}]
        if body["type"] == "key_named":
            body["key"] = {"key": seats}
        if "signed" in body:
            body["signed"] = sign_constantly(body["signed"], key)
    rechain(log)
    return content(log)


def sign_constantly(signed: Body, key: str) -> dict[str, Any]:
    return signed | {"key": key, "signature": CONSTANT}


@pytest.mark.parametrize("key", sorted(each.hex() for each in SMALL_ORDER))
def test_a_seat_with_a_key_of_small_order_is_refused(second_verifier: SecondVerifier, key: str) -> None:
    log = Log(SIGNED.read_bytes())
    taken = next(index for index in log.indices("seat_taken") if log.body(index).get("keys"))
    forged = forge(log, seats=key)
    first, other = verify_content(forged).fault, second_verifier.examine(forged).fault

    assert first is not None
    assert other is not None
    assert (first.entry, other.entry) == (taken + 1, taken + 1)
    assert f"the key {key} is weak" in first.why


def test_a_service_with_a_key_of_small_order_is_refused(second_verifier: SecondVerifier) -> None:
    forged = forge(Log(SIGNED.read_bytes()), seats="ab" * 32, service=NEUTRAL)
    first, other = verify_content(forged).fault, second_verifier.examine(forged).fault

    assert first is not None
    assert other is not None
    assert (first.entry, other.entry) == (1, 1)
