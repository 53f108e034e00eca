"""Configuration of witnesses and of the policy that a service publishes."""

import pytest

from domain.transparency.errors import Malformed
from domain.transparency.notes import COSIGNATURE, ED25519, VerifierKey, parse_key
from domain.transparency.policy import parse_policy
from domain.transparency.witnesses import WitnessAddress, parse_quorum, parse_witnesses, service_policy

KEY = str(VerifierKey("witness.example", COSIGNATURE, b"\x02" * 32))
OTHER = str(VerifierKey("other.example", COSIGNATURE, b"\x02" * 32))
HOUSE = str(VerifierKey("house.example", ED25519, b"\x02" * 32))


def test_witnesses_are_on_lines_or_between_commas() -> None:
    expected = (WitnessAddress(KEY, "https://witness.example/w1"), WitnessAddress(OTHER, "http://[::1]:8100"))

    assert parse_witnesses(f"# ours\n\n {KEY}   https://witness.example/w1\n{OTHER} http://[::1]:8100\n") == expected
    assert parse_witnesses(f"{KEY} https://witness.example/w1, {OTHER} http://[::1]:8100,") == expected
    assert parse_witnesses("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "nonsense http://witness.example",
        f"{HOUSE} http://house.example",
        KEY,
        f"{KEY} ftp://witness.example",
        f"{KEY} https://",
        f"{KEY} http://witness.example:port",
        f"{KEY} http://[::1",
        f"{KEY} http://a.example,{KEY} http://b.example",
    ],
)
def test_invalid_configurations_are_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_witnesses(text)


@pytest.mark.parametrize(
    ("quorum", "count", "expected"),
    [
        ("majority", 1, "1 of (a.example)"),
        ("majority", 2, "2 of (a.example, b.example)"),
        ("majority", 3, "2 of (a.example, b.example, c.example)"),
        ("all", 3, "3 of (a.example, b.example, c.example)"),
        ("any", 2, "1 of (a.example, b.example)"),
        ("2", 3, "2 of (a.example, b.example, c.example)"),
        ("9", 2, "2 of (a.example, b.example)"),
        ("none", 2, "no witness"),
        ("majority", 0, "no witness"),
    ],
)
def test_a_service_publishes_how_many_witnesses_are_required(quorum: str, count: int, expected: str) -> None:
    keys = [VerifierKey(f"{name}.example", COSIGNATURE, bytes([3 + number] * 32)) for number, name in enumerate("abc")]
    witnesses = [WitnessAddress(str(key), "http://10.0.0.1") for key in keys[:count]]
    policy = service_policy(parse_key(HOUSE), witnesses, parse_quorum(quorum))

    assert policy.describe_quorum() == expected
    assert parse_policy(bytes(policy)) == policy
    assert b"10.0.0.1" not in bytes(policy)


@pytest.mark.parametrize("text", ["", "0", "-1", "two", "Majority", "1000", "1.5"])
def test_an_invalid_quorum_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="is not a quorum: expected majority, all, any, none or a number"):
        parse_quorum(text)
