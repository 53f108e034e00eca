"""The verifiable random function: the published test vector, and laws of proofs."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.transparency.errors import FalseProof
from domain.transparency.vrf import GROUP_ORDER, OUTPUT_BYTES, PROOF_BYTES, VrfKey, output_of, verify_output

SECRET: Final = "3431c2b03533e280b23232e280b34e2c3132c2b03238e280b23131e280b34500"
PUBLIC: Final = "54136cd90d99fbd1d4e855d9556efea87ba0337f2a6ce22028d0f5726fcb854e"
TEXT: Final = b"c2sp.org/vrf-r255"
PROOF: Final = (
    "0a97d961262fb549b4175c5117860f42ae44a123f93c476c439eddd1c0cff926"
    "5c805525233e2284dbed45e593b8eea3"
    "1d5ca9734d72bcbba9738d5237f955f3b2422351149d1312503b6441a47c940c"
)
OUTPUT: Final = (
    "dd653f0879b48c3ef69e13551239bec4cbcc1c18fe8894de2e9e1c790e182736"
    "03bf1c6c25d7a797aeff3c43fd32b974d3fcbd4bcce916007097922a3ea3a794"
)
KEY: Final = VrfKey(bytes.fromhex(SECRET) + bytes(32))
OTHER: Final = VrfKey(b"\x07" * 64)


def test_the_test_vector_of_the_specification() -> None:
    """Source: https://c2sp.org/vrf-r255."""
    assert KEY.public.hex() == PUBLIC
    assert KEY.prove(TEXT).hex() == PROOF
    assert output_of(bytes.fromhex(PROOF)).hex() == OUTPUT
    assert verify_output(KEY.public, TEXT, bytes.fromhex(PROOF)).hex() == OUTPUT


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_a_proof_fits_its_text_only(text: bytes, other: bytes) -> None:
    proof = KEY.prove(text)

    assert len(proof) == PROOF_BYTES
    assert verify_output(KEY.public, text, proof) == output_of(proof) == KEY.output(text)
    if other != text:
        with pytest.raises(FalseProof):
            verify_output(KEY.public, other, proof)
        assert output_of(KEY.prove(other)) != output_of(proof)


@given(st.integers(0, PROOF_BYTES * 8 - 1))
def test_every_changed_bit_is_found(bit: int) -> None:
    changed = bytearray(KEY.prove(TEXT))
    changed[bit // 8] ^= 1 << bit % 8

    with pytest.raises(FalseProof):
        verify_output(KEY.public, TEXT, bytes(changed))


def test_a_second_form_of_a_proof_is_refused() -> None:
    proof = KEY.prove(TEXT)
    again = int.from_bytes(proof[48:], "little") + GROUP_ORDER

    with pytest.raises(FalseProof, match="malformed"):
        verify_output(KEY.public, TEXT, proof[:48] + again.to_bytes(32, "little"))


@pytest.mark.parametrize("public", [OTHER.public, bytes(32), b"\xff" * 32, b""])
def test_other_and_malformed_keys_are_refused(public: bytes) -> None:
    with pytest.raises(FalseProof):
        verify_output(public, TEXT, KEY.prove(TEXT))


@pytest.mark.parametrize("proof", [b"", bytes(PROOF_BYTES), b"\xff" * PROOF_BYTES, bytes.fromhex(PROOF)[:-1]])
def test_malformed_proofs_are_refused(proof: bytes) -> None:
    with pytest.raises(FalseProof):
        verify_output(KEY.public, TEXT, proof)


def test_a_proof_with_identities_is_refused() -> None:
    """Neither a zero challenge nor a zero answer ends in another error."""
    gamma = KEY.prove(TEXT)[:32]
    for challenge, answer in (
        (bytes(16), b"\x01" + bytes(31)),
        (b"\x01" + bytes(15), bytes(32)),
        (bytes(16), bytes(32)),
    ):
        with pytest.raises(FalseProof):
            verify_output(KEY.public, TEXT, gamma + challenge + answer)


def test_keys_are_equal_if_their_public_keys_are() -> None:
    assert KEY == VrfKey(bytes.fromhex(SECRET) + bytes(32)) != OTHER
    assert len({KEY, VrfKey(bytes.fromhex(SECRET) + bytes(32)), OTHER}) == 2
    assert KEY.public != KEY


def test_outputs_have_the_stated_length() -> None:
    assert len(output_of(KEY.prove(b""))) == OUTPUT_BYTES


def test_loading_the_library_leaves_no_file(tmp_path: Path) -> None:
    """The package writes libsodium to a temporary file at each start."""
    code = "import sys; from domain.transparency.ristretto import library; library(); print('rbcl' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], env={"TMPDIR": str(tmp_path)}, check=True, capture_output=True)

    assert (done.stdout, list(tmp_path.iterdir())) == (b"True\n", [])
