"""Configuration of witnesses."""

import pytest

from domain.transparency.errors import Malformed
from domain.transparency.notes import COSIGNATURE, ED25519, VerifierKey
from domain.transparency.witnesses import WitnessAddress, parse_witnesses

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
