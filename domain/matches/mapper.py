"""Between our entries and the rows of the event store: stable topics, bodies byte for byte."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, StoredEvent

from domain.kernel.values import Value
from domain.matches.log import Entry, Opening, commitment
from domain.matches.records import Record

ENTRY_TOPIC: Final = "esporles.entry/1"
NOTE_TOPIC: Final = "esporles.note/1"
RECORD_TOPIC: Final = "esporles.record/1"


class Forked(Value, frozen=True, tag_field="type", tag="forked"):
    """`fork` shares this match's entries 1..at; `counts`: its running keeps their secrets closed."""

    fork: UUID
    at: int
    counts: bool


class Claimed(Value, frozen=True, tag_field="type", tag="claimed"):
    """Version 1 of a fork's stream: its id is taken, although its first own entry has a higher version."""


class Imported(Value, frozen=True, tag_field="type", tag="imported"):
    """The match came from a LOG file with this head."""

    head: str
    by: str


class Exported(Value, frozen=True, tag_field="type", tag="exported"):
    """An operator took the whole log of a match that was still going on."""

    version: int
    by: str


NoteBody = Forked | Claimed | Imported | Exported


class Note(Value, frozen=True, kw_only=True):
    """What the store remembers about a match beside its log, in a stream of its own."""

    originator_id: UUID
    originator_version: int
    timestamp: datetime
    what: NoteBody


class Unreadable(Value, frozen=True, kw_only=True):
    """A row of the store that is nothing we have written: whoever reads finds its entry missing."""

    originator_id: UUID
    originator_version: int


class StoredOpening(Value, frozen=True, array_like=True):
    """An opening without its commitment, which salt and value give."""

    salt: str
    value: msgspec.Raw


class StoredEntry(Value, frozen=True, omit_defaults=True):
    """An entry's row: what the row's own columns do not say."""

    timestamp: datetime
    previous: str
    body: msgspec.Raw
    secrets: tuple[StoredOpening, ...] = ()
    match: UUID | None = None


class StoredNote(Value, frozen=True):
    timestamp: datetime
    what: NoteBody


class StoredRecord(Value, frozen=True):
    """A record's row: what the row's own columns do not say."""

    timestamp: datetime
    previous: str
    body: msgspec.Raw


ENCODER: Final = msgspec.json.Encoder()
ENTRY_DECODER: Final = msgspec.json.Decoder(StoredEntry)
NOTE_DECODER: Final = msgspec.json.Decoder(StoredNote)
RECORD_DECODER: Final = msgspec.json.Decoder(StoredRecord)


class MatchMapper(Mapper[UUID]):
    """The library's mapper, replaced: no class names in the store and no second encoding of a body."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        if isinstance(domain_event, Note):
            note = StoredNote(domain_event.timestamp, domain_event.what)
            state, topic, stream = ENCODER.encode(note), NOTE_TOPIC, domain_event.originator_id
        elif isinstance(domain_event, Record):
            kept = StoredRecord(domain_event.timestamp, domain_event.previous.hex(), domain_event.body)
            state, topic, stream = ENCODER.encode(kept), RECORD_TOPIC, domain_event.originator_id
        else:
            assert isinstance(domain_event, Entry)
            entry = domain_event
            owner = None if entry.stream is None else entry.originator_id
            secrets = tuple(StoredOpening(opening.salt, opening.value) for opening in entry.secrets)
            stored = StoredEntry(entry.timestamp, entry.previous.hex(), entry.body, secrets, owner)
            state, topic, stream = ENCODER.encode(stored), ENTRY_TOPIC, entry.line_id
        return StoredEvent(stream, domain_event.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        stream, version = stored_event.originator_id, stored_event.originator_version
        assert isinstance(stream, UUID)
        read = READERS.get(stored_event.topic)
        assert read is not None, f"the store holds an event of the unknown topic {stored_event.topic}"
        try:
            return read(stream, version, stored_event.state)
        except ValueError:
            # Among them what msgspec says of bytes that are no JSON, or none of ours.
            return Unreadable(originator_id=stream, originator_version=version)


def note_of(stream: UUID, version: int, state: bytes) -> Note:
    """The note of a row."""
    note = NOTE_DECODER.decode(state)
    return Note(originator_id=stream, originator_version=version, timestamp=note.timestamp, what=note.what)


def entry_of(stream: UUID, version: int, state: bytes) -> Entry:
    """The entry of a row."""
    stored = ENTRY_DECODER.decode(state)
    return Entry(
        originator_id=stream if stored.match is None else stored.match,
        originator_version=version,
        timestamp=stored.timestamp,
        previous=bytes.fromhex(stored.previous),
        body=stored.body,
        secrets=tuple(
            Opening(commitment(bytes.fromhex(secret.salt), bytes(secret.value)), secret.salt, secret.value)
            for secret in stored.secrets
        ),
        stream=None if stored.match is None else stream,
    )


def record_of(stream: UUID, version: int, state: bytes) -> Record:
    """The record of a row."""
    kept = RECORD_DECODER.decode(state)
    return Record(
        originator_id=stream,
        originator_version=version,
        timestamp=kept.timestamp,
        previous=bytes.fromhex(kept.previous),
        body=kept.body,
    )


READERS: Final[Mapping[str, Callable[[UUID, int, bytes], Entry | Record | Note]]] = {
    ENTRY_TOPIC: entry_of,
    RECORD_TOPIC: record_of,
    NOTE_TOPIC: note_of,
}
