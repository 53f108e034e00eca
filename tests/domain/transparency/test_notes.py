"""Signed notes, checkpoints and cosignatures: published test vectors and refusals."""

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.ed25519 import SMALL_ORDER
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.keys import (
    SKEW_SECONDS,
    TIME,
    FormerKey,
    Signer,
    cosignature_seconds,
    cosignature_times,
    is_signed,
    signatures_of,
)
from domain.transparency.notes import (
    COSIGNATURE,
    ED25519,
    Note,
    Signature,
    VerifierKey,
    parse_key,
    parse_keys,
    parse_note,
    parse_signatures,
)
from tests.domain.transparency.trees import plain

PETER: Final = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_SEED: Final = plain("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
ENOCH: Final = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT: Final = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETERS: Final = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ENOCHS: Final = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"
)
"""Keys, text and signatures of golang.org/x/mod, sumdb/note/note_test.go."""

FOO: Final = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
FOOS: Final = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
"""The example of C2SP signed-note."""

GO: Final = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
GOS: Final = (
    "go.sum database tree\n35225469\nvt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n\n"
    "— sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=\n"
)
"""A checkpoint of the Go checksum database, from the tests of FiloSottile/torchwood."""

SIGNER: Final = Signer("house.example/tlog", b"\x01" * 32)
WITNESS: Final = Signer("witness.example/w1", b"\x02" * 32, COSIGNATURE)
ROOT: Final = b"\x09" * 32
CHECKPOINT: Final = Checkpoint("house.example/tlog", 17, ROOT)


@pytest.mark.parametrize(("key", "note"), [(FOO, FOOS), (GO, GOS), (PETER, f"{TEXT}\n{PETERS}{ENOCHS}")])
def test_published_notes_verify(key: str, note: str) -> None:
    parsed = parse_note(note.encode())

    assert str(parsed) == note
    assert [each.name for each in signatures_of(parsed, [parse_key(key)])] == [parse_key(key).name]
    assert str(parse_key(key)) == key


def test_our_signatures_equal_published_ones() -> None:
    signer = Signer("PeterNeumann", PETER_SEED)

    assert str(signer.key) == PETER
    assert str(Note(TEXT, (signer.sign(TEXT),))) == f"{TEXT}\n{PETERS}"


def test_each_known_key_is_found_once_and_unknown_keys_are_ignored() -> None:
    broken = ENOCHS[:60] + "ABCD" + ENOCHS[60:]
    note = parse_note(f"{TEXT}\n{PETERS}{PETERS}{broken}{ENOCHS}".encode())

    assert len(signatures_of(note, [parse_key(PETER)])) == 1
    with pytest.raises(NotSigned, match="invalid signature of EnochRoot"):
        signatures_of(note, [parse_key(PETER), parse_key(ENOCH)])
    with pytest.raises(NotSigned, match="not signed with a known key"):
        signatures_of(note, [SIGNER.key])


@pytest.mark.parametrize(
    "note",
    [
        "",
        TEXT,
        f"{TEXT}\n",
        f"{TEXT}\n{PETERS[:-1]}",
        f"\x01{TEXT}\n{PETERS}",
        f"{TEXT}\n— Bad Name {PETERS.split()[2]}\n",
        f"{TEXT}\n— Bad+Name {PETERS.split()[2]}\n",
        f"{TEXT}\n— Bad\u00a0Name {PETERS.split()[2]}\n",
        f"{TEXT}\n—  {PETERS.split()[2]}\n",
        f"{TEXT}\n{PETERS}Unexpected line.\n",
        f"{TEXT}\n{PETERS * 101}",
        f"{TEXT}\n— PeterNeumann x08go/Z\n",
        f"{TEXT}\n— PeterNeumann x08goA==\n",
        f"{TEXT}\n— PeterNeumann x08gox\n",
        f"{TEXT}\n— PeterNeumann x08göo/Z=\n",
        f"{TEXT}\n— PeterNeumann x08gpB==\n",
        f"{TEXT}\n— PeterNeumann\n",
    ],
)
def test_malformed_notes_are_refused(note: str) -> None:
    with pytest.raises(Malformed):
        parse_note(note.encode())


def test_invalid_utf_8_is_refused() -> None:
    with pytest.raises(Malformed):
        parse_note(b"\xff" + f"{TEXT}\n{PETERS}".encode())


def test_huge_notes_are_refused() -> None:
    for huge in ("\n" * 10_000_000, "— " * 499_000, f"{TEXT}\n" + "— a AAAAAAA=\n" * 70_000, "\n\n" * 400_000):
        with pytest.raises(Malformed):
            parse_note(huge.encode())


@pytest.mark.parametrize("begin", range(0, len(PETER), 7))
def test_altered_keys_are_refused(begin: int) -> None:
    """As in golang.org/x/mod: no part of a key, and no key with a character incremented."""
    pieces = [PETER[begin:end] for end in range(begin, len(PETER) + 1) if (begin, end) != (0, len(PETER))]
    changed = [PETER[:at] + chr(ord(PETER[at]) + 1) + PETER[at + 1 :] for at in range(begin, len(PETER), 7)]

    for wrong in [*pieces, *changed]:
        with pytest.raises(Malformed):
            parse_key(wrong)


@pytest.mark.parametrize(
    "key",
    [
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_keys_of_another_length_type_or_name_are_refused(key: str) -> None:
    with pytest.raises(Malformed):
        parse_key(key)


def test_a_key_of_the_wrong_type_is_refused() -> None:
    assert parse_key(PETER, [ED25519]).kind == ED25519
    with pytest.raises(Malformed):
        parse_key(PETER, [COSIGNATURE])


@given(st.integers(0, len(CHECKPOINT.text.encode()) - 1), st.integers(0, 7))
def test_a_changed_bit_of_the_text_is_found(at: int, bit: int) -> None:
    data = CHECKPOINT.text.encode()
    changed = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
    text = changed.decode(errors="replace")

    assert not is_signed(SIGNER.key, text, SIGNER.sign(CHECKPOINT.text))
    assert not is_signed(WITNESS.key, text, WITNESS.cosign(CHECKPOINT.text, 1))


@given(st.data())
def test_a_changed_bit_of_the_signature_is_found(data: st.DataObject) -> None:
    for key, signature in (
        (SIGNER.key, SIGNER.sign(CHECKPOINT.text)),
        (WITNESS.key, WITNESS.cosign(CHECKPOINT.text, 1_700_000_000)),
    ):
        at = data.draw(st.integers(0, len(signature.signature) - 1))
        changed = bytearray(signature.signature)
        changed[at] ^= 1 << data.draw(st.integers(0, 7))

        assert is_signed(key, CHECKPOINT.text, signature)
        assert not is_signed(key, CHECKPOINT.text, signature._replace(signature=bytes(changed)))


def test_a_cosignature_covers_the_message_of_the_specification() -> None:
    """C2SP tlog-cosignature: its message, signed by the same key as a plain note."""
    message = "cosignature/v1\ntime 1679315147\n" + CHECKPOINT.text
    cosigned = WITNESS.cosign(CHECKPOINT.text, 1_679_315_147)

    assert cosigned.signature[:8] == bytes.fromhex("00000000641850cb")
    assert cosigned.signature[8:] == Signer("anybody", b"\x02" * 32).sign(message).signature
    assert cosignature_seconds(cosigned) == 1_679_315_147
    assert str(WITNESS.key).split("+")[1] == cosigned.key_id.hex()


def test_a_signature_by_another_key_is_refused() -> None:
    assert not is_signed(WITNESS.key, CHECKPOINT.text, SIGNER.sign(CHECKPOINT.text))


def test_the_newest_valid_cosignature_of_a_witness_counts_unless_it_is_from_the_future() -> None:
    """A cosignature of next year would look new for ever."""
    other = Signer("other.example/w", b"\x09" * 32, COSIGNATURE)
    cosigned = [WITNESS.cosign(CHECKPOINT.text, seconds) for seconds in (1_000, 3_000, 2_000, 9_000)]
    false = cosigned[1]._replace(signature=cosigned[0].signature[:-1] + b"\x00")
    note = Note(CHECKPOINT.text, (SIGNER.sign(CHECKPOINT.text), false, *cosigned))

    assert cosignature_times(note, [WITNESS.key, other.key], 4_000) == {WITNESS.key: 3_000}
    assert cosignature_times(note, [WITNESS.key], 9_000 - SKEW_SECONDS) == {WITNESS.key: 9_000}
    assert cosignature_times(note, [other.key], 4_000) == {}


def test_truncated_and_untimed_cosignatures_are_refused() -> None:
    cosigned = WITNESS.cosign(CHECKPOINT.text, 2**63)
    short = Signature(cosigned.name, cosigned.key_id, b"\x00" * 7)

    assert not is_signed(WITNESS.key, CHECKPOINT.text, cosigned)
    assert not is_signed(WITNESS.key, CHECKPOINT.text, short)
    assert not is_signed(WITNESS.key, CHECKPOINT.text, cosigned._replace(signature=TIME.pack(1)))


def test_a_checkpoint_has_three_lines() -> None:
    assert CHECKPOINT.text == "house.example/tlog\n17\nCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=\n"
    assert parse_checkpoint(CHECKPOINT.text) == CHECKPOINT
    more = CHECKPOINT._replace(extensions=("more", "and more"))
    assert parse_checkpoint(more.text) == more


HASH: Final = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n1\n",
        f"a\n1\n{HASH}",
        f"\n1\n{HASH}\n",
        f"a\n01\n{HASH}\n",
        f"a\n-1\n{HASH}\n",
        f"a\n+1\n{HASH}\n",
        f"a\n1_0\n{HASH}\n",
        f"a\n{2**63}\n{HASH}\n",
        f"a\n{'9' * 1_000}\n{HASH}\n",
        f"a\n１\n{HASH}\n",
        "a\n1\nCQkJ\n",
        f"a\n1\n{HASH[:-1]}\n",
        f"a\n1\n{HASH}\n\nx\n",
    ],
)
def test_malformed_checkpoints_are_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_checkpoint(text)


def test_signature_lines_are_parsed_alone() -> None:
    cosigned = WITNESS.cosign(CHECKPOINT.text, 5)

    assert parse_signatures(cosigned.line) == (cosigned,)
    for wrong in ("", "\n", cosigned.line[:-1], "x" + cosigned.line):
        with pytest.raises(Malformed):
            parse_signatures(wrong)


def test_a_key_has_its_name_in_its_id() -> None:
    assert VerifierKey("a", ED25519, ROOT).key_id != VerifierKey("b", ED25519, ROOT).key_id
    assert VerifierKey("a", ED25519, ROOT).key_id != VerifierKey("a", COSIGNATURE, ROOT).key_id


def test_keys_are_on_one_line_each() -> None:
    service_key, witness = Signer("house.example/tlog", bytes(32)).key, Signer("club", bytes(32), COSIGNATURE).key

    assert parse_keys(f"# ours\n{service_key}\n\n  {witness}  \n{service_key}\n") == (service_key, witness)
    for text, expected in (("# nobody\n", "there is no verifier key"), (f"{service_key}\nx", "is not a verifier key")):
        with pytest.raises(Malformed, match=expected):
            parse_keys(text)


@pytest.mark.parametrize("public", sorted(SMALL_ORDER))
def test_weak_verifier_keys_are_refused(public: bytes) -> None:
    key = VerifierKey("witness.example", COSIGNATURE, public)

    with pytest.raises(
        Malformed, match=r"the verifier key of 'witness\.example' is weak: it is a point of small order"
    ):
        parse_key(str(key))


def test_the_former_key_signs_until_the_end_of_the_overlap() -> None:
    signer, until = Signer("log.example/tlog", b"\x01" * 32), datetime(2030, 1, 31, tzinfo=UTC)
    former = FormerKey(signer, until)

    assert former.sign("text\n", until - timedelta(seconds=1)) == signer.sign("text\n")
    assert former.sign("text\n", until) is None
