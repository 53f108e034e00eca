"""Log entries: sealing facts, chaining digests, redaction (specification: `docs/specifications/log.md`)."""

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, Literal, Protocol
from uuid import UUID

import msgspec

from domain.kernel.chance import hkdf_expand
from domain.kernel.hidden import Hidden, Sealed
from domain.kernel.values import Value, replace
from domain.matches.errors import LogFault
from domain.matches.facts import Fact

DIGEST_PREFIX: Final = b"esporles.entry/1\x00"
NO_DIGEST: Final = bytes(32)
"""`previous` of the first entry of a chain."""

ALL: Final = "all"
Reader = int | None | Literal["all"]
"""Reader of a log: a seat, `None` for a spectator, `ALL` for a reader without restrictions."""

HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Opening(Value, frozen=True):
    """The opening of a commitment: SHA-256(salt bytes ‖ JSON bytes of the value), all in hex."""

    commitment: str
    salt: str
    value: msgspec.Raw


class Entry(Value, frozen=True, kw_only=True, dict=True, gc=True):
    """A stored entry of a match log; `originator_*` are names of the eventsourcing library.

    `stream` is the line under which the store keeps the entry if that is not its own match: the shared prefix of an
    imported fork whose parent is not in the store. The cached digest is not a field, so `replace` does not copy it.
    """

    originator_id: UUID
    originator_version: int
    timestamp: datetime
    previous: bytes
    body: msgspec.Raw
    secrets: tuple[Opening, ...] = ()
    stream: UUID | None = None

    @property
    def version(self) -> int:
        """The position of the entry in its line, from 1."""
        return self.originator_version

    @property
    def line_id(self) -> UUID:
        """The id of the line under which the store keeps this entry."""
        return self.originator_id if self.stream is None else self.stream

    @property
    def digest(self) -> bytes:
        """The digest of the entry, cached."""
        # `cached_property` without its lock: two threads compute the same value.
        cache = self.__dict__
        if "digest" not in cache:
            cache["digest"] = chained_digest(DIGEST_PREFIX, self)
        value: bytes = cache["digest"]
        return value


class TaggedBody(msgspec.Struct, frozen=True):
    """The type, title and format of a body, decoded without the types of its title."""

    type: str
    title: str = ""
    format: int = 1


def microseconds(moment: datetime) -> int:
    """Return whole microseconds since 1970, computed without floats."""
    elapsed = moment - EPOCH
    return (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000 + elapsed.microseconds


class Chained(Protocol):
    """An entry of a match or a record of another stream."""

    @property
    def originator_id(self) -> UUID:
        """The id of the stream."""
        ...

    @property
    def originator_version(self) -> int:
        """The position in the stream, from 1."""
        ...

    @property
    def timestamp(self) -> datetime:
        """The time of the append."""
        ...

    @property
    def previous(self) -> bytes:
        """The digest of the previous item."""
        ...

    @property
    def body(self) -> msgspec.Raw:
        """The JSON bytes of the fact."""
        ...


def chained_digest(prefix: bytes, link: Chained) -> bytes:
    """Return SHA-256 over prefix, stream id, version, time (microseconds), previous digest and stored body bytes."""
    header = b"".join(
        (
            prefix,
            link.originator_id.bytes,
            link.originator_version.to_bytes(8, "big"),
            microseconds(link.timestamp).to_bytes(8, "big", signed=True),
            link.previous,
        )
    )
    hasher = hashlib.sha256(header)
    hasher.update(link.body)
    return hasher.digest()


def digest(entry: Entry) -> bytes:
    """Return the digest of an entry, which the next entry has as `previous`."""
    return entry.digest


def commitment(salt: bytes, value: bytes) -> str:
    """Return the commitment to a salted value: SHA-256 in hex."""
    return hashlib.sha256(salt + value).hexdigest()


def salt_for(seed: bytes, match_id: UUID, version: int, index: int) -> bytes:
    """Derive the salt of the `index`-th hidden value of an entry from the server seed."""
    info = b"salt/" + match_id.bytes + version.to_bytes(8, "big") + index.to_bytes(4, "big")
    return hkdf_expand(seed, info)


def share_for(seed: bytes, match_id: UUID, version: int, seat: int) -> bytes:
    """Derive the service's share for a seat; in format 1 `version` is the version of `seat_taken`."""
    info = b"share/" + match_id.bytes + version.to_bytes(8, "big") + seat.to_bytes(4, "big")
    return hkdf_expand(seed, info)


def write_sealed(value: object) -> Sealed:
    """Return the encoding of a hidden value that already has a commitment."""
    assert isinstance(value, Hidden), f"{type(value).__name__} has no place in a fact"
    assert value.commitment is not None
    return Sealed(value.commitment, value.audience)


CANONICAL: Final = msgspec.json.Encoder(order="deterministic")
FACTS: Final = msgspec.json.Encoder(enc_hook=write_sealed, order="deterministic")


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a hidden value, with sorted keys."""
    return CANONICAL.encode(value)


def encode_fact(fact: Fact) -> bytes:
    """Return the canonical bytes of a fact whose hidden values are already sealed."""
    return FACTS.encode(fact)


def seal(
    fact: Fact, *, match_id: UUID, version: int, previous: bytes, timestamp: datetime, seed: bytes | None
) -> Entry:
    """Seal a fact into an entry, with salted commitments in place of hidden values and openings outside the body.

    A hidden value that is unknown keeps its commitment. `seed` is required if any value is known.
    """
    openings: list[Opening] = []

    def seal_value(value: object) -> Sealed:
        assert isinstance(value, Hidden), f"{type(value).__name__} has no place in a fact"
        if not value.is_known:
            assert value.commitment is not None
            return Sealed(value.commitment, value.audience)
        assert seed is not None, "sealing needs the server seed"
        salt = salt_for(seed, match_id, version, len(openings))
        raw = canonical(value.value)
        openings.append(Opening(commitment(salt, raw), salt.hex(), msgspec.Raw(raw)))
        return Sealed(openings[-1].commitment, value.audience)

    body = msgspec.json.encode(fact, enc_hook=seal_value, order="deterministic")
    return Entry(
        originator_id=match_id,
        originator_version=version,
        timestamp=timestamp,
        previous=previous,
        body=msgspec.Raw(body),
        secrets=tuple(openings),
    )


def peek_fact_type(entry: Entry) -> TaggedBody:
    """Decode the type of an entry's fact without the types of its title; raise `msgspec` errors for other bodies."""
    return msgspec.json.decode(entry.body, type=TaggedBody)


def list_audiences(entry: Entry) -> dict[str, tuple[int, ...]]:
    """Return commitment -> audience (seats) of every hidden value, in the order of the body."""
    audiences: dict[str, tuple[int, ...]] = {}
    if b'"commitment"' not in bytes(entry.body):
        return audiences
    pending: list[Any] = [msgspec.json.decode(entry.body)]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            if value.keys() == {"commitment", "audience"}:
                audiences[value["commitment"]] = tuple(value["audience"])
            else:
                pending.extend(reversed(value.values()))
    return audiences


def redact(entry: Entry, reader: Reader) -> Entry:
    """Drop the openings that the reader (`ALL`, a seat, or None for spectators) may not see.

    An opening that no hidden value of the body refers to is dropped as well, except for `ALL`; a manipulated file may
    contain one.
    """
    if reader == ALL or not entry.secrets:
        return entry
    seen_by = list_audiences(entry)
    visible = tuple(opening for opening in entry.secrets if reader in seen_by.get(opening.commitment, ()))
    return entry if len(visible) == len(entry.secrets) else replace(entry, secrets=visible)


def check_openings(entry: Entry) -> None:
    """Raise `LogFault` for an opening that does not match its own commitment. The body is not checked."""
    for opening in entry.secrets:
        if not HEX.fullmatch(opening.salt):
            raise LogFault(entry.version, "commitment", f"the salt {opening.salt!r} is not lower-case hexadecimal")
        if commitment(bytes.fromhex(opening.salt), bytes(opening.value)) != opening.commitment:
            raise LogFault(
                entry.version, "commitment", f"value and salt do not match the commitment {opening.commitment}"
            )


def check_chain(entries: Iterable[Entry]) -> bytes:
    """Return the head of a complete line; raise `LogFault` for the first entry that does not continue the chain.

    Versions count from 1, and timestamps never decrease. No entries give `NO_DIGEST`.
    """
    head, last = NO_DIGEST, None
    for number, entry in enumerate(entries, start=1):
        if entry.version != number:
            raise LogFault(number, "chain", f"entry {number} is missing; found entry {entry.version}")
        if entry.previous != head:
            raise LogFault(number, "chain", "its previous digest does not match the previous entry")
        if last is not None and entry.timestamp < last:
            raise LogFault(number, "chain", "its time is earlier than the previous entry")
        head, last = digest(entry), entry.timestamp
    return head
