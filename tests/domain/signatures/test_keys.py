"""Keys and signatures, with the example of docs/specifications/signatures.md."""

from typing import Final
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.ed25519 import SMALL_ORDER
from domain.kernel.values import replace
from domain.signatures.acts import SignedAct
from domain.signatures.errors import SignatureFault
from domain.signatures.keys import KEYS_MAX, NamedKey, check_keys, vouching_text

PRIVATE: Final = Ed25519PrivateKey.from_private_bytes(b"\x09" * 32)
KEY: Final = "fd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618"
OTHER: Final = "43a72e714401762df66b68c26dfbdf2682aaec9f2474eca4613e424a0fbafd3c"
VOUCHING: Final = (
    "2007e300a489046fc199d09795b02c9cf8101499edf7106689a493be2b4a8edf"
    "bc3767c89087539e3498abdb65642916569058417fde076dc4d41959bf7ad30f"
)
RESIGNED: Final = SignedAct(
    match_id=UUID(int=1),
    version=7,
    digest=b"\x07" * 32,
    act=b'{"type":"resigned","seat":0,"by":"anna"}',
    key=KEY,
    signature="ebea0f43345c9a2d32a2737564eabef93339c2a3629ff0f02005ced210c6fccc"
    "cb30e830792fbc7a9aac63ab53534a9ab99288db779f3f9480ddf20c9191cb03",
)


def make_public_key(number: int) -> str:
    return Ed25519PrivateKey.from_private_bytes(number.to_bytes(32, "big")).public_key().public_bytes_raw().hex()


def test_the_example_of_the_specification() -> None:
    RESIGNED.check()
    assert PRIVATE.sign(vouching_text(OTHER, "anna")).hex() == VOUCHING
    check_keys((NamedKey(KEY), NamedKey(OTHER, KEY, VOUCHING)), "anna")


@given(st.sampled_from(["match_id", "version", "digest", "act", "key", "signature"]), st.data())
def test_a_signature_covers_every_field(name: str, data: st.DataObject) -> None:
    """Another match, version, digest or act, or a key or signature that differs in a bit, is refused."""
    values = dict(vars(RESIGNED))
    was = values[name]
    if isinstance(was, UUID):
        values[name] = UUID(int=2)
    elif isinstance(was, int):
        values[name] = was + 1
    else:
        raw = bytes.fromhex(was) if isinstance(was, str) else was
        index = data.draw(st.integers(0, len(raw) * 8 - 1))
        changed = bytearray(raw)
        changed[index // 8] ^= 1 << index % 8
        values[name] = bytes(changed).hex() if isinstance(was, str) else bytes(changed)

    with pytest.raises(SignatureFault):
        SignedAct(**values).check()


@pytest.mark.parametrize("name", ["key", "signature"])
@pytest.mark.parametrize("value", ["", "ab", "zz" * 32, KEY.upper(), "0" * 128 + "\n"])
def test_malformed_keys_and_signatures_are_named(name: str, value: str) -> None:
    with pytest.raises(SignatureFault, match="digits"):
        SignedAct(**{**vars(RESIGNED), name: value}).check()


def test_a_key_vouches_only_for_later_keys_of_the_same_person() -> None:
    for keys, person in (
        ((NamedKey(OTHER, KEY, VOUCHING), NamedKey(KEY)), "anna"),
        ((NamedKey(KEY), NamedKey(OTHER, KEY, VOUCHING)), "berta"),
        ((NamedKey(KEY), NamedKey(make_public_key(5), KEY, VOUCHING)), "anna"),
        ((NamedKey(KEY), NamedKey(OTHER, "", VOUCHING)), "anna"),
        ((NamedKey(KEY), NamedKey(KEY)), "anna"),
    ):
        with pytest.raises(SignatureFault):
            check_keys(keys, person)


def test_the_number_of_keys_is_limited() -> None:
    keys = tuple(NamedKey(make_public_key(number)) for number in range(1, KEYS_MAX + 2))

    check_keys(keys[:KEYS_MAX], "anna")
    with pytest.raises(SignatureFault, match="at most 16"):
        check_keys(keys, "anna")


def test_a_key_outside_of_the_curve_verifies_nothing() -> None:
    with pytest.raises(SignatureFault, match="does not match the key"):
        SignedAct(**{**vars(RESIGNED), "key": "02" + "0" * 62}).check()
    assert replace(NamedKey(KEY), by="") == NamedKey(KEY)


@pytest.mark.parametrize("weak", [*sorted(each.hex() for each in SMALL_ORDER), "ee" + "ff" * 30 + "7f"])
def test_a_weak_key_is_refused_when_it_is_named_and_when_it_signs(weak: str) -> None:
    with pytest.raises(SignatureFault, match=f"the key {weak} is weak: it is"):
        check_keys((NamedKey(weak),), "anna")
    with pytest.raises(SignatureFault, match=f"the key {weak} is weak: it is"):
        SignedAct(**(vars(RESIGNED) | {"key": weak})).check()
