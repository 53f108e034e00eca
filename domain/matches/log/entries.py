"""Entries: sealing facts into them, the chain of digests, redaction. `docs/specifications/log.md` is the
specification."""

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
"""What the first entry of a chain has for `previous`."""

ALL: Final = "all"
Reader = int | None | Literal["all"]
"""Who reads: a seat, `None` for a spectator, `ALL` for a reader who may see everything."""

HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Opening(Value, frozen=True):
    """What opens a commitment: SHA-256(salt bytes ‖ JSON bytes of the value) is the commitment, all in hex."""

    commitment: str
    salt: str
    value: msgspec.Raw


class Entry(Value, frozen=True, kw_only=True, dict=True, gc=True):
    """One entry of a match log, as stored. `originator_*` are the library's names.

    `stream` names the line in whose stream the store keeps the entry when that is not its own match: the shared
    prefix of an imported fork whose parent is not in the store. The digest is computed once and kept beside the fields,
    where `replace` does not take it along.
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
        return self.originator_version

    @property
    def line_id(self) -> UUID:
        """The match in whose line the store keeps this entry."""
        return self.originator_id if self.stream is None else self.stream

    @property
    def digest(self) -> bytes:
        # What `cached_property` does, without its lock: two threads would come to the same.
        kept = self.__dict__
        if "digest" not in kept:
            kept["digest"] = chained_digest(DIGEST_PREFIX, self)
        found: bytes = kept["digest"]
        return found


class TaggedBody(msgspec.Struct, frozen=True):
    """The first look at a body: what kind of fact, and of which title and format if it says so."""

    type: str
    title: str = ""
    format: int = 1


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970, without a float on the way."""
    passed = moment - EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


class Chained(Protocol):
    """What a digest is over: an entry of a match, or a record of another stream."""

    @property
    def originator_id(self) -> UUID: ...
    @property
    def originator_version(self) -> int: ...
    @property
    def timestamp(self) -> datetime: ...
    @property
    def previous(self) -> bytes: ...
    @property
    def body(self) -> msgspec.Raw: ...


def chained_digest(prefix: bytes, link: Chained) -> bytes:
    """SHA-256 over prefix, stream id, version, timestamp, previous digest, and the body bytes as stored."""
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
    """The digest of an entry: what the next one has for `previous`."""
    return entry.digest


def commitment(salt: bytes, value: bytes) -> str:
    return hashlib.sha256(salt + value).hexdigest()


def salt_for(seed: bytes, match_id: UUID, version: int, index: int) -> bytes:
    """The salt of the `index`-th hidden value of an entry, from the server seed."""
    info = b"salt/" + match_id.bytes + version.to_bytes(8, "big") + index.to_bytes(4, "big")
    return hkdf_expand(seed, info)


def share_for(seed: bytes, match_id: UUID, version: int, seat: int) -> bytes:
    """The share the service makes for a seat that brings none; in format 1 `version` is that of `seat_taken`."""
    info = b"share/" + match_id.bytes + version.to_bytes(8, "big") + seat.to_bytes(4, "big")
    return hkdf_expand(seed, info)


def write_sealed(value: object) -> Sealed:
    """How a hidden value that has its commitment stands in a body."""
    assert isinstance(value, Hidden), f"{type(value).__name__} has no place in a fact"
    assert value.commitment is not None
    return Sealed(value.commitment, value.audience)


CANONICAL: Final = msgspec.json.Encoder(order="deterministic")
FACTS: Final = msgspec.json.Encoder(enc_hook=write_sealed, order="deterministic")


def canonical(value: object) -> bytes:
    """The one JSON encoding of a hidden value: msgspec's, keys of mappings sorted."""
    return CANONICAL.encode(value)


def encode_fact(fact: Fact) -> bytes:
    """The canonical bytes of a fact whose hidden values are sealed already."""
    return FACTS.encode(fact)


def seal(
    fact: Fact, *, match_id: UUID, version: int, previous: bytes, timestamp: datetime, seed: bytes | None
) -> Entry:
    """The entry of a fact: every hidden value in it becomes a salted commitment, its opening goes beside the body."""
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


def first_look(entry: Entry) -> TaggedBody:
    """The kind of fact in an entry, without knowing its title's types."""
    return msgspec.json.decode(entry.body, type=TaggedBody)


def audiences(entry: Entry) -> dict[str, tuple[int, ...]]:
    """Commitment -> audience of every hidden value in the body, in the order of their appearance."""
    found: dict[str, tuple[int, ...]] = {}
    if b'"commitment"' not in bytes(entry.body):
        return found
    pending: list[Any] = [msgspec.json.decode(entry.body)]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            if value.keys() == {"commitment", "audience"}:
                found[value["commitment"]] = tuple(value["audience"])
            else:
                pending.extend(reversed(value.values()))
    return found


def redact(entry: Entry, reader: Reader) -> Entry:
    """The entry as a reader may hold it: openings whose audience leaves the reader out are dropped, and so are those
    that an entry changed on the disk names for nobody."""
    if reader == ALL or not entry.secrets:
        return entry
    seen_by = audiences(entry)
    kept = tuple(opening for opening in entry.secrets if reader in seen_by.get(opening.commitment, ()))
    return entry if len(kept) == len(entry.secrets) else replace(entry, secrets=kept)


def check_openings(entry: Entry) -> None:
    """Every opening opens the commitment it names; whether that stands in the body is not examined."""
    for opening in entry.secrets:
        if not HEX.fullmatch(opening.salt):
            raise LogFault(entry.version, "commitment", f"the salt {opening.salt!r} is not lower-case hexadecimal")
        if commitment(bytes.fromhex(opening.salt), bytes(opening.value)) != opening.commitment:
            raise LogFault(entry.version, "commitment", f"value and salt do not open {opening.commitment}")


def check_chain(entries: Iterable[Entry]) -> bytes:
    """The head of a whole line; `LogFault` naming the first entry that does not follow from the one before."""
    head, last = NO_DIGEST, None
    for number, entry in enumerate(entries, start=1):
        if entry.version != number:
            raise LogFault(number, "chain", f"entry {number} is missing; entry {entry.version} stands in its place")
        if entry.previous != head:
            raise LogFault(number, "chain", "its previous digest is not the digest of the entry before")
        if last is not None and entry.timestamp < last:
            raise LogFault(number, "chain", "its time lies before that of the entry before")
        head, last = digest(entry), entry.timestamp
    return head
