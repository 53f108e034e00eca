"""Labels: one for each entry and record, which only a proof connects with it."""

import hashlib
import hmac
from typing import Final, TypeAlias
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from domain.transparency.announcements import FormatChanged
from domain.transparency.labels import Labeller, label_from, match_text, record_text
from domain.transparency.vrf import VrfKey, verify_output

KEY: Final = VrfKey(b"\x05" * 64)
STREAM: Final = UUID("01234567-89ab-cdef-0123-456789abcdef")

origins = st.sampled_from(["house.example/tlog", "house.example", "other.example/tlog"])
Place: TypeAlias = tuple[str, str, UUID, int]
places = st.tuples(st.sampled_from("mr"), origins, st.uuids(), st.integers(1, 2**63))


def label(kind: str, origin: str, stream: UUID, version: int) -> bytes:
    labeller = Labeller(KEY, origin)
    return (labeller.of_entry if kind == "m" else labeller.of_record)(stream, version)


def test_a_label_is_computed_as_specified() -> None:
    """By the texts of `docs/specifications/transparency.md`, without code of the module."""
    version = (7).to_bytes(8, "big")
    match = b"esporles.label/1\x00house.example/tlog\x00match\x00" + STREAM.bytes
    record = b"esporles.label/1\x00house.example/tlog\x00record\x00" + STREAM.bytes + version

    for kind, text in (("m", match), ("r", record)):
        expected = hmac.new(KEY.output(text), version, hashlib.sha256).digest()
        assert label(kind, "house.example/tlog", STREAM, 7) == expected


@given(places, places)
def test_labels_are_equal_exactly_for_the_same_entry_or_record(one: Place, two: Place) -> None:
    assert (label(*one) == label(*two)) == (one == two)
    assert label(*one) == label(*one)


@given(st.uuids(), st.lists(st.integers(1, 2**63), min_size=1, max_size=5))
def test_one_proof_opens_all_entries_of_a_match(stream: UUID, versions: list[int]) -> None:
    labeller = Labeller(KEY, "house.example/tlog")
    output = verify_output(KEY.public, match_text("house.example/tlog", stream), labeller.prove_match(stream))

    assert [label_from(output, each) for each in versions] == [labeller.of_entry(stream, each) for each in versions]


def test_a_proof_of_a_record_opens_no_other_record_of_its_stream() -> None:
    """Otherwise readers of one event could follow the roles and keys of a server for ever."""
    labeller = Labeller(KEY, "house.example/tlog")
    text = record_text("house.example/tlog", STREAM, 7)
    output = verify_output(KEY.public, text, labeller.prove_record(STREAM, 7))

    assert label_from(output, 7) == labeller.of_record(STREAM, 7)
    assert label_from(output, 8) != labeller.of_record(STREAM, 8)


def test_labels_are_announced_with_origin_and_key() -> None:
    assert Labeller(KEY, "house.example/tlog").announcement == FormatChanged(2, "house.example/tlog", KEY.public.hex())
