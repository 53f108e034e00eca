"""Labels of leaves: each entry and each record has one, so two leaves for the same one have the same label.

A label tells nothing without the proof of its output. Specified in `docs/specifications/transparency.md`.
"""

import hmac
from functools import lru_cache
from typing import Final
from uuid import UUID

from domain.transparency.announcements import FORMAT, FormatChanged
from domain.transparency.vrf import VrfKey

TEXT_PREFIX: Final = b"esporles.label/1\x00"
MATCH: Final = b"\x00match\x00"
RECORD: Final = b"\x00record\x00"
LABEL_BYTES: Final = 32
VERSION_BYTES: Final = 8
OUTPUTS_MAX: Final = 4_096
"""Outputs of matches and proofs of records that are kept; one is computed in 0.07 or 0.14 ms."""


def match_text(origin: str, stream: UUID) -> bytes:
    """Return the text whose output gives the labels of all entries in the stream of a match."""
    return TEXT_PREFIX + origin.encode() + MATCH + stream.bytes


def record_text(origin: str, stream: UUID, version: int) -> bytes:
    """Return the text whose output gives the label of one record."""
    return TEXT_PREFIX + origin.encode() + RECORD + stream.bytes + version.to_bytes(VERSION_BYTES, "big")


def label_from(output: bytes, version: int) -> bytes:
    """Return the label of an entry or record with this version, from the output of its text."""
    return hmac.digest(output, version.to_bytes(VERSION_BYTES, "big"), "sha256")


class Labeller:
    """Computes the labels of a tree, and proves them. `origin`: of the checkpoint when the tree got labels."""

    def __init__(self, key: VrfKey, origin: str) -> None:
        self._key, self._origin = key, origin
        self._record_proof = lru_cache(OUTPUTS_MAX)(key.prove)
        self._match_output = lru_cache(OUTPUTS_MAX)(lambda stream: key.output(match_text(origin, stream)))

    @property
    def announcement(self) -> FormatChanged:
        """The announcement of these labels."""
        return FormatChanged(FORMAT, self._origin, self._key.public.hex())

    def of_entry(self, stream: UUID, version: int) -> bytes:
        """Return the label of an entry of a match, by the stream that stores it."""
        return label_from(self._match_output(stream), version)

    def of_record(self, stream: UUID, version: int) -> bytes:
        """Return the label of a record."""
        return label_from(self._key.output(record_text(self._origin, stream, version)), version)

    def prove_match(self, stream: UUID) -> bytes:
        """Return the proof of the labels of a match."""
        return self._key.prove(match_text(self._origin, stream))

    def prove_record(self, stream: UUID, version: int) -> bytes:
        """Return the proof of the label of one record."""
        return self._record_proof(record_text(self._origin, stream, version))
